import { costMicros } from "../money.ts";

export const gatedFlows = ["proposal", "negotiation", "deal", "api_key", "media_buy"] as const;

export type GatedFlow = (typeof gatedFlows)[number];

/** Values in another currency are not converted and always wait. */
const gateCurrency = "USD";

/** `aboveMicros` in USD; 0 means every value. */
export interface ApprovalGate {
  readonly enabled: boolean;
  readonly flows: readonly GatedFlow[];
  readonly aboveMicros: number;
}

/**
 * Switch, flow and value must all hold. Terms without impressions have no value; a cost beyond the safe integers
 * counts as above any threshold.
 */
export const needsApproval = (
  gate: ApprovalGate,
  flow: GatedFlow,
  terms: { readonly priceMicros: number; readonly impressions: number | null; readonly currency: string },
): boolean => valueNeedsApproval(gate, flow, costMicros(terms.priceMicros, terms.impressions ?? 0), terms.currency);

/** Of what has no one price. Null: a value beyond any threshold. */
export const valueNeedsApproval = (
  gate: ApprovalGate,
  flow: GatedFlow,
  valueMicros: number | null,
  currency: string,
): boolean => {
  if (!gate.enabled || !gate.flows.includes(flow)) return false;
  if (gate.aboveMicros === 0 || currency !== gateCurrency) return true;
  return valueMicros === null || valueMicros >= gate.aboveMicros;
};

const isGatedFlow = (word: string): word is GatedFlow => (gatedFlows as readonly string[]).includes(word);

/**
 * `proposal_decision` means `proposal`. Returns the first unknown word instead, so that the start can
 * name it.
 */
export const readFlows = (text: string): { readonly flows: readonly GatedFlow[] } | { readonly unknown: string } => {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
    .map((word) => (word === "proposal_decision" ? "proposal" : word));
  const unknown = words.find((word) => !isGatedFlow(word));
  return unknown === undefined ? { flows: [...new Set(words.filter(isGatedFlow))] } : { unknown };
};
