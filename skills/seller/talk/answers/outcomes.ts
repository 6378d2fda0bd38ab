import { type Talk, read, type SpokenOutcome, type Spoken, ask } from "../spoken.ts";
import { type Slots, type Topic, focusOf, lastPriceOf, numberIn, topicFor, pick, rowsOfList } from "../memory.ts";
import { type Sale, saleIn, saleOfProposal, saleText, money, targetingNote } from "../wording.ts";
import { agreementOn, bookingOf, dealOf } from "../drafts.ts";
import { nameOf } from "./discovery.ts";
import type { Draft } from "../../../talk/gate/record.ts";

/** The quote, or else the proposal, that a negotiation is about. */
export const recordFor = async (talk: Talk, { quote_id: quote, proposal_id: proposal }: Slots) =>
  (typeof quote === "string" ? await read(talk, "get_quote", { quote_id: quote }) : null) ??
  (typeof proposal === "string" ? await read(talk, "get_proposal", { proposal_id: proposal }) : null);

/** Of a proposal at a price, or of a quote, whose own is the default. */
export const saleOfRecord = (talk: Talk, record: Slots, cpm: unknown): Sale =>
  record["product"] === undefined
    ? saleOfProposal(record, nameOf(talk, String(record["product_id"])), cpm)
    : { ...saleIn(record), ...(typeof cpm === "number" ? { cpm } : {}) };

export const bargainWords = async (talk: Talk, output: Slots, cpm: number): Promise<string> => {
  const record = await recordFor(talk, output);
  return record === null ? "" : saleText(saleOfRecord(talk, record, cpm));
};

const outcomeOf = (output: Slots): SpokenOutcome => {
  if (output["status"] === "accepted") return "accepted";
  if (output["status"] !== "active") return "rejected";
  return output["approval_id"] == null ? "counter" : "pending";
};

const roundText = (output: Slots): string => {
  const round = output["round"] as Slots | null | undefined;
  const { currency } = output;
  if (output["status"] === "accepted") return `Agreed at ${money(output["agreed_price"], currency)} CPM.`;
  if (output["status"] === "rejected") return "The negotiation is over without an agreement.";
  if (output["status"] === "expired") return "The negotiation has expired. Ask for a new quote.";
  const cpm = money(round?.["seller_price"], currency);
  if (output["approval_id"] != null) return `A person here has to decide first. Our last price is ${cpm} CPM.`;
  return output["last_offer"] === true || round?.["action"] === "final_offer"
    ? `Our last offer is ${cpm} CPM; it will not go lower.`
    : `We can do ${cpm} CPM. Rounds left: ${String(output["rounds_remaining"])}.`;
};

const recordDrafts = ({ quote_id: quoteId, proposal_id: proposalId }: Slots): readonly Draft[] =>
  typeof proposalId === "string" ? [dealOf(proposalId)] : typeof quoteId === "string" ? [bookingOf(quoteId)] : [];

const topicWith = (talk: Talk, output: Slots, cpm: number | null): Topic | null => {
  const focus = focusOf(talk.memory);
  const product = typeof output["product_id"] === "string" ? output["product_id"] : (focus?.product ?? null);
  if (product === null) return null;
  const before = topicFor(talk.memory, product)?.terms ?? talk.memory.terms;
  return {
    product,
    terms: { ...before, product_id: product, ...pick(output, ["quote_id", "proposal_id", "negotiation_id"]) },
    cpm,
    isOver: output["status"] === "rejected",
  };
};

