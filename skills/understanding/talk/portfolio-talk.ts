import type { Offer } from "../../../machines/conversation/machine.ts";
import type { Memory } from "../memory.ts";
import type { Slots } from "../reading/slots.ts";
import { asksForRest } from "../asides.ts";
import { dealTopics } from "../topics.ts";
import { dealLine, dealsOf, isStanding, quotesOf, countedText, standingText, sumsText } from "./deal-lines.ts";
import { type Open, openOf, placesOf, referenceOf } from "./open-talk.ts";
import {
  type FullTerms,
  proposalOffer,
  quoteOffer,
  quoteTerms,
  shortTerms,
  showOpen,
  targetingNote,
  totalOf,
} from "./shown-terms.ts";
import { asLines, count, moment, money, type Spoken, type Talk } from "./speech.ts";

const mostTold = 6;

const openStates: Readonly<Record<string, readonly string[]>> = {
  quote: ["available"],
  proposal: ["accepted", "counter_pending"],
  counter: ["active"],
};

/** What was quoted, agreed or is negotiated in the conversation and is not booked. */
export const openInTalk = async (talk: Talk): Promise<readonly Open[]> => {
  const references = placesOf(talk.memory).flatMap((place) => referenceOf(place) ?? []);
  const ids = [...new Set(references.map(({ id }) => id))].slice(-mostTold);
  const found: Open[] = [];
  for (const id of ids) {
    const reference = references.findLast((one) => one.id === id);
    const open = reference === undefined ? null : await openOf(talk, reference);
    if (open !== null && openStates[open.kind]?.includes(String(open.output["status"])) === true) found.push(open);
  }
  return found;
};

const states: Readonly<Record<Open["kind"], string>> = {
  quote: "not booked",
  proposal: "agreed, not booked",
  counter: "in negotiation, at our last price",
  deal: "booked",
};

export const openLine = ({ kind, id, output, terms, isAgreed }: Open): string => {
  const until = typeof output["expires_at"] === "string" ? `, valid until ${moment(output["expires_at"])}` : "";
  return `${id}: ${shortTerms(terms)}; ${isAgreed ? "price agreed, not booked" : states[kind]}${until}`;
};

const offersOf = (open: readonly Open[]): readonly Offer[] =>
  open.flatMap(({ kind, output }): readonly Offer[] => {
    if (kind === "quote") return [quoteOffer(output)];
    return kind === "proposal" && output["status"] === "accepted" ? [proposalOffer(output)] : [];
  });

/** Not those that the conversation knows: what it dropped is not offered again. */
const earlierQuotes = async (talk: Talk): Promise<readonly string[]> =>
  (await quotesOf(talk))
    .filter(({ quote_id: id }) => !(talk.memory.topics ?? []).some(({ terms }) => terms["quote_id"] === id))
    .slice(0, mostTold)
    .map((quote) => `${String(quote["quote_id"])}: ${shortTerms(quoteTerms(quote))}; not booked`);

const nothing = "Nothing is quoted, agreed or booked yet. What do you need?";

const linesOf = (deals: readonly Slots[]): readonly string[] => [
  ...deals.slice(0, mostTold).map(dealLine),
  ...(deals.length > mostTold ? [`${count(deals.length - mostTold)} more: ask for your deals`] : []),
];

const shownOnly = async (talk: Talk, { place }: Open): Promise<Spoken | null> => {
  const memory = { ...talk.memory, ...place };
  const activation = /\bactivat/i.test(talk.text)
    ? "Once booked, a deal is activated in your DSP with its deal ID. "
    : "";
  const shown = await showOpen({ ...talk, text: "", memory }, `So far nothing is booked. ${activation}`);
  return shown?.outcome === "clarify" ? { ...shown, outcome: "answer" } : shown;
};

const dealIdsOf = (memory: Memory): ReadonlySet<unknown> =>
  new Set([...dealTopics(memory), memory].map(({ terms }) => terms["deal_id"]));

const othersText = (deals: readonly Slots[]): string =>
  deals.length === 0 ? "" : `\nFrom other conversations: ${countedText(deals)}; ask for your deals.`;

