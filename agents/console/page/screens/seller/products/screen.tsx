import { screenOf, useAddress } from "../../../address.ts";
import { DayStrip } from "../../../charts/day-strip.tsx";
import { nowMs } from "../../../clock.ts";
import { count, money, plain, plural, shortCount } from "../../../form.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { Card, Chip, Facts } from "../../../parts/bits.tsx";
import { Page } from "../../../parts/page.tsx";
import { Shown } from "../../../parts/states.tsx";
import { useRead } from "../../../agent/read.ts";
import { dealTypeWords, wordOf } from "../../../words.ts";
import type { ScreenProps } from "../../screen.ts";
import { ProductBoard } from "./board.tsx";
import { ChangeProduct } from "./change.tsx";
import { acceptText } from "./differences.ts";
import { Planned } from "./planned.tsx";

const monthsShown = 4;

/** `month` 0 is this one, and its day 0 the last of the month before. */
const dayOf = (month: number, date: number): string => {
  const now = new Date(nowMs.value);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, date)).toISOString().slice(0, 10);
};

/** Sold at most so many months ahead, and looked back at. */
const farthest = 24;

const Calendar = ({ id }: { readonly id: string }) => {
  const { query, linkTo } = useAddress();
  const asked = Number(query["month"] ?? 0);
  const month = Number.isInteger(asked) && Math.abs(asked) <= farthest ? asked : 0;
  const input = { product_id: [id], from: dayOf(month, 1), to: dayOf(month + monthsShown, 0), step: "day" as const };
  const pageTo = (next: number): string => linkTo({ month: next === 0 ? null : String(next) });
  const read = useRead(seller.getAvailability, input, ["deal."]);
  return (
    <Shown read={read}>
      {({ products }) => {
        const [product] = products;
        if (product === undefined) return <p class="muted">Nothing is known of its days.</p>;
        return (
          <Card
            title="Availability by day"
            note={
              product.cap === null
                ? "no cap"
                : `deals that run on one day take ${shortCount(product.cap)} in all at most, each its whole volume`
            }
          >
            <DayStrip days={product.days} />
            <nav class="row spaced" aria-label="Months">
              <a class="button small" href={pageTo(month - monthsShown)}>
                Earlier
              </a>
              <a class="button small" href={pageTo(month + monthsShown)}>
                Later
              </a>
            </nav>
          </Card>
        );
      }}
    </Shown>
  );
};

const tiers = ["public", "seat", "agency", "advertiser"] as const;
const volumes = [1_000_000, 5_000_000, 20_000_000] as const;

const TierRow = ({ id, tier }: { readonly id: string; readonly tier: (typeof tiers)[number] }) => {
  const [one, five, twenty] = volumes.map((volume) =>
    useRead(seller.getPricing, { product_id: id, buyer_tier: tier, volume }, ["product."], tier === "public"),
  );
  return (
    <tr>
      <th scope="row">{tier}</th>
      {[one, five, twenty].map((read, at) => (
        <td key={volumes[at]} class="number" data-name={shortCount(volumes[at])}>
          {read?.output == null ? "" : money(read.output.final_price, read.output.currency)}
        </td>
      ))}
    </tr>
  );
};

const Prices = ({ id }: { readonly id: string }) => (
  <Card title="Price by tier and volume" note="per thousand">
    <table class="table grid">
      <caption class="unseen">Price by tier and volume</caption>
      <thead>
        <tr>
          <th scope="col">Tier</th>
          {volumes.map((volume) => (
            <th key={volume} scope="col" class="number">
              {shortCount(volume)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tiers.map((tier) => (
          <TierRow key={tier} id={id} tier={tier} />
        ))}
      </tbody>
    </table>
  </Card>
);

const Holders = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.listPackages, { limit: 200 }, ["package."], false);
  const holding = read.output?.packages.filter(({ placements }) =>
    placements?.some(({ product_id: held }) => held === id),
  );
  return (
    <Card title="Packages" note={holding === undefined ? "" : plural(holding.length, "package")}>
      <ul class="lines">
        {(holding ?? []).map((one) => (
          <li key={one.package_id}>
            <a href={screenOf("packages", one.package_id)}>{plain(one.name)}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const ProductPage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getProduct, { product_id: id }, ["product."]);
  const product = read.output;
  return (
    <Page
      title={product === null ? "Product" : plain(product.name)}
      back={{ href: screenOf("products"), label: "All products" }}
      chips={product === null ? undefined : <Chip tone="accent">{wordOf({}, product.inventory_type)}</Chip>}
      note={product?.description == null ? undefined : plain(product.description, 400)}
    >
      <Shown read={read}>
        {(shown) => (
          <>
            <Planned product={shown} again={read.again} />
            <Calendar id={id} />
            <div class="columns">
              <Prices id={id} />
              <Card title="What it is">
                <Facts
                  rows={[
                    { name: "Product", value: shown.product_id, isCode: true },
                    { name: "List price", value: money(shown.base_cpm, shown.currency) },
                    { name: "Floor", value: money(shown.floor_cpm, shown.currency) },
                    { name: "Target prices from", value: acceptText(shown.accept_from, shown.currency) },
                    { name: "Least volume", value: count(shown.ext.minimum_impressions) },
                    {
                      name: "Deal types",
                      value: shown.deal_types.map((type) => wordOf(dealTypeWords, type)).join(", "),
                    },
                    { name: "Delivery", value: wordOf({}, shown.delivery_type) },
                    shown.domain == null ? null : { name: "Domain", value: shown.domain },
                  ]}
                />
                <p class="spaced">
                  <ChangeProduct product={shown} again={read.again} />
                </p>
              </Card>
              <Holders id={id} />
            </div>
          </>
        )}
      </Shown>
    </Page>
  );
};

export const ProductsScreen = ({ id }: ScreenProps) =>
  id === null ? <ProductBoard /> : <ProductPage key={id} id={id} />;
