import { accept } from "./offer-talk.ts";
import { quote } from "./price-talk.ts";
import { ask, clarify, type Spoken, type Talk, usd } from "./speech.ts";
import type { Slots } from "./slots.ts";
import { productIdsOf } from "./terms.ts";

const priceOf = (output: Slots): unknown => (output["pricing"] as Slots)["final_cpm"];

const bookedText = (output: Slots): string => {
  const terms = output["terms"] as Slots;
  const volume =
    terms["impressions"] == null ? "" : ` for ${Number(terms["impressions"]).toLocaleString("en-US")} impressions`;
  const flight = `from ${String(terms["flight_start"])} to ${String(terms["flight_end"])}`;
  const waits = output["approval_id"] == null ? "" : " It waits for an approval before it can start.";
  return `Booked: deal ID ${String(output["deal_id"])} at ${usd(priceOf(output))} CPM${volume}, ${flight}.${waits}`;
};

const saidOfBooking = (output: Slots): Omit<Spoken, "skill"> => ({
  outcome: output["approval_id"] == null ? "booked" : "pending",
  result: output,
  learnt: { deal_id: output["deal_id"] },
  isNegotiating: false,
  text: bookedText(output),
});

const bookWhatIsAgreed = (talk: Talk): Promise<Spoken> => {
  const { proposal_id: proposalId, quote_id: quoteId } = talk.memory.terms;
  return typeof proposalId === "string"
    ? ask(talk, "deals", { name: "generate_deal", input: { proposal_id: proposalId } }, saidOfBooking)
    : ask(talk, "deals", { name: "book_deal", input: { quote_id: quoteId } }, saidOfBooking);
};

/** Nothing is booked at a price that the buyer has not seen: the terms are quoted first. */
const quoteToBook = async (talk: Talk): Promise<readonly Spoken[]> => {
  if (productIdsOf(talk.memory.terms).length !== 1) {
    return [clarify("deals", "Which quote shall I book? Ask for a quote first, or give its id.")];
  }
  const issued = await quote(talk);
  return issued.map((one) => (one.outcome === "quoted" ? { ...one, text: `${one.text} Say "book it" to book.` } : one));
};

/** Books what was agreed: an accepted proposal, else a quote. An open offer of the seller is accepted by it first. */
export const book = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { terms, isNegotiating } = talk.memory;
  if (typeof terms["proposal_id"] !== "string" && typeof terms["quote_id"] !== "string") return quoteToBook(talk);
  if (!isNegotiating) return [await bookWhatIsAgreed(talk)];
  const accepted = await accept(talk);
  return accepted.outcome === "accepted" ? [accepted, await bookWhatIsAgreed(talk)] : [accepted];
};

export const readDeal = (talk: Talk): Promise<Spoken> | Spoken => {
  const { deal_id: id } = talk.memory.terms;
  if (typeof id !== "string") return clarify("deals", "Which deal do you mean? Give its deal ID.");
  return ask(talk, "deals", { name: "get_deal", input: { deal_id: id } }, (output) => {
    const how = Object.values((output["activation_instructions"] ?? {}) as Record<string, string>).join(" ");
    const price = usd(priceOf(output));
    const text = `Deal ID ${String(output["deal_id"])} is ${String(output["status"])} at ${price} CPM. ${how}`;
    return { outcome: "answer", result: output, text };
  });
};
