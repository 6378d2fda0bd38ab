import type { OutputOf } from "../../../agent/api.ts";
import { isoDayIn, screenOf, useAddress } from "../../../address.ts";
import { useRead } from "../../../agent/read.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { FillLegend, fillOf, FillRow, nearlyFull, type Week } from "../../../charts/fill.tsx";
import { nowMs } from "../../../clock.ts";
import {
  buyerName,
  count,
  day,
  plain,
  plural,
  priceText,
  roundMoney,
  share,
  shortCount,
  shortMoney,
} from "../../../form.ts";
import { Card, Figure, Figures } from "../../../parts/bits.tsx";
import { Page, Pager } from "../../../parts/page.tsx";
import { Empty, Shown } from "../../../parts/states.tsx";
import { dealStanding } from "../../../words.ts";

type Product = OutputOf<typeof seller.getProduct>;
type Sold = OutputOf<typeof seller.getActivity>["groups"][number];

const dayMs = 86_400_000;
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** Monday of its week. */
const mondayOf = (ms: number): number => ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs;

const weeksShown = 52;
const weeksBack = 6;
const atOnce = 20;

/** The calendar takes twenty products a call. */
const useFill = (ids: readonly string[], from: string): ReadonlyMap<string, readonly Week[]> => {
  const to = isoDay(Date.parse(from) + (weeksShown * 7 - 1) * dayMs);
  const parts = [0, 1, 2].map((part) => ids.slice(part * atOnce, (part + 1) * atOnce));
  const reads = parts.map((part, at) =>
    useRead(
      seller.getAvailability,
      part.length === 0 ? null : { product_id: [...part], from, to, step: "week" as const },
      ["deal.", "product."],
      at === 0,
    ),
  );
  return new Map(
    reads.flatMap(({ output }) =>
      (output?.products ?? []).map(
        ({ product_id: id, cap, days }) => [id, days.map((one) => ({ ...one, cap }))] as const,
      ),
    ),
  );
};

const plannedOf = (product: Product): { readonly price: number; readonly from: string | null } | null => {
  const change = (product.planned_changes ?? []).find(({ before, after }) => before.base_cpm !== after.base_cpm);
  return change === undefined || change.after.base_cpm === null
    ? null
    : { price: change.after.base_cpm, from: change.effective_from ?? change.booked_from ?? null };
};

const Months = ({ from }: { readonly from: string }) => {
  const names = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });
  const starts = Array.from({ length: weeksShown }, (_, at) => Date.parse(from) + at * 7 * dayMs);
  return (
    <span class="fill-row months-row" aria-hidden="true">
      {starts.map((ms, at) => (
        <span key={ms}>{at > 0 && new Date(ms).getUTCDate() <= 7 ? names.format(ms) : ""}</span>
      ))}
    </span>
  );
};

interface RowProps {
  readonly product: Product;
  readonly weeks: readonly Week[] | undefined;
  readonly sold: Sold | undefined;
}

const valueOf = (sold: Sold | undefined): number => Object.values(sold?.standing_values ?? {})[0] ?? 0;

const aheadOf = (weeks: readonly Week[] | undefined, now: number): readonly Week[] =>
  (weeks ?? []).filter(({ date }) => Date.parse(date) + 6 * dayMs >= now);

const BoardRow = ({ product, weeks, sold }: RowProps) => {
  const { query, linkTo } = useAddress();
  const [openId, openWeek] = (query["week"] ?? "").split(" ");
  const planned = plannedOf(product);
  const name = plain(product.name);
  const most = Math.max(0, ...aheadOf(weeks, nowMs.value).map((week) => fillOf(week) ?? 0));
  return (
    <tr>
      <th scope="row">
        <a class="clip" href={screenOf("products", product.product_id)}>
          {name}
        </a>
      </th>
      <td class="number">{priceText(product.base_cpm, product.currency)}</td>
      <td class="number muted">{priceText(product.floor_cpm, product.currency)}</td>
      <td class="number">
        {planned === null ? (
          "–"
        ) : (
          <span class="planned" title={planned.from === null ? "" : `from ${day(planned.from)}`}>
            {priceText(planned.price, product.currency)}
          </span>
        )}
      </td>
      <td class="fill-cell">
        {weeks === undefined ? null : (
          <FillRow
            name={name}
            weeks={weeks}
            nowMs={nowMs.value}
            open={openId === product.product_id ? openWeek : null}
            linkTo={(date) => linkTo({ week: `${product.product_id} ${date}` })}
          />
        )}
      </td>
      <td class="number">
        {shortMoney(valueOf(sold), product.currency)}
        {most < nearlyFull ? null : <span class="unseen"> nearly full, {share(most)}</span>}
      </td>
    </tr>
  );
};

