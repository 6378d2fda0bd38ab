import { anyOf } from "../reading/any-of.ts";
import { isQuestion } from "../reading/choice/mood.ts";
import { plainText } from "../reading/choice/spelling.ts";
import type { Slots } from "../reading/slots.ts";
import type { Memory } from "../memory.ts";
import { asksToHold, meansAll } from "../asides.ts";
import { productIdsOf } from "../terms.ts";
import { openTopics, topicsIn } from "../topics.ts";
import { activationState, sumsText, waitingText } from "./deal-lines.ts";
import {
  counterTerms,
  type FullTerms,
  nothingOpen,
  proposalTerms,
  quoteTerms,
  showOpen,
  targetingNote,
  termsText,
} from "./shown-terms.ts";
import { count, moment, type Skill, type Spoken, type Talk } from "./speech.ts";

/** The terms of one product, or those in force. */
type Place = Pick<Memory, "terms" | "isNegotiating">;

export interface Open {
  readonly kind: Reference["kind"];
  readonly id: string;
  readonly place: Place;
  /** Its price was negotiated. */
  readonly isAgreed: boolean;
  readonly skill: Skill;
  readonly title: string;
  readonly output: Slots;
  readonly terms: FullTerms;
}

interface Reference {
  readonly kind: "quote" | "proposal" | "counter" | "deal";
  readonly id: string;
  readonly place: Place;
}

const reads = {
  quote: { skill: "pricing", name: "get_quote", member: "quote_id", title: "Quote" },
  proposal: { skill: "proposals", name: "get_proposal", member: "proposal_id", title: "Proposal" },
  counter: { skill: "negotiation", name: "get_negotiation_status", member: "negotiation_id", title: "Negotiation" },
  deal: { skill: "deals", name: "get_deal", member: "deal_id", title: "Deal ID" },
} as const;

/** The record that is furthest on. */
export const referenceOf = (place: Place): Reference | null => {
  const { deal_id: deal, negotiation_id: negotiation, proposal_id: proposal, quote_id: quote } = place.terms;
  if (typeof deal === "string") return { kind: "deal", id: deal, place };
  if (place.isNegotiating && typeof negotiation === "string") return { kind: "counter", id: negotiation, place };
  if (typeof proposal === "string") return { kind: "proposal", id: proposal, place };
  return typeof quote === "string" ? { kind: "quote", id: quote, place } : null;
};

export const shownIn = ({ life }: Memory): readonly Reference[] =>
  life.context.shown.flatMap(({ kind, id }): readonly Reference[] =>
    kind === "quote" || kind === "proposal" || kind === "counter"
      ? [{ kind, id, place: { terms: { [reads[kind].member]: id }, isNegotiating: kind === "counter" } }]
      : [],
  );

/** Of every product of the conversation, and last of what is in force. */
export const placesOf = (memory: Memory): readonly Place[] => [
  ...shownIn(memory).map(({ place }) => place),
  ...topicsIn(memory),
  memory,
];

/** All that is open where the message means all, else what was last shown, else the record that is furthest on. */
const referencesOf = ({ memory, text, heard }: Talk): readonly Reference[] => {
  const shown = shownIn(memory);
  const named = heard.inventory.length === 1 && !meansAll(text) ? referenceOf(memory) : null;
  if (shown.length > 1) return named === null ? shown : [named];
  const open = meansAll(text) ? openTopics(memory) : [];
  if (open.length > 1) return open.flatMap((topic) => referenceOf(topic) ?? []);
  const reference = referenceOf(memory);
  return reference === null ? [] : [reference];
};

type Where = Pick<Talk, "context" | "finder">;

const offerTerms = (talk: Where, kind: Reference["kind"], output: Slots): Promise<FullTerms | null> | FullTerms => {
  if (kind === "counter") return counterTerms(talk, output);
  return kind === "proposal"
    ? proposalTerms(talk, output, output["agreed_price"] ?? output["price"])
    : quoteTerms(output);
};

export const openOf = async (talk: Where, { kind, id, place }: Reference): Promise<Open | null> => {
  const { skill, name, member, title } = reads[kind];
  const outcome = await talk.context.call(name, { [member]: id });
  if (outcome.kind !== "done") return null;
  const output = outcome.output as Slots;
  const terms = await offerTerms(talk, kind, output);
  const isAgreed = kind === "quote" && place.terms["negotiation_id"] !== undefined && !place.isNegotiating;
  const own = { title: `${title} ${id} (${String(output["status"])})`, output, terms };
  return terms === null ? null : { kind, id, place, isAgreed, skill, ...own, terms };
};

/** Null unless exactly one thing is open. */
export const termsOnTable = async (talk: Talk): Promise<FullTerms | null> => {
  const [only, other] = referencesOf(talk);
  if (only === undefined || other !== undefined) return null;
  return (await openOf(talk, only))?.terms ?? null;
};

