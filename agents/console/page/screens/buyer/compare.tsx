import { useLocation } from "preact-iso";
import type { OutputOf } from "../../agent/api.ts";
import { useAddress } from "../../address.ts";
import * as buyer from "../../agent/buyer.generated.ts";
import { count, money, plain, shortCount } from "../../form.ts";
import { Chip } from "../../parts/bits.tsx";
import { Field } from "../../parts/field.tsx";
import { Page } from "../../parts/page.tsx";
import { Search } from "../../parts/search.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { dealTypeWords, wordOf } from "../../words.ts";
import { useSellerNames } from "./seller-names.ts";

type Compared = OutputOf<typeof buyer.compareProducts>["products"][number];

const idsOf = (results: readonly Readonly<Record<string, unknown>>[]): readonly string[] =>
  results.flatMap(({ product_id: id }) => (typeof id === "string" ? [id] : []));

const leftOf = ({ unlimited, available_impressions: left }: Compared): string =>
  unlimited ? "no limit" : left === null ? "not known" : shortCount(left);

/** The cheapest of each kind of inventory is said in a word. */
const isBest = (row: Compared, rows: readonly Compared[]): boolean =>
  row.price !== null &&
  rows.every(
    (other) =>
      other.inventory_type !== row.inventory_type ||
      other.currency !== row.currency ||
      other.price === null ||
      other.price >= (row.price ?? 0),
  );

const isFound = (row: Compared, text: string, seller: string): boolean =>
  [row.name, row.inventory_type, row.seller_url, seller, row.product_id].some((part) =>
    part?.toLowerCase().includes(text.toLowerCase()),
  );

const isDay = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text);

const Rows = ({ ids }: { readonly ids: readonly string[] }) => {
  const { query } = useAddress();
  const { from, to, q } = query;
  const isTimed = isDay(from) && isDay(to) && from <= to;
  const flight = isTimed ? { flight_start: from, flight_end: to } : {};
  const sellerOf = useSellerNames();
  const read = useRead(buyer.compareProducts, { product_ids: [...ids], ...flight }, []);
  return (
    <Shown read={read}>
      {({ products, warnings }) => {
        const rows = q === undefined ? products : products.filter((row) => isFound(row, q, sellerOf(row.seller_url)));
        return (
          <>
            {warnings.map(({ seller_url: url, error }) => (
              <p key={url} class="notice warn">
                {sellerOf(url)} is left out: {plain(error, 300)}
              </p>
            ))}
            <Table<Compared>
              caption="Products of all sellers"
              rows={rows}
              idOf={(row) => `${row.seller_url} ${row.product_id}`}
              columns={[
                { name: "Product", isLead: true, cell: (row) => plain(row.name) },
                { name: "Kind", cell: (row) => wordOf({}, plain(row.inventory_type ?? "not said")) },
                { name: "Seller", cell: (row) => sellerOf(row.seller_url) },
                {
                  name: "Price",
                  isNumber: true,
                  cell: (row) => (
                    <>
                      {isBest(row, products) ? <Chip tone="ok">lowest of its kind</Chip> : null}{" "}
                      {row.price === null ? "not shown to us" : money(row.price, row.currency)}
                    </>
                  ),
                },
                {
                  name: "Types",
                  cell: (row) => row.deal_types.map((type) => wordOf(dealTypeWords, plain(type))).join(", "),
                },
                { name: "Least", isNumber: true, cell: (row) => count(row.minimum_impressions) },
                { name: isTimed ? "Left in these days" : "Cap", isNumber: true, cell: leftOf },
              ]}
            />
          </>
        );
      }}
    </Shown>
  );
};

export const CompareScreen = () => {
  const { query, linkTo } = useAddress();
  const { route } = useLocation();
  const read = useRead(buyer.searchProducts, { limit: 50 }, []);
  const set = (name: string) => (value: string) => route(linkTo({ [name]: value }), true);
  return (
    <Page title="Compare" note="The first seller's products beside those of the others, cheapest first.">
      <div class="row end-aligned">
        <Search label="Find a product, kind or seller" />
        <Field label="First day" type="date" value={query["from"] ?? ""} onInput={set("from")} />
        <Field label="Last day" type="date" value={query["to"] ?? ""} onInput={set("to")} />
      </div>
      <Shown read={read}>
        {({ results }) => {
          const ids = idsOf(results);
          return ids.length === 0 ? <Empty title="No seller lists a product." /> : <Rows ids={ids} />;
        }}
      </Shown>
    </Page>
  );
};