const holdingLine = (deal: OutputOf<typeof seller.listDeals>["deals"][number]) => (
  <li key={deal.deal_id}>
    <a href={screenOf("deals", deal.deal_id)}>{buyerName(deal.buyer_name, deal.buyer)}</a>
    <span>
      <span class="muted">{dealStanding(deal)}</span> {shortCount(deal.terms.impressions)}{" "}
      <b>{roundMoney(deal.value, deal.pricing.currency)}</b>
    </span>
  </li>
);

/** What holds a week of a product. */
const WeekCard = ({ product, week }: { readonly product: Product; readonly week: Week }) => {
  const { linkTo } = useAddress();
  const to = isoDay(Date.parse(week.date) + 6 * dayMs);
  const { product_id: id } = product;
  const read = useRead(
    seller.listDeals,
    {
      product_id: id,
      flight_from: week.date,
      flight_to: to,
      status: ["proposed", "active"],
      sort: "impressions",
      limit: 8,
    },
    ["deal."],
  );
  const fill = fillOf(week);
  return (
    <Card
      title={`${plain(product.name)}, ${day(week.date)} to ${day(to)}`}
      note={<a href={linkTo({ week: null })}>Close</a>}
    >
      <Figures>
        <Figure
          name="Held"
          value={shortCount(week.held)}
          note={fill === null ? "no cap" : `${share(fill)} of the cap`}
        />
        {week.left === null ? null : <Figure name="Left" value={shortCount(week.left)} note="on its fullest day" />}
      </Figures>
      <Shown read={read} lines={2}>
        {({ deals }) => <ul class="lines">{deals.map(holdingLine)}</ul>}
      </Shown>
      <p class="row spaced">
        <a class="button small" href={screenOf("products", id)}>
          Plan a price
        </a>
        <a
          class="button small"
          href={`${screenOf("deals")}?product=${encodeURIComponent(id)}&from=${week.date}&to=${to}`}
        >
          Its deals
        </a>
      </p>
    </Card>
  );
};

const fullWeeks = (weeks: readonly Week[]): number => weeks.filter((week) => (fillOf(week) ?? 0) >= nearlyFull).length;

const soldShare = (product: Product, sold: Sold | undefined): number | null => {
  if (sold === undefined || sold.impressions === 0 || product.base_cpm == null) return null;
  return ((valueOf(sold) / sold.impressions) * 1000) / product.base_cpm;
};

interface BoardProps {
  readonly products: readonly Product[];
  readonly fill: ReadonlyMap<string, readonly Week[]>;
  readonly soldOf: (product: Product) => Sold | undefined;
}

/** Nearly full for weeks, and no higher price is planned. */
const WhereToRaise = ({ products, fill, soldOf }: BoardProps) => {
  const rows = products
    .map((product) => ({ product, full: fullWeeks(aheadOf(fill.get(product.product_id), nowMs.value)) }))
    .filter(({ product, full }) => full > 0 && plannedOf(product) === null)
    .toSorted((one, other) => other.full - one.full);
  if (rows.length === 0) return null;
  return (
    <Card title="Where to raise" note={`weeks ahead that are ${share(nearlyFull)} held or more, and no price planned`}>
      <ul class="lines">
        {rows.map(({ product, full }) => {
          const sold = soldShare(product, soldOf(product));
          return (
            <li key={product.product_id}>
              <b>{plain(product.name)}</b>
              <span>
                {plural(full, "full week")}, list {priceText(product.base_cpm, product.currency)}
                {sold === null ? "" : `, sold at ${share(sold)} of list`}
              </span>
              <a class="button small" href={screenOf("products", product.product_id)}>
                Plan a price
              </a>
            </li>
          );
        })}
      </ul>
    </Card>
  );
};

