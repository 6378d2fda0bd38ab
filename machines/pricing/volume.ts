export interface VolumeStep {
  readonly minImpressions: number;
  readonly discountPct: number;
}

/** For agencies and advertisers; a seller's rate card may say otherwise. */
export const defaultVolumeTable: readonly VolumeStep[] = [
  { minImpressions: 5_000_000, discountPct: 5 },
  { minImpressions: 10_000_000, discountPct: 10 },
  { minImpressions: 20_000_000, discountPct: 15 },
  { minImpressions: 50_000_000, discountPct: 20 },
];

/** The steps may stand in any order. */
export const volumeDiscountPct = (table: readonly VolumeStep[], impressions: number): number => {
  let reached: VolumeStep | null = null;
  for (const step of table) {
    if (impressions < step.minImpressions) continue;
    if (reached === null || step.minImpressions > reached.minImpressions) reached = step;
  }
  return reached?.discountPct ?? 0;
};
