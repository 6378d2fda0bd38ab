import { randomUUID } from "node:crypto";
import type { Kind, PutChange } from "../storage/store.ts";
import { create } from "./changes.ts";
import type { EventDraft } from "./operation.ts";

/** The event record of the wire (wire contract 7), plus `owner`, which no wire shows. Unset members are empty strings. */
export interface EventRow {
  readonly event_id: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly flow_id: string;
  readonly flow_type: string;
  readonly proposal_id: string;
  readonly deal_id: string;
  readonly session_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly owner: string;
}

const termsOf = (event: EventRow): string[] => {
  const terms = [`type=${event.event_type}`, `owner=${event.owner}`];
  if (event.flow_id !== "") terms.push(`flow=${event.flow_id}`);
  if (event.session_id !== "") terms.push(`session=${event.session_id}`);
  if (event.deal_id !== "") terms.push(`deal=${event.deal_id}`);
  return terms;
};

/** The outbox: events are rows of the commit that caused them, and every delivery reads these rows. */
export const eventKind: Kind<EventRow> = {
  name: "event",
  terms: termsOf,
  dueAtMs: () => null,
  owner: (event) => event.owner,
};

/** Turns a handler's draft into the outbox row of the same commit. */
export const eventChange = (draft: EventDraft, nowMs: number, owner: string): PutChange => {
  const eventId = draft.event_id ?? randomUUID();
  return create(eventKind, eventId, {
    event_id: eventId,
    event_type: draft.event_type,
    timestamp: new Date(nowMs).toISOString(),
    flow_id: draft.flow_id ?? "",
    flow_type: draft.flow_type ?? "",
    proposal_id: draft.proposal_id ?? "",
    deal_id: draft.deal_id ?? "",
    session_id: draft.session_id ?? "",
    payload: draft.payload ?? {},
    metadata: draft.metadata ?? {},
    owner: draft.owner ?? owner,
  });
};
