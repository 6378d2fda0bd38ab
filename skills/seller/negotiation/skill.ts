import { defineOperation, type EventDraft, recordMeta } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import { withdrawnApproval } from "../approvals/withdrawn.ts";
import { proposalKind } from "../proposals/record.ts";
import { quoteKind } from "../pricing/record.ts";
import * as contract from "./contract.ts";
import { endedStep } from "./ended.ts";
import { effectsOf } from "./effects.ts";
import { negotiationKind, type NegotiationRow, settledNegotiation } from "./record.ts";
import { findSubject, isRehearsal, type Message, type Named, negotiationAbout, say, tierRefusal } from "./rules.ts";
import { counterPreview, previewView } from "./preview.ts";
import { counterView, historyView, rehearsedView, standingView, statusView } from "./view.ts";
import type { SellerContext } from "../context.ts";

interface Answered {
  readonly row: NegotiationRow;
  readonly unansweredMicros: number | null;
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

/** An answer that a person was asked about, of a talk that the buyer ends meanwhile. */
const takenBack = async (context: SellerContext, before: NegotiationRow, after: NegotiationRow) => {
  const { held } = before.life.context;
  if (held === null || after.life.value === "active") return null;
  return withdrawnApproval(context, held.approvalId, "The buyer ended the price talk");
};

const answered = async (context: SellerContext, named: Named, message: Message): Promise<Answered | Refusal> => {
  const subject = await findSubject(context, named);
  if (isRefusal(subject)) return subject;
  const denied = isRehearsal(context) ? tierRefusal(context, subject.row.tier) : null;
  if (denied !== null) return denied;
  if (subject.loaded !== null) context.matchRevision(subject.row.revision);
  const said = await say(context, subject, message);
  if (isRefusal(said)) return said;
  const { unansweredMicros } = said;
  if (unansweredMicros !== null) return { row: said.after, unansweredMicros, changes: [], events: [] };
  const ttlMs = Math.round(context.ports.settings.quoteTtlSeconds * 1000);
  const effects = effectsOf(subject, said.after, context.nowMs, ttlMs);
  const { events } = effects;
  const changes = [...effects.changes, ...said.heard];
  const closing = await takenBack(context, subject.row, said.after);
  const asked = said.gate ?? closing;
  return {
    row: said.after,
    unansweredMicros,
    changes: asked === null ? changes : [...changes, asked.change],
    events: asked === null ? events : [...events, asked.event],
  };
};

/** One id may name a proposal or a quote; anything else is an unknown proposal. */
const namedOnRoute = async (context: SellerContext, id: string, quoteId: string | null): Promise<Named> => {
  if ((await context.load(proposalKind, id)) !== null) return { negotiationId: null, proposalId: id, quoteId };
  await context.own(quoteKind, id, "proposal_not_found");
  return { negotiationId: null, proposalId: null, quoteId: id };
};

export const counterProposal = defineOperation(contract.counterProposal, async (context: SellerContext, input) => {
  const denied = tierRefusal(context);
  if (denied !== null) return denied;
  const named = await namedOnRoute(context, input.proposal_id, input.quote_id ?? null);
  const action = input.action === "decline" ? "reject" : input.action;
  const price = action === "reject" ? null : (input.buyer_price ?? input.price ?? null);
  const message = { action, price, currency: input.currency ?? null, roundNumber: null, words: "" };
  const done = await answered(context, named, message);
  if (isRefusal(done)) return done;
  return {
    output: done.unansweredMicros === null ? counterView(done.row) : counterPreview(done.row, done.unansweredMicros),
    meta: { revision: done.row.revision },
    changes: done.changes,
    events: done.events,
  };
});

export const getNegotiation = defineOperation(contract.getNegotiation, async (context: SellerContext, input) => {
  const loaded = await negotiationAbout(context, input.proposal_id);
  const row = settledNegotiation(loaded.body, context.nowMs);
  const output = { ...historyView(context, row), ...(await endedStep(context, row)) };
  return { output, meta: recordMeta(row) };
});

export const negotiate = defineOperation(contract.negotiate, async (context: SellerContext, input) => {
  const denied = isRehearsal(context) ? null : tierRefusal(context);
  if (denied !== null) return denied;
  const named = {
    negotiationId: input.negotiation_id ?? null,
    proposalId: input.proposal_id ?? null,
    quoteId: input.quote_id ?? null,
  };
  const message = {
    action: input.action,
    price: input.buyer_price ?? null,
    currency: input.currency ?? null,
    roundNumber: input.round_number ?? null,
    words: input.rationale.trim(),
  };
  const done = await answered(context, named, message);
  if (isRefusal(done)) return done;
  // In the form of this message, whatever the first one's.
  const meta = { revision: done.row.revision, dialect: context.dialect };
  const { changes, events, unansweredMicros } = done;
  if (unansweredMicros !== null) return { output: previewView(done.row, unansweredMicros), meta };
  if (!isRehearsal(context)) return { output: standingView(done.row), meta, changes, events };
  return {
    output: rehearsedView(done.row),
    meta,
    changes,
    events,
    dryStep: "Nothing was done: only the buyer offers.",
  };
});

export const getNegotiationStatus = defineOperation(
  contract.getNegotiationStatus,
  async (context: SellerContext, input) => {
    const loaded = await context.own(negotiationKind, input.negotiation_id, "negotiation_not_found");
    const row = settledNegotiation(loaded.body, context.nowMs);
    return { output: { ...statusView(row), ...(await endedStep(context, row)) }, meta: recordMeta(row) };
  },
);
