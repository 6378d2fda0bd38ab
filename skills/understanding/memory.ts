import { create, remove, update } from "../../protocol/seam/changes.ts";
import type { Loaded } from "../../protocol/seam/operation.ts";
import { type ConversationInstance, newConversation } from "../../machines/conversation/machine.ts";
import type { Change, Kind, StoredRow } from "../../storage/store.ts";
import type { Act } from "./reading/choice/acts.ts";
import type { Slots } from "./reading/slots.ts";
import type { PlanRow } from "./reading/table/table.ts";
import { conversationIdOf, conversationTerm, keptForMs } from "./record.ts";

/** What is talked about: a product, with the record of it that is furthest on. */
export interface Topic {
  readonly product: string;
  /** Those that its record was made for; without a record those it was asked about with. */
  readonly terms: Slots;
  readonly isNegotiating: boolean;
  /** A later quote stands for it, or nobody wants it any more. */
  readonly isReplaced: boolean;
  /** A change of its deal that was shown and neither requested nor refused. */
  readonly wish: Slots | null;
  /** By when it came up. */
  readonly place: number;
}

/**
 * The terms in force (with the ids last quoted, proposed or booked), the last request, and whether an offer waits for
 * an answer.
 */
export interface Memory {
  readonly terms: Slots;
  /** The figures that stood before a question about others. */
  readonly standing?: Slots;
  /** For all products together. */
  readonly campaignBudget?: number;
  /** The one talked about last is the last. */
  readonly topics?: readonly Topic[];
  readonly asked: Act | null;
  readonly isNegotiating: boolean;
  /** A person was asked for. */
  readonly isHandedOver: boolean;
  /** The quotes by the numbers of the lines that asked for them; null where a line was not quoted. */
  readonly lines?: readonly (string | null)[];
  /** The last table of several quotes, and the money that was spread over it. */
  readonly plan?: { readonly rows: readonly PlanRow[]; readonly budget: number | null };
  /** What was shown in full and may be consented to. */
  readonly life: ConversationInstance;
}

export const newMemory: Memory = {
  terms: {},
  asked: null,
  isNegotiating: false,
  isHandedOver: false,
  life: newConversation,
};

/** Per caller: another caller's `contextId` of the same name is another row. */
export interface ConversationRow {
  readonly owner: string;
  readonly context_id: string;
  readonly memory: Memory;
  /** What was said and answered since the row was made; missing in older rows. */
  readonly exchanges?: number;
  readonly updated_at_ms: number;
}

export const conversationKind: Kind<ConversationRow> = {
  name: "conversation",
  terms: (row) => [conversationTerm(conversationIdOf(row.owner, row.context_id))],
  dueAtMs: (row) => row.updated_at_ms + keptForMs,
  owner: (row) => row.owner,
};

export const conversationId = (owner: string, contextId: string): string => JSON.stringify([owner, contextId]);

export const remembered = (
  loaded: Loaded<ConversationRow> | null,
  of: { readonly owner: string; readonly contextId: string; readonly memory: Memory; readonly nowMs: number },
): Change => {
  const { owner, contextId, memory, nowMs } = of;
  const exchanges = (loaded?.body.exchanges ?? 0) + 1;
  const row = { owner, context_id: contextId, memory, exchanges, updated_at_ms: nowMs };
  const id = conversationId(owner, contextId);
  return loaded === null ? create(conversationKind, id, row) : update(conversationKind, loaded, row);
};

/** Null for rows of other kinds. */
export const forgottenConversation = (row: StoredRow) =>
  row.kind === conversationKind.name
    ? { changes: [remove(conversationKind, row as StoredRow<ConversationRow>)], events: [] }
    : null;

export const recordIds = ["quote_id", "proposal_id", "negotiation_id", "deal_id"];

export const hasRecord = (terms: Slots): boolean => recordIds.some((name) => terms[name] != null);
