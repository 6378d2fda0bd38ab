import type { Memory, Topic } from "../memory.ts";
import type { Slots } from "../reading/slots.ts";
import { hasOffer, productIdsOf } from "../terms.ts";
import { allMeant, focusedOn, focusOf, openTopics, pricedTopics, topicOf } from "../topics.ts";
import { meansAll } from "../asides.ts";
import { quoteOf } from "./price-talk.ts";
import { quotesOf } from "./deal-lines.ts";
import { bookQuestion, nothingOpen, quoteTerms, shortTerms, showOpen, takeQuestion } from "./shown-terms.ts";
import { asLines, clarify, money, type Skill, type Spoken, type Talk } from "./speech.ts";

const mostNamed = 6;

const quotedTerms = (quote: Slots): Slots => {
  const { impressions, start, end } = quoteTerms(quote);
  return {
    quote_id: quote["quote_id"],
    deal_type: quote["deal_type"],
    impressions,
    flight_start: start,
    flight_end: end,
  };
};

/** A quote of an earlier conversation: the only open one of the product is meant; null where there is none. */
export const showEarlier = async (talk: Talk): Promise<Spoken | null> => {
  const [id, other] = productIdsOf(talk.memory.terms);
  if (id === undefined || other !== undefined || hasOffer(talk.memory.terms)) return null;
  const quotes = (await quotesOf(talk)).filter(({ product }) => (product as Slots)["product_id"] === id);
  const [first] = quotes;
  if (first === undefined) return null;
  if (quotes.length > 1) {
    const lines = quotes
      .slice(0, mostNamed)
      .map((quote) => `${String(quote["quote_id"])}: ${shortTerms(quoteTerms(quote))}`);
    return clarify("deals", `${asLines("Which of your open quotes do you mean?", lines)}\nGive its id.`);
  }
  const own = quotedTerms(first);
  const memory: Memory = { ...talk.memory, terms: { ...talk.memory.terms, ...own } };
  const shown = await showOpen({ ...talk, memory }, "Nothing is booked by this message. Your open quote: ");
  return shown === null ? null : { ...shown, learnt: own };
};

const bookedText = ({ finder }: Talk, id: string, dealId: string): Spoken => ({
  skill: "deals",
  outcome: "answer",
  result: null,
  text: `${finder.get(id)?.name ?? id} is booked already: deal ID ${dealId}.`,
});

const quotedNow = async (talk: Talk, topic: Topic): Promise<Spoken> => {
  const { learnt: _learnt, ...quoted } = await quoteOf(
    { ...talk, text: "", memory: focusedOn(talk.memory, topic) },
    topic.product,
  );
  return quoted;
};

/** By its state: what was only priced is quoted. */
const shownOf = async (talk: Talk, topic: Topic): Promise<Spoken> => {
  const { product: id, terms, isNegotiating } = topic;
  const { deal_id: dealId } = terms;
  if (typeof dealId === "string") return bookedText(talk, id, dealId);
  const own = { product_id: id, ...terms };
  const memory = { ...talk.memory, terms: own, isNegotiating };
  const open = await showOpen({ ...talk, text: "", memory }, "");
  const shown = open === null ? await quotedNow(talk, topic) : { ...open, about: own };
  const text = [bookQuestion, takeQuestion].reduce((left, question) => left.replace(` ${question}`, ""), shown.text);
  return { ...shown, text };
};

/** A price that was said and is none of those shown. */
export const otherPrice = ({ heard }: Talk, shown: readonly Spoken[]): string => {
  const said = heard.barePrice ?? heard.slots["target_cpm"];
  if (typeof said !== "number") return "";
  const isShown = shown.some(({ text }) => text.includes(`${money(said)} CPM`));
  return isShown ? "" : ` ${money(said)} is not a price that was agreed; what stands is named above.`;
};

/** Each with its terms, and one question for all. */
const withQuestion = (talk: Talk, shown: readonly Spoken[]): readonly Spoken[] => {
  const offers = shown.flatMap((one) => one.offers ?? []);
  const question = offers.length > 1 ? ' Shall I book these? Say "book all".' : ` ${bookQuestion}`;
  const last = `${otherPrice(talk, shown)}${offers.length === 0 ? "" : question}`;
  return shown.map((one, place) => {
    const lead = place === 0 ? "Nothing is booked by this message. " : "";
    return { ...one, text: `${lead}${one.text}${place === shown.length - 1 ? last : ""}` };
  });
};

