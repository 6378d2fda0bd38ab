import type { Memory } from "./memory.ts";
import { anyOf } from "./reading/any-of.ts";
import type { Act } from "./reading/choice/acts.ts";
import { isConditional } from "./reading/clauses.ts";
import type { Leftover } from "./reading/leftovers.ts";
import type { Heard } from "./reading/slots.ts";
import { changesTerms, hasOffer, productIdsOf } from "./terms.ts";
import { comesBack } from "./topics.ts";

/** Where a price is named for what is open, these are no request of their own. */
const yields: ReadonlySet<Act> = new Set([
  "quote",
  "price",
  "propose",
  "offer",
  "list",
  "rank",
  "compare",
  "describe",
  "about product",
  "availability",
  "open terms",
  "open question",
  "read quote",
  "read negotiation",
  "steps",
  "discounts",
  "correct",
  "unclear",
  "unknown",
]);

const price = /^[$€£]?\s?(\d{1,3}(?:[.,]\d{1,2})?)$/;
const share = /^(\d{1,2}(?:\.\d)?)\s?(?:%|percent)$/;
const lowers = /\b(?:off|less|lower|cheaper|discount|reduction|down)\b/i;
const ofOther =
  /\b(?:not|no|never|n't|why|was|were|is it|elsewhere|last (?:time|year)|others?|competitors?|instead of)\b/i;
const asks = /\b(?:would|could|can|will|what about|how about|consider|ok(?:ay)?|possible|improve|offer|make it)\b/i;
/** "27.50 is the price that we propose". */
const states = anyOf(
  /\b(?:we|i|client)(?:'d| would| can| could)? (?:propose|offer|suggest|bid|pay|have|counter)\b|\bmeet us\b/i,
  /\b(?:is|it's|that's|was) (?:\w+ )?(?:the|our|my) (?:\w+ )?(?:price|cpm|bid|limit|ceiling|max\w*)\b/i,
  /\b(?:our|my|the) (?:\S+ )?(?:price|cpm|bid|limit|ceiling|max\w*) (?:is|lies|stands|stays)\b/i,
);
const mostWords = 6;

const isBare = (text: string): boolean => (text.match(/[\p{L}\d]+/gu) ?? []).length <= mostWords;

const figureIn = ({ slots, barePrice, leftovers }: Heard): Partial<Pick<Heard, "barePrice" | "priceCut">> | null => {
  const figures = leftovers.filter(({ isBinding }) => isBinding);
  const [only, another] = figures;
  if (typeof slots["target_cpm"] === "number") return figures.length === 0 ? {} : null;
  if (only === undefined || another !== undefined) return null;
  if (barePrice !== null) return only.isBarePrice ? { barePrice } : null;
  const [, value] = price.exec(only.text) ?? [];
  if (value !== undefined) return { barePrice: Number(value.replace(",", ".")) };
  const [, percent] = share.exec(only.text) ?? [];
  return percent === undefined ? null : { priceCut: { percent: Number(percent), start: 0, end: 0 } };
};

/** "29 for the CTV then", "and native 9.5?": an offer on what is open; null where the message is anything more. */
export const ownPrice = (act: Act, heard: Heard, memory: Memory, text: string): Heard | null => {
  const { terms, isNegotiating } = memory;
  const isStated = states.test(text);
  const isPriced = hasOffer(terms) || (isStated && terms["impressions"] !== undefined);
  const isOpen = isPriced && terms["deal_id"] == null && productIdsOf(terms).length === 1;
  const isMeant = heard.inventory.length > 0 || isNegotiating || isStated;
  const isYielding = yields.has(act) || comesBack(heard.spoken);
  if (!isOpen || !isMeant || !isYielding || changesTerms(heard) || heard.limit !== null) return null;
  if (heard.slots["budget"] !== undefined || heard.excluded.length > 0) return null;
  if (ofOther.test(text) || isConditional(text)) return null;
  if (!asks.test(text) && !isStated && !isBare(text)) return null;
  const own = figureIn(heard);
  if (own === null || (own.priceCut !== undefined && !lowers.test(text))) return null;
  const marked = ({ isBinding, ...one }: Leftover): Leftover => ({
    ...one,
    isBinding,
    ...(isBinding && own.barePrice !== undefined ? { isBarePrice: true } : {}),
    ...(isBinding && own.priceCut !== undefined ? { isCut: true as const } : {}),
  });
  return { ...heard, ...own, leftovers: heard.leftovers.map(marked) };
};
