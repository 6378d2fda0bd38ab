import type { Act } from "./act.ts";
import { isConditional } from "../clauses.ts";
import type { Heard } from "../slots.ts";
import { type Cue, says } from "./cues.ts";
import { actOnOwnDeal } from "./deal-acts.ts";
import { isQuestion } from "./mood.ts";
import type { Reading } from "./word-reader.ts";

export type { Act };

export interface Situation {
  readonly heard: Heard;
  /** What the words sound like most, by the phrases of the acts. */
  readonly reading: Reading<Act> | null;
  readonly asked: Act | null;
  readonly isNegotiating: boolean;
  readonly hasQuote: boolean;
  readonly hasProposal: boolean;
  readonly hasDeal: boolean;
  /** Something was open before this message: another product in it ends that. */
  readonly wasOpen: boolean;
  readonly hasProduct: boolean;
  readonly hasBudget: boolean;
  /** More than one offer is open. */
  readonly hasSeveral: boolean;
}

const namesPrice = ({ slots, barePrice }: Heard): boolean => slots["target_cpm"] !== undefined || barePrice !== null;

const namesTerms = ({ slots, inventory, resize, shift }: Heard): boolean =>
  inventory.length > 0 ||
  resize !== null ||
  shift !== null ||
  ["impressions", "flight_start", "flight_end", "deal_type", "budget", "target_cpm"].some(
    (name) => slots[name] !== undefined,
  );

/** A price here is a filter or condition, never the price of a later quote. */
export const onlyFilters: ReadonlySet<Act> = new Set([
  "list",
  "availability",
  "describe",
  "price",
  "book",
  "accept",
  "reject",
]);

/** Must not go ahead while something said is not understood. */
export const needsAll: ReadonlySet<Act> = new Set(["quote", "propose", "offer", "book", "plan", "change deal"]);

/** What is open is asked about, not something else. */
const namesOther = ({ slots, inventory, resize, shift }: Heard): boolean =>
  inventory.length > 0 ||
  resize !== null ||
  shift !== null ||
  ["impressions", "flight_start", "flight_end", "budget", "target_cpm"].some((name) => slots[name] !== undefined);

const isOpen = ({ isNegotiating, hasQuote, hasProposal, hasDeal }: Situation): boolean =>
  isNegotiating || hasQuote || hasProposal || hasDeal;

/** "Is it guaranteed?" is about the product in force; "do you have anything guaranteed?" is not. */
const isAboutProduct = (text: string, { heard, hasProduct }: Situation): boolean =>
  hasProduct && heard.inventory.length === 0 && isQuestion(text) && says(text, "it") && !says(text, "others");

const actOnOpen = (text: string, situation: Situation): Act | null => {
  const { heard } = situation;
  if (says(text, "deal type") && heard.inventory.length === 0 && isQuestion(text))
    return isOpen(situation) ? "open terms" : "deal types";
  if (namesOther(heard)) return null;
  const isIf = isConditional(text) && !isQuestion(text) && !namesPrice(heard);
  if (isIf && isOpen(situation) && !situation.hasDeal) {
    if (says(text, "book") || says(text, "a yes")) return "book";
    if (says(text, "accept")) return "accept";
  }
  if (says(text, "included") && isQuestion(text) && heard.slots["deal_type"] === undefined) {
    if (isOpen(situation)) return "open question";
    if (situation.hasProduct) return "about product";
  }
  if (situation.hasProduct && says(text, "the quote") && isQuestion(text)) return "open terms";
  const asksForType = says(text, "sold as") || heard.slots["deal_type"] !== undefined;
  const isOfStock = says(text, "in stock") && !says(text, "as type");
  const asksForMore = says(text, "quote") || says(text, "strong price") || isOfStock;
  const isAside = !isOpen(situation) || says(text, "as type");
  if (isAside && asksForType && !asksForMore && isAboutProduct(text, situation)) return "about product";
  if (!says(text, "open terms")) return null;
  if (isOpen(situation)) return "open terms";
  return situation.asked === "price" && isQuestion(text) ? "price" : null;
};

const namesTwo = ({ inventory }: Heard): boolean =>
  inventory.filter(({ products }) => products.length === 1).length > 1 ||
  inventory.some(({ products, isNamed }) => isNamed && products.length > 1);