export const showTopics = async (talk: Talk, topics: readonly Topic[]): Promise<readonly Spoken[]> => {
  const shown: Spoken[] = [];
  for (const topic of topics) shown.push(await shownOf(talk, topic));
  return withQuestion(talk, shown);
};

/** "Book both" names no product; null where it does not mean several. */
export const showAll = async (talk: Talk): Promise<readonly Spoken[] | null> => {
  const topics = meansAll(talk.text) ? allMeant(talk.memory, talk.text) : [];
  const named = talk.heard.inventory.flatMap(({ products }) => products.map(({ product_id: id }) => id));
  const isOther = named.some((id) => !topics.some(({ product }) => product === id));
  return topics.length > 1 && !isOther && talk.heard.excluded.length === 0 ? showTopics(talk, topics) : null;
};

const quoteIds = /\bqt-[0-9a-z]+\b/gi;
const declining = /\b(?:declin\w*|reject\w*|not|n't|without|except|drop|leave out|no longer|cancel\w*)\b/i;

/** "Book qt-1 and qt-2, we decline qt-3": those that are wanted, and no other; null where fewer are named. */
export const showIds = async (talk: Talk): Promise<readonly Spoken[] | null> => {
  const clauses = talk.text.split(/[.;\n]|,? but\b/i);
  const ids = clauses.filter((clause) => !declining.test(clause)).flatMap((clause) => clause.match(quoteIds) ?? []);
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length === 0 || new Set(talk.text.toLowerCase().match(quoteIds)).size < 2) return null;
  const shown: Spoken[] = [];
  for (const id of wanted) {
    const topic = openTopics(talk.memory).find(({ terms }) => terms["quote_id"] === id);
    const memory = { ...talk.memory, isNegotiating: false, terms: { ...topic?.terms, quote_id: id } };
    const one = topic === undefined ? await showOpen({ ...talk, text: "", memory }, "") : await shownOf(talk, topic);
    if (one !== null) shown.push({ ...one, text: one.text.replace(` ${bookQuestion}`, "") });
  }
  return withQuestion(talk, shown);
};

const orders = /\b(?:accept\w*|agree\w*|deal|take|book|reserve|order|buy|confirm)\b/i;

/** What is in force is booked or was never quoted: of the others that are open the running negotiation comes first. */
export const showOther = async (talk: Talk, skill: Skill): Promise<Spoken | null> => {
  const { terms } = talk.memory;
  const isAsked = hasOffer(terms) && terms["deal_id"] == null;
  if (talk.heard.inventory.length > 0 || isAsked || !orders.test(talk.text)) return null;
  const open = openTopics(talk.memory);
  const running = skill === "negotiation" ? open.filter(({ isNegotiating }) => isNegotiating) : [];
  const [only, other] = running.length > 0 ? running : open;
  if (only === undefined) return null;
  if (other !== undefined) return nothingOpen(talk, skill);
  const memory = focusedOn(talk.memory, only);
  const shown = await showOpen({ ...talk, memory }, "Nothing is booked or changed by this message. ");
  return shown === null ? null : { ...shown, ...focusOf(only) };
};

const hasVolume = ({ impressions }: Slots): boolean => typeof impressions === "number";

/** What is open of each product named, where the conversation knows one of them; else null. */
export const showNamed = async (talk: Talk): Promise<readonly Spoken[] | null> => {
  const ids = productIdsOf(talk.memory.terms);
  const priced = pricedTopics(talk.memory);
  const topics = ids.map(
    (id) => topicOf(talk.memory, id) ?? priced.find(({ product, terms }) => product === id && hasVolume(terms)) ?? null,
  );
  if (ids.length < 2 || topics.every((topic) => topic === null)) return null;
  const shown: Spoken[] = [];
  for (const [place, topic] of topics.entries()) {
    const id = ids[place] ?? "";
    const name = talk.finder.get(id)?.name ?? id;
    shown.push(
      topic === null
        ? clarify("deals", `${name} is not quoted yet: tell me its volume and dates.`)
        : await shownOf(talk, topic),
    );
  }
  return withQuestion(talk, shown);
};
