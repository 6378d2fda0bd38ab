import type { Offer } from "../../../machines/conversation/machine.ts";
import type { Slots } from "../reading/slots.ts";
import { quoteTerms, termsText } from "./shown-terms.ts";
import { ask, clarify, count, type Spoken, type Talk } from "./speech.ts";

const digestOf = (output: Slots): string | null =>
  typeof output["terms_digest"] === "string" ? output["terms_digest"] : null;

const whichDeal = (): Spoken => clarify("deals", "Which deal do you mean? Give its deal ID, or ask for your deals.");

/** Shows a deal with what would become of it, and asks. */
const shownDeal = (talk: Talk, change: Offer["change"], question: string): Promise<Spoken> | Spoken => {
  const { deal_id: id } = talk.memory.terms;
  if (typeof id !== "string") return whichDeal();
  return ask(talk, "deals", { name: "get_deal", input: { deal_id: id } }, (output) => ({
    outcome: "clarify",
    result: output,
    offers: [{ kind: change === null ? "cancellation" : "change", id, digest: digestOf(output), change }],
    text: `Deal ID ${id} (${String(output["status"])}): ${termsText(quoteTerms(output))}. ${question}`,
  }));
};

/** Nothing is cancelled before the terms of the deal were shown and a yes followed. */
export const cancelDeal = (talk: Talk): Promise<Spoken> | Spoken =>
  shownDeal(talk, null, 'Shall I request its cancellation? Say "yes, cancel" to do it.');

const changedTerms = ({ heard, memory }: Talk): Slots => {
  const { impressions, flight_start: start, flight_end: end } = heard.slots;
  const known = memory.terms["impressions"];
  const resized = impressions ?? (heard.volumeFactor !== null ? known : undefined);
  return {
    ...(typeof resized === "number" ? { impressions: resized } : {}),
    ...(typeof start === "string" ? { flight_start: start } : {}),
    ...(typeof end === "string" ? { flight_end: end } : {}),
  };
};

const changeWords = ({ impressions, flight_start: start, flight_end: end }: Slots): string =>
  [
    typeof impressions === "number" ? `${count(impressions)} impressions` : null,
    typeof start === "string" ? `a start on ${start}` : null,
    typeof end === "string" ? `an end on ${end}` : null,
  ]
    .filter((words) => words !== null)
    .join(" and ");

/** A booked deal changes by a change request only, and that one only after a yes. */
export const changeDeal = (talk: Talk): Promise<Spoken> | Spoken => {
  const change = changedTerms(talk);
  return shownDeal(talk, change, `Shall I request the change to ${changeWords(change)}?`);
};

export const withdrawProposal = (talk: Talk): Promise<Spoken> | Spoken => {
  const { proposal_id: id } = talk.memory.terms;
  if (typeof id !== "string") return clarify("proposals", "Which proposal shall be withdrawn? Give its id.");
  return ask(talk, "proposals", { name: "get_proposal", input: { proposal_id: id } }, (output) => ({
    outcome: "clarify",
    result: output,
    offers: [{ kind: "withdrawal", id, digest: digestOf(output), change: null }],
    text: `Proposal ${id} is ${String(output["status"])}. Shall I withdraw it?`,
  }));
};

/** The order of a deal, made where it has none: change requests are about orders. */
const orderOf = async (talk: Talk, dealId: string): Promise<string | null> => {
  const listed = await talk.context.call("list_orders", { limit: 500 });
  const orders = listed.kind === "done" ? ((listed.output as Slots)["orders"] as readonly Slots[]) : [];
  const known = orders.find(({ deal_id: id }) => id === dealId);
  if (known !== undefined) return String(known["order_id"]);
  const made = await talk.context.call("create_order", { deal_id: dealId });
  return made.kind === "done" ? String((made.output as Slots)["order_id"]) : null;
};

const saidOfRequest =
  (dealId: string, what: string) =>
  (output: Slots): Omit<Spoken, "skill"> => {
    const isDone = output["status"] === "approved" || output["status"] === "applied";
    const state = isDone ? "It is done." : "It waits for a review by the seller.";
    const id = String(output["change_request_id"]);
    return {
      outcome: isDone ? "accepted" : "pending",
      result: output,
      text: `Change request ${id}: ${what} of deal ID ${dealId}. ${state}`,
    };
  };

/** Raises the change request that a yes was for. */
export const requestChange = async (talk: Talk, offer: Offer): Promise<Spoken> => {
  const orderId = await orderOf(talk, offer.id);
  if (orderId === null) return whichDeal();
  const change = offer.change ?? {};
  const isCancellation = offer.kind === "cancellation";
  const type = change["impressions"] === undefined ? "flight_dates" : "impressions";
  const input = {
    order_id: orderId,
    change_type: isCancellation ? "cancellation" : type,
    proposed_values: change,
    reason: "Asked for in a conversation.",
  };
  const what = isCancellation ? "cancellation" : `change to ${changeWords(change)}`;
  return ask(talk, "deals", { name: "create_change_request", input }, saidOfRequest(offer.id, what));
};