const Sums = ({ products, fill, soldOf }: BoardProps) => {
  const ahead = products.map((product) => aheadOf(fill.get(product.product_id), nowMs.value));
  const full = ahead.map(fullWeeks);
  const firstHeld = ahead.flat().find(({ held }) => (held ?? 0) > 0);
  const values = products.reduce((sum, product) => sum + valueOf(soldOf(product)), 0);
  return (
    <div class="strip-card">
      <Figures>
        <Figure name="Products" value={count(products.length)} />
        <Figure
          name="Full weeks ahead"
          value={count(full.reduce((sum, one) => sum + one, 0))}
          note={`on ${plural(full.filter((one) => one > 0).length, "product")}`}
        />
        <Figure name="Held from" value={firstHeld === undefined ? "nothing held" : day(firstHeld.date)} />
        <Figure name="Sold, 28 days" value={roundMoney(values, products[0]?.currency)} />
      </Figures>
    </div>
  );
};

const Board = (props: BoardProps & { readonly from: string }) => {
  const { query } = useAddress();
  const [openId, openWeek] = (query["week"] ?? "").split(" ");
  const product = props.products.find((one) => one.product_id === openId);
  const week = props.fill.get(openId ?? "")?.find(({ date }) => date === openWeek);
  return (
    <>
      <Sums {...props} />
      <div class="board" role="region" aria-label="Fill by week" tabIndex={0}>
        <table>
          <caption class="unseen">Products and their fill by week</caption>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col" class="number">
                List
              </th>
              <th scope="col" class="number">
                Floor
              </th>
              <th scope="col" class="number">
                Planned
              </th>
              <th scope="col" class="fill-cell">
                <span class="unseen">Fill by week</span>
                <Months from={props.from} />
              </th>
              <th scope="col" class="number">
                28 days
              </th>
            </tr>
          </thead>
          <tbody>
            {props.products.map((one) => (
              <BoardRow
                key={one.product_id}
                product={one}
                weeks={props.fill.get(one.product_id)}
                sold={props.soldOf(one)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <FillLegend />
      {product === undefined || week === undefined ? null : <WeekCard product={product} week={week} />}
      <WhereToRaise {...props} />
    </>
  );
};

const stepWeeks = 26;

const WeeksNav = ({ from }: { readonly from: string }) => {
  const { linkTo } = useAddress();
  const shifted = (weeks: number): string => linkTo({ from: isoDay(Date.parse(from) + weeks * 7 * dayMs) });
  return (
    <nav class="row" aria-label="Weeks">
      <a class="button small" href={shifted(-stepWeeks)}>
        Earlier
      </a>
      <a class="button small" href={linkTo({ from: null })}>
        This year
      </a>
      <a class="button small" href={shifted(stepWeeks)}>
        Later
      </a>
      <span class="muted">
        {day(from)} to {day(isoDay(Date.parse(from) + (weeksShown * 7 - 1) * dayMs))}
      </span>
    </nav>
  );
};

/** Fill of all products over a year, any year of the calendar. */
export const ProductBoard = () => {
  const { query } = useAddress();
  const today = mondayOf(Date.parse(isoDay(nowMs.value)));
  const from = isoDay(mondayOf(Date.parse(isoDayIn(query["from"]) ?? isoDay(today - weeksBack * 7 * dayMs))));
  const read = useRead(seller.listProducts, { limit: 50, cursor: query["cursor"] }, ["product."]);
  const fill = useFill(read.output?.products.map(({ product_id: id }) => id) ?? [], from);
  const activity = useRead(
    seller.getActivity,
    { by: "product" as const, from: isoDay(today - 28 * dayMs), to: isoDay(nowMs.value) },
    ["deal."],
    false,
  );
  const soldOf = ({ product_id: id }: Product): Sold | undefined =>
    activity.output?.groups.find(({ key }) => key === id);
  return (
    <Page
      title="Products"
      note="Fill by week; press a week to see what holds it. Price, floor and cap are changed on a product's page."
    >
      <WeeksNav from={from} />
      <Shown read={read}>
        {({ products, next_cursor: next }) =>
          products.length === 0 ? (
            <Empty title="The catalogue is empty.">
              Name a file: <code>parley seller --catalog products.json</code>.
            </Empty>
          ) : (
            <>
              <Board products={products} fill={fill} soldOf={soldOf} from={from} />
              <Pager next={next} />
            </>
          )
        }
      </Shown>
    </Page>
  );
};
