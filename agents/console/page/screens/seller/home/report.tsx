import type { ComponentChildren } from "preact";
import type { OutputOf } from "../../../agent/api.ts";
import { screenOf } from "../../../address.ts";
import { useRead } from "../../../agent/read.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { fillOf, FillRow, nearlyFull } from "../../../charts/fill.tsx";
import { nowMs } from "../../../clock.ts";
import { buyerName, change, money, plain, plural, roundMoney, share, shortMoney } from "../../../form.ts";
import { Card, Figure, Figures } from "../../../parts/bits.tsx";
import { saveCsv } from "../../../parts/download.tsx";
import { Meter } from "../../../parts/meter.tsx";
import { Shown } from "../../../parts/states.tsx";
import { wordOf } from "../../../words.ts";
import { DayActivity } from "../../day-activity.tsx";

type Activity = OutputOf<typeof seller.getActivity>;

const dayMs = 86_400_000;
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const firstOf = (values: Readonly<Record<string, number>>): number => Object.values(values)[0] ?? 0;

const changeOf = (now: number, before: number): string | undefined =>
  before === 0 ? undefined : `${change((now - before) / before)} on the days before`;

interface SpanProps {
  readonly now: Activity | null;
  readonly before: Activity | null;
}

const Sums = ({ now, before }: SpanProps) => {
  if (now === null) return null;
  const { totals } = now;
  const value = firstOf(totals.standing_values);
  const [currency = "USD"] = Object.keys(totals.standing_values);
  return (
    <div class="strip-card">
      <Figures>
        <Figure
          name="Sold"
          value={roundMoney(value, currency)}
          note={before === null ? undefined : changeOf(value, firstOf(before.totals.standing_values))}
        />
        <Figure name="Deals" value={String(totals.deals - totals.lost)} />
        <Figure
          name="Average CPM"
          value={
            totals.impressions === 0 ? "none" : money((firstOf(totals.values) / totals.impressions) * 1000, currency)
          }
        />
        <Figure name="Quotes" value={String(totals.quotes ?? "none")} />
        <Figure
          name="Lost"
          value={roundMoney(firstOf(totals.values) - value, currency)}
          note={plural(totals.lost, "time")}
        />
      </Figures>
    </div>
  );
};

interface SoldByProps {
  readonly title: string;
  readonly groups: Activity["groups"];
  readonly before: Activity["groups"] | undefined;
  readonly nameOf: (group: Activity["groups"][number]) => string;
}

const mostGroups = 6;

