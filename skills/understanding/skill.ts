import { type Context, defineOperation, type Operation, type Outcome } from "../../protocol/operation.ts";
import { refusalBody } from "../../protocol/refusal-body.ts";
import { converse as contract } from "./contract.ts";
import type { NamedProduct, ProductFinder } from "./product-finder.ts";
import { moneyIn, volumesIn } from "./quantities.ts";

type Slots = Readonly<Record<string, unknown>>;

/** One answer of the conversation: data for programs, and the sentence for people. */
interface Spoken {
  readonly skill: "pricing" | null;
  readonly understood: Slots;
  readonly outcome: "answer" | "quoted" | "clarify" | "refuse";
  readonly result: unknown;
  readonly text: string;
}

type Wish = "quote" | "price" | null;

const wishOf = (text: string): Wish => {
  if (/\bquot(e|es|ing|ation)\b/i.test(text)) return "quote";
  return /\b(price|prices|pricing|cost|costs|rate|rates|cpm|how much)\b/i.test(text) ? "price" : null;
};

const dealTypeOf = (text: string): string | null => {
  const short = /\b(PG|PD|PA)\b/.exec(text)?.[1];
  if (short !== undefined) return short;
  if (/\b(programmatic )?guaranteed\b/i.test(text)) return "PG";
  if (/\bpreferred( deal)?\b/i.test(text)) return "PD";
  return /\bprivate auction\b/i.test(text) ? "PA" : null;
};

const slotsOf = (text: string, products: readonly NamedProduct[], given: Slots): Slots => {
  const money = moneyIn(text);
  const volume = volumesIn(
    text.replace(/\bprod-\S+/gi, (id) => " ".repeat(id.length)),
    money,
  )[0];
  const dealType = dealTypeOf(text);
  const product = products.length === 1 ? products[0] : undefined;
  return {
    ...(product === undefined ? {} : { product_id: product.product_id }),
    ...(volume === undefined ? {} : { impressions: volume.value }),
    ...(money[0] === undefined ? {} : { target_cpm: money[0].value }),
    ...(dealType === null ? {} : { deal_type: dealType }),
    ...given,
  };
};

const usd = (value: unknown): string => `$${Number(value).toFixed(2)}`;

const clarify = (understood: Slots, text: string): Spoken => ({
  skill: "pricing",
  understood,
  outcome: "clarify",
  result: null,
  text,
});

const settled = (outcome: Outcome, understood: Slots, say: (output: Slots) => Spoken): Spoken => {
  if (outcome.kind === "done") return say(outcome.output as Slots);
  const text = outcome.kind === "bug" ? "Something went wrong on our side." : outcome.refusal.message;
  const result = outcome.kind === "bug" ? null : { ...refusalBody(outcome.refusal), status: outcome.status };
  return { skill: "pricing", understood, outcome: "refuse", result, text };
};

const askPrice = async (context: Context<unknown>, slots: Slots): Promise<Spoken> => {
  const input = { product_id: slots["product_id"], volume: slots["impressions"] ?? 0 };
  return settled(await context.call("get_pricing", input), slots, (output) => ({
    skill: "pricing",
    understood: slots,
    outcome: "answer",
    result: output,
    text: `${String(output["product_id"])} costs ${usd(output["final_price"])} CPM. ${String(output["rationale"])}`,
  }));
};

const askQuote = async (
  context: Context<unknown>,
  slots: Slots,
  product: NamedProduct | undefined,
): Promise<Spoken> => {
  const dealType = slots["deal_type"] ?? product?.deal_types[0];
  if (dealType === "PG" && slots["impressions"] === undefined) {
    return clarify(slots, "How many impressions do you want? A guaranteed deal needs a volume.");
  }
  const input = { ...slots, deal_type: dealType };
  return settled(await context.call("request_quote", input), slots, (output) => ({
    skill: "pricing",
    understood: slots,
    outcome: "quoted",
    result: output,
    text:
      `Quote ${String(output["quote_id"])}: ${usd((output["pricing"] as Slots)["final_cpm"])} CPM, ` +
      `valid until ${String(output["expires_at"])}.`,
  }));
};

const productQuestion = (products: readonly NamedProduct[]): string =>
  products.length === 0
    ? "Which product do you mean? Give its name or id."
    : `Which product do you mean: ${products
        .slice(0, 5)
        .map((product) => product.name)
        .join(", ")}?`;

const answer = async (
  context: Context<unknown>,
  finder: ProductFinder,
  text: string,
  given: Slots,
): Promise<Spoken> => {
  const wish = wishOf(text);
  if (wish === null) {
    const reply =
      "I can tell prices and issue quotes. Name a product and a volume, for example: price of CTV for 5M impressions.";
    return { skill: null, understood: given, outcome: "clarify", result: null, text: reply };
  }
  const named = typeof given["product_id"] === "string" ? given["product_id"] : text;
  const products = finder.find(named);
  const slots = slotsOf(text, products, given);
  if (slots["product_id"] === undefined) return clarify(slots, productQuestion(products));
  return wish === "price" ? askPrice(context, slots) : askQuote(context, slots, products[0]);
};

/**
 * The operation `converse` over an agent's own operations. It calls them for the same caller, so a text can do nothing
 * that the caller could not do by name; its own record is the idempotency record of the message.
 */
export const converseWith = (finder: ProductFinder): Operation<unknown> =>
  defineOperation(contract, async (context, input) => {
    const { text, ...spoken } = await answer(context, finder, input.text, input.slots);
    return { output: { text, answers: [spoken] } };
  });
