import { slotOfDate } from "../../../machines/inventory/dates.ts";
import { fromMicros, toMicros } from "../../../machines/money.ts";
import { negotiationMachine, type NegotiationEvent } from "../../../machines/negotiation/machine.ts";
import { lastSellerMicros, madeFinalOffer, offerOutcome } from "../../../machines/negotiation/rounds.ts";
import { lowestPriceMicros } from "../../../machines/pricing/price.ts";
import { mayNegotiate, type Tier, tierOfIdentity } from "../../../machines/pricing/tiers.ts";
import { step } from "../../../machines/step.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import type { Context, Loaded } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal, refuse, missing } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { Change } from "../../../storage/store.ts";
import { gateFor, type RaisedApproval } from "../approvals/gate.ts";
import { quoteKind, type QuoteRow, settledQuote } from "../pricing/record.ts";
import { soldById } from "../packages/sold.ts";
import { newNegotiationId } from "../ids.ts";
import { isPreview, ownPriceRefusal } from "../pricing/rules.ts";
import { proposalKind, type ProposalRow, settledProposal } from "../proposals/record.ts";
import { waitingNegotiation } from "./approval.ts";
import type { Subject } from "./effects.ts";
import { heardChanges, heardFromCaller, heardFromOwner, withHeard } from "./offers.ts";
import { negotiationOfQuote } from "./opening.ts";
import { quoteClosedRefusal } from "./quote-price.ts";
import { negotiationKind, type NegotiationRow, quoteTerm, settledNegotiation, withLife } from "./record.ts";
import type { SellerContext } from "../context.ts";

/** In units, as it arrived. */
export interface Message {
  readonly action: "counter" | "final_offer" | "accept" | "reject";
  readonly price: number | null;
  readonly currency: string | null;
  readonly roundNumber: number | null;
  /** What the buyer wrote beside it. */
  readonly words: string;
}

/** All must belong to one negotiation. */
export interface Named {
  readonly negotiationId: string | null;
  readonly proposalId: string | null;
  readonly quoteId: string | null;
}

const ttlOf = ({ ports }: SellerContext): number => Math.round(ports.settings.quoteTtlSeconds * 1000);

/** An operator cannot speak for a buyer; a dry run only tells it what the rules would answer that buyer. */
export const isRehearsal = ({ caller, dryRun }: SellerContext): boolean => dryRun && isOperator(caller);

/** Its identity would do; what lacks is for the seller to set. */
const agentMessage = ({ caller, ports }: SellerContext, tier: Tier): string | null => {
  const claimed = tierOfIdentity(caller.identity);
  if (!caller.verified || isOperator(caller) || !mayNegotiate(ports.settings.pricing.tiers[claimed])) return null;
  const agent = caller.boundAgentUrl ?? "that the request names";
  return (
    `Your verified identity gives the tier ${claimed}, which negotiates, but the seller's trust in your agent ` +
    `${agent} allows ${tier} at most. Ask an operator of the seller to set it with set_agent_trust.`
  );
};

export const tierRefusal = (context: SellerContext, tier = context.tier): Refusal | null => {
  if (mayNegotiate(context.ports.settings.pricing.tiers[tier])) return null;
  const message = agentMessage(context, tier);
  return refuse("negotiation_not_allowed", message === null ? {} : { message });
};

const latestOf = async (context: Context, quoteId: string): Promise<Loaded<NegotiationRow> | null> => {
  const [found] = await context.list(negotiationKind, { terms: [quoteTerm(quoteId)], order: "newest", limit: 1 });
  return found ?? null;
};

const subjectOf = async (context: SellerContext, loaded: Loaded<NegotiationRow>): Promise<Subject> => {
  const { proposal_id: proposalId, quote_id: quoteId } = loaded.body;
  return {
    loaded,
    row: settledNegotiation(loaded.body, context.nowMs),
    proposal: proposalId === null ? null : await context.load(proposalKind, proposalId),
    quote: quoteId === null ? null : await context.load(quoteKind, quoteId),
  };
};

