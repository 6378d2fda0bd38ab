import type { ComponentChildren } from "preact";
import * as buyer from "../../../agent/buyer.generated.ts";
import { usePoll } from "../../../agent/poll.ts";
import { useRead } from "../../../agent/read.ts";
import { canWrite } from "../../../agent/session.ts";
import { change, flight, money, plain, plural, priceText, roundMoney, shortCount } from "../../../form.ts";
import { Card, Figure, Figures } from "../../../parts/bits.tsx";
import { Meter } from "../../../parts/meter.tsx";
import { Empty, Shown } from "../../../parts/states.tsx";
import { dealTypeWords, wordOf } from "../../../words.ts";
import { Foot, useChosen } from "../campaigns/choosing.tsx";
import { channelName, currency, isLive, type Job, type Line, linesOf, sumOf } from "../campaigns/job.ts";
import { Words } from "../campaigns/overview.tsx";
import { type SellerOf, useSellerNames } from "../seller-names.ts";
import { type Asked, Matrix, type SellerColumn } from "./matrix.tsx";
import { Pacing } from "./pacing.tsx";

type Passed = Job["not_chosen"][number];

const groupOf = (channel: string): string => channelName(plain(channel));

const reachText = (impressions: number | null | undefined): string =>
  impressions == null ? "reach not kept" : shortCount(impressions);

const termsOf = (type: string | null | undefined, flights: number): string =>
  flights > 1 ? `${plain(type ?? "")}, ${flights} flights` : plain(type ?? "");

const standsAs = (line: Line): string | undefined => {
  if (line.status === "rejected") return "rejected by you";
  if (line.booking === "failed" || line.booking === "cancelled") return `${line.booking}: ${plain(line.error, 120)}`;
  return line.booking === "booked" ? "booked" : undefined;
};

/** Null: nothing can be chosen. */
type Turn = ((ids: readonly string[]) => void) | null;

/** Over all flights, since a product of a seller is compared as one. */
const joined = (lines: readonly Line[], ours: (line: Line) => boolean, turn: Turn): Asked => {
  const [first] = lines as readonly [Line, ...Line[]];
  const impressions = lines.reduce((sum, line) => sum + line.impressions, 0);
  const cost = sumOf(lines.map((line) => line.cost));
  const isOne = lines.every(({ cpm }) => cpm === first.cpm);
  const open = lines.filter(({ status }) => status === "pending_approval");
  return {
    seller: first.seller_url,
    group: groupOf(first.channel),
    name: first.product_name,
    price: isOne ? first.cpm : impressions === 0 ? null : Math.round((cost / impressions) * 100_000) / 100,
    currency,
    reach: impressions,
    reachText: reachText(impressions),
    terms: termsOf(first.deal_type, lines.length),
    isOurs: lines.some(ours),
    note: standsAs(first),
    turn: turn === null || open.length === 0 ? undefined : () => turn(open.map((line) => line.recommendation_id)),
  };
};

const passedOf = (some: readonly Passed[]): Asked => {
  const [one] = some as readonly [Passed, ...Passed[]];
  const isKept = some.every(({ impressions }) => impressions != null);
  const reach = isKept ? some.reduce((sum, { impressions }) => sum + (impressions ?? 0), 0) : null;
  return {
    seller: one.seller_url,
    group: groupOf(one.channel),
    name: one.product_name,
    price: Math.min(...some.map(({ cpm }) => cpm)),
    currency,
    reach,
    reachText: reachText(reach),
    terms: termsOf(one.deal_type, some.length),
    isOurs: false,
  };
};

const keyOf = (one: { seller_url: string; channel: string; product_name: string }): string =>
  JSON.stringify([one.seller_url, one.channel, one.product_name]);

const byKey = <T extends Parameters<typeof keyOf>[0]>(all: readonly T[]): ReadonlyMap<string, readonly T[]> => {
  const found = new Map<string, readonly T[]>();
  for (const one of all) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return found;
};

/** The lines first, then what was quoted beside them and not taken. */
const offersOf = (job: Job, ours: (line: Line) => boolean, turn: Turn): readonly Asked[] => {
  const lines = byKey(linesOf(job));
  const passed = byKey(job.not_chosen.filter((one) => !lines.has(keyOf(one))));
  return [...[...lines.values()].map((some) => joined(some, ours, turn)), ...[...passed.values()].map(passedOf)];
};

