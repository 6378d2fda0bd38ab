import type { DealStatus } from "../../../machines/deal/machine.ts";
import { slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { costMicros } from "../../../machines/money.ts";
import { reserve } from "../../../protocol/seam/changes.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { ReserveChange } from "../../../storage/store.ts";
import type { DealType } from "../ports.ts";
import type { DealRow } from "./record.ts";

export interface DealScope {
  readonly owner: string | null;
  readonly productId: string | null;
}

const microsPerCent = 10_000;

/** Two parts: a slot holds 2^53, and anybody may book a preferred deal of 10^12 impressions. */
const partSize = 1_000_000_000;

const parts = ["count", "impressions", "impressions-e9", "cents", "cents-e9"] as const;

type Part = (typeof parts)[number];

const amountsOf = (row: DealRow): readonly (readonly [Part, number])[] => {
  const { priceMicros, impressions } = row.life.context.terms;
  const wanted = impressions ?? 0;
  const cents = (costMicros(priceMicros, wanted) ?? 0) / microsPerCent;
  const all: readonly (readonly [Part, number])[] = [
    ["count", 1],
    ["impressions", wanted % partSize],
    ["impressions-e9", Math.floor(wanted / partSize)],
    ["cents", cents % partSize],
    ["cents-e9", Math.floor(cents / partSize)],
  ];
  return all.filter(([, amount]) => amount > 0);
};

interface Kept {
  readonly status: DealStatus;
  readonly dealType: DealType;
  readonly currency: string;
}

const ledgerOf = (part: Part, { status, dealType, currency }: Kept, { owner, productId }: DealScope): string =>
  `deals/${part}/${status}/${dealType}/${currency}/${JSON.stringify([owner, productId])}`;

/** On its day of creation. */
const counted = (row: DealRow, sign: 1 | -1): readonly ReserveChange[] => {
  const slot = slotOfTime(row.created_at_ms);
  const { product_id: productId } = row.product;
  const kept = { status: row.life.value, dealType: row.deal_type, currency: row.pricing.currency };
  const scopes: readonly DealScope[] = [
    { owner: null, productId: null },
    { owner: row.owner, productId: null },
    { owner: null, productId },
    { owner: row.owner, productId },
  ];
  return amountsOf(row).flatMap(([part, amount]) =>
    scopes.map((scope) => reserve(ledgerOf(part, kept, scope), { fromSlot: slot, toSlot: slot }, sign * amount, null)),
  );
};

export const bookedCounts = (row: DealRow): readonly ReserveChange[] => counted(row, 1);

export const changedCounts = (before: DealRow, after: DealRow): readonly ReserveChange[] => {
  const isSame = before.life.value === after.life.value && before.terms_digest === after.terms_digest;
  return isSame ? [] : [...counted(before, -1), ...counted(after, 1)];
};

export interface DealSums {
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

const addedUp = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Kept by commits: costs the same for a million deals as for a thousand. */
export const readDealSums = async (
  context: Pick<Context, "reservedSum">,
  { statuses, dealTypes, currencies, scopes, span }: DealQuestion,
): Promise<DealSums> => {
  const sumOf = async (part: Part, currency: string): Promise<number> => {
    const ledgers = scopes.flatMap((scope) =>
      statuses.flatMap((status) => dealTypes.map((dealType) => ledgerOf(part, { status, dealType, currency }, scope))),
    );
    return addedUp(await Promise.all(ledgers.map((name) => context.reservedSum(name, span.fromSlot, span.toSlot))));
  };
  const whole = async (part: "impressions" | "cents", currency: string): Promise<number> =>
    (await sumOf(part, currency)) + (await sumOf(`${part}-e9`, currency)) * partSize;
  const each = <T>(read: (currency: string) => Promise<T>): Promise<readonly T[]> => Promise.all(currencies.map(read));
  return {
    count: addedUp(await each((currency) => sumOf("count", currency))),
    impressions: addedUp(await each((currency) => whole("impressions", currency))),
    cents: new Map(await each(async (currency) => [currency, await whole("cents", currency)] as const)),
  };
};
