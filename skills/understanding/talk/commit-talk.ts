import type { Offer } from "../../../machines/conversation/machine.ts";
import type { ConsentKind, PlainConsent } from "../reading/consent.ts";
import { activationState } from "./deal-lines.ts";
import { termsOnTable } from "./open-talk.ts";
import { quote } from "./price-talk.ts";
import {
  counterOffer,
  isAsNamed,
  nothingOpen,
  proposalOffer,
  quoteOffer,
  quoteTerms,
  showOpen,
  targetingNote,
  termsText,
} from "./shown-terms.ts";
import { recordIds } from "../memory.ts";
import { otherPrice, showAll, showEarlier, showIds, showNamed, showOther } from "./named-talk.ts";
import { showSome } from "./subset-talk.ts";
import { clarify, pick, type Skill, type Spoken, type Talk } from "./speech.ts";
import type { Slots } from "../reading/slots.ts";
import { changesTerms, hasOffer, productIdsOf } from "../terms.ts";

const noRecords: Slots = Object.fromEntries(recordIds.map((name) => [name, null]));

export const saidOfBooking =
  (talk: Talk) =>
  (output: Slots): Omit<Spoken, "skill"> => {
    const about = {
      product_id: (output["product"] as Slots)["product_id"],
      deal_type: output["deal_type"],
      ...pick(output, ["quote_id", "proposal_id"]),
      ...pick(output["terms"] as Slots, ["impressions", "flight_start", "flight_end"]),
    };
    const isInForce = talk.memory.terms["product_id"] === about.product_id;
    const what = `deal ID ${String(output["deal_id"])}, ${termsText(quoteTerms(output))}`;
    return {
      outcome: output["approval_id"] == null ? "booked" : "pending",
      result: output,
      // An id never stands beside a product that it is not of.
      learnt: { ...(isInForce ? {} : noRecords), ...about, deal_id: output["deal_id"], target_cpm: null },
      about,
      isNegotiating: false,
      text: `Booked: ${what}.${activationState(output)}${targetingNote(talk.memory.terms)}`,
    };
  };

/** Null where the caller has no such record. */
const current = async (
  talk: Talk,
  { kind, id }: Offer,
): Promise<{ readonly offer: Offer; readonly body: Slots } | null> => {
  const reads = {
    quote: { name: "get_quote", input: { quote_id: id }, offer: quoteOffer },
    proposal: { name: "get_proposal", input: { proposal_id: id }, offer: proposalOffer },
    counter: {
      name: "get_negotiation_status",
      input: { negotiation_id: id },
      offer: (output: Slots) => counterOffer(id, (output["round"] as Slots | null)?.["seller_price"]),
    },
  } as const;
  if (kind !== "quote" && kind !== "proposal" && kind !== "counter") return null;
  const { name, input, offer } = reads[kind];
  const outcome = await talk.context.call(name, input);
  return outcome.kind === "done" ? { offer: offer(outcome.output as Slots), body: outcome.output as Slots } : null;
};

const offerNamed = ({ heard }: Talk): Offer | null => {
  const { negotiation_id: negotiationId, proposal_id: proposalId, quote_id: quoteId } = heard.slots;
  const of = (kind: Offer["kind"], id: unknown): Offer => ({ kind, id: String(id), digest: null, change: null });
  if (negotiationId !== undefined) return of("counter", negotiationId);
  if (proposalId !== undefined) return of("proposal", proposalId);
  return quoteId === undefined ? null : of("quote", quoteId);
};

const quoteIds = /\bqt-[0-9a-z]+\b/gi;

/** Whoever names the ids need not have been shown them; what they stood for is kept all the same. */
export const offersTaken = async (talk: Talk): Promise<readonly Offer[]> => {
  const ids = [...new Set((talk.text.match(quoteIds) ?? []).map((id) => id.toLowerCase()))];
  const [only] = ids.length > 1 ? [] : [offerNamed(talk)];
  const named = ids.length > 1 ? ids.map((id) => ({ kind: "quote", id, digest: null, change: null }) as const) : [only];
  const taken: Offer[] = [];
  for (const offer of named) if (offer != null) taken.push((await current(talk, offer))?.offer ?? offer);
  return taken;
};

