import { conversationMachine, type ConversationInstance, type Offer } from "../../../machines/conversation/machine.ts";
import { step } from "../../../machines/step.ts";
import { heldBack } from "./aside-talk.ts";
import { changeDeal } from "./change-talk.ts";
import { askFirst, fits, offersTaken, refuse, unclearWhich } from "./commit-talk.ts";
import type { PlainConsent } from "../reading/consent.ts";
import { allMeant, dealTopics, focusedOn, focusOf, openTopics } from "../topics.ts";
import { drop } from "./drop-talk.ts";
import { showTopics } from "./named-talk.ts";
import { toldAs } from "./open-talk.ts";
import { nothingOpen, showOpen } from "./shown-terms.ts";
import type { Spoken, Talk } from "./speech.ts";
import { showSome } from "./subset-talk.ts";
import type { Slots } from "../reading/slots.ts";

/** "Book both" where only one was shown: the others are shown first. */
const allOpen = async (talk: Talk, { kind, isForAll }: PlainConsent): Promise<readonly Spoken[] | null> => {
  const open = allMeant(talk.memory, talk.text);
  const commits = kind === "book" || kind === "accept" || kind === "yes";
  const isMissing = talk.memory.life.context.shown.length < 2 && open.length > 1;
  return commits && isForAll && isMissing ? showTopics(talk, open) : null;
};

/** "Accept" means the one price that is negotiated, though something else was talked about since. */
const showLeft = async (talk: Talk): Promise<Spoken | null> => {
  const [topic, other] = openTopics(talk.memory).filter(({ isNegotiating }) => isNegotiating);
  if (topic === undefined || other !== undefined) return null;
  const memory = focusedOn(talk.memory, topic);
  const shown = await showOpen({ ...talk, text: "", memory }, "Nothing is agreed by this message. ");
  return shown === null ? null : { ...shown, about: memory.terms, ...focusOf(topic) };
};

/** Plain words beside others, or for what is not asked about: what they are for is shown, and the gate takes it. */
export const consented = async (talk: Talk, consent: PlainConsent): Promise<readonly Spoken[]> => {
  const { life } = talk.memory;
  const { kind } = consent;
  const { shown } = life.context;
  const several = await allOpen(talk, consent);
  if (several !== null) return several;
  if (kind === "no" || kind === "reject") return [refuse(talk, kind)];
  if (kind === "cancel") return drop(talk);
  if (shown.length > 1) return (await showSome(talk)) ?? [unclearWhich(shown, consent)];
  if (kind === "accept" && !talk.memory.isNegotiating) {
    const left = await showLeft(talk);
    if (left !== null) return [left];
  }
  const [offer] = shown;
  const isNamed = (await offersTaken(talk)).length > 0;
  if (!isNamed && offer !== undefined && fits(kind, offer, talk.text)) {
    const again = await heldBack(talk);
    if (again !== null) return [again];
  }
  if (kind !== "yes" || isNamed || life.value !== "idle")
    return askFirst(talk, kind === "accept" ? "negotiation" : "deals");
  const [wish, otherWish] = dealTopics(talk.memory).filter(({ wish: wanted }) => wanted !== null);
  if (wish !== undefined && otherWish === undefined)
    return changeDeal({ ...talk, memory: focusedOn(talk.memory, wish) });
  const isBooked = talk.memory.terms["deal_id"] !== undefined;
  if (isBooked) return toldAs(talk, "Nothing waits for a yes here. What stands: ");
  const open = await showOpen(talk, "To what? Nothing is booked or changed by this message. ");
  return [open ?? nothingOpen(talk, "deals")];
};

const bindingTerms = ["product_id", "inventory_type", "impressions", "flight_start", "flight_end", "deal_type"];

/** Nothing that was shown may be consented to any more. */
export const voided = (life: ConversationInstance): ConversationInstance =>
  step(conversationMachine, life, { type: "VOID" }) ?? life;

/** What was shown is open; another topic or term closes it. */
export const lifeAfter = (life: ConversationInstance, offers: readonly Offer[], before: Slots, after: Slots) => {
  const isOther = bindingTerms.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const event =
    offers.length > 0 ? ({ type: "SHOW", offers } as const) : ({ type: isOther ? "VOID" : "PASS" } as const);
  return step(conversationMachine, life, event) ?? life;
};
