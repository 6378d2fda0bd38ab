import { ask, clarify, count, pick, productQuestion, type Spoken, type Talk, usd } from "./speech.ts";
import { bookQuestion, quoteOffer, quoteTerms, termsText } from "./shown-terms.ts";
import type { Slots } from "./slots.ts";
import { productIdsOf } from "./terms.ts";

const costOf = (cpm: unknown, impressions: unknown): string =>
  typeof impressions === "number"
    ? ` ${count(impressions)} impressions cost ${usd((Number(cpm) * impressions) / 1000)}.`
    : "";

const boughtFor = (budget: unknown, cpm: unknown): string =>
  typeof budget === "number" && Number(cpm) > 0
    ? ` ${usd(budget)} buys about ${count(Math.floor((budget / Number(cpm)) * 1000))} impressions.`
    : "";

const priceOf = (talk: Talk, id: string): Promise<Spoken> => {
  const { terms } = talk.memory;
  const input = { product_id: id, volume: terms["impressions"] ?? 0 };
  return ask(talk, "pricing", { name: "get_pricing", input }, (output) => {
    const cpm = output["final_price"];
    const sums =
      terms["impressions"] === undefined ? boughtFor(terms["budget"], cpm) : costOf(cpm, terms["impressions"]);
    const name = talk.finder.get(id)?.name ?? id;
    const text = `${name} costs ${usd(cpm)} CPM. ${String(output["rationale"])}${sums === "" ? "" : `.${sums}`}`;
    return { outcome: "answer", result: output, about: { ...terms, product_id: id }, text };
  });
};

/** The caller's own price of each product that is meant. */
export const price = async (talk: Talk): Promise<readonly Spoken[]> => {
  const ids = productIdsOf(talk.memory.terms);
  if (ids.length === 0) return [clarify("pricing", productQuestion(talk))];
  return Promise.all(ids.map((id) => priceOf(talk, id)));
};

/** The caller's own discounts: those of a price where a product is meant, else those of its tier. */
export const discounts = async (talk: Talk): Promise<readonly Spoken[]> => {
  if (productIdsOf(talk.memory.terms).length > 0) return price(talk);
  const input = { query: "price", limit: 1 };
  const spoken = await ask(talk, "pricing", { name: "discover_inventory", input }, (output) => {
    const tier = output["pricing"] as Slots;
    const { discount_from_msrp: discount } = tier;
    const off = typeof discount === "string" ? `${discount} off` : "no discount on";
    const byVolume = tier["volume_discounts_enabled"] === true ? "and volume discounts" : "and no volume discounts";
    const text = `The tier ${String(tier["tier_name"])} has ${off} list prices ${byVolume}.`;
    return { outcome: "answer", result: output, text: `${text} Name a product and a volume for the price.` };
  });
  return [spoken];
};

const quoted = ["impressions", "flight_start", "flight_end", "target_cpm"];

/** What a quote is issued for: the terms in force, of one product. */
const quoteInput = (terms: Slots, id: string, dealType: string | undefined): Slots => ({
  product_id: id,
  deal_type: dealType,
  ...pick(terms, quoted),
});

const quoteOf = async (talk: Talk, id: string): Promise<Spoken> => {
  const { terms } = talk.memory;
  const own = terms["deal_type"];
  const dealType = typeof own === "string" ? own : talk.finder.get(id)?.deal_types[0];
  const about = { ...terms, product_id: id };
  if (dealType === "PG" && terms["impressions"] === undefined) {
    const text = "How many impressions do you want? A guaranteed deal needs a volume.";
    return { ...clarify("pricing", text), about };
  }
  const input = quoteInput(terms, id, dealType);
  return ask(talk, "pricing", { name: "request_quote", input }, (output) => {
    const quoteId = String(output["quote_id"]);
    const until = `Valid until ${String(output["expires_at"])}.`;
    return {
      outcome: "quoted",
      result: output,
      about: { ...about, quote_id: quoteId },
      learnt: { quote_id: quoteId, proposal_id: null, deal_id: null, negotiation_id: null },
      isNegotiating: false,
      offers: [quoteOffer(output)],
      text: `Quote ${quoteId}: ${termsText(quoteTerms(output))}. ${until} ${bookQuestion}`,
    };
  });
};

/** A quote for each product that is meant, one after the other: each is a record of its own. */
export const quote = async (talk: Talk): Promise<readonly Spoken[]> => {
  const ids = productIdsOf(talk.memory.terms);
  if (ids.length === 0) return [clarify("pricing", productQuestion(talk))];
  const issued: Spoken[] = [];
  for (const id of ids) issued.push(await quoteOf(talk, id));
  return issued;
};

export const readQuote = (talk: Talk): Promise<Spoken> => {
  const input = { quote_id: talk.memory.terms["quote_id"] };
  return ask(talk, "pricing", { name: "get_quote", input }, (output) => ({
    outcome: "answer",
    result: output,
    ...(output["status"] === "available" ? { offers: [quoteOffer(output)] } : {}),
    text:
      `Quote ${String(output["quote_id"])} is ${String(output["status"])}: ${termsText(quoteTerms(output))}. ` +
      `Valid until ${String(output["expires_at"])}.${output["status"] === "available" ? ` ${bookQuestion}` : ""}`,
  }));
};

const listPrice = (entry: Slots): string =>
  entry["base_cpm"] == null ? String(entry["price_range"]) : usd(entry["base_cpm"]);

export const rateCard = (talk: Talk): Promise<Spoken> =>
  ask(talk, "pricing", { name: "get_rate_card", input: {} }, (output) => {
    const entries = (output["entries"] ?? []) as readonly Slots[];
    const lines = entries.map((entry) => `${String(entry["inventory_type"])} ${listPrice(entry)}`);
    return { outcome: "answer", result: output, text: `Our rate card, CPM before discounts: ${lines.join("; ")}.` };
  });