const SoldBy = ({ title, groups, before, nameOf }: SoldByProps) => {
  const rows = groups
    .filter(({ standing_values: values }) => firstOf(values) > 0)
    .toSorted((one, other) => firstOf(other.standing_values) - firstOf(one.standing_values))
    .slice(0, mostGroups);
  const most = Math.max(1, ...rows.map(({ standing_values: values }) => firstOf(values)));
  return (
    <Card title={title} note="change on the days before">
      {rows.length === 0 ? <p class="muted">Nothing was sold in these days.</p> : null}
      <ul class="lines sold">
        {rows.map((group) => {
          const value = firstOf(group.standing_values);
          const old = firstOf(before?.find(({ key }) => key === group.key)?.standing_values ?? {});
          return (
            <li key={group.key}>
              <span class="clip">{nameOf(group)}</span>
              <Meter part={value} whole={most} name={`${nameOf(group)}: ${Math.round(value)}`} />
              <b class="end">{shortMoney(value, Object.keys(group.standing_values)[0])}</b>
              <span class={old === 0 ? "muted end" : value >= old ? "ok-text end" : "error end"}>
                {old === 0 ? "new" : change((value - old) / old)}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
};

const weeksAhead = 8;

type Available = OutputOf<typeof seller.getAvailability>["products"][number];

const mostFilling = 8;

/** Those with a cap of which something is held, the fullest first. */
const fillingOf = (products: readonly Available[]) =>
  products
    .flatMap(({ product_id: id, name, cap, days }) =>
      cap === null ? [] : [{ id, name, weeks: days.map((one) => ({ ...one, cap })) }],
    )
    .map((row) => ({ ...row, most: Math.max(...row.weeks.map((week) => fillOf(week) ?? 0)) }))
    .filter(({ most }) => most > 0)
    .toSorted((one, other) => other.most - one.most)
    .slice(0, mostFilling);

const Filling = ({ rows }: { readonly rows: ReturnType<typeof fillingOf> }) =>
  rows.length === 0 ? (
    <p class="muted">Nothing is held in the next weeks.</p>
  ) : (
    <ul class="lines fills">
      {rows.map(({ id, name, weeks, most }) => (
        <li key={id}>
          <a class="clip" href={screenOf("products", id)}>
            {plain(name)}
          </a>
          <FillRow name={plain(name)} weeks={weeks} nowMs={nowMs.value} />
          <span class={most >= nearlyFull ? "error end" : "muted end"}>{share(most)}</span>
        </li>
      ))}
    </ul>
  );

const FillsUp = () => {
  const read = useRead(seller.listProducts, { limit: 20 }, ["product."], false);
  const ids = read.output?.products.map(({ product_id: id }) => id) ?? [];
  const from = isoDay(nowMs.value);
  const to = isoDay(nowMs.value + (weeksAhead * 7 - 1) * dayMs);
  const fill = useRead(
    seller.getAvailability,
    ids.length === 0 ? null : { product_id: ids, from, to, step: "week" as const },
    ["deal.", "product."],
  );
  return (
    <Card title="Fills up" note={<a href={screenOf("products")}>% held, next {weeksAhead} weeks</a>}>
      {read.output?.products.length === 0 ? (
        <p class="muted">The catalogue is empty.</p>
      ) : (
        <Shown read={fill} lines={3}>
          {({ products }) => <Filling rows={fillingOf(products)} />}
        </Shown>
      )}
    </Card>
  );
};

const TopRefusals = ({ since }: { readonly since: string }) => {
  const read = useRead(seller.listRefusals, { since, by: "code" as const }, [], false);
  return (
    <Card title="Top refusals">
      <Shown read={read} lines={2}>
        {({ refusals }) =>
          refusals.length === 0 ? (
            <p class="muted">No call was refused.</p>
          ) : (
            <ul class="lines">
              {refusals.slice(0, 5).map(({ name, count }) => (
                <li key={name}>
                  <span>{wordOf({}, plain(name))}</span>
                  <b>{count}</b>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
};

const csvOf = (by: string, groups: Activity["groups"]): readonly (readonly string[])[] =>
  groups.map((group) => [
    by,
    group.buyer_name ?? group.name,
    String(group.deals - group.lost),
    String(firstOf(group.standing_values)),
  ]);

/** First and last day. */
export interface FirstAndLastDay {
  readonly from: string;
  readonly to: string;
}

const saveReport = (days: FirstAndLastDay, ...[byProduct, byBuyer]: (Activity | null)[]): void => {
  const ofDays = (byProduct?.points ?? []).map((point) => [
    "day",
    point.at,
    String(point.deals - point.lost),
    String(firstOf(point.standing_values)),
  ]);
  const groups = [...csvOf("product", byProduct?.groups ?? []), ...csvOf("buyer", byBuyer?.groups ?? [])];
  saveCsv(`sold-${days.from}-${days.to}.csv`, ["by", "name", "deals", "value"], [...ofDays, ...groups]);
};

/** The days up to today, and as many before them. */
export const lastDays = (days: number): { readonly now: FirstAndLastDay; readonly before: FirstAndLastDay } => {
  const today = Date.parse(isoDay(nowMs.value));
  return spansFrom(isoDay(today - (days - 1) * dayMs), days);
};

export const spansFrom = (
  from: string,
  days: number,
): { readonly now: FirstAndLastDay; readonly before: FirstAndLastDay } => {
  const start = Date.parse(from);
  return {
    now: { from, to: isoDay(start + (days - 1) * dayMs) },
    before: { from: isoDay(start - days * dayMs), to: isoDay(start - dayMs) },
  };
};

interface ReportProps {
  readonly now: FirstAndLastDay;
  readonly before: FirstAndLastDay;
  /** Between the sums and what they are made of. */
  readonly children?: ComponentChildren;
}

/** For whoever runs the business: sold by day, product and buyer, what fills up, what was refused. */
export const Report = ({ now, before, children }: ReportProps) => {
  const byProduct = useRead(seller.getActivity, { ...now, by: "product" as const }, ["deal."]);
  const byBuyer = useRead(seller.getActivity, { ...now, by: "buyer" as const }, ["deal."], false);
  const oldProduct = useRead(seller.getActivity, { ...before, by: "product" as const }, [], false);
  const oldBuyer = useRead(seller.getActivity, { ...before, by: "buyer" as const }, [], false);
  const save = (): void => saveReport(now, byProduct.output, byBuyer.output);
  return (
    <>
      <Sums now={byProduct.output} before={oldProduct.output} />
      {children}
      <div class="home-grid">
        <Card
          title="Sold by day"
          note={
            <button type="button" class="link" onClick={save}>
              As CSV
            </button>
          }
        >
          <Shown read={byProduct}>{({ points, totals }) => <DayActivity points={points} totals={totals} />}</Shown>
        </Card>
        <FillsUp />
        <SoldBy
          title="Sold by product"
          groups={byProduct.output?.groups ?? []}
          before={oldProduct.output?.groups}
          nameOf={({ name }) => plain(name)}
        />
        <SoldBy
          title="Sold by buyer"
          groups={byBuyer.output?.groups ?? []}
          before={oldBuyer.output?.groups}
          nameOf={({ key, buyer_name: name }) => buyerName(name, key)}
        />
        <TopRefusals since={now.from} />
      </div>
    </>
  );
};
