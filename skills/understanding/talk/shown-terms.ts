import { ask, clarify, count, money, type Skill, type Spoken, type Talk } from "./speech.ts";
import { conditionIn, isConditional } from "../reading/clauses.ts";
import type { Limit } from "../reading/figures/limits.ts";
import { hear, type Slots } from "../reading/slots.ts";
import { recordIds } from "../memory.ts";
import { openTopics, topicsIn } from "../topics.ts";

const dealNames: Readonly<Record<string, string>> = {
  PG: "programmatic guaranteed (PG)",
  PD: "preferred deal (PD)",
  PA: "private auction (PA)",
};

/** Whoever consents to these has read each of them. */
export interface FullTerms {
  readonly product: string;
  readonly dealType: unknown;
  readonly impressions: unknown;
  readonly start: unknown;
  readonly end: unknown;
  readonly cpm: unknown;
  readonly currency: unknown;
}

export const totalOf = ({ cpm, impressions }: FullTerms): number | null =>
  typeof impressions === "number" ? (Number(cpm) * impressions) / 1000 : null;

export const termsText = (terms: FullTerms): string => {
  const { product, dealType, impressions, start, end, cpm, currency } = terms;
  const hasVolume = typeof impressions === "number";
  const volume = hasVolume ? `${count(impressions)} impressions` : "no fixed volume";
  const total = hasVolume ? `, ${money((Number(cpm) * impressions) / 1000, currency)} in total` : "";
  const kind = dealNames[String(dealType)] ?? String(dealType);
  return (
    `${product}, ${kind}, ${volume}, ${String(start)} to ${String(end)}, ` +
    `at ${money(cpm, currency)} CPM${total} (${String(currency)})`
  );
};

/** In lists. */
export const shortTerms = (terms: FullTerms): string => {
  const { product, dealType, impressions, start, end, cpm, currency } = terms;
  const total = totalOf(terms);
  const volume = typeof impressions === "number" ? `${count(impressions)} impressions` : "no fixed volume";
  const cost = total === null ? "" : `, ${money(total, currency)}`;
  const price = `${money(cpm, currency)} CPM${cost}`;
  return `${product}, ${String(dealType)}, ${volume}, ${String(start)} to ${String(end)}, ${price}`;
};

/** No quote and no deal holds an audience or a place; empty where none was named. */
export const targetingNote = ({ audience, geo }: Slots): string => {
  const named = [audience, geo].filter((one) => typeof one === "string").map((one) => `"${one}"`);
  return named.length === 0 ? "" : ` Targeting is not part of it: set ${named.join(" and ")} in your DSP.`;
};

/** A counter-offer replaces the price. */
export const quoteTerms = (output: Slots, cpm: unknown = (output["pricing"] as Slots)["final_cpm"]): FullTerms => {
  const terms = output["terms"] as Slots;
  return {
    product: String((output["product"] as Slots)["name"]),
    dealType: output["deal_type"],
    impressions: terms["impressions"],
    start: terms["flight_start"],
    end: terms["flight_end"],
    cpm,
    currency: (output["pricing"] as Slots)["currency"],
  };
};

export const proposalTerms = (talk: Pick<Talk, "finder">, output: Slots, cpm: unknown): FullTerms => ({
  product: talk.finder.get(String(output["product_id"]))?.name ?? String(output["product_id"]),
  dealType: output["deal_type"],
  impressions: output["impressions"],
  start: output["start_date"],
  end: output["end_date"],
  cpm,
  currency: output["currency"],
});

/** Empty where the message sets no limit. */
export const limitText = (
  limit: Limit | null,
  of: { readonly cpm: unknown; readonly impressions: unknown; readonly currency: unknown },
): string => {
  if (limit === null) return "";
  const { cpm, impressions, currency } = of;
  const isTotal = limit.measure === "total";
  if (isTotal && typeof impressions !== "number") return "";
  const value = isTotal ? (Number(cpm) * Number(impressions)) / 1000 : Number(cpm);
  if (limit.isPrice === true && value === limit.value) return "";
  const what = isTotal ? "in total" : "CPM";
  const [asked, is] = [money(limit.value, currency), money(value, currency)];
  const holds = limit.isMost ? value <= limit.value : value >= limit.value;
  if (holds) return ` Your limit of ${asked} ${what} holds: it is ${is}.`;
  return ` Your limit of ${asked} ${what} does not hold: it is ${is}, which is ${limit.isMost ? "above" : "below"} it.`;
};