const columnsOf = (job: Job, sellerOf: SellerOf): readonly SellerColumn[] =>
  job.sellers.map((seller) => ({
    url: seller.url,
    name: sellerOf(seller.url, seller.name),
    trust: seller.trust_level,
    note:
      seller.status === "answered"
        ? `${plural(seller.products ?? 0, "product")}, ${plain(seller.tier ?? "public")} tier, in ${seller.ms ?? 0} ms`
        : seller.status === "waiting"
          ? "not answered yet"
          : `left out: ${plain(seller.error, 120)}`,
  }));

const limitOf = (job: Job, channel: string): number | null => {
  const limits = (job.brief["channel_limits"] ?? {}) as Readonly<
    Record<string, { readonly max_share?: number; readonly max_amount?: number }>
  >;
  const { max_share: share, max_amount: amount } = limits[channel] ?? {};
  const least = Math.min(share == null ? Infinity : share * job.budget, amount ?? Infinity);
  return Number.isFinite(least) ? least : null;
};

const ChannelHead = ({ job, group, lines }: { job: Job; group: string; lines: readonly Line[] }) => {
  const planned = Object.values(job.budget_allocations ?? {}).find(({ channel }) => groupOf(channel) === group);
  if (planned === undefined) return null;
  const chosen = sumOf(lines.filter(({ channel }) => channel === planned.channel).map(({ cost }) => cost));
  const limit = limitOf(job, planned.channel);
  const whole = limit ?? planned.budget;
  const rest = sumOf([whole, -chosen]);
  return (
    <span class="group-sum">
      <Meter part={chosen} whole={whole} name={`${group}: chosen of ${limit === null ? "planned" : "the limit"}`} />
      <span class="muted">
        {roundMoney(chosen, currency)} of {limit === null ? "" : "a "}
        {roundMoney(whole, currency)} {limit === null ? "planned" : "limit"}
      </span>
      {rest < 1 ? (
        <b class="warn-text">{limit === null ? "all of it" : "limit reached"}</b>
      ) : (
        <span class="muted">{roundMoney(rest, currency)} left</span>
      )}
    </span>
  );
};

const BriefSums = ({
  job,
  lines,
  label,
}: {
  readonly job: Job;
  readonly lines: readonly Line[];
  readonly label: string;
}) => {
  const cost = sumOf(lines.map((line) => line.cost));
  const impressions = lines.reduce((sum, line) => sum + line.impressions, 0);
  const list = sumOf(lines.map((line) => ((line.list_cpm ?? line.cpm) * line.impressions) / 1000));
  const channels = Object.keys(job.budget_allocations ?? {}).length;
  return (
    <div class="strip-card">
      <Figures>
        <Figure name="Budget" value={roundMoney(job.budget, currency)} note={plural(channels, "channel")} />
        <Figure
          name={label}
          value={roundMoney(cost, currency)}
          note={`${roundMoney(Math.abs(sumOf([job.budget, -cost])), currency)} ${cost > job.budget ? "over" : "left"}`}
        />
        <Figure
          name="Under list"
          value={list > 0 ? change((cost - list) / list) : "none"}
          note={`${roundMoney(sumOf([list, -cost]), currency)} saved`}
        />
        <Figure
          name="Average CPM"
          value={impressions > 0 ? money((cost / impressions) * 1000, currency) : "none"}
          note={`${shortCount(impressions)} impressions`}
        />
        <Figure
          name="Booked"
          value={roundMoney(job.totals.booked, currency)}
          note={`${roundMoney(job.totals.unspent, currency)} not yet`}
        />
      </Figures>
    </div>
  );
};

const mostUnused = 10;

const UnusedLines = ({
  rows,
  sellerOf,
}: {
  readonly rows: readonly (readonly Passed[])[];
  readonly sellerOf: SellerOf;
}) => (
  <ul class="lines small">
    {rows.map(([one, ...others]) =>
      one === undefined ? null : (
        <li key={keyOf(one) + one.reason}>
          <span>
            {plain(one.product_name)}, {sellerOf(one.seller_url)}, {priceText(one.cpm, currency)}
            {one.impressions == null ? "" : ` for ${shortCount(one.impressions)}`}
            {one.deal_type == null ? "" : `, ${wordOf(dealTypeWords, plain(one.deal_type))}`}
            {others.length === 0 ? "" : `, and in ${plural(others.length, "other flight")}`}
          </span>
          <span class="muted">{plain(one.reason, 300)}</span>
        </li>
      ),
    )}
  </ul>
);

