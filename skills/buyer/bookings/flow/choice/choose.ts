import { randomUUID } from "node:crypto";
import { bookingProgress } from "../../../../../machines/booking/machine.ts";
import { fromMicros } from "../../../../../machines/money.ts";
import type { EventDraft } from "../../../../../protocol/seam/operation.ts";
import { moveJob } from "../../moves.ts";
import type { BookingRow, Finding, Offer, PassedOver, Recommendation, Unfound } from "../../record.ts";
import { audienceFit, audienceWarnings } from "./audience-fit.ts";
import { bindsMoney, type Cell, cellsOf, openCellsOf } from "../cells.ts";
import { costCents, volumeWithin } from "../money.ts";
import { endEmpty, pendingLines } from "../endings.ts";
import { offersOf, productOf } from "../offers.ts";
import { askQuote } from "../quotes.ts";
import { isWithinCeiling, rankOffers, type RankedOffer } from "./rank.ts";
import { advanceJob, type FlowSession, warnJob } from "../session.ts";
import { missingWarnings } from "./missing.ts";

const linesPerCell = 5;

interface Fitted {
  readonly offer: Offer;
  readonly cost_cents: number;
}

/** 0 below the product's minimum. */
const volumeOf = (offer: Offer, restCents: number, most: number): number => {
  const left = offer.is_available ? most : Math.min(most, offer.available_impressions ?? 0);
  return volumeWithin(restCents, offer.cpm_micros, { minimum: offer.minimum_impressions, ceiling: left });
};

/** A negotiated cost may not rise. */
const inVolume = async (
  session: FlowSession,
  cell: Cell,
  offer: Offer,
  impressions: number,
  events: EventDraft[],
): Promise<Offer | null> => {
  const { brief } = session.job();
  const request = {
    product_id: offer.product_id,
    deal_type: offer.deal_type,
    impressions,
    flight_start: cell.dates.start_date,
    flight_end: cell.dates.end_date,
    target_cpm_micros: offer.bargain === null ? brief.target_cpm_micros : offer.cpm_micros,
  };
  const { channel, flight } = cell;
  const quoted = await askQuote(session, {
    sellerUrl: offer.seller_url,
    product: productOf(offer),
    channel,
    flight,
    request,
  });
  events.push(...quoted.events);
  return quoted.ok && isWithinCeiling(quoted.offer, brief.max_cpm_micros)
    ? { ...quoted.offer, bargain: offer.bargain }
    : null;
};

/**
 * A quote is booked at its own volume, so another volume needs another quote. A dearer one (a lost volume discount) is
 * asked for once more at what it now buys; above the brief's ceiling it does not fit.
 */
const fitOffer = async (
  session: FlowSession,
  cell: Cell,
  first: Offer,
  restCents: number,
  events: EventDraft[],
): Promise<Fitted | null> => {
  let offer = first;
  for (let round = 0; round < 3; round += 1) {
    const volume = volumeOf(offer, restCents, offer.impressions);
    if (volume === 0) return null;
    const cost = costCents(offer.cpm_micros, offer.impressions);
    if (volume === offer.impressions) return cost === null || cost > restCents ? null : { offer, cost_cents: cost };
    const again = await inVolume(session, cell, offer, volume, events);
    if (again === null) return null;
    offer = again;
  }
  return null;
};

/**
 * A price below the one that the volume was asked for at (negotiated, or a tier's below the list) buys more, where the
 * seller keeps it for the larger volume.
 */
const grown = async (
  session: FlowSession,
  cell: Cell,
  fitted: Fitted,
  restCents: number,
  events: EventDraft[],
): Promise<Fitted> => {
  const { offer } = fitted;
  const volume = volumeOf(offer, restCents, offer.available_impressions ?? Infinity);
  if (volume <= offer.impressions) return fitted;
  const more = await inVolume(session, cell, offer, volume, events);
  const cost = more === null ? null : costCents(more.cpm_micros, more.impressions);
  if (more === null || cost === null || cost > restCents) return fitted;
  return more.cpm_micros <= offer.cpm_micros && more.is_available ? { offer: more, cost_cents: cost } : fitted;
};

