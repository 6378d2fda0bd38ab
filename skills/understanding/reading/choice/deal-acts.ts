import { anyOf } from "../any-of.ts";
import type { Heard } from "../slots.ts";
import { says } from "./cues.ts";
import { isQuestion } from "./mood.ts";

const changing = anyOf(
  /\b(?:chang|mov|shift|reschedul|postpon|extend|prolong|shorten|reduc|lower|cut|decreas|rais|increas)\w*\b/,
  /\b(?:bump|adjust|amend|push|delay|correct|update|set)\w*\b|\bbring forward\b|\bmake (?:it|that|this|the)\b/,
);

const polite = /^\W*(?:(?:and|so|ok|okay|please|pls|hi|hello)\W+)*(?:can|could|would|will) (?:you|u|we|i)\b/;

const asksForNew = /\b(?:re-?)?quot\w+|\b(?:another|second|new|additional|separate) (?:\w+ )?(?:deal|booking|offer)\b/;

const ofDeal = /\b(?:deals?|bookings?|reservation)\b/;

const asksForState = anyOf(
  /\b(?:is|are|was|has|been)\b.{0,60}\b(?:confirmed|proposed|activated?|live|cancel+ed|rejected|booked|targeted)\b/,
  /\b(?:cancel+ation|change request|change|move)\b.{0,30}\b(?:done|through|applied|approved|accepted|pending|open)\b/,
);

const drops = /\b(?:drop|remove|scrap|kill|terminate|undo|get rid of)\b/;

const disputes = anyOf(
  /\b(?:u|you|they|it was|that was|was) (?:wrongly )?booked\b/,
  /\bnot what (?:i|we) (?:agreed|ordered|booked)\b|\bwrong (?:price|cpm|dates?|flight|volume)\b/,
);

export const disputesBooking = (text: string): boolean => disputes.test(text);

const namesChange = ({ slots, resize, shift }: Heard): boolean =>
  resize !== null ||
  shift !== null ||
  ["impressions", "flight_start", "flight_end"].some((name) => slots[name] !== undefined);

const ofRequests = /\bchange ?requests?\b|\b(?:pending|waiting|open) (?:changes?|cancel+ations?)\b/;

/** A deal named by its id, by its product, or in force: what is said of it is about that deal, not about a new sale. */
export const actOnOwnDeal = (
  text: string,
  { heard, hasDeal }: { readonly heard: Heard; readonly hasDeal: boolean },
): "my deals" | "cancel" | "read deal" | "change deal" | null => {
  const { slots, inventory, excluded } = heard;
  const hasId = slots["deal_id"] !== undefined;
  if (!hasId && ofRequests.test(text) && (isQuestion(text) || /\b(?:list|show)\b/.test(text))) return "my deals";
  const isNamed = hasId || (inventory.length === 1 && ofDeal.test(text) && slots["deal_type"] === undefined);
  if (excluded.length === 1 && inventory.length === 0 && ofDeal.test(text) && drops.test(text)) return "cancel";
  if (inventory.length === 1 && /\bactivat\w*\b/.test(text) && !asksForNew.test(text)) return "read deal";
  if ((!isNamed && !hasDeal) || asksForNew.test(text)) return null;
  if (disputes.test(text) || (isQuestion(text) && asksForState.test(text))) return "read deal";
  if (says(text, "strong price") || (isQuestion(text) && !polite.test(text))) return null;
  if (changing.test(text) && (namesChange(heard) || hasId)) return "change deal";
  return isNamed && (drops.test(text) || says(text, "cancel")) ? "cancel" : null;
};
