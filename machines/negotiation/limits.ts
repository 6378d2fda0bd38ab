import type { Tier } from "../pricing/tiers.ts";

/** The buyer never sees these. Percentages of the base price. */
export interface NegotiationLimits {
  readonly strategy: "aggressive" | "standard" | "collaborative" | "premium";
  readonly maxRounds: number;
  readonly roundCapPct: number;
  readonly totalCapPct: number;
  readonly gapShare: number;
}

/** Public callers do not negotiate. */
export const defaultNegotiationLimits: Readonly<Record<Tier, NegotiationLimits>> = {
  public: { strategy: "aggressive", maxRounds: 3, roundCapPct: 3, totalCapPct: 8, gapShare: 0.3 },
  seat: { strategy: "standard", maxRounds: 4, roundCapPct: 4, totalCapPct: 12, gapShare: 0.4 },
  agency: { strategy: "collaborative", maxRounds: 5, roundCapPct: 5, totalCapPct: 15, gapShare: 0.5 },
  advertiser: { strategy: "premium", maxRounds: 6, roundCapPct: 6, totalCapPct: 20, gapShare: 0.65 },
};
