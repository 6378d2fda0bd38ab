import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Kind, PutChange } from "../../storage/store.ts";
import { create } from "./changes.ts";
import { isoTime } from "../neutral/iso-time.ts";
import type { EventDraft } from "./operation.ts";
import { fromOthers } from "./untrusted.ts";

/** The row's id is the event's; unset members are left out, or empty in older rows. No wire shows `owner`. */
export interface EventRow {
  readonly event_type: string;
  readonly timestamp: string;
  readonly flow_id?: string | undefined;
  readonly flow_type?: string | undefined;
  readonly proposal_id?: string | undefined;
  readonly deal_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly owner: string;
  /** Of the call that caused it, where that was traced; no wire but the headers of a delivery shows it. */
  readonly traceparent?: string;
}

/** Names of products, reasons, words in talk: whose they are depends on the type, so all of it counts as others'. */
const freeForm = fromOthers(z.record(z.string(), z.unknown()));

/** Members that are not set are empty strings and objects; `timestamp` is ISO 8601 in UTC. */
export const eventOutput = z.looseObject({
  event_id: z.string(),
  event_type: z.string(),
  timestamp: z.string(),
  flow_id: z.string(),
  flow_type: z.string(),
  deal_id: z.string(),
  session_id: z.string(),
  payload: freeForm,
  metadata: freeForm,
});

export const eventFilterId = z.string().min(1).max(255).nullish();

export const eventInput = z.object({ event_id: z.string().min(1).max(128).describe("Id from list_events.") });

interface EventFilter {
  readonly type: string | null;
  readonly flow: string | null;
  readonly session: string | null;
}

const filterNames = ["type", "flow", "session"] as const;

/** Element by element: two thirds of the cost of the array. */
const termOf = (names: string, values: readonly string[]): string => {
  let text = "";
  for (const value of values) text += `${text === "" ? "" : ","}${JSON.stringify(value)}`;
  return `${names}=[${text}]`;
};

/** One term for any combination. Null: all events. */
export const eventsTerm = (filter: EventFilter): string | null => {
  const names = filterNames.filter((name) => filter[name] !== null);
  const values = names.map((name) => filter[name] as string);
  if (values.length > 1) return termOf(names.join("+"), values);
  return values.length === 0 ? null : `${names[0]}=${values[0]}`;
};

export const eventOwnerTerm = (owner: string): string => `owner=${owner}`;

/** Not combined with other filters: a deal has few events. */
export const eventDealTerm = (dealId: string): string => `deal=${dealId}`;

/** One term per combination, so that filters need no scan. */
const eventTerms = ({ owner, event_type: type, flow_id: flow = "", ...more }: EventRow): string[] => {
  const { session_id: session = "", deal_id: deal = "" } = more;
  const ofOwner = eventOwnerTerm(owner);
  const ofType = `type=${type}`;
  const terms = flow === "" ? [ofOwner, ofType] : [ofOwner, ofType, `flow=${flow}`, termOf("type+flow", [type, flow])];
  if (session !== "") terms.push(`session=${session}`, termOf("type+session", [type, session]));
  if (flow !== "" && session !== "") {
    terms.push(termOf("flow+session", [flow, session]), termOf("type+flow+session", [type, flow, session]));
  }
  if (deal !== "") terms.push(eventDealTerm(deal));
  return terms;
};

/** Outbox: rows of the commit that caused them, read by every delivery. */
export const eventKind: Kind<EventRow> = {
  name: "event",
  terms: eventTerms,
  dueAtMs: () => null,
  owner: (event) => event.owner,
};

const givenText = (value: string | undefined): string | undefined => (value === "" ? undefined : value);

export const eventChange = (
  draft: EventDraft,
  nowMs: number,
  owner: string,
  traceparent: string | null = null,
): PutChange =>
  create(eventKind, draft.event_id ?? randomUUID(), {
    event_type: draft.event_type,
    timestamp: isoTime(nowMs),
    flow_id: givenText(draft.flow_id),
    flow_type: givenText(draft.flow_type),
    proposal_id: givenText(draft.proposal_id),
    deal_id: givenText(draft.deal_id),
    session_id: givenText(draft.session_id),
    payload: draft.payload ?? {},
    metadata: draft.metadata,
    owner: draft.owner ?? owner,
    ...(traceparent === null ? {} : { traceparent }),
  });