export const assurances: Readonly<Record<string, string>> = {
  PG: "A programmatic guaranteed deal (PG) fixes price and volume: delivery is guaranteed. ",
  PD: "A preferred deal (PD) fixes the price and gives a first look; its volume is not guaranteed. ",
  PA: "A private auction (PA) has a least price; neither price nor volume is guaranteed. ",
};

export const asksForType = anyOf(
  /\bguarant\w*|\bdeal type\b|\bpreferred\b|\bprivate auction\b|\bp[gda]\b/i,
  /\bfixed\b|\bbinding\b|\bfirm\b/i,
);

const lineOf = ({ kind, title, output, terms }: Open): string => {
  const until = output["expires_at"];
  if (kind === "deal") return `${title}: ${termsText(terms)}.${activationState(output)}${waitingText(output)}`;
  const valid = typeof until === "string" && terms.cpm != null ? ` Valid until ${moment(until)}.` : "";
  return `${title}: ${termsText(terms)}.${valid}`;
};

const toldOf = async (talk: Talk, words: string): Promise<readonly Spoken[]> => {
  const found = await Promise.all(referencesOf(talk).map((reference) => openOf(talk, reference)));
  const open = found.filter((one) => one !== null);
  const gone = open.length === 0 ? await showOpen(talk, words) : null;
  if (gone !== null) return [gone];
  return open.map((one, place) => {
    const isLast = place === open.length - 1;
    const sum = isLast && open.length > 1 ? ` Together that is ${sumsText(open.map(({ terms }) => terms))}.` : "";
    const lead = place === 0 ? words : "";
    const type = asksForType.test(talk.text) ? (assurances[String(one.terms.dealType)] ?? "") : "";
    const note = isLast ? targetingNote(talk.memory.terms) : "";
    const text = `${lead}${type}${lineOf(one)}${sum}${note}`;
    return { skill: one.skill, outcome: "answer", result: one.output, text };
  });
};

const noHold = "The price stands as long as the quote is valid; I cannot hold the inventory without a booking. ";

/** Questions about what is open only tell its terms: nothing is quoted, and no yes may follow. */
export const openTerms = async (talk: Talk): Promise<readonly Spoken[]> => {
  const told = await toldOf(talk, asksToHold(talk.text, talk.heard, talk.memory) ? noHold : "");
  return told.length > 0 ? told : [nothingOpen(talk, "deals")];
};

const noAnswer = "I cannot answer that; a person can, if you ask for one. What stands: ";
const ofTargeting = /\btarget\w*|\baudiences?\b|\bgeos?\b/i;
const targetingAnswer = "No quote and no deal here holds an audience or a place; they are set in your DSP. ";
const noSense = "I did not understand that, and nothing changes. What stands: ";

const nextSteps: Readonly<Record<Reference["kind"], string>> = {
  quote: 'Say "book it" to book.',
  proposal: 'Say "book it" to book.',
  counter: 'Say "accept" to take that price, or name your own.',
  deal: "Ask for its status, a change or a cancellation.",
};

const nextStep = (talk: Talk): string => {
  const [only, other] = referencesOf(talk);
  if (only === undefined) return "";
  return ` Next: ${other === undefined ? nextSteps[only.kind] : "Name the one that you mean."}`;
};

/** What is open, behind some words of its own, and what may be said next; empty where nothing is. */
export const toldAs = async (talk: Talk, words: string): Promise<readonly Spoken[]> => {
  const told = await toldOf(talk, words);
  return told.map((one, place) => ({
    ...one,
    outcome: "clarify",
    text: place === told.length - 1 ? `${one.text}${nextStep(talk)}` : one.text,
  }));
};

/** What was only talked about; empty before that. */
const talkedAbout = ({ memory, finder }: Talk): string => {
  const { impressions, flight_start: start, flight_end: end }: Slots = memory.terms;
  const names = productIdsOf(memory.terms).map((id) => finder.get(id)?.name ?? id);
  const volume = typeof impressions === "number" ? [`${count(impressions)} impressions`] : [];
  const flight = typeof start === "string" && typeof end === "string" ? [`${start} to ${end}`] : [];
  const known = [...names, ...volume, ...flight].join(", ");
  return names.length === 0 ? "" : `We were at ${known}: say "quote it" for a quote. `;
};

/** What nobody can read, said in the middle of a talk. */
export const misread = async (talk: Talk, help: string): Promise<readonly Spoken[]> => {
  const told = await toldAs(talk, noSense);
  if (told.length > 0) return told;
  const text = `I did not understand that. ${talkedAbout(talk)}${help}`;
  return [{ skill: null, outcome: "clarify", result: null, text }];
};

/** What nobody here can answer changes nothing either. */
export const openQuestion = async (talk: Talk): Promise<readonly Spoken[]> => {
  const asked = isQuestion(plainText(talk.text)) ? noAnswer : noSense;
  const told = await toldAs(talk, ofTargeting.test(talk.text) ? targetingAnswer : asked);
  return told.length > 0 ? told : [nothingOpen(talk, "deals")];
};