/** Price, score and rank must be those of this very offer. */
const recommend = (
  job: BookingRow,
  { offer, effective_cpm_micros, score }: RankedOffer,
  cost_cents: number,
  rank: string,
  priority: number,
): Recommendation => {
  const recommendationId = randomUUID();
  const list = offer.list_cpm_micros === null ? "" : `, list $${fromMicros(offer.list_cpm_micros).toFixed(2)}`;
  const withFees = offer.fees === undefined ? "" : `, $${fromMicros(effective_cpm_micros).toFixed(2)} with fees`;
  const price = `$${fromMicros(offer.cpm_micros).toFixed(2)} CPM at the ${offer.buyer_tier} tier${list}${withFees}`;
  return {
    ...offer,
    recommendation_id: recommendationId,
    priority,
    score,
    effective_cpm_micros,
    cost_cents,
    rationale: `${rank} for ${offer.channel}: ${price}, score ${score.toFixed(2)}`,
    status: "pending_approval",
    booking_key: `book-${job.job_id}-${recommendationId}`,
    booking: "waiting",
    error: null,
  };
};

interface Spent {
  readonly candidates: readonly Offer[];
  readonly costs: ReadonlyMap<Offer, number>;
}

const spendCell = async (
  session: FlowSession,
  cell: Cell,
  ranked: readonly RankedOffer[],
  events: EventDraft[],
): Promise<Spent> => {
  const candidates: Offer[] = [];
  const costs = new Map<Offer, number>();
  let rest = cell.budget_cents;
  for (const { offer } of ranked) {
    const first = costs.size === linesPerCell ? null : await fitOffer(session, cell, offer, rest, events);
    const fitted = first === null ? null : await grown(session, cell, first, rest, events);
    candidates.push(fitted?.offer ?? offer);
    if (fitted === null) continue;
    rest -= fitted.cost_cents;
    costs.set(fitted.offer, fitted.cost_cents);
  }
  return { candidates, costs };
};

/** Requoted volumes have new prices, so the same candidates are ranked again. */
const recommendCell = (job: BookingRow, { candidates, costs }: Spent): readonly Recommendation[] => {
  const chosen: Recommendation[] = [];
  const ranked = rankOffers(candidates, job.brief.max_cpm_micros, audienceFit(job.brief));
  for (const [index, entry] of ranked.entries()) {
    const cost = costs.get(entry.offer);
    if (cost === undefined) continue;
    const rank = `Rank ${index + 1} of ${ranked.length}`;
    chosen.push(recommend(job, entry, cost, rank, job.recommendations.length + chosen.length + 1));
  }
  return chosen;
};

const mostPassedOver = 20;

const minimumWords = ({ minimum_impressions: least, cpm_micros: cpm }: Offer): string => {
  const cost = (costCents(cpm, Math.max(1, least)) ?? 0) / 100;
  const dollars = cost.toLocaleString("en-US", { minimumFractionDigits: 2 });
  return `no money was left for its minimum of ${least.toLocaleString("en-US")} impressions (${dollars} USD)`;
};

const passedOver = (job: BookingRow, offers: readonly Offer[], { candidates, costs }: Spent): readonly PassedOver[] => {
  const ranked = rankOffers(candidates, job.brief.max_cpm_micros, audienceFit(job.brief));
  const told = (offer: Offer, score: number | null, reason: string): PassedOver => {
    const { channel, flight, seller_url, product_id, product_name, cpm_micros, impressions, deal_type } = offer;
    const quoted = { cpm_micros, impressions, deal_type };
    return { channel, flight, seller_url, product_id, product_name, ...quoted, score, reason };
  };
  const limit = job.brief.max_cpm_micros;
  const taken = ranked.filter(({ offer }) => costs.has(offer)).length;
  const isFull = taken === linesPerCell;
  const tooDear = limit === null ? [] : offers.filter((offer) => !isWithinCeiling(offer, limit));
  return [
    ...ranked
      .filter(({ offer }) => !costs.has(offer))
      .map(({ offer, score }) =>
        told(offer, score, isFull ? `${linesPerCell} better lines are enough` : minimumWords(offer)),
      ),
    ...tooDear.map((offer) => told(offer, null, `dearer than max_cpm ${fromMicros(limit ?? 0)}`)),
  ].slice(0, mostPassedOver);
};

