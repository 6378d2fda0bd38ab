import type { Kind } from "../../../storage/store.ts";

/** The list price of one inventory type, in micros per thousand, from a day on (null: since ever). */
export interface RateEntry {
  readonly inventory_type: string;
  readonly base_cpm_micros: number;
  readonly currency: string;
  readonly effective_date: string | null;
  readonly notes: string | null;
}

/** The seller's rate card: one row, made by the first update. */
export interface RateCardRow {
  readonly entries: readonly RateEntry[];
  readonly updated_at_ms: number;
  readonly revision: number;
}

export const rateCardKind: Kind<RateCardRow> = {
  name: "rate_card",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

/** The id of the one row. */
export const rateCardId = "current";

const entry = (inventoryType: string, cpm: number): RateEntry => ({
  inventory_type: inventoryType,
  base_cpm_micros: cpm * 1_000_000,
  currency: "USD",
  effective_date: null,
  notes: null,
});

/** The card of a seller that never changed it (wire contract 3.3). */
export const defaultRates: readonly RateEntry[] = [
  entry("display", 12),
  entry("video", 25),
  entry("ctv", 35),
  entry("mobile_app", 18),
  entry("native", 10),
  entry("audio", 15),
];

/** The entry of a type that is in force on a day: of several the one that began last; null where there is none. */
export const rateOn = (entries: readonly RateEntry[], inventoryType: string, day: string): RateEntry | null =>
  entries
    .filter((one) => one.inventory_type === inventoryType && (one.effective_date ?? "") <= day)
    .reduce<RateEntry | null>(
      (best, one) => (best === null || (one.effective_date ?? "") >= (best.effective_date ?? "") ? one : best),
      null,
    );
