import { randomUUID } from "node:crypto";
import { bookingProgress } from "../../../../machines/booking/machine.ts";
import { fromMicros } from "../../../../machines/money.ts";
import type { EventDraft } from "../../../../protocol/seam/operation.ts";
import type { BookingRow, Finding, Offer, Recommendation } from "../record.ts";
import { type Cell, cellsOf } from "./cells.ts";
import { costCents, volumeWithin } from "./money.ts";
import { productOf } from "./offers.ts";
import { askQuote } from "./quotes.ts";
import { isWithinCeiling, rankOffers, type RankedOffer } from "./rank.ts";
import { advanceJob, failJob, type FlowSession, moveJob } from "./session.ts";

const linesPerCell = 5;

/** An offer in the volume that is to be booked, with its cost. */
interface Fitted {
  readonly offer: Offer;
  readonly cost_cents: number;
}

/** The volume that the rest of a cell can pay, within what is left of the inventory; 0 below the product's minimum. */
const volumeOf = (offer: Offer, restCents: number): number => {
  const left = offer.is_available ? Infinity : (offer.available_impressions ?? 0);
  return volumeWithin(restCents, offer.cpm_micros, {
    minimum: offer.minimum_impressions,
    ceiling: Math.min(offer.impressions, left),
  });
};

/**
 * Fits an offer into what is left of a cell. A quote is booked at its own volume, so another volume needs another
 * quote; where that one is dearer (a volume discount is lost), it is asked for once more at what it now buys. One that
 * passes the ceiling of the brief at its new price does not fit.
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
    const volume = volumeOf(offer, restCents);
    if (volume === 0) return null;
    const cost = costCents(offer.cpm_micros, offer.impressions);
    if (volume === offer.impressions) return cost === null || cost > restCents ? null : { offer, cost_cents: cost };
    const request = {
      product_id: offer.product_id,
      deal_type: offer.deal_type,
      impressions: volume,
      flight_start: cell.dates.start_date,
      flight_end: cell.dates.end_date,
      target_cpm_micros: session.job().brief.target_cpm_micros,
    };
    const { channel, flight } = cell;
    const product = productOf(offer);
    const quoted = await askQuote(session, { sellerUrl: offer.seller_url, product, channel, flight, request });
    events.push(...quoted.events);
    if (!quoted.ok || !isWithinCeiling(quoted.offer, session.job().brief.max_cpm_micros)) return null;
    offer = quoted.offer;
  }
  return null;
};

/** An offer at its cost as a recommendation; price, score and rank are all those of this very offer. */
const recommend = (
  job: BookingRow,
  { offer, effective_cpm_micros, score }: RankedOffer,
  cost_cents: number,
  rank: string,
  priority: number,
): Recommendation => {
  const recommendationId = randomUUID();
  const list = offer.list_cpm_micros === null ? "" : `, list $${fromMicros(offer.list_cpm_micros).toFixed(2)}`;
  const price = `$${fromMicros(offer.cpm_micros).toFixed(2)} CPM at the ${offer.buyer_tier} tier${list}`;
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

/** What came of the offers of a cell: all of them at the prices they have now, and the costs of those that fit. */
interface Spent {
  readonly candidates: readonly Offer[];
  readonly costs: ReadonlyMap<Offer, number>;
}

/** Spends a cell on its offers in the order of their rank. */
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
    const fitted = costs.size === linesPerCell ? null : await fitOffer(session, cell, offer, rest, events);
    candidates.push(fitted?.offer ?? offer);
    if (fitted === null) continue;
    rest -= fitted.cost_cents;
    costs.set(fitted.offer, fitted.cost_cents);
  }
  return { candidates, costs };
};

/**
 * The lines of a cell, best first. What was quoted anew in another volume has another price, so the same candidates are
 * ranked again: every score of a cell is measured against the prices that are offered now (wire contract 9.3).
 */
const recommendCell = (job: BookingRow, { candidates, costs }: Spent): readonly Recommendation[] => {
  const chosen: Recommendation[] = [];
  const ranked = rankOffers(candidates, job.brief.max_cpm_micros);
  for (const [index, entry] of ranked.entries()) {
    const cost = costs.get(entry.offer);
    if (cost === undefined) continue;
    const rank = `Rank ${index + 1} of ${ranked.length}`;
    chosen.push(recommend(job, entry, cost, rank, job.recommendations.length + chosen.length + 1));
  }
  return chosen;
};

/** Chooses the lines of one cell and commits the choice. */
const chooseCell = async (session: FlowSession, cell: Cell): Promise<void> => {
  const job = session.job();
  const place = (finding: Finding): number => session.calls.sellers.indexOf(finding.seller_url);
  const offers = job.findings
    .toSorted((left, right) => place(left) - place(right))
    .flatMap((finding) => finding.offers)
    .filter((offer) => offer.channel === cell.channel && offer.flight === cell.flight);
  const events: EventDraft[] = [];
  const spent = await spendCell(session, cell, rankOffers(offers, job.brief.max_cpm_micros), events);
  const chosen = recommendCell(job, spent);
  const inFlight = job.brief.flights.length > 1 ? ` in flight ${cell.flight + 1}` : "";
  const errors = chosen.length > 0 ? [] : [`no bookable inventory for channel ${cell.channel}${inFlight}`];
  await session.commit(
    (latest) => ({
      ...advanceJob(latest, session.nowMs(), bookingProgress.researched, errors),
      recommendations: [...latest.recommendations, ...chosen],
      chosen_cells: latest.chosen_cells + 1,
    }),
    events,
  );
};

/** The end of the choice: nothing is failed, `auto_approve` decides at once, else the job waits (decision 84). */
const settleChoice = (job: BookingRow, nowMs: number): BookingRow => {
  const recommendationCount = job.recommendations.length;
  if (recommendationCount === 0) return failJob(job, nowMs, []);
  const held = moveJob(job, { type: "RECOMMEND", nowMs, recommendationCount });
  if (!job.auto_approve) return { ...held, stage: "approval" };
  const recommendations = held.recommendations.map((line) => ({ ...line, status: "approved" as const }));
  return { ...moveJob({ ...held, recommendations }, { type: "APPROVE", nowMs }), stage: "book" };
};

/** Chooses cell by cell; the sum of the lines of a cell stays within its budget, and so the job within its own. */
export const choose = async (session: FlowSession): Promise<void> => {
  const cells = cellsOf(session.job());
  for (const cell of cells.slice(session.job().chosen_cells)) await chooseCell(session, cell);
  await session.commit((job) => settleChoice(job, session.nowMs()));
};
