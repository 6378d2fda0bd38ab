import { newPlan, planMachine } from "../../../machines/plan/machine.ts";
import { step } from "../../../machines/step.ts";
import { isRefusal, missing, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { SellerContext } from "../context.ts";
import { newPlanId } from "../ids.ts";
import { foundOffers } from "./finding.ts";
import { type Offer, offerById, optionsOf, shownMicros, showsExactPrices } from "./offer.ts";
import type { Ranked } from "./ranking.ts";
import { planKind, type PlanLine, type PlanRow, settledPlan } from "./record.ts";

const shares: Readonly<Record<number, readonly number[]>> = { 1: [100], 2: [60, 40], 3: [50, 30, 20] };
const mostLines = 3;

const planLine = (context: SellerContext, offer: Offer, share: number): PlanLine | null => {
  const [option] = optionsOf(context, offer);
  const micros = shownMicros(context, offer);
  if (option === undefined || micros === null) return null;
  return {
    offer_id: offer.offerId,
    option_id: option.option_id,
    name: offer.item.name,
    inventory_type: offer.item.inventory_type,
    share,
    price_micros: micros,
    minimum_budget: option.minimum_budget ?? 0,
  };
};

/** The best offers of different products in one currency. */
const bestOffers = (ranked: readonly Ranked[]): readonly Offer[] => {
  const [first] = ranked;
  const found = new Map<string, Offer>();
  for (const { offer } of ranked) {
    const { product_id: id, currency } = offer.item;
    if (currency === first?.offer.item.currency && !found.has(id)) found.set(id, offer);
    if (found.size === mostLines) break;
  }
  return [...found.values()];
};

const planOf = (context: SellerContext, planId: string, brief: string, ranked: readonly Ranked[]): PlanRow | null => {
  if (!showsExactPrices(context)) return null;
  const offers = bestOffers(ranked);
  const split = shares[offers.length] ?? [];
  const lines = offers
    .map((offer, place) => planLine(context, offer, split[place] ?? 0))
    .filter((line) => line !== null);
  if (lines.length === 0 || lines.length < offers.length) return null;
  const { settings } = context.ports;
  return {
    plan_id: planId,
    owner: context.caller.owner,
    name: lines.map(({ name }) => name).join(", "),
    brief,
    currency: offers[0]?.item.currency ?? "USD",
    lines,
    created_at_ms: context.nowMs,
    revision: 1,
    sandbox: settings.sandbox,
    life: newPlan(context.nowMs + Math.round(settings.quoteTtlSeconds * 1000)),
  };
};

/** Null: the caller sees no prices, or nothing is on sale. */
export const draftOf = (context: SellerContext, brief: string, ranked: readonly Ranked[]): PlanRow | null =>
  planOf(context, context.mint(newPlanId), brief, ranked);

/** In every public test of AdCP that buys a proposal; there in test mode alone, and never stored. */
const testPlanId = "balanced_reach_q2";

const committed = (context: SellerContext, row: PlanRow): PlanRow | null => {
  const { nowMs, ports } = context;
  const untilMs = nowMs + Math.round(ports.settings.quoteTtlSeconds * 1000);
  const life = step(planMachine, row.life, { type: "COMMIT", nowMs, untilMs });
  return life === null ? null : { ...row, life, revision: row.revision + 1 };
};

export interface FoundPlan {
  readonly row: PlanRow;
  /** Null: it is not stored. */
  readonly loaded: Loaded<PlanRow> | null;
}

const ownPlan = async (context: SellerContext, planId: string): Promise<FoundPlan | Refusal> => {
  if (context.ports.fixtures !== null && planId === testPlanId) {
    const row = planOf(context, planId, "A test", foundOffers(context, null, {}));
    const held = row === null ? null : committed(context, row);
    return held === null ? missing("plan_not_found", planId) : { row: held, loaded: null };
  }
  const loaded = await context.own(planKind, planId, "plan_not_found");
  return { row: settledPlan(loaded.body, context.nowMs), loaded };
};

/** As it may be changed or bought. */
export const openPlan = async (context: SellerContext, planId: string): Promise<FoundPlan | Refusal> => {
  const found = await ownPlan(context, planId);
  if (isRefusal(found)) return found;
  const { value, context: life } = found.row.life;
  if (value === "expired") return refuse("plan_expired");
  if (value === "bought") return refuse("plan_already_booked", { extras: { media_buy_id: life.mediaBuyId } });
  return found;
};

/** At today's prices, which it holds from now on. Null: a line has none any more. */
export const finalized = (context: SellerContext, row: PlanRow): PlanRow | null => {
  const lines: PlanLine[] = [];
  for (const line of row.lines) {
    const offer = offerById(context.ports.catalog, line.offer_id);
    const priced = offer === null ? null : planLine(context, offer, line.share);
    if (priced === null) return null;
    lines.push(priced);
  }
  return committed(context, { ...row, lines });
};
