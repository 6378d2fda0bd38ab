import { decimalText } from "../../../machines/money.ts";
import type { Facts, Kind } from "../../../storage/store.ts";

/** Micros per thousand from a day on (null: always). */
export interface RateEntry {
  readonly inventory_type: string;
  readonly base_cpm_micros: number;
  readonly currency: string;
  readonly effective_date: string | null;
  readonly notes: string | null;
}

/** One row, made by the first update. */
export interface RateCardRow {
  readonly entries: readonly RateEntry[];
  readonly updated_at_ms: number;
  readonly revision: number;
}

/** A rate each, named by its inventory type and first day. */
export const ratesIn = (entries: readonly RateEntry[]): Facts =>
  Object.fromEntries(
    entries.map(({ inventory_type: type, effective_date: day, base_cpm_micros: micros, currency }) => [
      day === null ? type : `${type} from ${day}`,
      `${decimalText(micros) ?? ""} ${currency}`,
    ]),
  );

export const rateCardKind: Kind<RateCardRow> = {
  name: "rate_card",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
  facts: ({ entries }) => ratesIn(entries),
};

export const rateCardId = "current";

const entry = (inventoryType: string, cpm: number): RateEntry => ({
  inventory_type: inventoryType,
  base_cpm_micros: cpm * 1_000_000,
  currency: "USD",
  effective_date: null,
  notes: null,
});

export const defaultRates: readonly RateEntry[] = [
  entry("display", 12),
  entry("video", 25),
  entry("ctv", 35),
  entry("mobile_app", 18),
  entry("native", 10),
  entry("audio", 15),
];

/** Of several the one that began last. */
export const rateOn = (entries: readonly RateEntry[], inventoryType: string, day: string): RateEntry | null =>
  entries
    .filter((one) => one.inventory_type === inventoryType && (one.effective_date ?? "") <= day)
    .reduce<RateEntry | null>(
      (best, one) => (best === null || (one.effective_date ?? "") >= (best.effective_date ?? "") ? one : best),
      null,
    );