const actOnComparison = (text: string, situation: Situation): Act | null => {
  const { heard, asked, hasQuote, hasProposal } = situation;
  if (says(text, "rank")) return "rank";
  if (heardAs(situation, sure) === "steps") return null;
  if (says(text, "compare") && isQuestion(text) && !hasQuote && !hasProposal && !namesPrice(heard)) return "compare";
  const isOfTwo = namesTwo(heard) || (heard.inventory.length > 0 && asked !== null && isQuestion(text));
  return says(text, "compare") && isOfTwo ? "compare" : null;
};

const namesOnlyPrice = (heard: Heard): boolean =>
  namesPrice(heard) &&
  heard.inventory.length === 0 &&
  ["impressions", "flight_start", "deal_type"].every((name) => heard.slots[name] === undefined);

const actOnId = (text: string, { heard }: Situation): Act | null => {
  const { slots } = heard;
  if (slots["deal_id"] !== undefined) return "read deal";
  if (slots["quote_id"] === undefined && slots["proposal_id"] === undefined && slots["negotiation_id"] === undefined)
    return null;
  if (namesPrice(heard) && (says(text, "offer") || says(text, "priced"))) return "offer";
  if (says(text, "reject")) return "reject";
  if (says(text, "book")) return "book";
  if (says(text, "accept")) return slots["quote_id"] === undefined ? "accept" : "book";
  return slots["quote_id"] === undefined ? "read proposal" : "read quote";
};

/** "Would it be cheaper with 5M?" offers nothing. */
const asksForOtherTerms = (heard: Heard): boolean =>
  !namesPrice(heard) &&
  (heard.resize !== null || heard.slots["impressions"] !== undefined || heard.slots["flight_start"] !== undefined);

/** "How can we lower the cost?" wants to know, and names no price. */
const asksForLess = (situation: Situation): boolean => {
  const sound = heardAs(situation, likely);
  return sound === "steps" || sound === "discounts";
};

const actOnOffer = (text: string, situation: Situation): Act | null => {
  const { heard, isNegotiating, hasQuote, hasProposal } = situation;
  const isForSale = isNegotiating || hasQuote || hasProposal;
  if (says(text, "negotiation")) return "read negotiation";
  if (heard.priceCut !== null && (isForSale || !namesTerms(heard))) return "offer";
  if (isForSale && says(text, "reject")) return "reject";
  if (isQuestion(text) && (asksForOtherTerms(heard) || (!isForSale && asksForLess(situation)))) return null;
  const isPriced = !isForSale && heard.limit === null && heard.inventory.length > 0 && namesPrice(heard);
  if (isPriced && says(text, "priced")) return "propose";
  const isOffer = says(text, "offer") || says(text, "insists") || (says(text, "priced") && namesOnlyPrice(heard));
  if (
    says(text, "accept") &&
    !namesPrice(heard) &&
    !says(text, "insists") &&
    (isNegotiating || says(text, "offer word"))
  )
    return "accept";
  if (says(text, "books")) return null;
  if (says(text, "insists") && (isForSale || !namesTerms(heard))) return "offer";
  if (says(text, "propose"))
    return hasProposal && !namesTerms(heard) && says(text, "status") ? "read proposal" : "propose";
  if (isOffer && !isForSale && (says(text, "openly") || (namesPrice(heard) && heard.inventory.length > 0)))
    return "propose";
  if (isOffer && !says(text, "quote")) return "offer";
  if (says(text, "a deal asked") && namesPrice(heard)) return "offer";
  const isMore = says(text, "quote") || says(text, "price") || says(text, "book");
  return isForSale && namesOnlyPrice(heard) && !isMore ? "offer" : null;
};

const actOnDeal = (text: string, { hasDeal, hasQuote, hasProposal, heard }: Situation): Act | null => {
  if (says(text, "books") && !(hasDeal && says(text, "deal"))) return "book";
  if (says(text, "deal") && (hasDeal || !says(text, "book")))
    return heard.slots["deal_type"] === undefined ? "read deal" : null;
  if (says(text, "book") && !says(text, "quote")) return "book";
  return (hasQuote || hasProposal) && says(text, "accept") && !namesTerms(heard) ? "book" : null;
};

/** Acts that later terms can add to. */
const continued: ReadonlySet<Act> = new Set(["price", "quote", "availability", "propose", "list", "describe"]);

const goesOn = ({ heard, asked }: Situation): boolean =>
  asked !== null && asked !== "list" && asked !== "describe" && continued.has(asked) && namesTerms(heard);

const questions: readonly (readonly [Cue, Act])[] = [
  ["rate card", "rate card"],
  ["media kit", "media kit"],
  ["packages", "packages"],
  ["availability", "availability"],
  ["price", "price"],
  ["formats", "formats"],
  ["targeting", "targeting"],
];

