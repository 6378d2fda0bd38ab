import type { DealStatus } from "../../../machines/deal/machine.ts";
import { slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { costMicros, microsPerCent } from "../../../machines/money.ts";
import { add } from "../../../protocol/seam/changes.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { AddChange } from "../../../storage/store.ts";
import type { DealType } from "../products/record.ts";
import { lostStatuses } from "../portfolio/statuses.ts";
import type { DealRow } from "./record.ts";

export interface DealScope {
  readonly owner: string | null;
  readonly productId: string | null;
}

interface Kept {
  readonly status: DealStatus;
  readonly dealType: DealType;
  readonly currency: string;
}

const dealSum = ({ status, dealType, currency }: Kept, { owner, productId }: DealScope): string =>
  `deals/${status}/${dealType}/${currency}/${JSON.stringify([owner, productId])}`;

/** On its day of creation. */
const counted = (row: DealRow, sign: 1 | -1): readonly AddChange[] => {
  if (row.trial === true) return [];
  const { product_id: productId } = row.product;
  const kept = { status: row.life.value, dealType: row.deal_type, currency: row.pricing.currency };
  const scopes: readonly DealScope[] = [
    { owner: null, productId: null },
    { owner: row.owner, productId: null },
    { owner: null, productId },
    { owner: row.owner, productId },
  ];
  const { priceMicros, impressions } = row.life.context.terms;
  const cents = (costMicros(priceMicros, impressions ?? 0) ?? 0) / microsPerCent;
  const amounts = [1, impressions ?? 0, cents].map((amount) => sign * amount);
  return [
    add(
      scopes.map((scope) => dealSum(kept, scope)),
      slotOfTime(row.created_at_ms),
      amounts,
    ),
  ];
};

export const bookedCounts = (row: DealRow): readonly AddChange[] => counted(row, 1);

export const changedCounts = (before: DealRow, after: DealRow): readonly AddChange[] => {
  const isSame = before.life.value === after.life.value && before.terms_digest === after.terms_digest;
  return isSame ? [] : [...counted(before, -1), ...counted(after, 1)];
};

interface DealSums {
  readonly count: number;
  readonly impressions: number;
  readonly cents: ReadonlyMap<string, number>;
}

export interface DealQuestion {
  readonly statuses: readonly DealStatus[];
  readonly dealTypes: readonly DealType[];
  readonly currencies: readonly string[];
  readonly scopes: readonly DealScope[];
  readonly span: SlotSpan;
}

/** Kept by commits: costs the same for a million deals as for a thousand. */
const readDealSums = async (
  context: Pick<Context, "added">,
  { statuses, dealTypes, currencies, scopes, span }: DealQuestion,
): Promise<DealSums> => {
  const sumsIn = (currency: string): Promise<readonly number[]> => {
    const names = scopes.flatMap((scope) =>
      statuses.flatMap((status) => dealTypes.map((dealType) => dealSum({ status, dealType, currency }, scope))),
    );
    return context.added(names, span.fromSlot, span.toSlot);
  };
  let [count, impressions] = [0, 0];
  const cents = new Map<string, number>();
  for (const [currency, sums] of await Promise.all(currencies.map(async (one) => [one, await sumsIn(one)] as const))) {
    count += sums[0] ?? 0;
    impressions += sums[1] ?? 0;
    cents.set(currency, sums[2] ?? 0);
  }
  return { count, impressions, cents };
};

/** By currency, in units; a currency without any is left out. */
const unitsOf = (cents: DealSums["cents"]): Record<string, number> =>
  Object.fromEntries([...cents].filter(([, amount]) => amount > 0).map(([code, amount]) => [code, amount / 100]));

/** `standing_values`: of those that are not lost by now. */
export const readDealWorth = async (context: Pick<Context, "added">, question: DealQuestion) => {
  const [all, lost] = await Promise.all([
    readDealSums(context, question),
    readDealSums(context, { ...question, statuses: question.statuses.filter((one) => lostStatuses.includes(one)) }),
  ]);
  const standing = new Map([...all.cents].map(([code, cents]) => [code, cents - (lost.cents.get(code) ?? 0)]));
  return { all, lost, values: unitsOf(all.cents), standing_values: unitsOf(standing) };
};
