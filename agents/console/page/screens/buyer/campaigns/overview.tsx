import { change, moment, plain, roundMoney, money, shortCount } from "../../../form.ts";
import { Card, Figure, Figures } from "../../../parts/bits.tsx";
import { Meter } from "../../../parts/meter.tsx";
import type { SellerOf } from "../seller-names.ts";
import { channelName, currency, type Job, type Line, sumOf } from "./job.ts";

const states: readonly (readonly [words: string, states: readonly string[]])[] = [
  ["Brief read", ["pending"]],
  ["Budget split", ["allocating"]],
  ["Sellers asked", ["researching"]],
  ["Prices negotiated", ["negotiating"]],
  ["Compared", ["choosing"]],
  ["Your approval", ["awaiting_approval"]],
  ["Booked", ["booking", "completed"]],
];

/** The stages of the job; the last visit is where it stands. */
export const Steps = ({ job }: { readonly job: Job }) => {
  const last = job.steps.at(-1)?.name ?? "pending";
  const here = states.findIndex(([, names]) => names.includes(last));
  const isOver = job.status === "completed";
  return (
    <ol class="steps" aria-label="Steps">
      {states.map(([words], at) => {
        const isDone = isOver || (here >= 0 && at < here);
        const state = isDone ? "done" : at === here ? "here" : "";
        return (
          <li key={words} class={state} aria-current={state === "here" ? "step" : undefined}>
            {words}
            <span class="unseen">{isDone ? ", done" : ""}</span>
          </li>
        );
      })}
    </ol>
  );
};

interface Worth {
  readonly cost: number;
  /** Beside the cost. */
  readonly fees: number;
  readonly impressions: number;
  readonly list: number;
}

const feesOf = ({ fees, cost, impressions }: Line): number =>
  fees === null ? 0 : (cost * fees.intermediary_percent) / 100 + (fees.tech_cpm * impressions) / 1000;

const worthOf = (lines: readonly Line[]): Worth => ({
  cost: sumOf(lines.map(({ cost }) => cost)),
  fees: sumOf(lines.map(feesOf)),
  impressions: lines.reduce((sum, { impressions }) => sum + impressions, 0),
  list: sumOf(lines.map((line) => ((line.list_cpm ?? line.cpm) * line.impressions) / 1000)),
});

/** The money of the chosen lines, or of what is planned and booked. */
export const Budget = ({ job, lines, label }: { job: Job; lines: readonly Line[]; label: string }) => {
  const { cost, fees, impressions, list } = worthOf(lines);
  const saved = sumOf([list, -cost]);
  const left = sumOf([job.budget, -cost]);
  return (
    <Card title="Budget" note={roundMoney(job.budget, currency)}>
      <Meter part={cost} whole={job.budget} name={`${label} of the budget`} />
      <Figures>
        <Figure name={label} value={roundMoney(cost, currency)} />
        <Figure name={left < 0 ? "Over" : "Left"} value={roundMoney(Math.abs(left), currency)} />
        <Figure
          name="Under list"
          value={list > 0 ? change(-saved / list) : "none"}
          note={`${roundMoney(saved, currency)} saved`}
        />
        <Figure
          name="Average CPM"
          value={impressions > 0 ? money((cost / impressions) * 1000, currency) : "none"}
          note={`${shortCount(impressions)} impressions`}
        />
        {fees > 0 ? (
          <Figure name="Fees" value={roundMoney(fees, currency)} note="beside the budget, not in it" />
        ) : null}
      </Figures>
      {fees > 0 ? null : (
        <p class="muted small">Costs are what the sellers charge, all in: no fees are set up on top of them.</p>
      )}
    </Card>
  );
};

export const ByChannel = ({ job, lines }: { readonly job: Job; readonly lines: readonly Line[] }) => {
  const planned = Object.values(job.budget_allocations ?? {});
  if (planned.length === 0) return null;
  return (
    <Card title="By channel" note="chosen of planned">
      <ul class="meters">
        {planned.map(({ channel, budget, rationale }) => {
          const chosen = sumOf(lines.filter((line) => line.channel === channel).map(({ cost }) => cost));
          return (
            <li key={channel} title={plain(rationale, 300)}>
              <span>{channelName(plain(channel))}</span>
              <span class="muted end">
                {roundMoney(chosen, currency)} of {roundMoney(budget, currency)}
              </span>
              <Meter part={chosen} whole={budget} name={`${channelName(plain(channel))}: chosen of planned`} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
};

/** The tier is known from quotes: one that gave none is not said to be public. */
const answerWords = ({ products, tier, ms }: Job["sellers"][number]): string =>
  `${products ?? 0} products${tier === null ? "" : ` at the ${plain(tier)} tier`} in ${ms ?? 0} ms`;

export const Sellers = ({ job, sellerOf }: { readonly job: Job; readonly sellerOf: SellerOf }) => (
  <Card title="Sellers asked">
    <ul class="lines">
      {job.sellers.map((seller) => (
        <li key={seller.url}>
          <span>
            {sellerOf(seller.url, seller.name)}
            {seller.source === "registry" ? <span class="muted small"> from the registry</span> : null}
          </span>
          <span class="muted small">
            {seller.status === "answered"
              ? answerWords(seller)
              : seller.status === "waiting"
                ? "not answered yet"
                : `left out: ${plain(seller.error, 200)}`}
          </span>
        </li>
      ))}
    </ul>
  </Card>
);

/** What of the brief could not be done as written, and what went wrong. */
export const Words = ({ job }: { readonly job: Job }) => (
  <>
    {job.warnings.length === 0 ? null : (
      <Card title="Not as the brief asks">
        <ul class="lines">
          {job.warnings.map(({ field, message }) => (
            <li key={field + message}>
              <span>{plain(message, 600)}</span>
              <code>{plain(field)}</code>
            </li>
          ))}
        </ul>
      </Card>
    )}
    {(job.errors ?? []).length === 0 ? null : (
      <Card title="What went wrong">
        <ul class="lines">
          {(job.errors ?? []).map((error) => (
            <li key={error}>{plain(error, 600)}</li>
          ))}
        </ul>
      </Card>
    )}
  </>
);

export const holdsUntil = (lines: readonly Line[]): string => {
  const times = lines.flatMap(({ quote_expires_at: at }) => (at === null ? [] : [at])).toSorted();
  return times[0] === undefined ? "" : `; quotes hold until ${moment(times[0])}`;
};
