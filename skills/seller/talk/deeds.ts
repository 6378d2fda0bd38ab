import { costOf } from "./memory.ts";
import type { z } from "zod";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import type { Deed, Rendered } from "../../talk/gate/gate.ts";
import type { Found, Readable, ReadContext } from "../../talk/gate/read-context.ts";
import { getChangeRequest } from "../change-requests/contract.ts";
import { getDeal } from "../deals/contract.ts";
import { getNegotiationStatus } from "../negotiation/contract.ts";
import { getQuote } from "../pricing/contract.ts";
import { getProduct } from "../products/contract.ts";
import { getProposal } from "../proposals/contract.ts";
import { count, money, type Sale, saleOf, saleOfProposal, saleText, shortText } from "./wording.ts";

type Input = Readonly<Record<string, unknown>>;
type Quote = z.output<typeof getQuote.output>;
type Deal = z.output<typeof getDeal.output>;

const gone = (message: string): Found<never> => ({ kind: "refused", refusal: refuse("invalid_status", { message }) });

const done = (rendered: Rendered): Found<Rendered> => ({ kind: "done", output: rendered });

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The record that the input names, or why there is none; `of` reads it. */
const ofRecord =
  <I extends z.ZodType, O extends z.ZodType>(
    contract: Readable<I, O>,
    id: string,
    of: (record: z.output<O>, input: Input) => Found<Rendered>,
  ): Deed["render"] =>
  async (context, input) => {
    const found = await context.call(contract, { [id]: String(input[id]) } as z.input<I>);
    return found.kind === "refused" ? found : of(found.output, input);
  };

const openQuote = (quote: Quote): Found<Rendered> | null =>
  quote.status === "available" ? null : gone(`Quote ${quote.quote_id} is ${quote.status}: nothing is open of it.`);

const bookDeal: Deed = {
  operation: "book_deal",
  orders: () => ["book", "accept"],
  byId: (id) => (id.startsWith("qt-") ? { quote_id: id } : null),
  carry: (input, references) => {
    const notes = typeof input["notes"] === "string" ? [input["notes"]] : [];
    const added = references.filter((one) => !notes.some((note) => note.toUpperCase().includes(one)));
    return { ...input, notes: [...notes, ...added].join("; ") };
  },
  render: ofRecord(getQuote, "quote_id", (quote, { notes }) => {
    const sale = saleOf(quote);
    const carried = typeof notes === "string" ? ` It carries: ${notes}.` : "";
    return (
      openQuote(quote) ??
      done({
        label: `Book quote ${quote.quote_id}: ${shortText(sale)}${carried === "" ? "" : ` (${String(notes)})`}`,
        terms: `Book quote ${quote.quote_id}: ${saleText(sale)}.${carried}`,
        revisions: [quote.status, quote.expires_at, quote.pricing, quote.terms],
        expiresAtMs: Date.parse(quote.expires_at),
      })
    );
  }),
};

type Proposal = z.output<typeof getProposal.output>;

const proposedSale = async (context: ReadContext, proposal: Proposal, cpm: unknown): Promise<Sale> => {
  const id = String(proposal["product_id"]);
  const product = await context.call(getProduct, { product_id: id });
  return saleOfProposal(proposal, product.kind === "done" ? String(product.output.name) : id, cpm);
};

const generateDeal: Deed = {
  operation: "generate_deal",
  orders: () => ["book", "accept"],
  byId: (id) => (id.startsWith("prop-") ? { proposal_id: id } : null),
  render: async (context, input) => {
    const id = String(input["proposal_id"]);
    const found = await context.call(getProposal, { proposal_id: id });
    if (found.kind === "refused") return found;
    const { status, agreed_price: price, terms_digest: digest } = found.output;
    if (status !== "accepted" || price == null)
      return gone(`Proposal ${id} is ${status}: only an agreed one is booked.`);
    const sale = await proposedSale(context, found.output, price);
    return done({
      label: `Book proposal ${id}: ${shortText(sale)}`,
      terms: `Book proposal ${id}: ${saleText(sale)}.`,
      revisions: [status, price, digest],
    });
  },
};

