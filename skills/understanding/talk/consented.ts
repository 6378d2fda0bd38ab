import {
  type Consent,
  conversationMachine,
  type ConversationInstance,
  type Offer,
} from "../../../machines/conversation/machine.ts";
import { step } from "../../../machines/step.ts";
import { heldBack } from "./aside-talk.ts";
import { changeDeal } from "./change-talk.ts";
import { askFirst, fits, isSale, offersTaken, refuse, take, unclearWhich } from "./commit-talk.ts";
import type { PlainConsent } from "../reading/consent.ts";
import { allMeant, dealTopics, focusedOn, focusOf, openTopics } from "../topics.ts";
import { drop } from "./drop-talk.ts";
import { showTopics } from "./named-talk.ts";
import { toldAs } from "./open-talk.ts";
import { nothingOpen, showOpen } from "./shown-terms.ts";
import type { Spoken, Talk } from "./speech.ts";
import { showSome } from "./subset-talk.ts";
import type { Slots } from "../reading/slots.ts";

interface Consented {
  readonly spoken: readonly Spoken[];
  readonly life: ConversationInstance;
}

const byOf = ({ kind, isForAll }: PlainConsent): Consent => {
  if (isForAll) return "all";
  return kind === "yes" ? "yes" : "order";
};

/** "Both" is no consent to one, nor to three. */
const isCounted = ({ count }: PlainConsent, { context }: ConversationInstance): boolean =>
  count.least <= context.shown.length && context.shown.length <= count.most;

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

/**
 * The machine decides whether a consent holds: for what was just shown, or named by id. Else the terms are shown first.
 */
export const consented = async (talk: Talk, consent: PlainConsent): Promise<Consented> => {
  const { life } = talk.memory;
  const { kind } = consent;
  const several = await allOpen(talk, consent);
  if (several !== null) return { spoken: several, life };
  if (kind === "no" || kind === "reject") return { spoken: [await refuse(talk, kind)], life };
  const named = await offersTaken(talk);
  const at = named.length === 0 ? life : (step(conversationMachine, life, { type: "SHOW", offers: named }) ?? life);
  const taking = { type: "TAKE", by: named.length > 1 ? "all" : byOf(consent), nowMs: talk.context.nowMs } as const;
  const next =
    isCounted(consent, at) && at.context.shown.every((offer) => fits(kind, offer, talk.text))
      ? step(conversationMachine, at, taking)
      : null;
  if (next !== null) return { spoken: await take(talk, at.context.shown, kind), life: next };
  if (kind === "cancel") return { spoken: await drop(talk), life };
  if (at.context.shown.length > 1)
    return { spoken: (await showSome(talk)) ?? [unclearWhich(at.context.shown, consent)], life };
  if (kind === "accept" && !talk.memory.isNegotiating) {
    const left = await showLeft(talk);
    if (left !== null) return { spoken: [left], life };
  }
  const [offer] = at.context.shown;
  if (kind === "yes" && offer !== undefined && !isSale(offer)) {
    const again = await heldBack(talk);
    if (again !== null) return { spoken: [again], life };
  }
  if (kind !== "yes" || at.value !== "idle")
    return { spoken: await askFirst(talk, kind === "accept" ? "negotiation" : "deals"), life };
  const [wish, otherWish] = dealTopics(talk.memory).filter(({ wish: wanted }) => wanted !== null);
  if (wish !== undefined && otherWish === undefined)
    return { spoken: await changeDeal({ ...talk, memory: focusedOn(talk.memory, wish) }), life };
  const isBooked = talk.memory.terms["deal_id"] !== undefined;
  if (isBooked) return { spoken: await toldAs(talk, "Nothing waits for a yes here. What stands: "), life };
  const shown = await showOpen(talk, "To what? Nothing is booked or changed by this message. ");
  return { spoken: [shown ?? nothingOpen(talk, "deals")], life };
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
