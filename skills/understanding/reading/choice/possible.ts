import type { Heard, Slots } from "../slots.ts";
import type { Guess } from "./act-model.ts";
import { isQuestion } from "./mood.ts";
import { plainText } from "./spelling.ts";
import type { Act, After, Sound } from "./sounds.ts";

export interface Situation {
  readonly heard: Heard;
  /** What the message sounds like, the likeliest first. */
  readonly guesses: readonly Guess<Sound>[];
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

const ofRecord: readonly (readonly [string, ReadonlySet<Sound>])[] = [
  [
    "deal_id",
    new Set(["read deal", "activate", "cancel", "cancel terms", "change deal", "policy", "wait", "hand over"]),
  ],
  ["quote_id", new Set(["read quote", "book", "accept", "reject", "offer", "policy", "wait", "hand over"])],
  ["proposal_id", new Set(["read proposal", "book", "accept", "reject", "offer", "withdraw", "wait", "hand over"])],
  ["negotiation_id", new Set(["read negotiation", "read proposal", "accept", "reject", "offer", "wait", "hand over"])],
];

/** With a price beside its id a record is not only read. */
const reads: ReadonlySet<Sound> = new Set(["read quote", "read proposal", "read negotiation"]);

const namesPrice = ({ slots, barePrice }: Heard): boolean => slots["target_cpm"] !== undefined || barePrice !== null;

const onlyOpen: ReadonlySet<Sound> = new Set(["accept", "reject"]);

const isOpen = ({ isNegotiating, hasQuote, hasProposal, hasDeal, hasSeveral }: Situation): boolean =>
  isNegotiating || hasQuote || hasProposal || hasDeal || hasSeveral;

const namesTwo = ({ inventory }: Heard): boolean =>
  inventory.length > 1 || inventory.some(({ products }) => products.length > 1);

const termSlots = ["impressions", "flight_start", "flight_end", "deal_type", "budget", "target_cpm", "audience", "geo"];

const addsTerms = ({ slots, inventory, resize, shift, leftovers }: Heard): boolean =>
  inventory.length > 0 ||
  resize !== null ||
  shift !== null ||
  leftovers.length > 0 ||
  termSlots.some((name) => slots[name] !== undefined);

/** "Thanks for the quote, back to you on Thursday" asks for no other quote. */
const onRequest: ReadonlySet<Sound> = new Set(["quote", "propose", "plan"]);

const namesNothing = ({ slots, inventory, resize, shift }: Heard): boolean =>
  inventory.length === 0 && resize === null && shift === null && termSlots.every((name) => slots[name] === undefined);

const ofDeal = /\b(?:deals?|book\w*|orders?|campaigns?|reserv\w+|running|flights?|buchung\w*|kampagne\w*|reservas?)\b/i;

/** Of a product that is only talked about, other dates are a wish for it. */
const mayMeanDeal = ({ hasProduct, heard }: Situation): boolean => !hasProduct || ofDeal.test(heard.words);

const ends = new RegExp(
  "\\b(?:cancel\\w*|cxl|drop|stop|scrap|scratch|kill|end|terminat\\w*|withdraw|undo|remove|delete|call|pull|" +
    "storn\\w*|an+ul\\w*)\\b",
  "i",
);
const asksElse = /\b(?:book|reserve|list|summary|recap|fees?|taxe?s?|which)\b/i;
const notCancelling = /\b(?:not|never|no|don't|didn't|isn't|wasn't) (?:\w+ ){0,4}cancel/i;

/** "Book the native too" and "which bookings do I have?" end nothing. */
const mayCancel = ({ words }: Heard): boolean =>
  !notCancelling.test(words) && (ends.test(words) || !(isQuestion(plainText(words)) || asksElse.test(words)));

/** What no conversation can ask for as it stands. */
export const isPossible = (sound: Sound, situation: Situation): boolean => {
  const { heard } = situation;
  const named = ofRecord.find(([id]) => heard.slots[id] !== undefined);
  if (named !== undefined) return named[1].has(sound) && !(namesPrice(heard) && reads.has(sound));
  if (sound === "terms") return addsTerms(heard);
  if (onRequest.has(sound) && isOpen(situation) && heard.hasDeadline && namesNothing(heard)) return false;
  if (onlyOpen.has(sound)) return isOpen(situation) || situation.wasOpen;
  if (sound === "change deal") return situation.hasDeal || (!isOpen(situation) && mayMeanDeal(situation));
  if (sound === "cancel") return mayCancel(heard);
  if (sound === "compare") return namesTwo(heard) || situation.asked !== null;
  return true;
};

const searches: ReadonlySet<Act | null> = new Set([
  "list",
  "rank",
  "compare",
  "packages",
  "media kit",
  "rate card",
  "targeting",
]);
const requests: ReadonlySet<Act | null> = new Set(["quote", "propose", "plan", "book", "offer"]);
const lookUps: ReadonlySet<Act | null> = new Set(["price", "availability"]);

interface Standing {
  readonly terms: Slots;
  readonly asked: Act | null;
  readonly isNegotiating: boolean;
  /** How many offers were last shown. */
  readonly shown: number;
}

const productsIn = ({ product_id: id }: Slots): number => {
  if (Array.isArray(id)) return id.length;
  return id === undefined ? 0 : 1;
};

/** What stands before a message. */
export const afterOf = ({ terms, asked, isNegotiating, shown }: Standing): After => {
  if (shown > 1) return "quotes";
  if (isNegotiating) return "counter";
  if (terms["deal_id"] !== undefined) return "deal";
  if (terms["quote_id"] !== undefined || terms["proposal_id"] !== undefined) return "quote";
  const products = productsIn(terms);
  if (searches.has(asked) || products > 1) return "listed";
  if (requests.has(asked) || (lookUps.has(asked) && products === 0)) return "asked";
  return products === 1 ? "talked" : "start";
};
