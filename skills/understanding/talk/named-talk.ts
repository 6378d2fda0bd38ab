import type { Memory, Topic } from "../memory.ts";
import type { Slots } from "../reading/slots.ts";
import { hasOffer, productIdsOf } from "../terms.ts";
import { topicOf } from "../topics.ts";
import { quotesOf } from "./deal-lines.ts";
import { bookQuestion, quoteTerms, shortTerms, showOpen, takeQuestion } from "./shown-terms.ts";
import { asLines, clarify, money, type Spoken, type Talk } from "./speech.ts";

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

const shownOf = async (talk: Talk, { product: id, terms, isNegotiating }: Topic): Promise<Spoken> => {
  const { deal_id: dealId } = terms;
  if (typeof dealId === "string") return bookedText(talk, id, dealId);
  const own = { product_id: id, ...terms };
  const shown = await showOpen({ ...talk, text: "", memory: { ...talk.memory, terms: own, isNegotiating } }, "");
  if (shown === null) return clarify("deals", `Nothing is quoted for ${talk.finder.get(id)?.name ?? id} yet.`);
  const text = [bookQuestion, takeQuestion].reduce((left, question) => left.replace(` ${question}`, ""), shown.text);
  return { ...shown, about: own, text };
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

/** What is open of each product named, where the conversation knows one of them; else null. */
export const showNamed = async (talk: Talk): Promise<readonly Spoken[] | null> => {
  const ids = productIdsOf(talk.memory.terms);
  const topics = ids.map((id) => topicOf(talk.memory, id));
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
