import type { Memory } from "./memory.ts";
import { hasRecord } from "./memory.ts";
import { anyOf } from "./reading/any-of.ts";
import { isQuestion } from "./reading/choice/mood.ts";
import { plainText } from "./reading/choice/spelling.ts";
import type { Heard, Slots } from "./reading/slots.ts";
import { dealTopics, topicsIn } from "./topics.ts";

const which = anyOf(
  /\b(?:which|what)\b[^?.]{0,40}\b(?:cheap|dear|pric(?:e?y|ier)|expensive|bigg|larg|small|lower|higher)\w*/i,
  /\b(?:which|what)\b[^?.]{0,40}\b(?:costs?|has|have|gives?|gets?|is)\b[^?.]{0,20}\b(?:more|most|less|least|fewer)\b/i,
  /\bcompare (?:them|both|the two|these|those|the quotes|the offers)\b/i,
);
const ofOpen = anyOf(
  /\b(?:two|them|these|those|both|quotes?|offers?|deals?|ones?)\b|\bin total\b/i,
  /^\W*(?:(?:and|so|ok|thanks|thank you)\W+)*which (?:is|costs)\b/i,
);
const ofSale = /\b(?:you (?:have|sell|offer|carry)|on sale|available|in stock|products?|inventory|of all|overall)\b/i;

/** "Which of the two is dearer?" compares what is open, not what is on sale. */
export const asksWhichOpen = (text: string, heard: Heard, memory: Memory): boolean =>
  topicsIn(memory).length > 1 &&
  heard.inventory.length === 0 &&
  Object.keys(heard.slots).length === 0 &&
  which.test(text) &&
  ofOpen.test(text) &&
  !ofSale.test(text);

const holds = new RegExp(
  "\\b(?:hold|holding|keep|reserve|block|put)\\b(?! in mind)[^.?!]{0,50}" +
    "\\b(?:until|till|on hold|for (?:me|us|a (?:day|few|week)))\\b",
  "i",
);
const isPlaced = ["impressions", "flight_start", "flight_end", "budget", "target_cpm"];

/** "Hold both until Friday" asks how long they are valid. */
export const asksToHold = (text: string, heard: Heard, memory: Memory): boolean =>
  (hasRecord(memory.terms) || topicsIn(memory).length > 0) &&
  isPlaced.every((name) => heard.slots[name] === undefined) &&
  holds.test(text);

const both = /\b(?:both|the two|the three|all (?:of )?(?:them|these|those|quotes|offers)|each|together|altogether)\b/i;

export const meansAll = (text: string): boolean => both.test(text);

const holdsToo = new RegExp(
  "(?:[,;]\\s*(?:and |but )?|\\s(?:and|but) )(?:please )?(?:keep|hold|leave) (?:the|it|that|this|my|our|your|both)\\b" +
    "[^.?!;]{0,40}?\\b(?:open|on hold|until|till)\\b[^.?!;]{0,30}(?=[.?!;]|$)",
  "i",
);

/** "Book the native, and keep the pre-roll open until Friday": what is open stays so by itself. */
export const withoutHold = (text: string): string => {
  const rest = text.replace(holdsToo, "");
  return /\p{L}{3}/u.test(rest) ? rest : text;
};

const tells = new RegExp(
  "^\\W*(?:(?:and|please|pls|ok|so|could you|can you|thanks|thank you)\\W+)*" +
    "(?:summari[sz]e|recap|sum up|list|show|overview)\\b",
  "i",
);

/** "Summarise both". */
export const asksForAll = (text: string, { inventory }: Heard, memory: Memory): boolean =>
  inventory.length === 0 && topicsIn(memory).length > 1 && tells.test(text) && meansAll(text);

const ofBookings = "\\b(?:bookings?|booked|orders?|deals?|everything|all this)\\b";
const listing = new RegExp(`\\b(?:summary|recap|overview|summari[sz]e|sum up)\\b[^.?!]{0,30}${ofBookings}`, "i");
const ofPlan = /\b(?:plan|prices?|rates?|products?|inventory)\b/i;

/** "A short summary of the booking, please." */
export const asksForSummary = (text: string, { slots }: Heard): boolean =>
  slots["deal_id"] === undefined && listing.test(text) && !ofPlan.test(text);

