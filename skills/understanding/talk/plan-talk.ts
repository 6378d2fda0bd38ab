import type { Slots } from "../reading/slots.ts";
import { productIdsOf } from "../terms.ts";
import { foreignBudget } from "./currency-talk.ts";
import { listAll } from "./inventory-talk.ts";
import { quoteOf } from "./price-talk.ts";
import { clarify, money, type Spoken, type Talk } from "./speech.ts";

const mostLines = 6;

const idsOf = (talk: Talk): readonly string[] => {
  const named = talk.heard.inventory.flatMap(({ products, isNamed }) => (isNamed ? products : products.slice(0, 1)));
  const ids = named.length > 0 ? named.map(({ product_id: id }) => id) : productIdsOf(talk.memory.terms);
  return [...new Set(ids)].slice(0, mostLines);
};

/**
 * Equal shares, one quote each, one question for all. The price is asked first, so that no line costs more than its
 * share.
 */
export const plan = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { budget } = talk.memory.terms;
  const ids = idsOf(talk);
  if (typeof budget !== "number") return [clarify("pricing", "For which budget shall I plan?")];
  const foreign = foreignBudget(talk, "USD");
  if (foreign !== null) return [{ ...clarify("pricing", foreign), learnt: { budget: null } }];
  if (ids.length === 0) {
    const listed = await listAll(talk);
    return [{ ...listed, outcome: "clarify", text: `Over which of these shall I spread the budget? ${listed.text}` }];
  }
  const lines: Spoken[] = [];
  const each = Math.floor((budget * 100) / ids.length) / 100;
  for (const id of ids) {
    const { target_cpm: _price, impressions: _volume, ...terms } = talk.memory.terms;
    const memory = { ...talk.memory, terms: { ...terms, product_id: id, budget: each } };
    const line = await quoteOf({ ...talk, memory }, id);
    lines.push(line.about === undefined ? line : { ...line, about: { ...line.about, budget } });
  }
  const quoted = lines.filter(({ outcome }) => outcome === "quoted");
  if (quoted.length < 2) return lines;
  const sums = quoted.map(({ result }) => {
    const { pricing, terms } = result as { pricing: Slots; terms: Slots };
    return { sum: (Number(pricing["final_cpm"]) * Number(terms["impressions"])) / 1000, currency: pricing["currency"] };
  });
  const currency = sums[0]?.currency;
  const isOne = sums.every((one) => one.currency === currency);
  const total = sums.reduce((sum, one) => sum + one.sum, 0);
  const said = isOne ? ` The plan comes to ${money(total, currency)} of ${money(budget, currency)}.` : "";
  const question = ' Say "book all", or book a line by its quote id.';
  return lines.map((line, place) =>
    place === lines.length - 1 ? { ...line, text: `${line.text}${said}${question}` } : line,
  );
};
