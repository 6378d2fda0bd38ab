import { disputesBooking } from "../reading/choice/deal-acts.ts";
import { plainText } from "../reading/choice/spelling.ts";
import type { Slots } from "../reading/slots.ts";
import { dealMeant } from "./own-deal.ts";
import { ask, type Spoken, type Talk } from "./speech.ts";
import { quoteTerms, termsText } from "./shown-terms.ts";

const dsps: Readonly<Record<string, { readonly name: string; readonly pattern: RegExp }>> = {
  ttd: { name: "The Trade Desk", pattern: /\bttd\b|\btrade ?desk\b/i },
  dv360: { name: "Display & Video 360", pattern: /\bdv ?360\b|\bdisplay (?:&|and) video\b/i },
  xandr: { name: "Xandr Invest", pattern: /\bxandr\b|\bappnexus\b/i },
};

const asksForDsp = /\bdsps?\b/i;

const anyDsp: Spoken = {
  skill: "deals",
  outcome: "answer",
  result: null,
  text:
    `Deals run in ${Object.values(dsps)
      .map(({ name }) => name)
      .join(", ")}: once booked, a deal has an ID and the ` + "steps for each of them. Another DSP? Ask for a person.",
};

/** The DSP that the message names, else each. */
const activationText = (instructions: Readonly<Record<string, string>>, text: string): string => {
  const named = Object.entries(dsps).find(([, { pattern }]) => pattern.test(text))?.[0];
  const own = named === undefined ? undefined : instructions[named];
  return own === undefined ? Object.values(instructions).join(" ") : `${String(named).toUpperCase()}: ${own}`;
};

const changeNames: Readonly<Record<string, string>> = {
  cancellation: "a cancellation",
  flight_dates: "a move of its flight",
  impressions: "a change of its volume",
};

/** What is booked is not active yet. */
export const activationState = ({ status, approval_id: approval, expires_at: until }: Slots): string => {
  if (approval != null) return " It waits for an approval before it can start.";
  return status === "proposed"
    ? ` It is proposed until the seller activates it; without that it expires at ${String(until)}.`
    : "";
};

/** Empty where no change waits. */
export const waitingNames = (output: Slots): string => {
  const waiting = (output["changes_waiting"] ?? []) as readonly Slots[];
  const names = waiting.map(({ change_request_id: id, change_type: type }) => {
    return `${changeNames[String(type)] ?? `a change (${String(type)})`} (${String(id)})`;
  });
  return names.join(", ");
};

export const waitingText = (output: Slots): string => {
  const names = waitingNames(output);
  return names === ""
    ? ""
    : ` Requested and not done yet: ${names}; the seller reviews it, and until then the deal is as it was.`;
};

const asksForTargeting = /\btarget\w*|\baudiences?\b/i;

const targetingText = ({ audience_plan_snapshot: plan }: Slots): string =>
  plan == null
    ? "No audience and no region is fixed in this deal; set them in your DSP, or ask for a person."
    : "An audience plan is fixed in this deal.";

const noRepricing =
  "A booked price is not changed in this conversation: ask for a person to have it checked. A new volume or flight, " +
  "or a cancellation, I can request for you.";

const asksForStateOnly = /\b(?:confirmed|proposed|cancel+ed|rejected|pending)\b/i;

const stateText = (output: Slots): string => {
  const { status_text: text } = output;
  return waitingNames(output) === "" && typeof text === "string" ? text : activationState(output).trim();
};

const howText = (output: Slots, text: string): string => {
  if (disputesBooking(plainText(text))) return noRepricing;
  if (asksForTargeting.test(text)) return targetingText(output);
  if (asksForStateOnly.test(text)) return stateText(output);
  return activationText((output["activation_instructions"] ?? {}) as Record<string, string>, text);
};

export const readDeal = async (talk: Talk): Promise<Spoken> => {
  const isNamed = typeof talk.memory.terms["deal_id"] === "string" || talk.heard.inventory.length > 0;
  if (!isNamed && asksForDsp.test(talk.text)) return anyDsp;
  const id = await dealMeant(talk);
  if (typeof id !== "string") return id;
  return ask(talk, "deals", { name: "get_deal", input: { deal_id: id } }, (output) => {
    const what = termsText(quoteTerms(output));
    const state = `Deal ID ${String(output["deal_id"])} is ${String(output["status"])}: ${what}.${waitingText(output)}`;
    return { outcome: "answer", result: output, text: `${state} ${howText(output, talk.text)}`.trimEnd() };
  });
};
