import type { Reading } from "../talk/gate/read-context.ts";
import { type Given, heardWith, readGiven } from "./given.ts";
import { hasRecord, type Memory } from "./memory.ts";
import { frameOf, heardWithFrame, type LanguageModel } from "./model-frames.ts";
import { linesByIds, openIn } from "./open-question.ts";
import { ownPrice } from "./price-said.ts";
import type { ActReader } from "./phrases.ts";
import { type Act, actOf, onlyFilters, type Situation } from "./reading/choice/acts.ts";
import { afterOf } from "./reading/choice/possible.ts";
import type { After } from "./reading/choice/sounds.ts";
import { plainText } from "./reading/choice/spelling.ts";
import { anyCount, type Open, type PlainConsent, plainConsent } from "./reading/consent.ts";
import type { Limit } from "./reading/figures/limits.ts";
import { inContext } from "./reading/in-context.ts";
import type { ProductFinder } from "./reading/product-finder.ts";
import type { Heard, Slots } from "./reading/slots.ts";
import { referred } from "./referred.ts";
import { restatedConsent } from "./restated.ts";
import { onlyAsked } from "./standing.ts";
import { asksToTakeBack } from "./talk/requests-talk.ts";
import { changesTerms, inForce, productIdsOf } from "./terms.ts";
import { dealOf, focusedOn, keptTopic, openTopics } from "./topics.ts";
import { asksForTotal, withoutHold } from "./asides.ts";
import { plainlyAsked } from "./plainly-asked.ts";
import { unwantedIn } from "./unwanted.ts";
import { changedDeal, wished } from "./wishes.ts";

export interface Ears {
  readonly finder: ProductFinder;
  readonly actReader: ActReader;
  /** Null: the rules alone. */
  readonly model: LanguageModel | null;
}

const notRead: ReadonlySet<Act> = new Set(["unknown", "unclear"]);

export interface Message {
  readonly text: string;
  readonly given: Slots;
  readonly isWhole: boolean;
  /** A row of a table asks for what the table asks for. */
  readonly act?: Act;
}

export type Hearing = (text: string) => Heard;

/** A program that names the act by values has ordered as plainly as words can. */
const consentOf = (text: string, act: Act | null, open: Open): PlainConsent | null => {
  if (act === null) return plainConsent(text, open);
  return act === "book" && text.trim() === "" ? { kind: "book", isForAll: false, count: anyCount } : null;
};

/** A filter price does not replace the price in force. */
const heardFor = (heard: Heard, act: Act): Heard => {
  const { target_cpm: price, budget, ...slots } = heard.slots;
  if (act === "quote" && price === undefined && heard.barePrice !== null && heard.limit?.value === heard.barePrice)
    return { ...heard, slots: { ...heard.slots, target_cpm: heard.barePrice } };
  const isCondition = act === "book" || act === "accept" || act === "reject";
  const isFilter = price !== undefined && onlyFilters.has(act) && (isCondition || heard.limit?.value === price);
  // "Book pre-roll for $5,000" names what is bought, and for how much; its terms are shown first.
  const isBought = act === "book" && heard.inventory.length > 0 && slots["impressions"] === undefined;
  const isOnlyCondition = isCondition && !isBought;
  if (!isFilter && !(isOnlyCondition && budget !== undefined)) return heard;
  const kept = isOnlyCondition || budget === undefined ? slots : { ...slots, budget };
  const stated: Limit | null =
    isCondition && typeof price === "number" ? { value: price, measure: "cpm", isMost: true, isPrice: true } : null;
  return { ...heard, slots: kept, limit: heard.limit ?? stated };
};

/** They go on with the deal that they name, at its own terms. */
export const ofDeals: ReadonlySet<Act> = new Set(["change deal", "cancel", "cancel terms", "read deal", "activate"]);

interface DroppedFrom {
  readonly memory: Memory;
  readonly text: string;
  readonly finder: ProductFinder;
}

/** "Drop the native deal", "we no longer want native: cancel it" name native, which elsewhere leaves it out. */
const withDropped = (act: Act, heard: Heard, { memory, text, finder }: DroppedFrom): Heard => {
  if (!ofDeals.has(act) || heard.inventory.length > 0) return heard;
  const named = finder.find(heard.excluded[0] ?? text);
  const [product, other] = named.products;
  const isBooked = other === undefined && dealOf(memory, product?.product_id) !== null;
  return heard.excluded.length > 0 || isBooked ? { ...heard, inventory: [named], excluded: [] } : heard;
};

const afterIn = ({ terms, asked, isNegotiating, life }: Memory): After =>
  afterOf({ terms, asked, isNegotiating, shown: life.context.shown.length });

export const situationOf = (before: Memory, memory: Memory, heard: Heard, actReader: ActReader) => ({
  heard,
  guesses: actReader.guess(heard, afterIn(before)),
  asked: memory.asked,
  isNegotiating: memory.isNegotiating,
  hasQuote: memory.terms["quote_id"] !== undefined,
  hasProposal: memory.terms["proposal_id"] !== undefined,
  hasDeal: memory.terms["deal_id"] !== undefined,
  wasOpen: hasRecord(before.terms),
  hasProduct: productIdsOf(memory.terms).length > 0,
  hasSeveral: memory.life.context.shown.length > 1,
  hasBudget: memory.terms["budget"] !== undefined || heard.slots["budget"] !== undefined,
});