const bookWhich = (offers: readonly Offer[]): string =>
  `Name the one to book${offers.length > 1 ? ', or say "book all"' : ""}.`;

const listing = (deals: readonly Slots[], open: readonly string[]): readonly string[] => [
  deals.length === 0 ? "So far nothing is booked." : asLines(`Booked: ${countedText(deals)}.`, linesOf(deals)),
  ...(open.length === 0 ? [] : [asLines("Open:", open)]),
];

/** What the conversation has booked and open; where it has nothing, what the caller has. */
export const summary = async (talk: Talk): Promise<Spoken> => {
  const all = (await dealsOf(talk, {})).filter(isStanding);
  const open = await openInTalk(talk);
  const ids = dealIdsOf(talk.memory);
  const own = all.filter(({ deal_id: id }) => ids.has(id));
  const isNew = own.length === 0 && open.length === 0;
  const others = isNew ? "" : othersText(all.filter((deal) => !own.includes(deal)));
  const [only] = open;
  const shown = own.length === 0 && only !== undefined && open.length === 1 ? await shownOnly(talk, only) : null;
  if (shown !== null) return { ...shown, text: `${shown.text}${others}` };
  const deals = isNew ? all : own;
  const lines = isNew ? await earlierQuotes(talk) : open.map(openLine);
  const result = { deals, open: open.map(({ output }) => output) };
  if (deals.length === 0 && lines.length === 0) return { skill: "deals", outcome: "clarify", result, text: nothing };
  const offers = offersOf(open);
  const next = open.length === 0 ? [] : [bookWhich(offers)];
  const note = open.length === 0 ? "" : targetingNote(talk.memory.terms);
  const text = `${[...listing(deals, lines), ...next].join("\n")}${note}${others}`;
  return { skill: "deals", outcome: "answer", result, text, offers };
};

const restText = (budget: unknown, deals: readonly Slots[], open: readonly Open[]): string => {
  if (typeof budget !== "number") return "You have named no budget here. ";
  const sumOf = (all: readonly FullTerms[]): number =>
    all.filter(({ currency }) => currency === "USD").reduce((sum, terms) => sum + (totalOf(terms) ?? 0), 0);
  const booked = sumOf(deals.map((deal) => quoteTerms(deal)));
  const rest = budget - booked;
  const after = rest - sumOf(open.map(({ terms }) => terms));
  const left = rest < 0 ? `${money(-rest)} more than it` : `${money(rest)} is left`;
  const then = open.length === 0 ? "" : `, and ${money(after)} if all that is open is booked too`;
  return `Of your ${money(budget)}, ${money(booked)} is booked: ${left}${then}. `;
};

/** What the deals come to, and what would come to it with all that is open. */
export const mySpend = async (talk: Talk): Promise<Spoken> => {
  const all = (await dealsOf(talk, {})).filter(isStanding);
  const open = await openInTalk(talk);
  const { memory, heard } = talk;
  const isRest = asksForRest(talk.text);
  const ids = dealIdsOf(memory);
  const deals = isRest ? all.filter(({ deal_id: id }) => ids.has(id)) : all;
  const result = { deals, open: open.map(({ output }) => output) };
  const named = heard.slots["budget"] ?? heard.sums[0]?.value ?? heard.slots["impressions"];
  const budget = named ?? memory.campaignBudget ?? memory.terms["budget"];
  const lead = isRest ? restText(budget, deals, open) : "";
  if (deals.length === 0 && open.length === 0)
    return { skill: "deals", outcome: "answer", result, text: `${lead}${nothing}` };
  const dealTerms = deals.map((deal) => quoteTerms(deal));
  const openTerms = open.map(({ terms }) => terms);
  const booked =
    deals.length === 0 ? "Nothing is booked yet." : asLines(`Your deals: ${standingText(deals)}.`, linesOf(deals));
  const added = open.length === 0 ? [] : [asLines(`Open, not booked: ${sumsText(openTerms)}.`, open.map(openLine))];
  const together =
    deals.length === 0 || open.length === 0 ? [] : [`With it all: ${sumsText([...dealTerms, ...openTerms])}.`];
  return { skill: "deals", outcome: "answer", result, text: `${lead}${[booked, ...added, ...together].join("\n")}` };
};
