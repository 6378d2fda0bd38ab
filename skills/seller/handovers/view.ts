import type { z } from "zod";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { conversationId, conversationKind } from "../talk/memory.ts";
import { conversationIdOf } from "../talk/exchanges.ts";
import { buyerNames } from "../portfolio/buyer-names.ts";
import type { SellerContext } from "../context.ts";
import { sessionKind } from "../sessions/record.ts";
import type { answerHandover } from "./contract.ts";
import type { HandoverRow } from "./record.ts";

type View = z.input<typeof answerHandover.output>;

const wordsOf = ({ life }: HandoverRow) =>
  life.value === "open"
    ? {
        status_text: "Waits for a person of the seller.",
        next_step: "An operator of the seller answers with answer_handover; read it with list_handovers.",
      }
    : {
        status_text: "Answered by a person of the seller.",
        next_step: "Go on in the conversation; ask again with request_handover.",
      };

const viewOf = (row: HandoverRow, sessionId: string | null): View => {
  const { words, askedAtMs, answer } = row.life.context;
  const { product_id, quote_id, proposal_id, negotiation_id, deal_id } = row.records;
  return {
    handover_id: row.handover_id,
    status: row.life.value,
    words,
    asked_at: isoTime(askedAtMs),
    product_id: product_id ?? null,
    quote_id: quote_id ?? null,
    proposal_id: proposal_id ?? null,
    negotiation_id: negotiation_id ?? null,
    deal_id: deal_id ?? null,
    session_id: sessionId,
    answer: answer?.text ?? null,
    answered_at: answer === null ? null : isoTime(answer.atMs),
    revision: row.revision,
    ...wordsOf(row),
  };
};

/** The buyer's own session, or none: a conversation of another wire has an id of the buyer's choice. */
const sessionOf = async (context: SellerContext, { owner, life }: HandoverRow): Promise<string | null> => {
  const { contextId } = life.context;
  const session = contextId === null ? null : await context.load(sessionKind, contextId);
  return session?.body.owner === owner ? contextId : null;
};

const conversationOf = async (context: SellerContext, { owner, life }: HandoverRow): Promise<string | null> => {
  const { contextId } = life.context;
  const known = contextId === null ? null : await context.load(conversationKind, conversationId(owner, contextId));
  return known === null ? null : conversationIdOf(owner, known.body.context_id);
};

export const handoverViews = async (context: SellerContext, rows: readonly HandoverRow[]): Promise<View[]> => {
  const views = await Promise.all(rows.map(async (row) => ({ row, view: viewOf(row, await sessionOf(context, row)) })));
  if (!isOperator(context.caller)) return views.map(({ view }) => view);
  const names = await buyerNames(
    context,
    rows.map(({ owner }) => owner),
  );
  return Promise.all(
    views.map(async ({ row, view }) => ({
      ...view,
      buyer: row.owner,
      buyer_name: names.get(row.owner) ?? null,
      conversation_id: await conversationOf(context, row),
      answered_by: row.life.context.answer?.by ?? null,
    })),
  );
};
