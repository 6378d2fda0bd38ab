import { create } from "../../../protocol/seam/changes.ts";
import {
  type ConversationRow,
  conversationId,
  conversationKind,
  newMemory,
} from "../../../skills/seller/talk/memory.ts";
import { conversationIdOf, exchangeKind, type ExchangeRow } from "../../../skills/seller/talk/exchanges.ts";
import { type Listed, listedRows } from "./listed.ts";

const [owner, contextId] = ["agency:agency-bench", "talk-bench"];

const conversation: ConversationRow = {
  owner,
  context_id: contextId,
  memory: newMemory,
  exchanges: 1,
  updated_at_ms: Date.now(),
};

const conversation_id = conversationIdOf(owner, contextId);

const exchange: ExchangeRow = {
  owner,
  conversation_id,
  said: "price of CTV",
  answered: "CTV Premium Streaming costs $35.00 CPM (USD).",
  understood: [{ skill: "pricing", outcome: "answer" }],
  shown: [],
  agreed: [],
  at_ms: Date.now(),
};

export const conversationRows: Readonly<Record<string, Listed>> = {
  list_conversations: listedRows<ConversationRow>(conversationKind, {
    first: () => Promise.resolve(conversation),
    like: (row, id) => ({ ...row, context_id: id }),
  }),
  get_conversation: listedRows<ExchangeRow>(exchangeKind, {
    fixed: { conversation_id },
    first: async ({ store }) => {
      const change = create(conversationKind, conversationId(owner, contextId), conversation);
      await store.commit({ changes: [change], audit: null });
      return exchange;
    },
    like: (row) => row,
  }),
};