const ownDeals = anyOf(
  /\b(?:list|which|what|all) (?:of )?(?:all )?(?:of )?(?:my|our) (?:bookings|deals|orders)\b/i,
  /\b(?:which|what) (?:bookings|deals|orders) (?:do|have) (?:i|we)\b/i,
);

/** "A list of all my bookings, please." */
export const asksForDeals = (text: string): boolean => ownDeals.test(text);

const cancelled = new RegExp(
  "\\b(?:is|are|was|were|has|have)\\b[^.?!]{0,40}\\b(?:cancell?ed|(?:really|already|finally|completely) gone|" +
    "gone (?:now|for (?:good|real)|or))\\b",
  "i",
);

/** "Is it really cancelled now?" */
export const asksIfCancelled = (text: string): boolean => cancelled.test(text) && isQuestion(plainText(text));

const ofSeller = /\b(?:which|what|any)\b[^?]{0,40}\b(?:have|got|sell|offer|carry|is there|are there)\b/i;
const mostPriced = 4;

/** "Which linear TV and video do you have?" names kinds of many products. */
export const asksForKinds = (text: string, { inventory, volumes, limit }: Heard): boolean =>
  inventory.flatMap(({ products }) => products).length > mostPriced &&
  volumes.length === 0 &&
  limit === null &&
  ofSeller.test(text) &&
  isQuestion(plainText(text));

const compares = /\b(?:better|worse|compar\w*|versus|vs|differ\w*|cheaper|dearer)\b/i;
const ofTwo = anyOf(
  /\bhow (?:do|would|does) (?:those|these|they|the) ?(?:two|both)?[^.?!]{0,20}\bcompare\b/i,
  /\bcompare (?:them|those|these|both|the two)\b/i,
);
const whichOne = /\bwhich (?:one|of (?:them|these|those|the two|both))\b[^.?!]{0,20}\b(?:better|cheaper|dearer)\b/i;

/** "Is native better than display?", "how do those two compare?" */
export const asksToCompare = (text: string, { inventory }: Heard, memory: Memory): boolean => {
  const topics = new Set((memory.topics ?? []).map(({ product }) => product));
  if (inventory.length > 1) return compares.test(text) && isQuestion(plainText(text));
  return inventory.length === 0 && topics.size > 1 && (ofTwo.test(text) || whichOne.test(text));
};

const discount = /\b(?:discounts?|rebates?|cheaper|price breaks?|reductions?)\b/i;
const ofWhich = /\b(?:which|what)(?: of (?:your|the|these|those))? (?:products?|ones?|formats?)\b/i;

/** "2 million on the pre-roll: is there a discount then?" asks for the price of that volume. */
export const asksForDiscountAt = (text: string, { inventory, slots }: Heard, { terms }: Memory): boolean =>
  typeof slots["impressions"] === "number" &&
  (inventory.length === 1 || terms["product_id"] !== undefined) &&
  discount.test(text) &&
  !ofWhich.test(text) &&
  isQuestion(plainText(text));

/** "Which of your products give a discount?" */
export const asksWhichDiscount = (text: string): boolean =>
  discount.test(text) && ofWhich.test(text) && isQuestion(plainText(text)) && !/\b(?:is|are) cheaper\b/i.test(text);

const next = anyOf(
  /\bwhat (?:happens|comes|is|are|do (?:i|we) (?:have to |need to )?do)\b[^.?!]{0,20}\b(?:next|now|then)\b/i,
  /\b(?:do|must|should) (?:i|we) (?:have to |need to )?(?:do|send) (?:anything|something)\b/i,
  /\bstart\w*\b[^.?!]{0,30}\bby itself\b/i,
);

/** "So what happens now?", after a booking. */
export const asksWhatNext = (text: string, terms: Slots): boolean =>
  terms["deal_id"] != null && next.test(text) && isQuestion(plainText(text));

const answered = /\b(?:did|has|have)\b[^.?!]{0,40}\b(?:answer\w*|repl(?:y|ied)|responded|got back)\b/i;

/** "Did somebody answer my question yet?" */
export const asksForAnswer = (text: string, { isHandedOver }: Memory): boolean => isHandedOver && answered.test(text);

const bookedAnd =
  /\bbooked\b[^?]{0,60}\b(?:open|waiting|pending|outstanding)\b|\b(?:open|waiting)\b[^?]{0,60}\bbooked\b/i;
const inTotal = /\b(?:total|cost|altogether|in all|sum|come to)\b/i;

