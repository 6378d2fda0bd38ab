import { randomUUID } from "node:crypto";
import type { Kind, PutChange } from "../storage/store.ts";
import { create } from "./changes.ts";
import type { EventDraft } from "./operation.ts";

/**
 * The event record of the wire (wire contract 7), plus `owner`, which no wire shows. Unset members are empty strings.
 */
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

/** What a list of events is narrowed by; null: by that not at all. */
interface EventFilter {
  readonly type: string | null;
  readonly flow: string | null;
  readonly session: string | null;
}

/** The one term that stands for a filter, however many of its members are given; null: all events. */
export const eventsTerm = (filter: EventFilter): string | null => {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  if (given.length === 0) return null;
  const [only] = given;
  if (given.length === 1 && only !== undefined) return `${only[0]}=${only[1]}`;
  return `${given.map(([name]) => name).join("+")}=${JSON.stringify(given.map(([, value]) => value))}`;
};

/** The term under which the events of an owner's records are found. */
export const eventOwnerTerm = (owner: string): string => `owner=${owner}`;

const choices = (value: string): readonly (string | null)[] => (value === "" ? [null] : [null, value]);

/** A term for each filter that the event meets, so that filters combine without a scan. */
const termsOf = (event: EventRow): string[] => {
  const filters = [null, event.event_type].flatMap((type) =>
    choices(event.flow_id).flatMap((flow) => choices(event.session_id).map((session) => ({ type, flow, session }))),
  );
  return [eventOwnerTerm(event.owner), ...filters.map(eventsTerm).filter((term) => term !== null)];
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
