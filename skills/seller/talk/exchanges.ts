import { hash } from "node:crypto";
import { dayMs } from "../../../machines/inventory/dates.ts";
import { create, remove } from "../../../protocol/seam/changes.ts";
import type { Consent } from "../../talk/gate/record.ts";
import type { Change, Kind, StoredRow } from "../../../storage/store.ts";

/** The default lifetime of a session. */
export const keptForMs = 7 * dayMs;

export type OfferKind =
  | "quote"
  | "proposal"
  | "counter"
  | "cancellation"
  | "withdrawal"
  | "change"
  | "take back"
  | "request"
  | "bid"
  | "submission"
  | "rejection"
  | "hand over";

export interface Offer {
  readonly kind: OfferKind;
  readonly id: string;
  /** A record that differs by now must be shown again. */
  readonly digest: string | null;
  readonly change: Readonly<Record<string, unknown>> | null;
}

/** Kept as the proof of what was agreed. */
export interface Taken extends Offer {
  readonly by: Consent;
  readonly atMs: number;
}

/** One message with its answer. `shown` may be agreed to by the next message; `agreed` was, by this one. */
export interface ExchangeRow {
  readonly owner: string;
  readonly conversation_id: string;
  readonly said: string;
  readonly answered: string;
  readonly understood: readonly Understood[];
  readonly shown: readonly Offer[];
  readonly agreed: readonly Taken[];
  readonly at_ms: number;
}

interface Understood {
  readonly skill: string | null;
  readonly outcome: string;
}

export const conversationIdOf = (owner: string, contextId: string): string => {
  const digest = hash("sha256", JSON.stringify([owner, contextId]));
  return `conv-${digest.slice(0, 16)}`;
};

export const conversationTerm = (conversationId: string): string => `conversation=${conversationId}`;

export const exchangeKind: Kind<ExchangeRow> = {
  name: "conversation_exchange",
  terms: (row) => [conversationTerm(row.conversation_id)],
  dueAtMs: (row) => row.at_ms + keptForMs,
  owner: (row) => row.owner,
};

/** As long as the longest message of a session. */
const longestText = 20_000;

const kept = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`);

/** `place` counts the exchanges of the conversation, which begins anew when it was forgotten. */
export const exchanged = (row: ExchangeRow, place: number): Change =>
  create(exchangeKind, `${row.conversation_id}/${row.at_ms}-${place}`, {
    ...row,
    said: kept(row.said),
    answered: kept(row.answered),
  });

/** Null for rows of other kinds. */
export const forgottenExchange = (row: StoredRow) =>
  row.kind === exchangeKind.name
    ? { changes: [remove(exchangeKind, row as StoredRow<ExchangeRow>)], events: [] }
    : null;