/** "What is booked, what is still open, and what does it all cost?" */
export const asksForAllMoney = (text: string): boolean =>
  bookedAnd.test(text) && inTotal.test(text) && isQuestion(plainText(text));

const restOf = anyOf(
  /\b(?:left|remain\w*|over)\b[^.?!]{0,20}\b(?:of|from|in) (?:the|my|our|that) (?:\w+ )?(?:budget|\$?\d+|money)/i,
  /\b(?:budget|money)\b[^.?!]{0,30}\b(?:left|remain\w*)\b/i,
);

/** "What is left of my budget?" */
export const asksForRest = (text: string): boolean => restOf.test(text) && isQuestion(plainText(text));

const words =
  "(?:cpms?|ros|imps?|impressions?|ctv|d?ooh|pre-?rolls?|native|dsps?|deal ids?|flights?|pg|pd|pa|pmp|" +
  "programmatic guaranteed|preferred deals?|private auctions?)";
const meaning = anyOf(
  new RegExp(`\\b${words}\\b[^.?!]{0,15}\\b(?:means?|stands? for)\\b|\\bmeaning of (?:the )?${words}\\b`, "i"),
  new RegExp(
    `^\\W*(?:(?:and|ok|so|sorry|hm+)\\W+)*what(?:'s| is| are)(?: an?)? ${words}(?: (?:and|or) ${words})*\\W*$`,
    "i",
  ),
  /\bbuys? (?:me |us )?what\b|\bis that (?:for )?(?:one|an) (?:ad|view)\b/i,
);

/** "What does CPM stand for?" */
export const asksForMeaning = (text: string): boolean =>
  meaning.test(text) && !/\b(?:i|we) mean/i.test(text) && isQuestion(plainText(text));

const open = /\b(?:what|which|anything)\b[^.?!]{0,30}\b(?:still open|open|outstanding|pending)\b/i;
const otherOpen = /\b(?:quotes?|changes?|requests?|approvals?|slots?|dates?|inventory|days?|deals?)\b/i;

/** "Which offers are still open?" means negotiations as well. */
export const asksWhatIsOpen = (text: string, memory: Memory): boolean =>
  topicsIn(memory).length > 1 && open.test(text) && !otherOpen.test(text);

const extraCost = /\b(?:fees?|tax(?:es)?|vat|surcharges?|extra costs?|hidden costs?|other costs?|additional costs?)\b/i;
const onTop = /\b(?:on top|beyond|besides|apart from|in addition|additional|other|extra|hidden|any|includ\w+|plus)\b/i;

/** "Are there taxes on top?" */
export const asksForFees = (text: string): boolean =>
  extraCost.test(text) &&
  onTop.test(text) &&
  isQuestion(plainText(text)) &&
  !/\b(?:to|if|for|after) [^.?!]{0,20}cancel/i.test(text);

const aboutIt = new RegExp(
  "^\\W*(?:(?:and|now|so|ok|then|thanks)\\W+)*" +
    "(?:what about|how about|what's with|what of|where are we with|what happened to|keep|leave|stay with)\\b",
  "i",
);

/** "And what about the native one?", where it is quoted or booked: tells how it stands. */
export const asksAboutOpen = (text: string, { inventory, slots }: Heard, memory: Memory): boolean => {
  const [product, other] = inventory.flatMap(({ products }) => products);
  const isOne = product !== undefined && other === undefined && Object.keys(slots).length === 0;
  return isOne && aboutIt.test(text) && topicsIn(memory).some((topic) => topic.product === product.product_id);
};

const total = /\b(?:total|tot|altogether|in all|sum)\b/i;

/** After several bookings "the total" is that of all of them. */
export const asksForTotal = (text: string, { inventory }: Heard, memory: Memory): boolean =>
  inventory.length === 0 && dealTopics(memory).length > 1 && total.test(text) && !/\b(?:it|this|that)\b/i.test(text);

const ifBooked = /\bbooked\b[^.?!]{0,20}\?\s*$/i;

/** "Both booked now?" */
export const asksIfAllBooked = (text: string, memory: Memory): boolean =>
  topicsIn(memory).length > 1 && meansAll(text) && ifBooked.test(text);

const leastOf = new RegExp(
  "\\b(?:min(?:imum)?|smallest|least|lowest)\\b[^.?!]{0,20}" +
    "\\b(?:spend|budget|order|volumes?|buy|impressions?|booking|commitment)\\b",
  "i",
);

