import type { z } from "zod";
import { microsPerCent } from "../../../machines/money.ts";
import { visitSelection } from "../../../protocol/seam/selection.ts";
import type { SellerContext } from "../context.ts";
import { type DealRow, isAwaitingApproval, settledDeal } from "../deals/record.ts";
import type { listDeals } from "./contract.ts";
import { type DealFilter, oneValue, selectedDeals, valueMicros } from "./deals.ts";
import { lostStatuses } from "./statuses.ts";

type Input = z.output<typeof listDeals.input>;
type Output = z.input<typeof listDeals.output>;
type Totals = NonNullable<Output["totals"]>;
type Counts = NonNullable<Output["counts"]>;

type Standing = "to_activate" | "waiting" | "active" | "completed" | "rejected" | "expired";

const standsAs = (row: DealRow): Standing => {
  if (row.life.value !== "proposed") return row.life.value;
  return isAwaitingApproval(row) ? "waiting" : "to_activate";
};

const isAskedFor = ({ status, awaiting_approval: isHeld }: Input, row: DealRow): boolean =>
  (status == null || status.includes(row.life.value)) && (isHeld == null || isAwaitingApproval(row) === isHeld);

interface Sum {
  count: number;
  impressions: number;
  readonly cents: Map<string, number>;
}

const newSum = (): Sum => ({ count: 0, impressions: 0, cents: new Map() });

const put = (sum: Sum, row: DealRow): void => {
  if (row.trial === true) return;
  const { currency } = row.pricing;
  sum.count += 1;
  sum.impressions += row.life.context.terms.impressions ?? 0;
  sum.cents.set(currency, (sum.cents.get(currency) ?? 0) + (valueMicros(row) ?? 0) / microsPerCent);
};

const unitsOf = ({ cents }: Sum): Record<string, number> =>
  Object.fromEntries([...cents].filter(([, amount]) => amount > 0).map(([code, amount]) => [code, amount / 100]));

const totalsOf = (all: Sum, standing: Sum): Totals => {
  const values = unitsOf(all);
  return {
    count: all.count,
    impressions: all.impressions,
    ...oneValue(values),
    values,
    standing_values: unitsOf(standing),
    standing_count: standing.count,
    standing_impressions: standing.impressions,
  };
};

/** By one look at each match of the other filters. Null: more than may be looked at. */
export const countedDeals = async (
  context: SellerContext,
  input: Input,
  filter: DealFilter,
  changing: ReadonlySet<string> | null,
): Promise<{ readonly counts: Counts; readonly totals: Totals } | null> => {
  const anyStanding = { ...input, status: null, awaiting_approval: null };
  const counts = { all: 0, to_activate: 0, waiting: 0, active: 0, completed: 0, rejected: 0, expired: 0 };
  const [all, standing] = [newSum(), newSum()];
  const isAll = await visitSelection(context, selectedDeals(context, anyStanding, filter, changing), ({ body }) => {
    const row = settledDeal(body, context.nowMs);
    counts.all += 1;
    counts[standsAs(row)] += 1;
    if (!isAskedFor(input, row)) return;
    put(all, row);
    if (!lostStatuses.includes(row.life.value)) put(standing, row);
  });
  return isAll ? { counts, totals: totalsOf(all, standing) } : null;
};
