import { movedJob } from "../bookings/moves.ts";
import { openCellsOf } from "../bookings/flow/cells.ts";
import type { BookedLine, BookingRow, Recommendation } from "../bookings/record.ts";
import { isBooked } from "../bookings/views/words.ts";

/** A product id selects every line of it, whatever seller or flight. */
export interface Selection {
  readonly lines: readonly Recommendation[];
  readonly unknown: readonly string[];
}

const isPending = (line: Recommendation): boolean => line.status === "pending_approval";

/** Null selects every line. */
export const selectLines = (job: BookingRow, ids: readonly string[] | null): Selection => {
  const pending = job.recommendations.filter(isPending);
  if (ids === null) return { lines: pending, unknown: [] };
  const wanted = new Set(ids);
  const known = new Set(pending.flatMap((line) => [line.product_id, line.recommendation_id]));
  return {
    lines: pending.filter((line) => wanted.has(line.product_id) || wanted.has(line.recommendation_id)),
    unknown: [...wanted].filter((id) => !known.has(id)),
  };
};

/** The deals that were booked from a product or recommendation of this id. */
export const bookedUnder = (job: BookingRow, id: string): readonly string[] =>
  job.booked_lines
    .filter((line) => isBooked(line) && (line.product_id === id || line.recommendation_id === id))
    .map(({ deal_id: dealId }) => dealId);

const withStatus = (
  job: BookingRow,
  of: (line: Recommendation) => Recommendation["status"],
): readonly Recommendation[] =>
  job.recommendations.map((line) => (isPending(line) ? { ...line, status: of(line) } : line));

/** Null when the job does not wait for a decision. */
export const decidedJob = (
  job: BookingRow,
  approved: readonly Recommendation[],
  keepsRest: boolean,
  nowMs: number,
): BookingRow | null => {
  if (job.life.value !== "awaiting_approval") return null;
  const ids = new Set(approved.map((line) => line.recommendation_id));
  const rest = keepsRest ? "pending_approval" : "rejected";
  const recommendations = withStatus(job, (line) => (ids.has(line.recommendation_id) ? "approved" : rest));
  const decided = { ...job, recommendations, updated_at_ms: nowMs };
  if (keepsRest && approved.length === 0) return decided;
  const started = movedJob(decided, { type: "APPROVE", nowMs });
  if (started === null || approved.length > 0) return started;
  return movedJob(started, { type: "COMPLETE", nowMs, errors: [] });
};

/** Of two states of one job. */
export const newlyRejected = (before: BookingRow, after: BookingRow): string[] =>
  after.recommendations.flatMap(({ recommendation_id: id, status }, place) =>
    status === "rejected" && before.recommendations[place]?.status !== "rejected" ? [id] : [],
  );

const heardOf = ({ sellers, findings }: BookingRow): Pick<BookingRow, "sellers"> => {
  if (sellers === undefined) return {};
  const heard = sellers.map((seller) => {
    const finding = findings.find(({ seller_url: url }) => url === seller.url);
    const name = finding?.seller_name ?? seller.name ?? null;
    return { ...seller, name, tier: finding?.tier ?? seller.tier ?? null };
  });
  return { sellers: heard };
};

/** Null when its state or its free money does not allow it. */
export const replannedJob = (
  job: BookingRow,
  rejected: readonly Recommendation[],
  nowMs: number,
): { readonly job: BookingRow; readonly freeCents: number } | null => {
  const ids = new Set(rejected.map((line) => line.recommendation_id));
  const recommendations = withStatus(job, (line) => (ids.has(line.recommendation_id) ? "rejected" : line.status));
  const lines = { ...job, recommendations };
  const freeCents = openCellsOf(lines).reduce((sum, cell) => sum + cell.budget_cents, 0);
  const moved = movedJob(lines, { type: "REPLAN", nowMs, freeMicros: freeCents * 10_000 });
  if (moved === null) return null;
  const fresh = { findings: [], chosen_cells: 0, replans: job.replans + 1, auto_approve: false };
  return { job: { ...moved, ...fresh, ...heardOf(job), updated_at_ms: nowMs }, freeCents };
};

export const lineNamed = (job: BookingRow, id: string): BookedLine | null =>
  job.booked_lines.find((line) => line.deal_id === id || line.recommendation_id === id) ?? null;

export const totalImpressions = (lines: readonly { readonly impressions: number }[]): number =>
  lines.reduce((total, line) => total + line.impressions, 0);

export const totalCost = (lines: readonly { readonly cost_cents: number }[]): number =>
  lines.reduce((total, line) => total + line.cost_cents, 0) / 100;
