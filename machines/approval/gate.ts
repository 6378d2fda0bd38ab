import { costMicros } from "../money.ts";

export const gatedFlows = ["proposal", "negotiation", "deal", "api_key"] as const;

export type GatedFlow = (typeof gatedFlows)[number];

/** The currency of the gate's threshold: values in another are not converted and always wait. */
const gateCurrency = "USD";

/** The seller's approval settings. `aboveMicros`, in USD: 0 means every value. */
export interface ApprovalGate {
  readonly enabled: boolean;
  readonly flows: readonly GatedFlow[];
  readonly aboveMicros: number;
}

/**
 * Whether a flow waits for a human. All three must hold: the switch, the flow, the value, which is what the
 * impressions cost at the price that would be booked. Terms without impressions have no value; a cost beyond all
 * measure reaches any.
 */
export const needsApproval = (
  gate: ApprovalGate,
  flow: GatedFlow,
  terms: { readonly priceMicros: number; readonly impressions: number | null; readonly currency: string },
): boolean => {
  if (!gate.enabled || !gate.flows.includes(flow)) return false;
  if (gate.aboveMicros === 0 || terms.currency !== gateCurrency) return true;
  const valueMicros = costMicros(terms.priceMicros, terms.impressions ?? 0);
  return valueMicros === null || valueMicros >= gate.aboveMicros;
};

const isGatedFlow = (word: string): word is GatedFlow => (gatedFlows as readonly string[]).includes(word);

/**
 * Reads the setting `APPROVAL_REQUIRED_FLOWS`: words between commas, blanks trimmed, empty ones dropped;
 * `proposal_decision` means `proposal` (decision 56). The first unknown word is given back instead, so that the start
 * can name it.
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
