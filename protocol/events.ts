import { randomUUID } from "node:crypto";
import type { Kind, PutChange } from "../storage/store.ts";
import { create } from "./changes.ts";
import { isoTime } from "./iso-time.ts";
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

const filterNames = ["type", "flow", "session"] as const;

/** The one term that stands for a filter, however many of its members are given; null: all events. */
export const eventsTerm = (filter: EventFilter): string | null => {
  let [given, names, values, last] = [0, "", "", ""];
  for (const name of filterNames) {
    const value = filter[name];
    if (value === null) continue;
    names += given === 0 ? name : `+${name}`;
    values += `${given === 0 ? "" : ","}${JSON.stringify(value)}`;
    given += 1;
    last = value;
  }
  if (given === 0) return null;
  return given === 1 ? `${names}=${last}` : `${names}=[${values}]`;
};

/** The term under which the events of an owner's records are found. */
export const eventOwnerTerm = (owner: string): string => `owner=${owner}`;

const choices = (value: string): readonly (string | null)[] => (value === "" ? [null] : [null, value]);

/** A term for each filter that the event meets, so that filters combine without a scan. */
const termsOf = (event: EventRow): string[] => {
  const terms = [eventOwnerTerm(event.owner)];
  for (const type of [null, event.event_type]) {
    for (const flow of choices(event.flow_id)) {
      for (const session of choices(event.session_id)) {
        const term = eventsTerm({ type, flow, session });
        if (term !== null) terms.push(term);
      }
    }
  }
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
    timestamp: isoTime(nowMs),
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