const namedWords = (named: Slots, { dealType, impressions, start, end }: FullTerms): string =>
  [
    named["deal_type"] === undefined ? null : (dealNames[String(dealType)] ?? String(dealType)),
    named["impressions"] === undefined || typeof impressions !== "number" ? null : `${count(impressions)} impressions`,
    named["flight_start"] === undefined ? null : `${String(start)} to ${String(end)}`,
  ]
    .filter((words) => words !== null)
    .join(", ");

/** Says of each condition whether it holds; empty where the message sets none. */
export const heldText = ({ heard, text, finder, context }: Talk, terms: FullTerms): string => {
  const limit = limitText(heard.limit, terms);
  if (!isConditional(text)) return limit;
  const { slots } = hear(conditionIn(text), finder, context.nowMs);
  const words = namedWords(slots, terms);
  if (words === "") return heard.limit === null ? " Whether your condition holds is for you to say." : limit;
  // A price that does not hold must not be followed by a word of what does.
  if (limit.includes("does not hold") && isAsNamed(slots, terms)) return limit;
  return `${limit} Your condition ${isAsNamed(slots, terms) ? "holds" : "does not hold"}: it is ${words}.`;
};

/** What is named of the terms of sale is as it was shown. */
export const isAsNamed = (named: Slots, { dealType, impressions, start, end }: FullTerms): boolean =>
  Object.entries({ deal_type: dealType, impressions, flight_start: start, flight_end: end }).every(
    ([name, value]) => named[name] === undefined || named[name] === value,
  );

export const digestOf = (output: Slots): string | null =>
  typeof output["terms_digest"] === "string" ? output["terms_digest"] : null;

export const quoteOffer = (output: Slots) =>
  ({ kind: "quote", id: String(output["quote_id"]), digest: digestOf(output), change: null }) as const;

export const proposalOffer = (output: Slots) =>
  ({ kind: "proposal", id: String(output["proposal_id"]), digest: digestOf(output), change: null }) as const;

export const counterOffer = (id: unknown, cpm: unknown) =>
  ({ kind: "counter", id: String(id), digest: String(cpm), change: null }) as const;

export const bookQuestion = 'Shall I book it? Say "book it" to book.';
export const takeQuestion = 'Shall we agree on that price? Say "accept" to take it, or name your own.';

const goneStatus = 410;

/** Its terms are known still: a yes quotes them anew. Null where it is not gone, or its terms are not known. */
export const expiredQuote = ({ finder, memory }: Talk, quoteId: string, spoken: Spoken): Spoken | null => {
  const { product_id: id, impressions, flight_start: start, flight_end: end, deal_type: type } = memory.terms;
  const isGone = (spoken.result as Slots | null)?.["status"] === goneStatus && memory.terms["quote_id"] === quoteId;
  if (!isGone || typeof id !== "string") return null;
  if (typeof impressions !== "number" || typeof start !== "string" || typeof end !== "string") return null;
  const name = finder.get(id)?.name ?? id;
  const what = `${name}, ${count(impressions)} impressions, ${start} to ${end}`;
  const change = {
    product_id: id,
    impressions,
    flight_start: start,
    flight_end: end,
    ...(type == null ? {} : { deal_type: type }),
  };
  return {
    ...spoken,
    outcome: "clarify",
    offers: [{ kind: "request", id, digest: null, change }],
    text: `That quote has expired, and any price agreed on it: ${what}. Nothing is booked. Shall I quote it anew?`,
  };
};

const shownQuote = async (talk: Talk, id: string, words: string): Promise<Spoken> => {
  const spoken = await quoteAsked(talk, id, words);
  return expiredQuote(talk, id, spoken) ?? spoken;
};

const quoteAsked = (talk: Talk, id: string, words: string): Promise<Spoken> =>
  ask(talk, "deals", { name: "get_quote", input: { quote_id: id } }, (output) => {
    const isOpen = output["status"] === "available";
    const what = `Quote ${id}: ${termsText(quoteTerms(output))}.${targetingNote(talk.memory.terms)}`;
    const dealId = output["deal_id"];
    const over =
      typeof dealId === "string"
        ? `It is booked already: deal ID ${dealId}.`
        : `It is ${String(output["status"])}. Shall I quote it anew?`;
    const question = isOpen ? bookQuestion : over;
    return {
      outcome: "clarify",
      result: output,
      ...(isOpen ? { offers: [quoteOffer(output)] } : {}),
      text: `${words}${what}${heldText(talk, quoteTerms(output))} ${question}`,
    };
  });

