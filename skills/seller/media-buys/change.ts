import { dealMachine, type DealTerms } from "../../../machines/deal/machine.ts";
import { valueNeedsApproval } from "../../../machines/approval/gate.ts";
import { fromMicros, impressionsFor, toMicros } from "../../../machines/money.ts";
import { step } from "../../../machines/step.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import { raiseChange } from "../change-requests/raise.ts";
import { isWritten } from "../../../machines/change-request/machine.ts";
import type { SellerContext } from "../context.ts";
import { dealChanges } from "../deals/changes.ts";
import { dealEvent } from "../deals/events.ts";
import { dealKind, type DealRow, settledDeal } from "../deals/record.ts";
import type { OrderRow } from "../orders/record.ts";
import { digestOf } from "../terms.ts";
import { bidOn, type PackageTerms, refusedAt } from "./lines.ts";
import type { BoughtPackage, MediaBuyRow } from "./record.ts";
import { flightOf, pastRefusal, readTimes, type Times } from "./times.ts";

export interface PackageChangeWish extends PackageTerms {
  readonly package_id: string;
  readonly budget?: number | null | undefined;
}

interface Subject {
  readonly row: MediaBuyRow;
  readonly bought: BoughtPackage;
  readonly order: Loaded<OrderRow>;
  /** In a refusal. */
  readonly at: string;
}