/** Its words say less than "price" or "available" does. */
const ofAnything: ReadonlySet<Act> = new Set(["list", "describe", "price", "availability"]);

const isExplicit = (text: string, act: Act | undefined): boolean =>
  act === "price" ? says(text, "strong price") : act === "availability" || act === "packages" || act === "rate card";

const actOnQuestion = (text: string, situation: Situation): Act | null => {
  const { heard } = situation;
  const namesOne = heard.inventory.length === 1 && heard.inventory[0]?.products.length === 1;
  const isOpenQuestion =
    !namesOne && heard.slots["flight_start"] === undefined && heard.slots["impressions"] === undefined;
  if (/\bwhich (?:products?|placements?|inventory)\b/.test(text) && !says(text, "price")) return "list";
  if (!namesOne && heard.limit?.measure === "cpm" && says(text, "list")) return "list";
  const asksForAll =
    /\b(?:inventory|products?|packages?|everything)\b.{0,20}\bavail|\bavail\w* (?:inventory|products?)/.test(text);
  if (isOpenQuestion && asksForAll && !says(text, "quote") && !says(text, "price")) return "list";
  if (heard.slots["budget"] !== undefined && says(text, "buys")) return "price";
  if (says(text, "quote")) return "quote";
  if (namesOne && heard.slots["impressions"] === undefined && says(text, "minimum")) return "describe";
  const isOfType = heard.slots["deal_type"] !== undefined && heard.slots["impressions"] === undefined;
  if (namesOne && isOfType && isQuestion(text) && !says(text, "strong price")) return "describe";
  const sound = goesOn(situation) ? null : heardAs(situation, sure);
  const asked = questions.find(([cue]) => says(text, cue));
  if (sound !== null && !(ofAnything.has(sound) && isExplicit(text, asked?.[1]))) return sound;
  if (asked !== undefined) return asked[1];
  if (namesOne && says(text, "describe")) return "describe";
  if (says(text, "catalog")) return "list";
  return says(text, "list") && heard.inventory.length > 0 && !goesOn(situation) ? "list" : null;
};

/** A question never asks for a new quote by naming terms. */
const actOnTerms = (text: string, situation: Situation): Act | null => {
  const { heard, asked } = situation;
  if (!namesTerms(heard)) return null;
  if (isQuestion(text)) {
    if (heard.limit?.measure === "cpm") return "price";
    if (isOpen(situation) || situation.wasOpen) return namesOther(heard) ? "price" : "open terms";
  }
  const isMoved = heard.shift !== null || heard.resize !== null;
  if (isMoved && asked !== "price" && asked !== "availability" && !situation.hasDeal) {
    if (situation.isNegotiating) return "price";
    if (situation.hasQuote) return "quote";
  }
  return actOnBareTerms(heard, asked);
};

/** Terms alone continue the last request; without one they are a request themselves. */
const actOnBareTerms = (heard: Heard, asked: Act | null): Act => {
  const isAboutPrice = (asked === "list" || asked === "describe") && heard.slots["impressions"] !== undefined;
  if (asked !== null && continued.has(asked)) return isAboutPrice ? "price" : asked;
  if (asked === "offer" || asked === "book" || asked === "read quote") return "quote";
  if (heard.limit?.measure === "cpm" && heard.slots["impressions"] === undefined) return "price";
  if (heard.slots["target_cpm"] !== undefined || heard.slots["deal_type"] !== undefined) return "quote";
  if (heard.slots["impressions"] !== undefined || heard.slots["budget"] !== undefined) return "price";
  return heard.slots["flight_start"] === undefined ? "describe" : "availability";
};

const actOnSecrets = (text: string, { heard }: Situation): Act | null => {
  if (says(text, "withhold")) return "withhold";
  if (says(text, "elsewhere")) return "elsewhere";
  return says(text, "discounts") && !namesPrice(heard) ? "discounts" : null;
};