const shownProposal = (talk: Talk, id: string, words: string): Promise<Spoken> =>
  ask(talk, "deals", { name: "get_proposal", input: { proposal_id: id } }, (output) => {
    const isAgreed = output["status"] === "accepted";
    const cpm = isAgreed ? output["agreed_price"] : output["price"];
    const terms = proposalTerms(talk, output, cpm);
    const note = targetingNote(talk.memory.terms);
    const what = `Proposal ${id} is ${String(output["status"])}: ${termsText(terms)}.${note}${heldText(talk, terms)}`;
    return {
      outcome: "clarify",
      result: output,
      ...(isAgreed ? { offers: [proposalOffer(output)] } : {}),
      text: `${words}${what} ${isAgreed ? bookQuestion : "What would you like to do with it?"}`,
    };
  });

/** Null where what is negotiated about cannot be read. */
export const counterTerms = async (
  talk: Pick<Talk, "context" | "finder">,
  output: Slots,
): Promise<FullTerms | null> => {
  const cpm = (output["round"] as Slots | null)?.["seller_price"];
  const { quote_id: quoteId, proposal_id: proposalId } = output;
  const about =
    typeof quoteId === "string"
      ? await talk.context.call("get_quote", { quote_id: quoteId })
      : await talk.context.call("get_proposal", { proposal_id: proposalId });
  if (about.kind !== "done") return null;
  const record = about.output as Slots;
  return typeof quoteId === "string" ? quoteTerms(record, cpm) : proposalTerms(talk, record, cpm);
};

export const shownCounter = async (talk: Talk, output: Slots, words: string): Promise<string> => {
  const terms = await counterTerms(talk, output);
  if (terms === null) return words;
  const what = `${words} That is ${termsText(terms)}, negotiation ${String(output["negotiation_id"])}.`;
  return `${what}${targetingNote(talk.memory.terms)}${heldText(talk, terms)}`;
};

const shownNegotiation = async (talk: Talk, id: string, words: string): Promise<Spoken> => {
  const spoken = await ask(
    talk,
    "negotiation",
    { name: "get_negotiation_status", input: { negotiation_id: id } },
    (to) => ({
      outcome: "clarify",
      result: to,
      text: words,
    }),
  );
  if (spoken.outcome === "refuse") return spoken;
  const output = spoken.result as Slots;
  const cpm = (output["round"] as Slots)["seller_price"];
  return {
    ...spoken,
    offers: [counterOffer(id, cpm)],
    text: `${await shownCounter(talk, output, `${words}Our price stands.`)} ${takeQuestion}`,
  };
};

/** Null where nothing is open. */
export const showOpen = (talk: Talk, words: string): Promise<Spoken> | null => {
  const { terms, isNegotiating } = talk.memory;
  const { negotiation_id: negotiationId, proposal_id: proposalId, quote_id: quoteId } = terms;
  if (isNegotiating && typeof negotiationId === "string") return shownNegotiation(talk, negotiationId, words);
  if (typeof proposalId === "string") return shownProposal(talk, proposalId, words);
  return typeof quoteId === "string" ? shownQuote(talk, quoteId, words) : null;
};

/** Names the records of the conversation, which are not gone because another product is talked about. */
export const nothingOpen = ({ finder, memory }: Talk, skill: Skill): Spoken => {
  const open = openTopics(memory);
  const known = (open.length === 0 ? topicsIn(memory) : open).map(({ product: id, terms }) => {
    const record = recordIds.findLast((name) => typeof terms[name] === "string");
    return `${finder.get(id)?.name ?? id} (${String(terms[record ?? "quote_id"])})`;
  });
  const which = "Which quote or proposal do you mean? Nothing is open here: give its id, or ask for a quote first.";
  const [only, other] = known;
  if (only === undefined) return clarify(skill, which);
  const names = known.join(", ");
  const one = `Nothing waits for your answer. What stands is ${names}: name it to go on with it.`;
  return clarify(skill, other === undefined ? one : `Which do you mean: ${names}? Name the product or the id.`);
};
