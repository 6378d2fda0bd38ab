import { type PlanInstance, planDeadline, planMachine } from "../../../machines/plan/machine.ts";
import { settle } from "../../../machines/step.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";

/** `share` in whole percent: those of a plan are 100 together. */
export interface PlanLine {
  readonly offer_id: string;
  readonly option_id: string;
  readonly name: string;
  readonly inventory_type: string;
  readonly share: number;
  readonly price_micros: number;
  readonly minimum_budget: number;
}

/** Priced lines for a brief. A committed one holds its prices and no inventory. */
export interface PlanRow {
  readonly plan_id: string;
  readonly owner: string;
  readonly name: string;
  readonly brief: string;
  readonly currency: string;
  readonly lines: readonly PlanLine[];
  readonly created_at_ms: number;
  readonly revision: number;
  readonly sandbox: boolean;
  readonly life: PlanInstance;
}

export const planKind: Kind<PlanRow> = {
  name: "plan",
  terms: ({ owner, life }) => selectionTerms([owner, life.value]),
  dueAtMs: ({ life }) => planDeadline(life)?.atMs ?? null,
  owner: ({ owner }) => owner,
  facts: ({ life, lines }) => ({ status: life.value, lines: lines.length }),
};

export const settledPlan = (row: PlanRow, nowMs: number): PlanRow => {
  const life = settle(planMachine, planDeadline, row.life, nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};
