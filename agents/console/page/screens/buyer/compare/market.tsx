import { useLocation } from "preact-iso";
import type { OutputOf } from "../../../agent/api.ts";
import { isoDayIn, useAddress } from "../../../address.ts";
import * as buyer from "../../../agent/buyer.generated.ts";
import { useRead } from "../../../agent/read.ts";
import { plain, shortCount } from "../../../form.ts";
import { Field } from "../../../parts/field.tsx";
import { NothingHere } from "../../../parts/rows.tsx";
import { Search } from "../../../parts/search.tsx";
import { Empty, Shown } from "../../../parts/states.tsx";
import { channelName } from "../campaigns/job.ts";
import type { SellerOf } from "../seller-names.ts";
import { type Asked, Matrix } from "./matrix.tsx";

type Compared = OutputOf<typeof buyer.compareProducts>["products"][number];

const reachText = ({ unlimited, available_impressions: left, minimum_impressions: least }: Compared): string => {
  if (unlimited) return "no limit";
  if (left !== null) return `${shortCount(left)} left`;
  return least === null ? "reach not said" : `from ${shortCount(least)}`;
};

const offerOf = (row: Compared): Asked => ({
  seller: row.seller_url,
  group: channelName(plain(row.inventory_type ?? "kind not said")),
  name: row.name,
  price: row.price,
  currency: row.currency,
  reach: row.unlimited ? Infinity : row.available_impressions,
  reachText: reachText(row),
  terms: row.deal_types.map((type) => plain(type)).join(", "),
  isOurs: false,
});

const isFound = (row: Compared, text: string, seller: string): boolean =>
  [row.name, row.inventory_type, row.seller_url, seller, row.product_id].some((part) =>
    part?.toLowerCase().includes(text.toLowerCase()),
  );

/** All that the sellers list, without a brief. */
export const MarketCompared = ({ sellerOf }: { readonly sellerOf: SellerOf }) => {
  const { query, linkTo } = useAddress();
  const { route } = useLocation();
  const { q } = query;
  const [from, to] = [isoDayIn(query["from"]), isoDayIn(query["to"])];
  const isTimed = from !== undefined && to !== undefined && from <= to;
  const read = useRead(buyer.compareProducts, isTimed ? { flight_start: from, flight_end: to } : {}, []);
  const set = (name: string) => (value: string) => route(linkTo({ [name]: value }), true);
  return (
    <>
      <div class="row end-aligned">
        <Search label="Find a product, kind or seller" />
        <Field label="First day" type="date" value={query["from"] ?? ""} onInput={set("from")} />
        <Field label="Last day" type="date" value={query["to"] ?? ""} onInput={set("to")} />
      </div>
      <Shown read={read}>
        {({ products, warnings }) => {
          const rows = q === undefined ? products : products.filter((row) => isFound(row, q, sellerOf(row.seller_url)));
          const urls = [...new Set(rows.map((row) => row.seller_url))];
          const columns = urls.map((url) => ({ url, name: sellerOf(url), trust: null, note: "" }));
          return (
            <>
              {warnings.map(({ seller_url: url, error }) => (
                <p key={url} class="notice warn">
                  {sellerOf(url)} is left out: {plain(error, 300)}
                </p>
              ))}
              {rows.length === 0 ? (
                <NothingHere empty={<Empty title="No seller lists a product." />} />
              ) : (
                <Matrix
                  caption="Products of all sellers"
                  sellers={columns}
                  offers={rows.map(offerOf)}
                  empty="not sold"
                />
              )}
            </>
          );
        }}
      </Shown>
    </>
  );
};
