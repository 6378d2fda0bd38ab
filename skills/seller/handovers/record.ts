import type { HandoverInstance } from "../../../machines/handover/machine.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { Kind } from "../../../storage/store.ts";
import { sha256Hex } from "../ids.ts";

/** One a buyer, so that asking often fills nothing. `records` are the ids that the conversation was about. */
export interface HandoverRow {
  readonly handover_id: string;
  readonly owner: string;
  readonly records: Readonly<Record<string, string>>;
  readonly revision: number;
  readonly life: HandoverInstance;
}

export const handoverIdOf = (owner: string): string => `ho-${sha256Hex(owner).slice(0, 16)}`;

export const openTerm = "status=open";

const ownerTerm = (owner: string): string => `owner=${owner}`;

const ownersOpenTerm = (owner: string): string => `open+owner=${owner}`;

/** Null: all of every buyer. */
export const handoverTerm = (owner: string | null, isOpen: boolean): string | null => {
  if (owner === null) return isOpen ? openTerm : null;
  return isOpen ? ownersOpenTerm(owner) : ownerTerm(owner);
};

export const handoverKind: Kind<HandoverRow> = {
  name: "handover",
  terms: ({ owner, life }) => [ownerTerm(owner), ...(life.value === "open" ? [openTerm, ownersOpenTerm(owner)] : [])],
  dueAtMs: () => null,
  owner: (row) => row.owner,
};

export const handoverEvent = (
  eventType: "handover.requested" | "handover.answered",
  row: HandoverRow,
  payload: Readonly<Record<string, unknown>>,
): EventDraft => ({
  event_type: eventType,
  flow_id: row.handover_id,
  flow_type: "handover",
  owner: row.owner,
  payload: { handover_id: row.handover_id, ...row.records, ...payload },
});
