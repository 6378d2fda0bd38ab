import {
  newProposal,
  proposalMachine,
  type ProposalEvent,
  type ProposalInstance,
} from "../../../machines/proposal/machine.ts";
import { lastSellerMicros } from "../../../machines/negotiation/rounds.ts";
import { mayNegotiate } from "../../../machines/pricing/tiers.ts";
import { decideProposal } from "../../../machines/proposal/decision.ts";
import { step } from "../../../machines/step.ts";
import { create, unchanged, update } from "../../../protocol/seam/changes.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import { gateFor } from "../approvals/gate.ts";
import { newNegotiationId } from "../ids.ts";
import { roundEvent, startedEvent } from "../negotiation/events.ts";
import { heardChanges } from "../negotiation/offers.ts";
import { firstRound, negotiationOfProposal } from "../negotiation/opening.ts";
import { freedQuote, heldQuote } from "../negotiation/quote-price.ts";
import { negotiationKind, type NegotiationRow } from "../negotiation/record.ts";
import { pricedFromText, type PricingRecord } from "../terms.ts";
import { quoteKind, type QuoteRow } from "../pricing/record.ts";
import { waitingProposal } from "./approval.ts";
import { outcomeEvent, proposalEvent } from "./events.ts";
import { proposalKind, type ProposalRow, withLife } from "./record.ts";
import { type CheckedProposal, type Evaluation, frozenPlan } from "./rules.ts";
import type { SellerContext } from "../context.ts";

type Decided = Extract<Evaluation["outcome"], { readonly error: null }>;