export interface ChangedPackage {
  readonly bought: BoughtPackage;
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

const dealOf = async (context: SellerContext, { bought }: Subject): Promise<Loaded<DealRow>> => {
  const loaded = await context.load(dealKind, bought.deal_id);
  if (loaded === null) throw new Error(`The deal ${bought.deal_id} of ${bought.package_id} is gone.`);
  return loaded;
};

interface Wished {
  readonly times: Times;
  readonly budgetMicros: number;
  readonly impressions: number;
  readonly bidMicros: number | null;
}

const wishedOf = (context: SellerContext, subject: Subject, wish: PackageChangeWish): Wished | Refusal => {
  const { bought, at } = subject;
  const times = readTimes(wish, { startMs: bought.start_ms, endMs: bought.end_ms }, at);
  if (isRefusal(times)) return times;
  const past = times.startMs === bought.start_ms ? null : pastRefusal(times, context.nowMs, at);
  if (past !== null) return past;
  const budgetMicros = wish.budget == null ? bought.budget_micros : toMicros(wish.budget);
  if (budgetMicros === null) return fieldRefusal(`${at}budget`, "An amount has at most six decimals.");
  const least = Math.max(1, context.ports.catalog.get(bought.product_id)?.minimum_impressions ?? 1);
  const isSame = budgetMicros === bought.budget_micros;
  const impressions = isSame ? bought.impressions : impressionsFor(budgetMicros, bought.price_micros);
  if (impressions < least) {
    const message = `The budget buys ${impressions} impressions, and the offer's least volume is ${least}.`;
    return refusedAt(refuse("budget_too_low", { message }), `${at}budget`);
  }
  const bid = bidOn({ isAuction: bought.deal_type === "PA", priceMicros: bought.price_micros }, wish.bid_price, at);
  return isRefusal(bid) ? bid : { times, budgetMicros, impressions, bidMicros: bid ?? bought.bid_micros };
};

const requote = (field: string, message: string): Refusal => refusedAt(refuse("requote_required", { message }), field);

/** What is guaranteed moves as any change of its deal: a little at once, more after a review. */
const movedGuaranteed = async (
  context: SellerContext,
  subject: Subject,
  { times, impressions }: Wished,
): Promise<Pick<ChangedPackage, "changes" | "events"> | Refusal> => {
  const { bought, order, at } = subject;
  if (impressions !== bought.impressions) {
    const cure = "Buy the difference as a second media buy, or ask with change_deal.";
    return requote(`${at}budget`, `The volume of a guaranteed package is agreed. ${cure}`);
  }
  const flight = flightOf(times, context.nowMs, at);
  if (isRefusal(flight)) return flight;
  const loaded = await dealOf(context, subject);
  const deal = { loaded, row: settledDeal(loaded.body, context.nowMs) };
  const before = deal.row.life.context.terms;
  const values: Record<string, string> = {};
  if (flight.flightStart !== before.flightStart) values["flight_start"] = flight.flightStart;
  if (flight.flightEnd !== before.flightEnd) values["flight_end"] = flight.flightEnd;
  if (Object.keys(values).length === 0) return { changes: [], events: [] };
  const proposal = { changeType: "flight_dates", diffs: [], proposedValues: values } as const;
  const asked = { reason: "", requestedBy: context.caller.owner };
  const raised = await raiseChange(context, proposal, asked, { order, deal });
  if (isRefusal(raised)) return requote(`${at}end_time`, raised.message);
  const cure = "Move it by three days or fewer, or ask with reschedule_deal.";
  return isWritten(raised.row.life) ? raised : requote(`${at}end_time`, `A larger move waits for a review. ${cure}`);
};

/** Nobody has promised its volume, so that its deal follows. */
const amendedDeal = async (
  context: SellerContext,
  subject: Subject,
  { times, impressions }: Wished,
): Promise<Pick<ChangedPackage, "changes" | "events"> | Refusal> => {
  const flight = flightOf(times, context.nowMs, subject.at);
  if (isRefusal(flight)) return flight;
  const loaded = await dealOf(context, subject);
  const row = settledDeal(loaded.body, context.nowMs);
  const before = row.life.context.terms;
  const isBegun = times.startMs === subject.bought.start_ms;
  const flightStart = isBegun ? before.flightStart : flight.flightStart;
  const terms: DealTerms = { ...before, impressions, flightStart, flightEnd: flight.flightEnd };
  const life = step(dealMachine, row.life, { type: "AMEND", nowMs: context.nowMs, terms });
  if (life === null) return requote(`${subject.at}package_id`, `Its deal is ${row.life.value} and cannot be changed.`);
  const amended: DealRow = { ...row, life, terms_digest: digestOf(row, terms), revision: row.revision + 1 };
  return { changes: dealChanges(loaded, amended), events: [dealEvent("deal.changed", amended)] };
};

const isOther = ({ bought }: Subject, { times, budgetMicros }: Wished): boolean =>
  budgetMicros !== bought.budget_micros || times.startMs !== bought.start_ms || times.endMs !== bought.end_ms;

/** One package as it was asked for, or why it stays. */
export const changedPackage = async (
  context: SellerContext,
  subject: Subject,
  wish: PackageChangeWish,
): Promise<ChangedPackage | Refusal> => {
  const { bought } = subject;
  const wished = wishedOf(context, subject, wish);
  if (isRefusal(wished)) return wished;
  const move = bought.deal_type === "PG" ? movedGuaranteed : amendedDeal;
  const moved = isOther(subject, wished) ? await move(context, subject, wished) : { changes: [], events: [] };
  if (isRefusal(moved)) return moved;
  return {
    bought: {
      ...bought,
      budget_micros: wished.budgetMicros,
      impressions: wished.impressions,
      bid_micros: wished.bidMicros,
      start_ms: wished.times.startMs,
      end_ms: wished.times.endMs,
      paused: wish.paused ?? bought.paused,
      creative_ids: wish.creative_ids == null ? bought.creative_ids : [...new Set(wish.creative_ids)],
      details: wish.details == null ? bought.details : { ...bought.details, ...wish.details },
    },
    changes: moved.changes,
    events: moved.events,
  };
};

/** A larger buy passes the gate as a new one does. */
export const gateRefusal = (
  context: SellerContext,
  row: MediaBuyRow,
  totalAfter: number,
  total: number,
): Refusal | null => {
  const { approvalGate: gate } = context.ports.settings;
  if (totalAfter <= total || !valueNeedsApproval(gate, "media_buy", totalAfter, row.currency)) return null;
  const shown = `${fromMicros(totalAfter)} ${row.currency}`;
  return requote("packages[0].budget", `A buy of ${shown} waits for a person. Buy the difference as a second one.`);
};