/** "If it's guaranteed" names what is open: a new quote would lose the price agreed so far. */
const isAsShown = async (talk: Talk): Promise<boolean> => {
  const { slots, resize, shift } = talk.heard;
  const open = resize === null && shift === null ? await termsOnTable(talk) : null;
  return open !== null && isAsNamed(slots, open);
};

/** No plain order: the terms are shown first. */
export const askFirst = async (talk: Talk, skill: Skill): Promise<readonly Spoken[]> => {
  const some = (await showIds(talk)) ?? (await showSome(talk)) ?? (await showAll(talk)) ?? (await showNamed(talk));
  if (some !== null) return some;
  const isPriced = skill === "deals" && talk.memory.terms["deal_id"] == null;
  const other = isPriced ? null : await showOther(talk, skill);
  if (other !== null) return [other];
  const hasOne = productIdsOf(talk.memory.terms).length === 1;
  const isNamed = offerNamed(talk) !== null;
  const isOther = changesTerms(talk.heard) && !(await isAsShown(talk));
  if (!isNamed && hasOne && (isOther || talk.memory.terms["quote_id"] === undefined)) {
    const isOpen = talk.memory.terms["proposal_id"] !== undefined && !isOther;
    const earlier =
      isOther || isOpen || talk.memory.terms["impressions"] !== undefined ? null : await showEarlier(talk);
    if (earlier !== null) return [earlier];
    if (!isOpen) return quote(talk);
  }
  const shown = await showOpen(talk, "Nothing is booked or changed by this message. ");
  return [shown === null ? nothingOpen(talk, skill) : { ...shown, text: `${shown.text}${otherPrice(talk, [shown])}` }];
};

/** A refusal in many words ends nothing, so it tells the word that does. */
export const endFirst = async (talk: Talk): Promise<readonly Spoken[]> => {
  const words = 'Nothing is booked or changed by this message. Say "reject" to end the negotiation. ';
  const shown = talk.memory.isNegotiating ? await showOpen(talk, words) : null;
  return shown === null ? askFirst(talk, "negotiation") : [shown];
};

/** A negotiation is over for both sides, so it is ended by its option alone. */
const endShown = (talk: Talk): Spoken => {
  const { negotiation_id: id } = talk.memory.terms;
  return {
    ...clarify("negotiation", `Nothing is booked or ended by this message. Shall I end negotiation ${String(id)}?`),
    offers: [{ kind: "rejection", id: String(id), digest: null, change: null }],
  };
};

/** What is open closes, and an untaken quote expires by itself. */
export const refuse = (talk: Talk, kind: ConsentKind): Spoken => {
  const { terms, isNegotiating } = talk.memory;
  if (kind === "reject" && isNegotiating && terms["negotiation_id"] !== undefined) return endShown(talk);
  const isChange = talk.memory.life.context.shown.some(({ kind: of }) => of === "cancellation" || of === "change");
  if (isChange)
    return { skill: "deals", outcome: "rejected", result: null, text: "Understood: the deal stays as it is." };
  const isOpen = hasOffer(terms) && terms["deal_id"] === undefined;
  const text = isOpen
    ? "Understood: nothing is booked. The offer stays open until it expires; ask again whenever you like."
    : "Understood: nothing is booked or changed by this message.";
  return { skill: "negotiation", outcome: "rejected", result: null, text };
};

const isSale = ({ kind }: Offer): boolean => kind === "quote" || kind === "proposal" || kind === "counter";

/** "Yes, please request that change" books nothing that was shown since. */
const ofChange = /\b(?:request|submit|file|the|this|that) (?:the |this |that )?change\b/i;

/** To book is no word for cancelling, nor the other way round. */
export const fits = (kind: ConsentKind, offer: Offer, text: string): boolean => {
  if (kind === "yes") return !(isSale(offer) && ofChange.test(text));
  return kind === "cancel" ? offer.kind === "cancellation" : isSale(offer);
};

export const unclearWhich = (offers: readonly Offer[], { count }: PlainConsent): Spoken => {
  const which = count.most < offers.length ? `Which ${count.most}` : "Which";
  const ids = offers.map(({ id }) => id).join(", ");
  return { ...clarify("deals", `${which} of these do you mean: ${ids}? Give its number, or say "all".`), offers };
};
