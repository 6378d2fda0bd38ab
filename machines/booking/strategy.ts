import type { BargainStrategy } from "./bargain.ts";
import { microsPerCent } from "../money.ts";

type Style = Pick<BargainStrategy, "rounds" | "exponent" | "takes"> & { readonly steps: boolean };

export const bargainStyles = ["patient", "steady", "quick", "threshold"] as const;
export type BargainStyle = (typeof bargainStyles)[number];

const styles: Readonly<Record<BargainStyle, Style>> = {
  patient: { rounds: 6, exponent: 2, takes: "plan", steps: false },
  steady: { rounds: 5, exponent: 1, takes: "plan", steps: false },
  quick: { rounds: 3, exponent: 0.5, takes: "plan", steps: false },
  threshold: { rounds: 3, exponent: 1, takes: "limit", steps: true },
};

/** Percent of the quoted price, where the brief names no target. */
const defaultTargetPct = 80;
export interface BargainTerms {
  readonly style: BargainStyle;
  readonly quotedMicros: number;
  readonly targetMicros: number | null;
  readonly walkAwayMicros: number | null;
  readonly rounds: number | null;
  readonly leverageMicros: number | null;
}

const downToCent = (micros: number): number => Math.floor(micros / microsPerCent) * microsPerCent;

/** Null where there is nothing to gain: at the target already, or a cent away. */
export const strategyFor = (terms: BargainTerms): BargainStrategy | null => {
  const { quotedMicros, targetMicros, leverageMicros } = terms;
  const style = styles[terms.style];
  const walkAwayMicros = Math.min(quotedMicros, terms.walkAwayMicros ?? quotedMicros);
  const usual = downToCent((quotedMicros * defaultTargetPct) / 100);
  const wished = targetMicros ?? Math.min(usual, leverageMicros ?? usual);
  const openingMicros = Math.min(downToCent(wished), walkAwayMicros);
  if (openingMicros < microsPerCent || quotedMicros - openingMicros < microsPerCent) return null;
  const rounds = terms.rounds ?? style.rounds;
  const even = downToCent((walkAwayMicros - openingMicros) / Math.max(1, rounds));
  return {
    name: terms.style,
    targetMicros: openingMicros,
    openingMicros,
    walkAwayMicros,
    rounds,
    stepMicros: style.steps ? Math.max(microsPerCent, even) : null,
    exponent: style.exponent,
    takes: style.takes,
  };
};
