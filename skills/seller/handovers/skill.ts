import type { z } from "zod";
import { handoverMachine, newHandover } from "../../../machines/handover/machine.ts";
import { step } from "../../../machines/step.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { readPage } from "../../../protocol/seam/paging.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import type { Kind } from "../../../storage/store.ts";
import { dealKind } from "../deals/record.ts";
import { negotiationKind } from "../negotiation/record.ts";
import type { SellerContext } from "../context.ts";
import { quoteKind } from "../pricing/record.ts";
import { proposalKind } from "../proposals/record.ts";
import { principalOf } from "../principal.ts";
import * as contract from "./contract.ts";
import { handoverEvent, handoverIdOf, handoverKind, type HandoverRow, handoverTerm } from "./record.ts";
import { handoverViews } from "./view.ts";

type Asked = z.output<typeof contract.requestHandover.input>;

/** Records of others are left out like missing ones. */
const recordsIn = async (context: SellerContext, asked: Asked): Promise<HandoverRow["records"]> => {
  const isOwn = async (kind: Kind<{ readonly owner: string }>, id: string): Promise<boolean> =>
    (await context.load(kind, id))?.body.owner === context.caller.owner;
  const checks = [
    ["product_id", asked.product_id, (id: string) => Promise.resolve(context.ports.catalog.get(id) !== null)],
    ["quote_id", asked.quote_id, (id: string) => isOwn(quoteKind, id)],
    ["proposal_id", asked.proposal_id, (id: string) => isOwn(proposalKind, id)],
    ["negotiation_id", asked.negotiation_id, (id: string) => isOwn(negotiationKind, id)],
    ["deal_id", asked.deal_id, (id: string) => isOwn(dealKind, id)],
  ] as const;
  const kept = await Promise.all(
    checks.map(async ([name, id, isKept]) => (id != null && (await isKept(id)) ? ([[name, id]] as const) : [])),
  );
  return Object.fromEntries(kept.flat());
};

const viewOf = async (context: SellerContext, row: HandoverRow) => {
  const [shown] = await handoverViews(context, [row]);
  if (shown === undefined) throw new Error("One row has one view.");
  return shown;
};

export const requestHandover = defineOperation(contract.requestHandover, async (context: SellerContext, input) => {
  const { nowMs, caller } = context;
  const { words, context_id: contextId = null } = input;
  const id = handoverIdOf(caller.owner);
  const loaded = await context.load(handoverKind, id);
  const fresh = { handover_id: id, owner: caller.owner, records: await recordsIn(context, input) };
  if (loaded === null) {
    const row = { ...fresh, revision: 1, life: newHandover({ words, contextId, askedAtMs: nowMs }) };
    return {
      output: await viewOf(context, row),
      meta: { revision: 1 },
      changes: [create(handoverKind, id, row)],
      events: [handoverEvent("handover.requested", row, { words })],
    };
  }
  const before = loaded.body;
  const life = step(handoverMachine, before.life, { type: "ASK", nowMs, words, contextId });
  if (life === null) throw new Error("A person can be asked for at any time.");
  const isNew = before.life.value === "answered";
  const [old, now] = [before.life.context, life.context];
  if (!isNew && old.words === now.words && old.contextId === now.contextId) {
    return { output: await viewOf(context, before), meta: { revision: before.revision } };
  }
  const row: HandoverRow = { ...before, ...(isNew ? fresh : {}), life, revision: before.revision + 1 };
  return {
    output: await viewOf(context, row),
    meta: { revision: row.revision },
    changes: [update(handoverKind, loaded, row)],
    events: isNew ? [handoverEvent("handover.requested", row, { words })] : [],
  };
});

export const listHandovers = defineOperation(contract.listHandovers, async (context: SellerContext, input) => {
  const owner = isOperator(context.caller) ? null : context.caller.owner;
  const listing = { kind: handoverKind, term: handoverTerm(owner, input.open), order: "newest" } as const;
  const { rows, page } = await readPage(context, listing, input);
  const handovers = await handoverViews(
    context,
    rows.map(({ body }) => body),
  );
  return { output: { handovers, ...page } };
});

export const answerHandover = defineOperation(contract.answerHandover, async (context: SellerContext, input) => {
  const { nowMs, caller } = context;
  const loaded = await context.own(handoverKind, input.handover_id, "handover_not_found");
  context.matchRevision(loaded.body.revision);
  const { text } = input;
  const life = step(handoverMachine, loaded.body.life, { type: "ANSWER", nowMs, text, by: principalOf(caller) });
  if (life === null) return refuse("handover_answered");
  const row: HandoverRow = { ...loaded.body, life, revision: loaded.body.revision + 1 };
  return {
    output: await viewOf(context, row),
    meta: { revision: row.revision },
    changes: [update(handoverKind, loaded, row)],
    events: [handoverEvent("handover.answered", row, { words: life.context.words, answer: text })],
  };
});
