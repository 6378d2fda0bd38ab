import { anyOf } from "../reading/any-of.ts";
import type { Slots } from "../reading/slots.ts";
import { productIdsOf } from "../terms.ts";
import { foreignBudget } from "./currency-talk.ts";
import { type Listed, listAll } from "./inventory-talk.ts";
import { type Priced, pricedOfAll } from "./own-prices.ts";
import { asLines, count, money, type Skill, type Spoken, type Talk } from "./speech.ts";

const ofPrices = anyOf(
  /\b(?:prices?|pricing|rates?|cpms?|costs?|how much)\b/i,
  /(?:precios?|tarifas?|cuestan?|cu[aá]nto|preise?|kosten|kostet|prix|tarifs?|co[uû]tent|combien)\b/i,
);
const ofSeveral = anyOf(
  /\b(?:prices|rates|pricing|cpms|costs|each|every|everything|all|they)\b/i,
  /\b(?:precios|tarifas|cuestan|cada|todos|preise|kosten|jedes|alle[rsn]?|tarifs|co[uû]tent|chaque|tous)\b/i,
);
const ofEveryProduct = anyOf(
  /\b(?:every|each|all)\b[^.?!]{0,25}\b(?:products?|formats?|placements?|inventory|items?)\b/i,
  /\b(?:cada|todos (?:los|sus)|jedes|alle[rsn]?|chaque|tous (?:les|vos))\b[^.?!]{0,25}\b(?:produ[ck]t\w*|produits?)\b/i,
);

/** Prices of what is on sale, not of the product in force. */
const asksForPriceList = ({ text, heard, memory }: Talk): boolean => {
  if (heard.limit?.measure === "cpm" || heard.volumes.length > 0 || !ofPrices.test(text)) return false;
  if (heard.inventory.length === 0 && ofEveryProduct.test(text)) return true;
  return productIdsOf(memory.terms).length === 0 && (ofSeveral.test(text) || memory.terms["budget"] !== undefined);
};

const ofSale = /\b(?:have|got|sell|offer|carry)\b/i;

/** "What video and tv do you have, and what does it cost?" */
const asksOfKinds = ({ text, heard }: Talk): boolean =>
  heard.inventory.flatMap(({ products }) => products).length > 1 &&
  heard.volumes.length === 0 &&
  heard.limit === null &&
  ofPrices.test(text);

const leastOf = async ({ context }: Talk, id: string): Promise<number | null> => {
  const read = await context.call("get_product", { product_id: id });
  const { ext } = read.kind === "done" ? (read.output as { readonly ext?: Slots }) : {};
  const { minimum_impressions: least } = ext ?? {};
  return typeof least === "number" ? least : null;
};

const priceText = (talk: Talk, { cpm, currency, output }: Priced): string => {
  const { base_price: base } = output;
  const { budget } = talk.memory.terms;
  const list = Number(base) > cpm ? ` (list ${money(base, currency)})` : "";
  const isBudget = typeof budget === "number" && cpm > 0 && foreignBudget(talk, currency) === null;
  const bought = isBudget ? `; your budget buys about ${count(Math.floor((budget / cpm) * 1000))}` : "";
  return `${money(cpm, currency)}${list}${bought}`;
};

const signIn = "Sign in with a key of a seat, an agency or an advertiser for exact prices.";

export const titleOfList = "Your CPM for each product on sale";

const nextQuestion = "Which of them shall I quote, for how many impressions, and from when to when?";

/** Each product on sale at the caller's own price. */
const priceList = async (talk: Talk): Promise<Spoken> => {
  const spoken = await listAll(talk);
  if (spoken.outcome !== "answer") return spoken;
  const output = spoken.result as Slots;
  const items = output["catalog"] as readonly Listed[];
  const priced = await pricedOfAll(talk, items);
  const [first] = priced;
  if (first === undefined) return { ...spoken, text: `${spoken.text}\n${signIn}` };
  const least = await Promise.all(items.map(({ product_id: id }) => leastOf(talk, id)));
  const isSame = least.every((one) => one === least[0]) && least[0] != null;
  const lines = items.map(({ product_id: id, name }, place) => {
    const own = priced.find((one) => one.product_id === id);
    const from = isSame || least[place] == null ? "" : `, from ${count(least[place])} impressions`;
    return `${name}: ${own === undefined ? "price on request" : priceText(talk, own)}${from}`;
  });
  const from = isSame ? `, each from ${count(least[0])} impressions` : "";
  const foreign = foreignBudget(talk, first.currency);
  const note = foreign === null ? "" : `\n${foreign}`;
  return {
    ...spoken,
    ...(foreign === null ? {} : { learnt: { budget: null } }),
    text: `${asLines(`${titleOfList} (${String(first.currency)})${from}:`, lines)}${note}\n${nextQuestion}`,
  };
};

type Handler = (talk: Talk) => Promise<readonly Spoken[] | Spoken> | Spoken;

export const orPriceList =
  (skill: Skill, handler: Handler): Handler =>
  async (talk) =>
    asksForPriceList(talk) || ((skill === "discovery" || ofSale.test(talk.text)) && asksOfKinds(talk))
      ? { ...(await priceList(talk)), skill }
      : handler(talk);