/** Other terms that are only asked about have a price; what is open has none of them. */
const tellsOpen: ReadonlySet<Act> = new Set(["open terms", "open question", "unclear"]);

const tellsReject: ReadonlySet<Act> = new Set(["accept", "reject"]);

const hasPrice = ({ barePrice, slots }: Heard): boolean => barePrice !== null || slots["target_cpm"] !== undefined;

const asksForCost = /\b(?:what|how|costs?|total|under|below|cheaper|is it|is that|(?:price|rate)s? (?:of|for))\b/i;

/** "And pre-roll? I want 444k at 20.69" bids for one product. */
const namesPrice = (text: string, { slots, inventory, limit }: Heard): boolean =>
  typeof slots["target_cpm"] === "number" &&
  typeof slots["impressions"] === "number" &&
  inventory.length === 1 &&
  limit === null &&
  !asksForCost.test(text);

const meantBy = (text: string, situation: Situation, memory: Memory, then: Memory): Act => {
  const { heard } = situation;
  const asked = plainlyAsked({ text, heard, memory, then });
  if (asked !== null) return asked;
  const act = actOf(plainText(heard.words), situation);
  // "1.2M instead" refuses nothing: it asks what that would cost.
  if (tellsReject.has(act) && changesTerms(heard)) return situation.isNegotiating ? "price" : "quote";
  if (act === "price" && namesPrice(text, heard)) return "offer";
  if (act === "open terms" && asksForTotal(text, heard, memory)) return "my spend";
  if (act === "open terms" && changesTerms(heard) && hasPrice(heard)) return "offer";
  const isPriced = act === "quote" || (tellsOpen.has(act) && changesTerms(heard));
  return isPriced && onlyAsked(text) ? "price" : act;
};

/** "Take the first one" names one of several, so it consents to nothing that was shown last. */
const namesPlace = (text: string, memory: Memory): boolean => /\bfirst\b/i.test(text) && openTopics(memory).length > 1;

/** What a message asks for, and of what. */
export interface Meaning {
  readonly text: string;
  readonly given: Given;
  /** With what the message is about in force. */
  readonly stored: Memory;
  readonly consent: PlainConsent | null;
  readonly act: Act;
  /** Something is to be kept open besides. */
  readonly holdsToo: boolean;
  /** As it was said. */
  readonly said: Heard;
  /** Without what the act takes for no term. */
  readonly heard: Heard;
  readonly situation: Situation;
}

export const meaningOf = async (
  context: Reading,
  { finder, actReader, model, hearing }: Ears & { readonly hearing: Hearing },
  earlier: Memory,
  message: Message,
): Promise<Meaning> => {
  const values = readGiven(message.given);
  const given = { ...values, act: message.act ?? values.act };
  const mayConsent = message.isWhole && !namesPlace(message.text, earlier);
  const byIds = linesByIds(message.text, earlier);
  const ordered = byIds !== null && given.act === null && mayConsent ? plainConsent(byIds) : null;
  const bare = mayConsent
    ? (ordered ?? consentOf(message.text, given.act, openIn(earlier, finder, message.text)))
    : null;
  const isRestated = mayConsent && bare === null && given.act === null;
  const consent = isRestated
    ? await restatedConsent(context, finder, earlier, { text: message.text, heard: hearing(message.text) })
    : bare;
  const asked = ordered === null ? message.text : (byIds ?? message.text);
  const start = { text: withoutHold(asked), memory: earlier };
  const { text, memory } = consent === null ? await referred(start, { context, finder }, hearing) : start;
  const own = inContext(heardWith(hearing(text), given, finder), memory);
  const mayWish = consent === null && given.act === null && !asksToTakeBack(text);
  const wish = mayWish ? (wished(memory, own, text) ?? changedDeal(memory, own, text)) : null;
  const kept = wish === null && consent === null && given.act === null ? keptTopic(memory, own, text) : null;
  const meant = wish ?? kept;
  const stored = meant === null ? memory : focusedOn(memory, meant);
  const then = inForce(stored, text, own, given.terms, finder);
  const situation = situationOf(stored, then, own, actReader);
  const isDropped = given.act === null && consent === null && unwantedIn(text, own, finder) !== null;
  const unkept = isDropped ? "cancel" : meantBy(text, situation, stored, then);
  const unmeant = consent === null && kept === null ? unkept : "book";
  const spoken = wish === null ? unmeant : "change deal";
  const priced = consent === null && given.act === null ? ownPrice(spoken, own, then, text) : null;
  const read = given.act ?? (priced === null ? spoken : "offer");
  const frame = message.isWhole && notRead.has(read) ? await frameOf({ text, heard: own }, { finder, model }) : null;
  const said = frame === null ? (priced ?? own) : heardWithFrame(own, frame);
  const act = frame?.act ?? read;
  // What is put off is not what is talked about next.
  const isPutOff = act === "wait" && text !== start.text;
  const meantText = isPutOff ? start.text : text;
  const of = { memory: isPutOff ? earlier : stored, text: meantText, finder };
  const heard = withDropped(act, heardFor(isPutOff ? heardWith(hearing(start.text), given, finder) : said, act), of);
  const holdsToo = start.text !== asked;
  return { text: meantText, given, stored: of.memory, consent, act, holdsToo, said, heard, situation };
};
