import {
  asksAboutOpen,
  asksForAdvice,
  asksForAll,
  asksForAllMoney,
  asksForAnswer,
  asksForBought,
  asksForDeals,
  asksForDiscountAt,
  asksForFees,
  asksForFloor,
  asksForKinds,
  asksForLast,
  asksForMeaning,
  asksForMinimum,
  asksForRest,
  asksForSummary,
  asksForValidity,
  asksIfAllBooked,
  asksIfAvailable,
  asksIfCancelled,
  asksIfNegotiable,
  asksIfValid,
  asksOfRateCard,
  asksToCompare,
  asksToHold,
  asksWhatIsOpen,
  asksWhatNext,
  asksWhichDiscount,
  asksWhichOpen,
  meansAll,
} from "./asides.ts";
import type { Memory } from "./memory.ts";
import type { Act } from "./reading/choice/acts.ts";
import type { Heard } from "./reading/slots.ts";
import { asksToTakeBack } from "./talk/requests-talk.ts";
import { changesTerms, hasOffer } from "./terms.ts";
import { dealTopics, isOnlyName, returnsToOpen, topicOf } from "./topics.ts";

interface Asked {
  readonly text: string;
  readonly heard: Heard;
  readonly memory: Memory;
  /** With the terms of the message in force. */
  readonly then: Memory;
}

/** "And the native?" after an offer on another product. */
const asksAgain = ({ inventory, spoken }: Heard, memory: Memory): boolean => {
  const [product, other] = inventory.flatMap(({ products }) => products);
  const isOne = product !== undefined && other === undefined && isOnlyName(spoken);
  const topic = isOne && memory.asked === "offer" ? topicOf(memory, product.product_id) : null;
  return topic !== null && hasOffer(topic.terms) && topic.terms["deal_id"] == null;
};

const changing =
  /^\W*(?:(?:and|now|please|pls|can you|could you|then)\W+)*(?:move|shift|push|extend|change|reschedule)\b/i;

/** "Move both to March", of deals. */
const changesAll = ({ text, heard, memory }: Asked): boolean =>
  changing.test(text) && changesTerms(heard) && meansAll(text) && dealTopics(memory).length > 1;

const ofChanged =
  /\bnew (?:total|price|costs?|sum)\b|\b(?:total|costs?|come to)\b[^.?!]*\b(?:then|after (?:that|this|the))\b/i;

/** "What will the new total be?" of a deal whose change is asked for. */
const asksForNewTotal = ({ text, heard, then: { terms } }: Asked): boolean =>
  terms["deal_id"] !== undefined && heard.inventory.length === 0 && !changesTerms(heard) && ofChanged.test(text);

const takesBack = ({ text, heard, then: { terms } }: Asked): boolean =>
  terms["deal_id"] !== undefined && !changesTerms(heard) && asksToTakeBack(text);

/** "Forget the change" answers no to one that is only asked about. */
const refusesChange = (asked: Asked): boolean =>
  takesBack(asked) && asked.memory.life.context.shown.some(({ kind }) => kind === "change");

const putsOff =
  /^\W*(?:please |ok(?:ay)?,? )?(?:leave|park) [^.?!,;\d]{1,40}\bfor (?:now|the moment|the time being)\W*$/i;

/** The first that holds is meant. */
const readings: readonly (readonly [Act, (asked: Asked) => boolean])[] = [
  ["book", ({ memory, heard }) => returnsToOpen(memory, heard)],
  ["wait", (asked) => refusesChange(asked) || putsOff.test(asked.text)],
  ["withdraw", takesBack],
  ["change deal", (asked) => changesAll(asked) || asksForNewTotal(asked)],
  ["compare", ({ text, heard, memory }) => asksToCompare(text, heard, memory)],
  ["list", ({ text, heard }) => asksForKinds(text, heard)],
  ["discounts", ({ text }) => asksWhichDiscount(text)],
  ["price", ({ text, heard, memory }) => asksForDiscountAt(text, heard, memory)],
  ["read deal", ({ text, memory }) => asksWhatNext(text, memory.terms)],
  ["compare", ({ text, heard, memory }) => asksWhichOpen(text, heard, memory)],
  ["open terms", ({ text, heard, memory }) => asksToHold(text, heard, memory)],
  ["withhold", ({ text }) => asksForFloor(text)],
  ["rate card", ({ text }) => asksOfRateCard(text)],
  ["discounts", ({ text, heard }) => asksIfNegotiable(text) && heard.inventory.length === 0],
  ["availability", ({ text, heard, memory }) => asksIfAvailable(text, heard, memory)],
  ["price", ({ text, heard }) => asksForBought(text, heard)],
  ["steps", ({ text, heard }) => asksForMinimum(text, heard)],
  ["list", ({ text, heard }) => asksForAdvice(text, heard)],
  ["summary", ({ text, heard, memory }) => asksForAll(text, heard, memory) || asksForSummary(text, heard)],
  ["hand over", ({ text, memory }) => asksForAnswer(text, memory)],
  ["my spend", ({ text }) => asksForRest(text) || asksForAllMoney(text)],
  ["deal types", ({ text }) => asksForMeaning(text)],
  ["summary", ({ text, memory }) => asksWhatIsOpen(text, memory)],
  ["read deal", ({ text }) => asksIfCancelled(text)],
  ["read quote", ({ text, then }) => asksForValidity(text, then)],
  ["my deals", ({ text }) => asksForDeals(text)],
  ["policy", ({ text }) => asksForFees(text)],
  ["read deal", ({ text, memory }) => asksIfAllBooked(text, memory)],
  ["offer", ({ heard, memory }) => asksAgain(heard, memory)],
  ["open terms", ({ text, heard, memory }) => asksAboutOpen(text, heard, memory)],
  ["open terms", ({ text, then }) => asksIfValid(text, then)],
  ["offer", ({ text, heard, then }) => asksForLast(text, heard, then)],
];

/** What a few words ask beyond doubt. */
export const plainlyAsked = (asked: Asked): Act | null => readings.find(([, holds]) => holds(asked))?.[0] ?? null;