const opened = async (context: SellerContext, quote: Loaded<QuoteRow>): Promise<Subject | Refusal> => {
  const row = settledQuote(quote.body, context.nowMs);
  const closed = quoteClosedRefusal(row, context.nowMs);
  if (closed !== null) return closed;
  const { settings } = context.ports;
  const item = await soldById(context, row.product.product_id, slotOfDate(row.flight_start));
  const { priceMicros } = row.life.context;
  const floorMicros = lowestPriceMicros(item === null ? priceMicros : item.floor_cpm_micros, settings.pricing);
  const opening = {
    negotiationId: context.mint(newNegotiationId),
    nowMs: context.nowMs,
    ttlMs: ttlOf(context),
    dialect: context.dialect,
    limits: settings.negotiation,
    ...(isRehearsal(context)
      ? { owner: row.owner, tier: row.tier }
      : { owner: context.caller.owner, tier: context.tier }),
  };
  return { loaded: null, row: negotiationOfQuote(row, opening, floorMicros), proposal: null, quote };
};

const noTalk = (row: ProposalRow): Refusal =>
  row.life.value === "pending_approval" ? refuse("approval_pending") : refuse("negotiation_closed");

const bySubject = async (context: SellerContext, named: Named): Promise<Subject | Refusal> => {
  if (named.negotiationId !== null) {
    return subjectOf(context, await context.own(negotiationKind, named.negotiationId, "negotiation_not_found"));
  }
  if (named.proposalId !== null) {
    const proposal = await context.own(proposalKind, named.proposalId, "proposal_not_found");
    const { negotiation_id: id } = proposal.body;
    if (id === null) return noTalk(settledProposal(proposal.body, context.nowMs));
    return subjectOf(context, await context.own(negotiationKind, id, "proposal_not_found", named.proposalId));
  }
  const quote = await context.own(quoteKind, named.quoteId ?? "", "quote_not_found");
  const latest = await latestOf(context, quote.id);
  // Several may know the id of an anonymous quote; its negotiation belongs to the one who began it.
  if (latest !== null) {
    return subjectOf(context, await context.own(negotiationKind, latest.id, "quote_not_found", quote.id));
  }
  const isHeld = quote.body.life.context.openNegotiationId !== null;
  return isHeld ? refuse("approval_pending") : opened(context, quote);
};

/** An id that does not belong to it finds nothing. */
export const findSubject = async (context: SellerContext, named: Named): Promise<Subject | Refusal> => {
  const subject = await bySubject(context, named);
  if (isRefusal(subject)) return subject;
  const { row } = subject;
  if (named.proposalId !== null && row.proposal_id !== named.proposalId)
    return missing("proposal_not_found", named.proposalId);
  if (named.quoteId !== null && row.quote_id !== named.quoteId) return missing("quote_not_found", named.quoteId);
  return subject;
};

/** Missing and foreign return the same. */
export const negotiationAbout = async (context: SellerContext, id: string): Promise<Loaded<NegotiationRow>> => {
  const proposal = await context.load(proposalKind, id);
  const found = proposal === null ? await latestOf(context, id) : null;
  const negotiationId = proposal?.body.negotiation_id ?? found?.id ?? "";
  return context.own(negotiationKind, negotiationId, "negotiation_not_found", id);
};

const closedRefusal = (context: SellerContext, { row, quote }: Subject, action: Message["action"]): Refusal | null => {
  if (row.life.value !== "active") return refuse("negotiation_closed");
  const settled = quote === null ? null : settledQuote(quote.body, context.nowMs);
  const closed = settled === null ? null : quoteClosedRefusal(settled, context.nowMs);
  if (closed !== null) return closed.code === "quote_not_found" ? refuse("negotiation_closed") : closed;
  return row.life.context.held !== null && action !== "reject" ? refuse("approval_pending") : null;
};

/** An acceptance must not name less than the seller's last price. */
const priceIn = (row: NegotiationRow, message: Message): number | null | Refusal => {
  if (message.currency !== null && message.currency !== row.currency) {
    const text = `This product is priced in ${row.currency} only.`;
    return refuse("currency_mismatch", { message: text, extras: { currency: row.currency } });
  }
  if (message.price === null) return null;
  const micros = toMicros(message.price);
  if (micros === null) {
    return fieldRefusal("buyer_price", "A price has at most six decimals and is at most 4,000,000,000.");
  }
  const asked = lastSellerMicros(row.life.context);
  if (message.action !== "accept" || micros >= asked) return micros;
  return fieldRefusal("buyer_price", `The seller's last price is ${fromMicros(asked)}. Accept it, or send a counter.`);
};