/** What is negotiated, with our last price; null: not begun. */
interface Bargain {
  readonly sale: Sale;
  readonly last: number | null;
  readonly revisions: readonly unknown[];
}

const bargainOf = async (context: ReadContext, input: Input): Promise<Found<Bargain>> => {
  const id = text(input["negotiation_id"]);
  const found = id === null ? null : await context.call(getNegotiationStatus, { negotiation_id: id });
  if (found?.kind === "refused") return found;
  if (found !== null && found.output.status !== "active")
    return gone(`Negotiation ${id} is ${found.output.status}: it takes no more answers.`);
  const about = found?.output ?? input;
  const last = found?.output.round?.seller_price ?? null;
  const state = [found?.output.status, found?.output.rounds_remaining, last];
  const quoteId = text(about["quote_id"]);
  if (quoteId !== null) {
    const quote = await context.call(getQuote, { quote_id: quoteId });
    if (quote.kind === "refused") return quote;
    const closed = openQuote(quote.output);
    if (closed?.kind === "refused") return closed;
    return { kind: "done", output: { sale: saleOf(quote.output), last, revisions: [...state, quote.output.pricing] } };
  }
  const proposal = await context.call(getProposal, { proposal_id: String(about["proposal_id"]) });
  if (proposal.kind === "refused") return proposal;
  const { status, price } = proposal.output;
  const sale = await proposedSale(context, proposal.output, last ?? price);
  return { kind: "done", output: { sale, last, revisions: [...state, status] } };
};

const subjectOf = (input: Input): string =>
  ["negotiation_id", "quote_id", "proposal_id"].flatMap((name) => text(input[name]) ?? []).join();

const negotiate: Deed["render"] = async (context, input) => {
  const found = await bargainOf(context, input);
  if (found.kind === "refused") return found;
  const { sale, last, revisions } = found.output;
  const { action, buyer_price: offered } = input;
  const cpm = action === "accept" ? last : Number(offered);
  const of = subjectOf(input);
  if (action === "reject")
    return done({ label: `End negotiation ${of}`, terms: `End negotiation ${of}: ${saleText(sale)}.`, revisions });
  if (cpm === null) return gone("There is no price of ours yet that could be accepted.");
  const price = money(cpm, sale.currency);
  const terms = saleText({ ...sale, cpm });
  if (action === "accept")
    return done({
      label: `Agree on ${price} CPM (${of})`,
      terms: `Agree on ${price} CPM for ${of}: ${terms}.`,
      revisions,
    });
  const what = action === "final_offer" ? "Make the final offer of" : "Offer";
  return done({ label: `${what} ${price} CPM (${of})`, terms: `${what} ${price} CPM for ${of}: ${terms}.`, revisions });
};

const submitProposal = ofRecord(getProduct, "product_id", ({ name }, input) => {
  const sale = saleOfProposal(input, String(name), input["price"]);
  return done({
    label: `Propose ${money(sale.cpm, sale.currency)} CPM: ${shortText(sale)}`,
    terms: `Propose ${saleText(sale)}.`,
    revisions: [name],
  });
});

/** Changes and cancellations are asked for while a deal runs. */
const runningDeal = (of: (deal: Deal, sale: Sale, input: Input) => Pick<Rendered, "label" | "terms">): Deed["render"] =>
  ofRecord(getDeal, "deal_id", (deal, input) =>
    deal.status === "proposed" || deal.status === "active"
      ? done({ ...of(deal, saleOf(deal), input), revisions: [deal.status, deal.pricing, deal.terms] })
      : gone(`Deal ${deal.deal_id} is ${deal.status}: nothing of it can be changed or cancelled.`),
  );

const asked = (label: string, { deal_id: id }: Deal, sale: Sale) => ({
  label: `${label} ${id}: ${shortText(sale)}`,
  terms: `${label} ${id}: ${saleText(sale)}. The seller reviews it.`,
});

