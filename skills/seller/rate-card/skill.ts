import { fromMicros, toMicros } from "../../../machines/money.ts";
import { cpmRange } from "../../../machines/pricing/range.ts";
import { altering, create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { seesDetail } from "../packages/view.ts";
import * as contract from "./contract.ts";
import { defaultRates, rateCardId, rateCardKind, type RateCardRow, type RateEntry, ratesIn } from "./record.ts";
import type { SellerContext } from "../context.ts";

/** Ranges for tiers without exact prices. */
const cardView = (context: SellerContext, row: RateCardRow | null) => {
  const { entries, updated_at_ms: updatedAtMs } = row ?? { entries: defaultRates, updated_at_ms: null };
  const detail = seesDetail(context);
  return {
    entries: entries.map(({ base_cpm_micros: micros, ...entry }) => ({
      ...entry,
      base_cpm: detail ? fromMicros(micros) : null,
      price_range: detail ? null : cpmRange(micros, entry.currency),
    })),
    updated_at: updatedAtMs === null ? "default" : new Date(updatedAtMs).toISOString(),
    revision: row?.revision ?? 0,
  };
};

export const getRateCard = defineOperation(contract.getRateCard, async (context: SellerContext) => {
  const row = (await context.load(rateCardKind, rateCardId))?.body ?? null;
  return { output: cardView(context, row), meta: { revision: row?.revision ?? 0 } };
});

export const updateRateCard = defineOperation(contract.updateRateCard, async (context: SellerContext, input) => {
  const entries = input.entries.flatMap(({ base_cpm: baseCpm, ...entry }): readonly RateEntry[] => {
    const micros = toMicros(baseCpm);
    if (micros === null) return [];
    const { effective_date: effectiveDate, notes } = entry;
    return [{ ...entry, base_cpm_micros: micros, effective_date: effectiveDate ?? null, notes: notes ?? null }];
  });
  if (entries.length < input.entries.length) return fieldRefusal("entries", "A price has at most six decimals.");
  const periods = new Set(entries.map((entry) => JSON.stringify([entry.inventory_type, entry.effective_date])));
  if (periods.size < entries.length) {
    return fieldRefusal("entries", "Two entries have the same inventory type and effective date.");
  }
  const loaded = await context.load(rateCardKind, rateCardId);
  const before = loaded?.body.revision ?? 0;
  context.matchRevision(before);
  const row: RateCardRow = { entries, updated_at_ms: context.nowMs, revision: before + 1 };
  return {
    output: cardView(context, row),
    changes: [
      loaded === null
        ? altering(create(rateCardKind, rateCardId, row), ratesIn(defaultRates), ratesIn(entries))
        : update(rateCardKind, loaded, row),
    ],
    meta: { revision: row.revision },
  };
});