/** What sellers quoted for the brief and it did not take, each with its reason. */
const Unused = ({ job, sellerOf }: { readonly job: Job; readonly sellerOf: SellerOf }) => {
  const rows = [...byKey(job.not_chosen).values()];
  const nameOf: SellerOf = (url) => sellerOf(url, job.sellers.find((seller) => seller.url === url)?.name);
  if (rows.length === 0) return null;
  return (
    <Card title="Not used" note={`${plural(job.not_chosen.length, "quote")} with the reason`}>
      <UnusedLines rows={rows.slice(0, mostUnused)} sellerOf={nameOf} />
      {rows.length > mostUnused ? (
        <details>
          <summary>{rows.length - mostUnused} more</summary>
          <UnusedLines rows={rows.slice(mostUnused)} sellerOf={nameOf} />
        </details>
      ) : null}
    </Card>
  );
};

const isMoving = (job: Job | null): boolean => job !== null && (job.status === "pending" || job.status === "running");

const pollMs = 1500;

export const briefNote = (job: Job): string =>
  `${flight(String(job.brief["start_date"]), String(job.brief["end_date"]))}, ` +
  `${plural(linesOf(job).length + job.not_chosen.length, "quote")} of ${plural(job.sellers.length, "seller")}`;

interface ComparedProps {
  readonly job: Job;
  readonly isDeciding: boolean;
  readonly ours: (line: Line) => boolean;
  readonly turn: Turn;
  readonly sellerOf: SellerOf;
  readonly again: () => void;
}

const NoOffers = ({ job }: Pick<ComparedProps, "job">) =>
  isMoving(job) ? (
    <Empty title="The sellers are being asked.">Their offers appear here as they answer.</Empty>
  ) : (
    <Empty title="No seller offered anything for this brief.">The reasons stand below.</Empty>
  );

const ComparedOffers = ({ job, isDeciding, ours, turn, sellerOf, again }: ComparedProps) => {
  const lines = linesOf(job).filter(ours);
  const offers = offersOf(job, ours, turn);
  return (
    <>
      <BriefSums job={job} lines={lines} label={isDeciding ? "Chosen" : "Planned"} />
      {offers.length === 0 ? (
        <NoOffers job={job} />
      ) : (
        <>
          <Matrix
            caption="Products by seller"
            sellers={columnsOf(job, sellerOf)}
            offers={offers}
            empty="not offered"
            head={(group) => <ChannelHead job={job} group={group} lines={lines} />}
          />
          <p class="muted small matrix-note">
            <span>What is chosen weighs price, fees, reach and what the brief asks.</span>
            <span>PG guaranteed, PD preferred, PA private auction</span>
          </p>
        </>
      )}
      {(job.booked_lines ?? []).length === 0 ? null : <Pacing job={job} sellerOf={sellerOf} again={again} />}
      <Unused job={job} sellerOf={sellerOf} />
      <Words job={job} />
    </>
  );
};

/** The sellers' offers for one brief, beside each other; `titled` gives the page its title. */
export const BriefCompared = ({
  id,
  titled,
}: {
  readonly id: string;
  readonly titled: (job: Job | null, children: ComponentChildren) => ComponentChildren;
}) => {
  const read = useRead(buyer.getBooking, { job_id: id }, ["booking.", "deal.", "quote."]);
  const sellerOf = useSellerNames();
  usePoll(isMoving(read.output), read.again, pollMs);
  const { waiting, chosen, choose } = useChosen(read.output);
  const isDeciding = waiting.length > 0;
  const isPickable = isDeciding && canWrite();
  const turn = (ids: readonly string[]): void => {
    const isIn = ids.every((one) => chosen.has(one));
    choose(isIn ? [...chosen].filter((one) => !ids.includes(one)) : [...new Set([...chosen, ...ids])]);
  };
  const ours = (line: Line): boolean =>
    isDeciding && line.status === "pending_approval" ? chosen.has(line.recommendation_id) : isLive(line);
  const more = { isDeciding, ours, turn: isPickable ? turn : null, sellerOf, again: read.again };
  return (
    <>
      {titled(read.output, <Shown read={read}>{(job) => <ComparedOffers job={job} {...more} />}</Shown>)}
      {read.output !== null && isPickable ? (
        <Foot job={read.output} waiting={waiting} chosen={chosen} choose={choose} again={read.again} />
      ) : null}
    </>
  );
};