const actOnRecords = (text: string, { heard, hasDeal, hasQuote, hasBudget }: Situation): Act | null => {
  const listed = (["my deals", "my quotes", "my proposals", "my negotiations"] as const).find((cue) => says(text, cue));
  if (listed !== undefined) return listed;
  if (says(text, "dsp") && (hasDeal || (isQuestion(text) && /\bdsps?\b/.test(text) && !namesTerms(heard))))
    return "read deal";
  if (says(text, "my deals too") && !namesTerms(heard)) return "my deals";
  if (says(text, "total now") && hasDeal && !namesTerms(heard)) return "my deals";
  if (says(text, "summary")) return "summary";
  const isOfDeal = heard.slots["deal_id"] !== undefined || hasDeal;
  if (says(text, "withdraw")) return "withdraw";
  if (says(text, "cancel") || (says(text, "stop") && !isQuestion(text))) return "cancel";
  const isChange = isOfDeal || (!hasQuote && says(text, "booked") && !namesTerms(heard));
  const isMove = says(text, "move") || (isOfDeal && (heard.shift !== null || heard.resize !== null));
  if (isChange && heard.inventory.length === 0 && isMove) return "change deal";
  if (says(text, "steps")) return "steps";
  const isSpread = heard.slots["budget"] !== undefined && heard.inventory.length > 1 && says(text, "what is possible");
  if (isSpread) return "plan";
  if (!says(text, "plan")) return null;
  if (hasBudget) return "plan";
  return says(text, "suggest") && !namesTerms(heard) ? "list" : null;
};

/** Sure enough to outweigh single words; below, only where no word says anything. */
const sure = { share: 0.45, known: 0.6, words: 3 };
const surest = { ...sure, share: 0.6 };
const likely = { share: 0.35, known: 0.5, words: 2 };

/** Single words of these ("book", "quote", "offer") mean something else elsewhere. */
const ofRecords: ReadonlySet<Act> = new Set([
  "my deals",
  "my quotes",
  "my proposals",
  "my negotiations",
  "hand over",
  "withdraw",
]);

/** Elsewhere the situation and the terms say more than the words. */
const bySound: ReadonlySet<Act> = new Set([
  ...ofRecords,
  "list",
  "describe",
  "formats",
  "rank",
  "availability",
  "price",
  "packages",
  "media kit",
  "targeting",
  "discounts",
  "steps",
  "summary",
  "deal types",
  "compare",
  "cancel",
]);

const heardAs = ({ heard, reading }: Situation, least: typeof sure): Act | null => {
  if (reading === null || reading.share < least.share || reading.known < least.known || reading.words < least.words)
    return null;
  if (heard.leftovers.some(({ isBinding }) => isBinding)) return null;
  if (reading.name === "availability" && heard.slots["budget"] !== undefined) return null;
  if (namesPrice(heard) || heard.resize !== null || heard.shift !== null) return null;
  if (reading.name === "compare" && !namesTwo(heard)) return null;
  return bySound.has(reading.name) ? reading.name : null;
};

const recordsBySound = (situation: Situation): Act | null => {
  const act = heardAs(situation, surest);
  return act !== null && ofRecords.has(act) ? act : null;
};

/** Null where they only add terms, greet or say nothing of use. */
export const actInWords = (text: string, situation: Situation): Act | null =>
  (situation.hasSeveral && says(text, "picks") && !isQuestion(text) ? "book" : null) ??
  actOnSecrets(text, situation) ??
  actOnOwnDeal(text, situation) ??
  actOnId(text, situation) ??
  recordsBySound(situation) ??
  actOnRecords(text, situation) ??
  actOnOpen(text, situation) ??
  actOnComparison(text, situation) ??
  actOnOffer(text, situation) ??
  actOnDeal(text, situation) ??
  actOnQuestion(text, situation);

/** These end where the only medium named is not sold here. */
const onInventory: ReadonlySet<Act> = new Set(["price", "quote", "list", "describe", "availability", "unknown"]);

const isGreeting = ({ reading }: Situation): boolean =>
  reading?.name === "greet" && reading.share >= likely.share && reading.known >= likely.known;

const actWithoutTerms = (text: string, situation: Situation): Act => {
  const { heard } = situation;
  const sound = heardAs(situation, likely);
  if (sound !== null) return sound;
  const isUnclear = heard.leftovers.some(({ isBinding }) => isBinding);
  if (isOpen(situation) && (isQuestion(text) || isUnclear)) return "open question";
  if (says(text, "thanks")) return "thanks";
  return says(text, "greet") || isGreeting(situation) ? "greet" : "unknown";
};

/** `text` is `plainText`. */
export const actOf = (text: string, situation: Situation): Act => {
  const { heard } = situation;
  const act = actInWords(text, situation) ?? actOnTerms(text, situation) ?? actWithoutTerms(text, situation);
  if ((act === "list" || act === "unknown") && !isOpen(situation) && isAboutProduct(text, situation))
    return "about product";
  return heard.unsold !== null && heard.inventory.length === 0 && onInventory.has(act) ? "not sold" : act;
};