const changeDeal = runningDeal((deal, sale, { impressions }) => {
  const volume = Number(impressions);
  const cost = money(costOf(sale.cpm, volume), sale.currency);
  const { terms } = asked("Ask to change deal", deal, sale);
  return {
    label: `Ask for ${count(volume)} impressions of deal ${deal.deal_id}, ${cost}`,
    terms: `${terms} New volume: ${count(volume)} impressions, ${cost} in total.`,
  };
});

const reschedule = runningDeal((deal, sale, { flight_start: start, flight_end: end }) => {
  const flight = `${text(start) ?? sale.start} to ${text(end) ?? sale.end ?? "an open end"}`;
  const { terms } = asked("Ask to move deal", deal, sale);
  return { label: `Ask to move deal ${deal.deal_id} to ${flight}`, terms: `${terms} New flight: ${flight}.` };
});

const plain = (label: string, revisions: readonly unknown[] = []): Found<Rendered> =>
  done({ label, terms: `${label}.`, revisions });

const withdrawProposal = ofRecord(getProposal, "proposal_id", ({ status }, { proposal_id: id }) =>
  plain(`Withdraw proposal ${String(id)}`, [status]),
);

const withdrawRequest = ofRecord(getChangeRequest, "cr_id", ({ status, change_type: type, change_request_id: id }) =>
  status === "pending_approval"
    ? done({
        label: `Take back request ${id}`,
        terms: `Take back request ${id} (${type}); the deal stays as it is.`,
        revisions: [status],
      })
    : gone(`Request ${id} is ${status}: it cannot be taken back any more.`),
);

const ofProduct = (what: string, of: (input: Input) => string = () => ""): Deed["render"] =>
  ofRecord(getProduct, "product_id", ({ name }, input) => plain(`${what} ${String(name)}${of(input)}`));

const requestQuote = ofProduct("Quote", ({ impressions, flight_start: start, flight_end: end }) => {
  const volume = typeof impressions === "number" ? `, ${count(impressions)} impressions` : "";
  const flight = text(start) === null ? "" : `, ${String(start)} to ${text(end) ?? "30 days later"}`;
  return `${volume}${flight}`;
});

/** A price is agreed by what only calls it fine, and booked by no such words. */
const answers = { accept: ["accept", "agree"], reject: ["decline"] } as const;

/** Reads that a menu offers: a pick runs them. */
const reads: readonly Deed[] = [
  { operation: "get_pricing", orders: () => [], render: ofProduct("Price of") },
  { operation: "check_avails", orders: () => [], render: ofProduct("Availability of") },
  { operation: "discover_inventory", orders: () => [], render: async () => plain("What is on sale") },
  { operation: "list_deals", orders: () => [], render: async () => plain("My deals") },
];

/** What a conversation with the seller may do, each with the words that order it. */
export const sellerDeeds: readonly Deed[] = [
  bookDeal,
  generateDeal,
  {
    operation: "negotiate",
    orders: ({ action }) => (action === "accept" || action === "reject" ? answers[action] : ["send"]),
    render: negotiate,
  },
  { operation: "submit_proposal", orders: () => ["send"], render: submitProposal },
  {
    operation: "cancel_deal",
    orders: () => ["cancel", "send"],
    render: runningDeal((deal, sale) => asked("Ask to cancel deal", deal, sale)),
  },
  { operation: "change_deal", orders: () => ["change", "send"], render: changeDeal },
  { operation: "reschedule_deal", orders: () => ["change", "send"], render: reschedule },
  { operation: "withdraw_proposal", orders: () => ["withdraw", "send"], render: withdrawProposal },
  { operation: "withdraw_change_request", orders: () => ["withdraw", "send"], render: withdrawRequest },
  {
    operation: "request_handover",
    orders: () => ["hand over", "send"],
    render: async () => done({ label: "Talk to a person", terms: "Pass your words on to a person.", revisions: [] }),
  },
  { operation: "request_quote", orders: () => ["quote"], render: requestQuote },
  ...reads,
];
