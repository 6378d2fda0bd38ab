import { anyOf } from "../reading/any-of.ts";
import { isQuestion } from "../reading/choice/mood.ts";
import { plainText } from "../reading/choice/spelling.ts";
import type { Slots } from "../reading/slots.ts";
import { asksIfAllBooked, asksIfCancelled, asksWhatNext } from "../asides.ts";
import { openTopics } from "../topics.ts";
import { cancelQuestion } from "./change-talk.ts";
import { dealMeant } from "./own-deal.ts";
import { summary } from "./portfolio-talk.ts";
import { activationState, isStanding, waitingText } from "./deal-lines.ts";
import { ask, type Spoken, type Talk } from "./speech.ts";
import { quoteTerms, showOpen, termsText } from "./shown-terms.ts";

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
const stepsText = (output: Slots, text: string): string => {
  const instructions = (output["activation_instructions"] ?? {}) as Readonly<Record<string, string>>;
  const named = Object.entries(dsps).find(([, { pattern }]) => pattern.test(text))?.[0];
  const own = named === undefined ? undefined : instructions[named];
  const steps = own === undefined ? Object.values(instructions) : [`${String(named).toUpperCase()}: ${own}`];
  return `${activationState(output)}\n${steps.map((step) => `- ${step}`).join("\n")}`.trim();
};

const asksForTargeting = /\btarget\w*|\baudiences?\b/i;

const targetingText = ({ audience_plan_snapshot: plan }: Slots): string =>
  plan == null
    ? "No audience and no region is fixed in this deal; set them in your DSP, or ask for a person."
    : "An audience plan is fixed in this deal.";

const disputes = anyOf(
  /\b(?:u|you|they|it was|that was|was) (?:wrongly )?booked\b/,
  /\bnot what (?:i|we) (?:agreed|ordered|booked)\b|\bwrong (?:price|cpm|dates?|flight|volume)\b/,
);

const noRepricing =
  "A booked price is not changed in this conversation: ask for a person to have it checked. A new volume or flight, " +
  "or a cancellation, I can request for you.";

const stateText = (output: Slots): string => {
  const { status, status_text: text } = output;
  return status === "proposed" || typeof text !== "string" ? activationState(output).trim() : text;
};

const nextText = ({ next_step: step, status_text: state }: Slots): string =>
  `${typeof step === "string" ? step : String(state)} Then its deal ID is entered in your DSP. ` +
  'Where to send creatives is not on record here: say "hand over" to ask a person.';

const asksToActivate = /\bactivat\w*|\bdsps?\b|\bset ?up\b|\bseats?\b|\bnext steps?\b|\bdeal ids?\b/i;

const namesDsp = (text: string): boolean => Object.values(dsps).some(({ pattern }) => pattern.test(text));

const howText = (output: Slots, text: string): string => {
  if (asksWhatNext(text, { deal_id: output["deal_id"] })) return nextText(output);
  if (disputes.test(plainText(text))) return noRepricing;
  if (asksForTargeting.test(text)) return targetingText(output);
  return asksToActivate.test(text) || namesDsp(text) ? stepsText(output, text) : stateText(output);
};

const told = async (talk: Talk, how: (output: Slots, text: string) => string): Promise<Spoken> => {
  const id = await dealMeant(talk);
  if (typeof id !== "string") return id;
  return ask(talk, "deals", { name: "get_deal", input: { deal_id: id } }, (output) => {
    const what = termsText(quoteTerms(output));
    const state = `Deal ID ${String(output["deal_id"])} is ${String(output["status"])}: ${what}.${waitingText(output)}`;
    return { outcome: "answer", result: output, text: `${state} ${how(output, talk.text)}`.trimEnd() };
  });
};

const asksIfBooked = /\b(?:is|are|was|were|has|have|did)\b.{0,40}\b(?:booked|reserved)\b/;

const bookedAnswer = (output: Slots): string =>
  isStanding(output) ? "Yes, it is booked. " : `No, it is not booked: it is ${String(output["status"])}. `;

/** Of each, where several are meant. */
const areBooked = async (talk: Talk): Promise<Spoken> => {
  const open = openTopics(talk.memory);
  const told = await summary(talk);
  const names = open.map(({ product }) => talk.finder.get(product)?.name ?? product);
  const lead = open.length === 0 ? "Yes, all are booked. " : `No, not booked: ${names.join(", ")}. `;
  return { ...told, text: `${lead}${told.text}` };
};

/** The answer stands before the state, which alone says neither yes nor no. */
const isBooked = async (talk: Talk): Promise<Spoken> => {
  const { deal_id: id } = talk.memory.terms;
  const open = id === undefined ? await showOpen(talk, "No, it is not booked. ") : null;
  if (open !== null) return open;
  const spoken = await told(talk, howText);
  return spoken.outcome === "answer"
    ? { ...spoken, text: `${bookedAnswer(spoken.result as Slots)}${spoken.text}` }
    : spoken;
};

const cancelledAnswer = (output: Slots): string => {
  if (!isStanding(output)) return `Yes, it is over: ${String(output["status"])}. `;
  return /cancel/i.test(waitingText(output))
    ? "No, not yet: its cancellation is requested, and it stands until the seller approves that. "
    : "No, it stands, and no cancellation of it is requested. ";
};

/** The question whether to cancel it stays open where it was just asked. */
const isCancelled = async (talk: Talk): Promise<Spoken> => {
  const spoken = await told(talk, () => "");
  if (spoken.outcome !== "answer") return spoken;
  const { deal_id: id } = spoken.result as Slots;
  const offers = talk.memory.life.context.shown.filter((offer) => offer.kind === "cancellation" && offer.id === id);
  const question = offers.length === 0 ? "" : ` ${cancelQuestion}`;
  const answer = cancelledAnswer(spoken.result as Slots);
  return { ...spoken, text: `${answer}${spoken.text}${question}`, ...(offers.length === 0 ? {} : { offers }) };
};

export const readDeal = (talk: Talk): Promise<Spoken> | Spoken => {
  const plain = plainText(talk.text);
  if (asksIfAllBooked(talk.text, talk.memory)) return areBooked(talk);
  if (asksIfCancelled(talk.text)) return isCancelled(talk);
  if (isQuestion(plain) && asksIfBooked.test(plain)) return isBooked(talk);
  const isNamed = typeof talk.memory.terms["deal_id"] === "string" || talk.heard.inventory.length > 0;
  return !isNamed && asksForDsp.test(talk.text) ? anyDsp : told(talk, howText);
};

export const activate = (talk: Talk): Promise<Spoken> => told(talk, stepsText);
