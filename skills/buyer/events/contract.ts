import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageOutput } from "../../../protocol/seam/paging.ts";
import { eventTypes } from "./event-types.ts";

/** Unset members are empty strings and objects; `timestamp` is ISO 8601 in UTC. */
const event = z.looseObject({
  event_id: z.string(),
  event_type: z.string(),
  timestamp: z.string(),
  flow_id: z.string(),
  flow_type: z.string(),
  deal_id: z.string(),
  session_id: z.string(),
  payload: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
});

const filterId = z.string().min(1).max(255).nullish();

export const listEvents = defineContract({
  name: "list_events",
  group: "events",
  summary: "Lists events, newest first, a page at a time. The filters combine. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    event_type: z.enum(eventTypes).nullish().describe("Only events of this type."),
    flow_id: filterId.describe("Only events of this flow: the id of a booking job."),
    session_id: filterId.describe("Only events of this session with a seller."),
    deal_id: filterId.describe("Only events of this deal."),
    limit: z.int().min(1).max(500).default(50).describe("How many on a page, 1 to 500."),
    offset: z.int().min(0).max(10_000_000).default(0).describe("How many to leave out from the start."),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/, "Send the next_cursor of the page before.")
      .nullish()
      .describe("The next_cursor of the page before; counts before offset."),
  }),
  output: z.looseObject({ events: z.array(event), ...pageOutput }),
  refusals: {},
  rest: { method: "GET", path: "/events" },
  tool: { title: "List events", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const getEvent = defineContract({
  name: "get_event",
  group: "events",
  summary: "Returns one event. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ event_id: z.string().min(1).max(128).describe("Id from list_events.") }),
  output: event,
  refusals: { event_not_found: 404 },
  rest: { method: "GET", path: "/events/:event_id" },
  tool: { title: "Get an event", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