const openCell = (job: BookingRow, cell: Cell): Cell | null =>
  openCellsOf(job).find(({ channel, flight }) => channel === cell.channel && flight === cell.flight) ?? null;

const hasLine = (job: BookingRow, cell: Cell): boolean =>
  job.recommendations.some((line) => line.channel === cell.channel && line.flight === cell.flight && bindsMoney(line));

const unfoundIn = ({ channel, flight, budget_cents }: Cell): Unfound => ({ channel, flight, budget_cents });

const chooseCell = async (session: FlowSession, whole: Cell): Promise<void> => {
  const job = session.job();
  const cell = openCell(job, whole);
  const { sellers = [] } = job;
  const place = (finding: Finding): number => sellers.findIndex(({ url }) => url === finding.seller_url);
  const findings = job.findings.toSorted((left, right) => place(left) - place(right));
  const offers = cell === null ? [] : offersOf({ ...job, findings }, cell);
  const events: EventDraft[] = [];
  const ranked = rankOffers(offers, job.brief.max_cpm_micros, audienceFit(job.brief));
  const spent = cell === null ? { candidates: [], costs: new Map() } : await spendCell(session, cell, ranked, events);
  const chosen = recommendCell(job, spent);
  const inFlight = job.brief.flights.length > 1 ? ` in flight ${whole.flight + 1}` : "";
  const isEmpty = chosen.length === 0 && !hasLine(job, whole);
  // After a rejection the channel is sold, only nothing else of it.
  const isAgain = job.recommendations.some((line) => line.channel === whole.channel && line.flight === whole.flight);
  const none = isAgain ? "no further bookable inventory" : "no bookable inventory";
  const errors = isEmpty ? [`${none} for channel ${whole.channel}${inFlight}`] : [];
  const warnings = isEmpty ? missingWarnings(job, whole, offers) : [];
  const isOther = (one: Pick<Cell, "channel" | "flight">): boolean =>
    one.channel !== whole.channel || one.flight !== whole.flight;
  const isHeard = job.findings.every(({ failure }) => failure === null);
  const unfound = cell === null || chosen.length > 0 || !isHeard ? [] : [unfoundIn(cell)];
  await session.commit(
    (latest) => ({
      ...warnJob(advanceJob(latest, session.nowMs(), bookingProgress.negotiated, errors), warnings),
      recommendations: [...latest.recommendations, ...chosen],
      // Where a replan was offered nothing, what the search before it passed over still stands.
      passed_over: [
        ...latest.passed_over.filter((one) => offers.length === 0 || isOther(one)),
        ...passedOver(job, offers, spent),
      ],
      unfound: [...(latest.unfound ?? []).filter(isOther), ...unfound],
      chosen_cells: latest.chosen_cells + 1,
    }),
    events,
  );
};

/** `auto_approve` decides at once, else the job waits. */
const settleChoice = (job: BookingRow, nowMs: number): BookingRow => {
  const recommendationCount = pendingLines(job);
  if (recommendationCount === 0) return endEmpty(job, nowMs, []);
  const held = warnJob(moveJob(job, { type: "RECOMMEND", nowMs, recommendationCount }), audienceWarnings(job));
  if (!job.auto_approve) return held;
  const recommendations = held.recommendations.map((line) =>
    line.status === "pending_approval" ? { ...line, status: "approved" as const } : line,
  );
  return moveJob({ ...held, recommendations }, { type: "APPROVE", nowMs });
};

/** A job may wait for days: offers not taken are evicted; `passed_over` names them. */
const withoutOffers = (job: BookingRow): BookingRow => ({
  ...job,
  findings: job.findings.map((finding) => ({ ...finding, offers: [] })),
});

/** Each cell stays within its budget, and so the job within its own. */
export const choose = async (session: FlowSession): Promise<void> => {
  const cells = cellsOf(session.job());
  for (const cell of cells.slice(session.job().chosen_cells)) await chooseCell(session, cell);
  await session.commit((job) => withoutOffers(settleChoice(job, session.nowMs())));
};
