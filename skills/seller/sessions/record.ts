import { sessionDeadline, type SessionInstance, sessionMachine } from "../../../machines/session/machine.ts";
import { settle } from "../../../machines/step.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { Kind } from "../../../storage/store.ts";

export interface Talk {
  readonly product_ids_discussed: readonly string[];
  readonly last_pricing_shown: Readonly<Record<string, number>>;
  readonly pending_proposal_id: string | null;
  readonly active_deal_ids: readonly string[];
  readonly counter_round: number;
  readonly last_intent: string | null;
  readonly negotiation_id: string | null;
  readonly linked_flow_ids: readonly string[];
}

/** `claimed` is who the buyer says to be, `buyer_key` the proven one (`public` without). */
export interface SessionRow {
  readonly session_id: string;
  readonly owner: string;
  readonly buyer_key: string;
  readonly claimed: Readonly<Record<string, string>>;
  readonly talk: Talk;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly revision: number;
  readonly life: SessionInstance;
}

/** A row of its own, so that a message costs the same in a long session. */
export interface SessionMessageRow {
  readonly session_id: string;
  readonly owner: string;
  readonly role: "user" | "assistant";
  readonly content: string;
  readonly message_type: string | null;
  readonly at_ms: number;
}

export const sessionTerm = (filter: {
  readonly owner?: string | undefined;
  readonly buyerKey?: string | undefined;
  readonly status?: string | undefined;
}): string => `filter=${JSON.stringify([filter.owner ?? null, filter.buyerKey ?? null, filter.status ?? null])}`;

const choices = <T>(value: T): readonly (T | undefined)[] => [undefined, value];

export const sessionKind: Kind<SessionRow> = {
  name: "session",
  terms: ({ owner, buyer_key: buyerKey, life }) =>
    choices(owner).flatMap((ofOwner) =>
      choices(buyerKey).flatMap((ofBuyer) =>
        choices(life.value).map((status) => sessionTerm({ owner: ofOwner, buyerKey: ofBuyer, status })),
      ),
    ),
  dueAtMs: (session) => sessionDeadline(session.life)?.atMs ?? null,
  owner: (session) => session.owner,
};

export const sessionMessageKind: Kind<SessionMessageRow> = {
  name: "session_message",
  terms: (message) => [messageTerm(message.session_id)],
  dueAtMs: () => null,
  owner: (message) => message.owner,
};

export const messageTerm = (sessionId: string): string => `session=${sessionId}`;

export const settledSession = (row: SessionRow, nowMs: number): SessionRow => {
  const life = settle(sessionMachine, sessionDeadline, row.life, nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};

/** Belongs to the session's owner. */
export const sessionEvent = (
  eventType: string,
  row: SessionRow,
  payload: Readonly<Record<string, unknown>>,
): EventDraft => ({ event_type: eventType, session_id: row.session_id, owner: row.owner, payload });