export const asksForMinimum = (text: string, { inventory, slots }: Heard): boolean =>
  inventory.length === 0 && slots["impressions"] === undefined && leastOf.test(text);

const advises = anyOf(
  /\b(?:recommend\w*|suggest(?:ions?)?|advise|advice|recomien\w+|empfehl\w*|recommand\w*)\b/i,
  /\bbest (?:fit|option|choice|placement)\b/i,
  /\b(?:fits?|suits?|works?) (?:us |me |it )?(?:best|better|most)\b/i,
  /\bwhat (?:would|should) (?:you|i|we) (?:pick|choose|take|buy|go for|use)\b/i,
);
const ofTerms = /\b(?:price|cpm|rate|plan|offer|deal|quote|person|dates?|book\w*|it|this|that)\b/i;

/** "What would you recommend?" */
export const asksForAdvice = (text: string, { inventory, excluded }: Heard): boolean =>
  inventory.length === 0 && excluded.length === 0 && advises.test(text) && !ofTerms.test(text);

const available = /\b(?:is|are|would|will)\b[^.?!]{0,40}\bavailab(?:le|ility)\b|\bavailability\b/i;
const ofOffer = /\b(?:offers?|prices?|quotes?|discounts?|deals?|rates?|you|someone|anyone|person|formats?)\b/i;

/** "Is this inventory available to that extent in the period mentioned?" */
export const asksIfAvailable = (text: string, { inventory, slots }: Heard, { terms }: Memory): boolean =>
  terms["product_id"] !== undefined &&
  inventory.length === 0 &&
  Object.keys(slots).length === 0 &&
  available.test(text) &&
  !ofOffer.test(text) &&
  isQuestion(plainText(text));

/** "Which of these may be negotiated?" */
export const asksIfNegotiable = (text: string): boolean =>
  /\bnegotiable\b|\b(?:can|may|could|be|are|is)\b[^.?!]{0,20}\bnegotiated\b/i.test(text) &&
  /\b(?:which|what|all|any|these|those|products?|prices|rates)\b/i.test(text) &&
  isQuestion(plainText(text));

/** "Your rate card says 10, the list price is 12: which holds?" */
export const asksOfRateCard = (text: string): boolean =>
  /\brate ?card\b/i.test(text) &&
  /\b(?:which|why|differ\w*|but|right|holds?)\b/i.test(text) &&
  isQuestion(plainText(text));

/** Of a price; nobody is told it. */
export const asksForFloor = (text: string): boolean => /\bfloor\b/i.test(text) && isQuestion(plainText(text));

/** "With a budget of 10k, how many CTV impressions would I get?" */
export const asksForBought = (text: string, { inventory, slots }: Heard): boolean =>
  slots["budget"] !== undefined && inventory.length === 1 && /\bhow (?:many|much)\b/i.test(text);

const validity = /\bvalid(?:ity)?\b|\bhow long (?:is|does|will|do)\b[^?]{0,40}\b(?:offer|quote|price|it)\b/i;

/** "How long are your quotes valid?", where none is in force. */
export const asksForValidity = (text: string, memory: Memory): boolean =>
  !hasRecord(memory.terms) &&
  /\b(?:quotes?|offers?|prices?)\b/i.test(text) &&
  validity.test(text) &&
  isQuestion(plainText(text));

export const asksIfValid = (text: string, memory: Memory): boolean =>
  hasRecord(memory.terms) && validity.test(text) && isQuestion(plainText(text));

const lastPrice = anyOf(
  /\b(?:last|final|best|lowest) (?:price|offer|cpm|rate)\b/i,
  /\b(?:that|this) your (?:best|last|final)\b|\byour (?:best|final|last)\W*$/i,
);
const takesIt = /\b(?:accept|take|book|agree|confirm|ok(?:ay)?|yes)\b/i;
const mostWords = 8;

/** "Last price?", "is that your best?" */
export const asksForLast = (text: string, { slots, inventory }: Heard, memory: Memory): boolean =>
  hasRecord(memory.terms) &&
  memory.terms["deal_id"] == null &&
  inventory.length < 2 &&
  Object.keys(slots).length === 0 &&
  (text.match(/[\p{L}\d]+/gu) ?? []).length <= mostWords &&
  lastPrice.test(text) &&
  !takesIt.test(text);
