import type { Offer } from "../../../machines/conversation/machine.ts";
import type { Act } from "../reading/choice/acts.ts";
import type { Slots } from "../reading/slots.ts";
import { productIdsOf } from "../terms.ts";
import { changeWords } from "./change-talk.ts";
import { refuse } from "./commit-talk.ts";
import { assurances } from "./open-talk.ts";
import { otherRequest } from "./price-talk.ts";
import { clarify, count, money, type Spoken, type Talk } from "./speech.ts";

const ofDelivery = /\b(?:(?:under|over)?-?deliver\w*|shortfalls?|make-?goods?)\b/i;

/** Terms and conditions are no part of the records that this agent reads; what a deal type fixes is. */
export const policy = ({ text }: Talk): Spoken => {
  const known = ofDelivery.test(text)
    ? `On record is: ${assurances["PG"] ?? ""}${assurances["PD"] ?? ""}What follows from a shortfall is not on record. `
    : "";
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

const questionOf = ({ kind, id, change }: Offer): string => {
  if (kind === "cancellation") return `Shall I request the cancellation of deal ID ${id}?`;
  if (kind === "change") return `Shall I request the change of deal ID ${id} to ${changeWords(change ?? {})}?`;
  return "";
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
