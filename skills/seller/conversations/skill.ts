import type { z } from "zod";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { missing } from "../../../protocol/neutral/refusals.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { readPage } from "../../../protocol/seam/paging.ts";
import { type ConversationRow, conversationKind, memoryOf } from "../talk/memory.ts";
import { conversationIdOf, conversationTerm, exchangeKind, type ExchangeRow } from "../talk/exchanges.ts";
import { buyerNames } from "../portfolio/buyer-names.ts";
import type { SellerContext } from "../context.ts";
import * as contract from "./contract.ts";

type View = z.input<typeof contract.listConversations.output>["conversations"][number];
type Exchange = z.input<typeof contract.getConversation.output>["exchanges"][number];

const viewsOf = async (context: SellerContext, rows: readonly ConversationRow[]): Promise<View[]> => {
  const names = await buyerNames(
    context,
    rows.map(({ owner }) => owner),
  );
  return rows.map(({ owner, context_id, exchanges = 0, memory, updated_at_ms: updatedAtMs }) => ({
    conversation_id: conversationIdOf(owner, context_id),
    context_id,
    buyer: owner,
    buyer_name: names.get(owner) ?? null,
    message_count: exchanges,
    agreed_count: memoryOf(memory).agreed,
    updated_at: isoTime(updatedAtMs),
  }));
};

const exchangeView = ({ said, answered, understood, shown, agreed, at_ms: atMs }: ExchangeRow): Exchange => ({
  said,
  answered,
  understood: understood.map((one) => ({ ...one })),
  shown: shown.map((offer) => ({ ...offer, change: offer.change === null ? null : { ...offer.change } })),
  agreed: agreed.map(({ atMs: agreedAtMs, change, ...taken }) => ({
    ...taken,
    change: change === null ? null : { ...change },
    at: isoTime(agreedAtMs),
  })),
  at: isoTime(atMs),
});

export const listConversations = defineOperation(contract.listConversations, async (context: SellerContext, input) => {
  const { rows, page } = await readPage(context, { kind: conversationKind, term: null, order: "newest" }, input);
  const conversations = await viewsOf(
    context,
    rows.map(({ body }) => body),
  );
  return { output: { conversations, ...page } };
});

export const getConversation = defineOperation(contract.getConversation, async (context: SellerContext, input) => {
  const term = conversationTerm(input.conversation_id);
  const [found] = await context.list(conversationKind, { terms: [term], order: "newest", limit: 1 });
  const [view] = found === undefined ? [] : await viewsOf(context, [found.body]);
  if (view === undefined) return missing("not_found", input.conversation_id, "Conversation");
  const { rows, page } = await readPage(context, { kind: exchangeKind, term, order: "oldest" }, input);
  return { output: { ...view, exchanges: rows.map(({ body }) => exchangeView(body)), ...page } };
});
