import type { Offer } from "../../../machines/conversation/machine.ts";
import type { Act } from "../reading/choice/acts.ts";
import type { Memory } from "../memory.ts";
import type { Slots } from "../reading/slots.ts";
import { productIdsOf } from "../terms.ts";
import { changeWords, dealAsked } from "./change-talk.ts";
import { refuse } from "./commit-talk.ts";
import { assurances } from "./open-talk.ts";
import { otherRequest } from "./price-talk.ts";
import { requestsIn, takeBackQuestion } from "./requests-talk.ts";
import { showOpen } from "./shown-terms.ts";
import { clarify, count, money, type Spoken, type Talk } from "./speech.ts";

const ofCancelling = /\bcancel\w*|\bnotice\b/i;
const ofMoney = /\b(?:fees?|tax(?:es)?|vat|surcharges?|pay\w*|invoic\w*)\b/i;
const ofShortfall = "What follows from a shortfall is not on record. ";
const ofDelivery = /\b(?:(?:under|over)?-?deliver\w*|shortfalls?|make-?goods?)\b/i;

/** Terms and conditions are no part of the records that this agent reads; what a deal type fixes is. */
export const policy = ({ text }: Talk): Spoken => {
  const known = [
    ofMoney.test(text)
      ? "A price here is a CPM; I have nothing on record about fees, taxes or payment terms beside it. "
      : "",
    ofCancelling.test(text)
      ? "A cancellation is requested and the seller reviews it; no fee and no notice period for it is on record. "
      : "",
    ofDelivery.test(text) ? `On record is: ${assurances["PG"] ?? ""}${assurances["PD"] ?? ""}${ofShortfall}` : "",
  ].join("");
  return {
    skill: null,
    outcome: "clarify",
    result: null,
    text:
      `${known}I have nothing ${known === "" ? "on record" : "more"} about that, so I promise nothing. ` +
      'A person of the publisher can answer it: say "hand over" and your question is passed on. ' +
      "Nothing changes by asking.",
  };
};

/** "No, keep June" asks for other terms than those that are open. */
export const wait = async (talk: Talk): Promise<Spoken> => {
  const [id, another] = productIdsOf(talk.memory.terms);
  const other = id === undefined || another !== undefined ? null : await otherRequest(talk, id);
  if (other === null) return refuse(talk, "no");
  return { skill: "pricing", outcome: "clarify", result: null, ...other, text: `Nothing is booked. ${other.text}` };
};

const termWords = ({ finder, memory }: Talk): readonly string[] => {
  const { impressions, flight_start: start, flight_end: end, budget, target_cpm: price }: Slots = memory.terms;
  const names = productIdsOf(memory.terms).map((id) => finder.get(id)?.name ?? id);
  return [
    ...names,
    ...(typeof impressions === "number" ? [`${count(impressions)} impressions`] : []),
    ...(typeof start === "string" ? [`${start} to ${typeof end === "string" ? end : "an open end"}`] : []),
    ...(typeof price === "number" ? [`a price of ${money(price)} CPM`] : []),
    ...(typeof budget === "number" ? [`a budget of ${money(budget)}`] : []),
  ];
};

const mayRepeat: ReadonlySet<Act> = new Set(["price", "quote", "availability", "list", "describe", "plan", "formats"]);

/** The last request again with what is corrected; null where nothing was named to correct. */
export const correctedAct = ({ heard, memory }: Talk): Act | null => {
  const names = Object.keys(heard.slots).length > 0 || heard.inventory.length > 0;
  const { asked } = memory;
  if (memory.terms["deal_id"] !== undefined && heard.inventory.length === 0) return "read deal";
  if (!names) return null;
  return asked !== null && mayRepeat.has(asked) ? asked : "price";
};

export const misunderstood = (talk: Talk): Spoken => {
  const words = termWords(talk);
  const known = words.length === 0 ? "" : ` I have: ${words.join(", ")}.`;
  return clarify(
    "discovery",
    `Sorry, then I misunderstood; nothing is booked or changed by it.${known} What is right?`,
  );
};

const questionOf = (offer: Offer): string => {
  const { kind, id, change } = offer;
  const { impressions, flight_start: start, flight_end: end, buyer_price: price }: Slots = change ?? {};
  if (kind === "cancellation") return `Shall I request the cancellation of deal ID ${id}?`;
  if (kind === "change") return `Shall I request the change of deal ID ${id} to ${changeWords(change ?? {})}?`;
  if (kind === "take back") return takeBackQuestion(requestsIn(offer));
  if (kind === "withdrawal") return `Shall I withdraw proposal ${id}?`;
  if (kind === "bid") return `Shall I offer ${money(price)} CPM for you?`;
  if (kind !== "request") return "";
  return `Shall I quote ${count(Number(impressions))} impressions, ${String(start)} to ${String(end)}?`;
};

/** Thanks are neither yes nor no, so the question stays; null where none was just asked. */
export const stillAsked = ({ memory: { life } }: Talk): Spoken | null => {
  const [offer, other] = life.context.shown;
  if (offer === undefined || other !== undefined || life.value !== "asked") return null;
  const question = questionOf(offer);
  const waits = question === "" ? `${offer.id} still waits for your answer.` : `My question still waits: ${question}`;
  const text = `You are welcome. Nothing is booked, agreed or changed by that. ${waits}`;
  return { skill: null, outcome: "answer", result: null, ...(question === "" ? {} : { offers: [offer] }), text };
};

const stateOf: Partial<Record<Offer["kind"], string>> = {
  quote: "Nothing is booked yet.",
  proposal: "Nothing is booked yet.",
  counter: "Nothing is agreed or booked yet.",
  bid: "Nothing is offered yet.",
  cancellation: "The deal is not cancelled, and no cancellation is requested yet.",
  change: "The change is not requested yet.",
  "take back": "Nothing is taken back yet.",
  withdrawal: "The proposal is not withdrawn yet.",
  request: "Nothing is quoted or booked yet.",
};

/** Of what was last shown and asked. */
export const notDone = ({ life }: Memory): string => {
  const [offer, other] = life.context.shown;
  return (other === undefined ? stateOf[offer?.kind ?? "quote"] : undefined) ?? "Nothing is booked or changed yet.";
};

const memberOf: Partial<Record<Offer["kind"], string>> = {
  quote: "quote_id",
  proposal: "proposal_id",
  counter: "negotiation_id",
};

const shownAgain = (talk: Talk, offer: Offer): Promise<Spoken> | Spoken | null => {
  const member = memberOf[offer.kind];
  const question = { ...clarify("deals", questionOf(offer)), offers: [offer] };
  if (offer.kind === "cancellation" || offer.kind === "change") return dealAsked(talk, offer);
  if (member === undefined) return question;
  const memory = { ...talk.memory, isNegotiating: offer.kind === "counter", terms: { [member]: offer.id } };
  return showOpen({ ...talk, memory }, "");
};

/** A yes that something beside it held back: what it was for is shown and asked again. */
export const heldBack = async (talk: Talk): Promise<Spoken | null> => {
  const { shown } = talk.memory.life.context;
  const [offer, other] = shown;
  if (offer === undefined) return null;
  if (other !== undefined) {
    const ids = shown.map(({ id }) => id).join(", ");
    return clarify("deals", `${notDone(talk.memory)} ${ids} wait. Say "all", or name the one you mean.`);
  }
  const own = await shownAgain(talk, offer);
  return own === null ? null : { ...own, text: `${notDone(talk.memory)} ${own.text}` };
};