/** What the negotiation answered: agreed is not booked, so the booking is shown for the order that follows. */
export const negotiated = async (talk: Talk, output: Slots, offered: Slots): Promise<Spoken> => {
  const outcome = outcomeOf(output);
  const cpm = outcome === "accepted" ? numberIn(output["agreed_price"]) : lastPriceOf(output);
  const topic = topicWith(talk, output, cpm);
  const base = {
    skill: "negotiation" as const,
    outcome,
    result: output,
    about: {
      ...talk.memory.terms,
      ...pick(output, ["quote_id", "proposal_id", "negotiation_id"]),
      ...pick(offered, ["target_cpm"]),
    },
    learnt: { negotiation_id: output["negotiation_id"], ...(outcome === "accepted" ? { target_cpm: null } : {}) },
    ...(topic === null ? {} : { topic }),
  };
  const words = cpm === null ? "" : await bargainWords(talk, output, cpm);
  if (outcome === "accepted")
    return {
      ...base,
      text: `${roundText(output)} ${words}.`,
      drafts: recordDrafts(output),
      asks: "Shall I book it?",
    };
  if (outcome !== "counter") return { ...base, text: roundText(output) };
  return {
    ...base,
    text: `${roundText(output)} That is ${words}.`,
    drafts: [agreementOn(output["negotiation_id"], cpm)],
    asks: "Shall we agree on that price, or what is yours?",
  };
};

const proposalOutcome: Readonly<Record<string, SpokenOutcome>> = {
  accepted: "accepted",
  counter_pending: "counter",
  pending_approval: "pending",
  rejected: "rejected",
};

/** What a proposal may be answered with: booked where it is accepted, agreed on where we named other terms. */
const draftsOfProposal = (output: Slots, counter: Slots | null | undefined): readonly Draft[] => {
  if (output["status"] === "accepted") return [dealOf(output["proposal_id"])];
  return counter == null ? [] : [agreementOn(output["negotiation_id"], counter["proposed_price"])];
};

export const proposed = (talk: Talk, output: Slots): Spoken => {
  const id = String(output["proposal_id"]);
  const counter = output["counter_terms"] as Slots | null | undefined;
  const product = String(output["product_id"]);
  const status = String(output["status"]);
  const note = targetingNote(talk.memory.terms);
  const price = status === "accepted" ? output["agreed_price"] : (counter?.["proposed_price"] ?? output["price"]);
  const terms = saleText(
    saleOfProposal(
      counter?.["max_impressions"] == null ? output : { ...output, impressions: counter["max_impressions"] },
      nameOf(talk, product),
      price,
    ),
  );
  const errors = rowsOfList(output, "errors").map(({ detail }) => String(detail));
  const why = typeof output["status_reason"] === "string" ? [`${output["status_reason"]}.`] : [];
  const texts: Readonly<Record<string, string>> = {
    accepted: `Proposal ${id} is accepted: ${terms}.${note}`,
    counter_pending: `Proposal ${id}: we can do ${terms}.${note}`,
    pending_approval: `Proposal ${id} waits for a person's approval.`,
  };
  const drafts = draftsOfProposal(output, counter);
  const ids = { proposal_id: id, ...pick(output, ["negotiation_id"]) };
  return {
    skill: "proposals",
    outcome: proposalOutcome[status] ?? "refuse",
    result: output,
    text: texts[status] ?? [`Proposal ${id} is ${status}.`, ...errors, ...why].join(" "),
    drafts,
    ...(drafts.length === 0
      ? {}
      : { asks: status === "accepted" ? "Shall I book it?" : "Shall we agree on that price?" }),
    learnt: { ...ids, quote_id: null, deal_id: null, negotiation_id: output["negotiation_id"] ?? null },
    topic: {
      product,
      terms: {
        product_id: product,
        ...ids,
        ...pick(output, ["impressions", "deal_type"]),
        flight_start: output["start_date"],
        flight_end: output["end_date"],
      },
      cpm: numberIn(price),
      isOver: status === "rejected",
    },
  };
};

export const readNegotiation = (talk: Talk, id: string): Promise<Spoken> =>
  ask(talk, "negotiation", "get_negotiation_status", { negotiation_id: id }, (output) => {
    const last = lastPriceOf(output);
    const drafts = output["status"] === "active" && last !== null ? [agreementOn(id, last)] : [];
    return { text: `Negotiation ${id}: ${roundText(output)}`, drafts };
  });