const roundRefusal = (row: NegotiationRow, roundNumber: number | null): Refusal | null => {
  const next = row.life.context.rounds.length + 1;
  if (roundNumber === null || roundNumber === next) return null;
  return refuse("round_mismatch", { message: `Round ${next} comes next.`, extras: { next_round: next } });
};

/** Only an acceptance or final offer of the seller waits; a final offer that is repeated was decided before. */
const gateOf = (context: SellerContext, row: NegotiationRow, offerMicros: number): RaisedApproval | null => {
  const { action, sellerMicros } = offerOutcome(row.life.context, offerMicros, context.nowMs).round;
  const isNew = action === "accept" || (action === "final_offer" && !madeFinalOffer(row.life.context));
  if (!isNew) return null;
  const priceMicros = Math.min(sellerMicros, row.life.context.ceilingMicros);
  const terms = { priceMicros, impressions: row.impressions, currency: row.currency };
  return gateFor(context, "negotiation", terms, () => waitingNegotiation(row, { action, offerMicros, priceMicros }));
};

interface Said {
  readonly after: NegotiationRow;
  readonly gate: RaisedApproval | null;
  /** Of what is kept about all offers of the buyer. */
  readonly heard: readonly Change[];
  /** The offer that is not answered. */
  readonly unansweredMicros: number | null;
}

const offered = async (context: SellerContext, row: NegotiationRow, offerMicros: number): Promise<Said | Refusal> => {
  const { nowMs } = context;
  const { product_id: productId } = row.product;
  const heard = await (isRehearsal(context)
    ? heardFromOwner(context, row.owner, productId)
    : heardFromCaller(context, productId));
  const before = { ...row.life, context: withHeard(row.life.context, heard, nowMs) };
  const known = { ...row, life: before };
  if (isPreview(context)) return { after: known, gate: null, heard: [], unansweredMicros: offerMicros };
  const limited = isRehearsal(context) ? null : await ownPriceRefusal(context, productId);
  if (limited !== null) return limited;
  const gate = gateOf(context, known, offerMicros);
  const event = { type: "OFFER", nowMs, priceMicros: offerMicros, approvalId: gate?.approvalId ?? null } as const;
  const after = stepped(known, event, nowMs);
  const isHeld = after.life.context.held !== null;
  const changes = heardChanges(heard, before.context, after.life.context, { nowMs, isHeld });
  return { after, gate, heard: changes, unansweredMicros: null };
};

const stepped = (row: NegotiationRow, event: NegotiationEvent, nowMs: number): NegotiationRow => {
  const life = step(negotiationMachine, row.life, event);
  if (life === null) throw new Error(`The negotiation ${row.negotiation_id} did not take ${event.type}.`);
  return withLife(row, life, nowMs);
};

const answerTo = async (context: SellerContext, subject: Subject, message: Message): Promise<Said | Refusal> => {
  const { row } = subject;
  const { nowMs } = context;
  const closed = closedRefusal(context, subject, message.action) ?? roundRefusal(row, message.roundNumber);
  if (closed !== null) return closed;
  const priceMicros = priceIn(row, message);
  if (isRefusal(priceMicros)) return priceMicros;
  if (message.action === "counter" || message.action === "final_offer") return offered(context, row, priceMicros ?? 0);
  const after = stepped(row, { type: message.action === "accept" ? "ACCEPT" : "REJECT", nowMs }, nowMs);
  return { after, gate: null, heard: [], unansweredMicros: null };
};

/** Stores nothing. */
export const say = async (context: SellerContext, subject: Subject, message: Message): Promise<Said | Refusal> => {
  const said = await answerTo(context, subject, message);
  const round = isRefusal(said) ? undefined : said.after.life.context.rounds.at(-1);
  if (isRefusal(said) || round === undefined || message.words === "") return said;
  const words = { ...said.after.words, [round.roundNumber]: message.words };
  return { ...said, after: { ...said.after, words } };
};
