import { isConditional } from "../clauses.ts";
import type { Heard } from "../slots.ts";
import type { Guess } from "./act-model.ts";
import { isQuestion } from "./mood.ts";
import { isPossible, type Situation } from "./possible.ts";
import type { Act, Sound } from "./sounds.ts";

export type { Situation } from "./possible.ts";
export type { Act } from "./sounds.ts";

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

const termSlots = ["impressions", "flight_start", "flight_end", "budget", "target_cpm"];

const namesOther = ({ slots, inventory, resize, shift }: Heard): boolean =>
  inventory.length > 0 || resize !== null || shift !== null || termSlots.some((name) => slots[name] !== undefined);

const namesTerms = (heard: Heard): boolean => namesOther(heard) || heard.slots["deal_type"] !== undefined;

const isOpen = ({ isNegotiating, hasQuote, hasProposal, hasDeal }: Situation): boolean =>
  isNegotiating || hasQuote || hasProposal || hasDeal;

/** Acts that later terms can add to. */
const continued: ReadonlySet<Act> = new Set(["price", "quote", "availability", "propose", "list", "describe"]);

/** Terms alone continue the last request; without one they are a request themselves. */
const actOnBareTerms = (heard: Heard, asked: Act | null): Act => {
  const { target_cpm: price, impressions, flight_start: start } = heard.slots;
  // "600k april, pd, 9.80" names a price of its own: another lookup would drop it.
  if (price !== undefined && impressions !== undefined && start !== undefined && heard.limit === null) return "quote";
  const isAboutPrice = (asked === "list" || asked === "describe") && heard.slots["impressions"] !== undefined;
  if (asked !== null && continued.has(asked)) return isAboutPrice ? "price" : asked;
  if (asked === "offer" || asked === "book" || asked === "read quote") return "quote";
  if (heard.limit?.measure === "cpm" && heard.slots["impressions"] === undefined) return "price";
  if (heard.slots["target_cpm"] !== undefined || heard.slots["deal_type"] !== undefined) return "quote";
  if (heard.slots["impressions"] !== undefined || heard.slots["budget"] !== undefined) return "price";
  return heard.slots["flight_start"] === undefined ? "describe" : "availability";
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

/** "Only Germany": the last request again, which names it as not used. */
const actOnTargeting = ({ heard, asked }: Situation): Act | null => {
  if (heard.slots["audience"] === undefined && heard.slots["geo"] === undefined) return null;
  return asked !== null && continued.has(asked) ? asked : "targeting";
};

/** These end where the only medium named is not sold here. */
const onInventory: ReadonlySet<Act> = new Set([
  "price",
  "quote",
  "list",
  "describe",
  "availability",
  "unknown",
  "unclear",
]);

/** What nobody here can answer, said while something is open. */
const unanswered = (text: string, situation: Situation): Act =>
  isOpen(situation) && (isQuestion(text) || situation.heard.leftovers.some(({ isBinding }) => isBinding))
    ? "open question"
    : "unknown";

const agreesToIt = /\b(?:works?|fine|ok(?:ay)?|accept\w*|agree\w*|good|perfect|take it)\b/;

/** "11 and we're done" while a price is negotiated. */
const isBid = ({ barePrice, spoken }: Heard): boolean =>
  barePrice !== null && ((/^\W*#/.test(spoken) && !agreesToIt.test(spoken)) || okFor.test(spoken));
const okFor = /^\W*(?:(?:ok(?:ay)?|fine|well|then|so)\W+)+(?:for|at|with)\s+#\W*$/;

/** "27", "native 10.20", said of a product. */
const isOnlyFigure = ({ spoken }: Heard): boolean =>
  /^[^\p{L}\p{N}@]*(?:(?:ok|okay|so|then|and|hm+)\W+)*(?:@[^\p{L}#]*)?(?:(?:for|at)\W+)?#\W*$/u.test(spoken);

/** "No, I meant CTV" asks again for what was asked before. */
const correctedBy = ({ heard, asked }: Situation): Act => {
  if (!namesTerms(heard)) return "correct";
  return asked === "change deal" ? asked : actOnBareTerms(heard, asked);
};

const answerTo = (sound: Sound, text: string, situation: Situation): Act => {
  const { asked, hasProduct, hasQuote, hasProposal, isNegotiating, hasBudget, heard } = situation;
  switch (sound) {
    case "terms":
      return actOnTerms(text, situation) ?? actOnTargeting(situation) ?? unanswered(text, situation);
    case "open terms":
      if (heard.inventory.length > 0 && heard.slots["impressions"] !== undefined) return "price";
      return !isOpen(situation) && asked === "price" && !/\bquote\b/.test(text) ? "price" : sound;
    case "about product":
      return hasProduct ? sound : "list";
    case "reject":
      return hasProposal && !hasQuote && !isNegotiating ? "withdraw" : sound;
    case "accept":
      if (isNegotiating && isBid(heard)) return "offer";
      return (hasQuote || hasProposal) && !isNegotiating && heard.slots["proposal_id"] === undefined ? "book" : sound;
    case "plan":
      return hasBudget ? sound : "list";
    case "unknown":
      if (heard.barePrice !== null && hasProduct && isOnlyFigure(heard)) return "offer";
      return unanswered(text, situation);
    case "correct":
      return correctedBy(situation);
    default:
      return sound;
  }
};

/** These write, or show what a yes then writes. */
const writes: ReadonlySet<Sound> = new Set([
  "quote",
  "propose",
  "offer",
  "plan",
  "hand over",
  "book",
  "accept",
  "reject",
  "withdraw",
  "cancel",
  "change deal",
]);

/** These write at once, so they need more than the others to be taken for meant. */
const writesNow: ReadonlySet<Sound> = new Set(["quote", "propose", "offer", "plan", "hand over"]);

const thin = 0.12;
const leastToRead = 0.2;
const leastToWrite = 0.4;

/** Of two that are as likely, the one that only reads; null where nothing is likely enough. */
const likeliest = (guesses: readonly Guess<Sound>[]): Guess<Sound> | null => {
  const [first] = guesses;
  if (first === undefined) return null;
  const isUnsure = writesNow.has(first.name) && first.share < leastToWrite;
  const other = guesses.find(({ name, share }) => !writes.has(name) && (isUnsure || first.share - share < thin));
  const best = writes.has(first.name) && other !== undefined ? other : first;
  return best.share < leastToRead ? null : best;
};

/** Of what the situation allows, with their shares among each other. */
const heardAs = (situation: Situation): readonly Guess<Sound>[] => {
  const possible = situation.guesses.filter(({ name }) => isPossible(name, situation));
  const sum = possible.reduce((total, { share }) => total + share, 0);
  return possible.map(({ name, share }) => ({ name, share: share / sum }));
};

const lookUps: ReadonlySet<Act | null> = new Set(["price", "availability"]);

const leastOther = 0.15;

/** "And for April?" after a price asks for a price, not for another quote. */
const asksOn = (best: Guess<Sound>, { asked, guesses }: Situation): boolean =>
  best.name === "quote" &&
  lookUps.has(asked) &&
  guesses.some(({ name, share }) => name === "terms" && share > leastOther);

const agreeing = /^\W*(?:yes|yep|yeah|ok(?:ay)?|sure|fine|deal|agreed|book|accept)\b/;

const namesPrice = ({ slots, barePrice, priceCut }: Heard): boolean =>
  slots["target_cpm"] !== undefined || barePrice !== null || priceCut !== null;

/**
 * "Yes, provided the CPM stays at 10.80" and "if it is under 8,000 in all, go ahead" make no offer: what is open is
 * shown, with whether that holds.
 */
const isConditionalYes = (sound: Sound, text: string, situation: Situation): boolean =>
  sound === "offer" &&
  isOpen(situation) &&
  isConditional(text) &&
  (agreeing.test(text) || (!namesPrice(situation.heard) && !isQuestion(text)));

const actOfWords = (text: string, situation: Situation): Act => {
  const best = likeliest(heardAs(situation));
  if (best === null) return namesTerms(situation.heard) ? answerTo("terms", text, situation) : "unclear";
  if (isConditionalYes(best.name, text, situation)) return "book";
  if (best.name === "book" && situation.heard.barePrice !== null && isOnlyFigure(situation.heard)) return "offer";
  return answerTo(asksOn(best, situation) ? "terms" : best.name, text, situation);
};

/** `text` is `plainText`. */
export const actOf = (text: string, situation: Situation): Act => {
  const { spoken, unsold, inventory } = situation.heard;
  // Values beside an empty text only add terms.
  const act = spoken.trim() === "" ? answerTo("terms", text, situation) : actOfWords(text, situation);
  return unsold !== null && inventory.length === 0 && onInventory.has(act) ? "not sold" : act;
};

const mostLikely = 4;

export const likelyActs = (situation: Situation): readonly Act[] =>
  heardAs(situation)
    .slice(0, mostLikely)
    .map(({ name }) => answerTo(name, "", situation));

/** They ask for nothing by themselves. */
const aside: ReadonlySet<Sound> = new Set(["terms", "greet", "thanks", "unknown", "wait", "correct"]);

const sure = 0.4;

/** Null where a part of a message only adds terms, greets or says nothing of use. */
export const actInWords = (text: string, situation: Situation): Act | null => {
  const best = likeliest(heardAs(situation));
  return best === null || best.share < sure || aside.has(best.name) ? null : answerTo(best.name, text, situation);
};
