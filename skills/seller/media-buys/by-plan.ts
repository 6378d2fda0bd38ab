import { planMachine } from "../../../machines/plan/machine.ts";
import { fromMicros, microsPerCent, toMicros } from "../../../machines/money.ts";
import { step } from "../../../machines/step.ts";
import { update } from "../../../protocol/seam/changes.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { Change } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";
import { type FoundPlan, openPlan } from "../plans/drafting.ts";
import { planKind } from "../plans/record.ts";
import type { WantedPackage } from "./lines.ts";

export interface WantedByPlan {
  readonly wanted: readonly WantedPackage[];
  readonly found: FoundPlan;
}

/** Whole cents by share; the first line gets what is left. */
const budgetsOf = (totalMicros: number, shares: readonly number[]): readonly number[] => {
  const parts = shares.map((share) => Math.floor((totalMicros * share) / 100 / microsPerCent) * microsPerCent);
  const rest = totalMicros - parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, place) => fromMicros(place === 0 ? part + rest : part));
};

/** The packages of a plan at the prices that it holds. */
export const wantedByPlan = async (
  context: SellerContext,
  planId: string,
  total: number | null | undefined,
): Promise<WantedByPlan | Refusal> => {
  const found = await openPlan(context, planId);
  if (isRefusal(found)) return found;
  const { row } = found;
  if (row.life.value !== "committed") return refuse("plan_not_committed");
  const totalMicros = total == null ? null : toMicros(total);
  if (totalMicros === null)
    return fieldRefusal("total_budget", "Send the budget of the plan, with six decimals at most.");
  const budgets = budgetsOf(
    totalMicros,
    row.lines.map(({ share }) => share),
  );
  const wanted = row.lines.map((line, place) => ({
    offer_id: line.offer_id,
    option_id: line.option_id,
    budget: budgets[place] ?? 0,
    heldMicros: line.price_micros,
  }));
  return { wanted, found };
};

/** Bought once, in the commit that buys it. */
export const boughtPlan = ({ found }: WantedByPlan, mediaBuyId: string, nowMs: number): readonly Change[] => {
  const { row, loaded } = found;
  if (loaded === null) return [];
  const life = step(planMachine, row.life, { type: "BUY", nowMs, mediaBuyId });
  if (life === null) throw new Error(`The plan ${row.plan_id} passed every check and could not be bought.`);
  return [update(planKind, loaded, { ...row, life, revision: row.revision + 1 })];
};