interface Outcome {
  readonly row: ProposalRow;
  readonly negotiation: NegotiationRow | null;
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

const pricingOf = ({ item }: CheckedProposal, outcome: Evaluation["outcome"]): PricingRecord => ({
  base_micros: outcome.error === null ? outcome.price.baseMicros : 0,
  tier_discount_pct: outcome.error === null ? outcome.price.tierDiscountPct : 0,
  volume_discount_pct: outcome.error === null ? outcome.price.volumeDiscountPct : 0,
  currency: item.currency,
  pricing_model: item.pricing_models[0] ?? "cpm",
  rationale: outcome.error === null ? `${outcome.price.rationale}${pricedFromText(item)}` : "",
  ...(item.priced_from === undefined ? {} : { priced_from: item.priced_from }),
});

/** Its first step sets revision 1 and the digest. */
export const freshRow = (
  context: SellerContext,
  proposalId: string,
  asked: CheckedProposal,
  found: Evaluation,
): ProposalRow => {
  const { settings } = context.ports;
  const { item } = asked;
  const { outcome } = found;
  const decided = outcome.error === null ? outcome : null;
  return {
    proposal_id: proposalId,
    owner: context.caller.owner,
    quote_id: asked.quote?.row.quote_id ?? null,
    negotiation_id: null,
    approval: null,
    product: { product_id: item.product_id, name: item.name, inventory_type: item.inventory_type },
    parts: item.parts,
    deal_type: asked.dealType,
    pricing: pricingOf(asked, outcome),
    base_micros: decided?.baseMicros ?? 0,
    impressions: asked.impressions,
    flight_start: asked.flight.flightStart,
    flight_end: asked.flight.flightEnd,
    begun_on: asked.flight.begunOn,
    tier: context.tier,
    seller_id: settings.sellerId,
    recommendation: "reject",
    pricing_verified: found.check.verified,
    pricing_verification_reason: found.check.reason,
    errors: outcome.error === null ? [] : [outcome.error],
    audience_plan: frozenPlan(asked.plan),
    created_at_ms: context.nowMs,
    terms_digest: "",
    revision: 0,
    sandbox: settings.sandbox,
    life: newProposal({
      offeredMicros: asked.priceMicros,
      impressions: asked.impressions,
      ceilingMicros: decided?.ceilingMicros ?? asked.priceMicros,
      lowestMicros: decided?.lowestMicros ?? 0,
      expiresAtMs: asked.quote?.row.life.context.expiresAtMs ?? context.nowMs + ttlOf(context),
    }),
  };
};

/** Where nothing else limits it. */
const ttlOf = ({ ports }: SellerContext): number => Math.round(ports.settings.quoteTtlSeconds * 1000);

const stepped = (row: ProposalRow, event: ProposalEvent): ProposalInstance => {
  const life = step(proposalMachine, row.life, event);
  if (life === null) throw new Error(`The proposal ${row.proposal_id} could not take ${event.type}.`);
  return life;
};

const quoteChange = (
  asked: CheckedProposal,
  subjectId: string,
  nowMs: number,
  to: (held: QuoteRow) => QuoteRow | null,
): readonly Change[] => {
  if (asked.quote === null) return [];
  const held = heldQuote(asked.quote.row, subjectId, nowMs);
  const next = held === null ? null : to(held);
  if (next === null) throw new Error(`The quote ${asked.quote.row.quote_id} could not follow the proposal.`);
  return [update(quoteKind, asked.quote.loaded, next)];
};

const heldBack = (
  context: SellerContext,
  asked: CheckedProposal,
  fresh: ProposalRow,
  price: number,
): Outcome | null => {
  const { nowMs } = context;
  const impressions = offeredImpressions(fresh);
  const gate = gateFor(context, "proposal", { priceMicros: price, impressions, currency: fresh.pricing.currency }, () =>
    waitingProposal(fresh),
  );
  if (gate === null || fresh.recommendation === "reject") return null;
  const heldFor = fresh.recommendation;
  const life = stepped(fresh, { type: "HOLD", nowMs, heldFor, priceMicros: price, impressions });
  const approval = { approval_id: gate.approvalId, expires_at_ms: gate.expiresAtMs };
  const row = withLife(fresh, life, { approval });
  return {
    row,
    negotiation: null,
    changes: [
      create(proposalKind, row.proposal_id, row),
      ...quoteChange(asked, row.proposal_id, nowMs, (held) => held),
      gate.change,
    ],
    events: [gate.event],
  };
};

const offeredImpressions = (row: ProposalRow): number => row.life.context.impressions;

const accepted = (context: SellerContext, asked: CheckedProposal, fresh: ProposalRow): Outcome => {
  const { nowMs } = context;
  const priceMicros = Math.min(asked.priceMicros, fresh.life.context.ceilingMicros);
  const held = heldBack(context, asked, fresh, priceMicros);
  if (held !== null) return held;
  const bookableUntilMs = fresh.life.context.expiresAtMs;
  const row = withLife(fresh, stepped(fresh, { type: "ACCEPT", nowMs, priceMicros, bookableUntilMs }));
  const agreed = { micros: priceMicros, subjectId: row.proposal_id };
  return {
    row,
    negotiation: null,
    changes: [
      create(proposalKind, row.proposal_id, row),
      ...quoteChange(asked, row.proposal_id, nowMs, (quote) => freedQuote(quote, agreed, nowMs)),
    ],
    events: [],
  };
};

const countered = (
  context: SellerContext,
  asked: CheckedProposal,
  fresh: ProposalRow,
  negotiation: NegotiationRow,
): Outcome => {
  const { nowMs } = context;
  const { negotiation_id: negotiationId, impressions } = negotiation;
  const priceMicros = lastSellerMicros(negotiation.life.context);
  const held = heldBack(context, asked, fresh, priceMicros);
  if (held !== null) return held;
  const { expiresAtMs } = negotiation.life.context;
  const volume = impressions ?? fresh.impressions;
  const counter = stepped(fresh, { type: "COUNTER", nowMs, priceMicros, impressions: volume, expiresAtMs });
  const row = withLife(fresh, counter, { negotiation_id: negotiationId });
  return {
    row,
    negotiation,
    changes: [
      create(proposalKind, row.proposal_id, row),
      create(negotiationKind, negotiationId, negotiation),
      ...quoteChange(asked, negotiationId, nowMs, (quote) => quote),
    ],
    events: [startedEvent(negotiation), roundEvent(negotiation)],
  };
};

const closed = (context: SellerContext, asked: CheckedProposal, fresh: ProposalRow): Outcome => {
  const { nowMs } = context;
  const event: ProposalEvent =
    fresh.errors.length > 0
      ? { type: "FAIL", nowMs }
      : { type: "REJECT", nowMs, reason: "The price or the volume cannot be agreed" };
  const row = withLife(fresh, stepped(fresh, event));
  const check = asked.quote === null ? [] : [unchanged(quoteKind, asked.quote.loaded)];
  return { row, negotiation: null, changes: [create(proposalKind, row.proposal_id, row), ...check], events: [] };
};

/** With less volume than was asked for. */
const withVolume = (row: ProposalRow, impressions: number): ProposalRow => ({
  ...row,
  life: { ...row.life, context: { ...row.life.context, impressions } },
});

const decidedOutcome = (
  context: SellerContext,
  asked: CheckedProposal,
  draft: ProposalRow,
  { heard, availableImpressions }: Decided,
): Outcome => {
  const { nowMs } = context;
  const opening = {
    negotiationId: context.mint(newNegotiationId),
    nowMs,
    ttlMs: ttlOf(context),
    dialect: context.dialect,
    limits: context.ports.settings.negotiation,
  };
  const first = heard === null ? null : firstRound(draft, opening, heard);
  const answer = first?.after.context.rounds.at(-1)?.action ?? null;
  const { recommendation, offeredImpressions } = decideProposal({
    priceMicros: asked.priceMicros,
    ownMicros: draft.base_micros,
    impressions: asked.impressions,
    availableImpressions,
    mayCounter: mayNegotiate(context.ports.settings.pricing.tiers[context.tier]),
    answer,
  });
  const impressions = offeredImpressions ?? asked.impressions;
  const fresh = withVolume({ ...draft, recommendation }, impressions);
  const outcome =
    recommendation === "accept"
      ? accepted(context, asked, fresh)
      : recommendation === "reject"
        ? closed(context, asked, fresh)
        : countered(context, asked, fresh, negotiationOfProposal(fresh, opening, impressions, first));
  if (heard === null || first === null || recommendation === "reject") return outcome;
  const isHeld = outcome.row.life.value === "pending_approval";
  const kept = heardChanges(heard, first.before.context, first.after.context, { nowMs, isHeld });
  return { ...outcome, changes: [...outcome.changes, ...kept] };
};

/** Quote, negotiation and approval in one commit. */
export const outcomeOf = (
  context: SellerContext,
  proposalId: string,
  asked: CheckedProposal,
  found: Evaluation,
): Outcome => {
  const fresh = freshRow(context, proposalId, asked, found);
  const outcome =
    found.outcome.error === null ? decidedOutcome(context, asked, fresh, found.outcome) : closed(context, asked, fresh);
  const last = outcomeEvent(outcome.row);
  return {
    ...outcome,
    events: [
      proposalEvent("proposal.received", outcome.row),
      proposalEvent("proposal.evaluated", outcome.row),
      ...(last === null ? [] : [last]),
      ...outcome.events,
    ],
  };
};
