import { z } from "zod";
import { eventFilterId, eventInput, eventOutput } from "../../../protocol/seam/events.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { eventTypes } from "./event-types.ts";

export const listEvents = defineContract({
  name: "list_events",
  group: "events",
  summary: "Lists events, newest first unless reversed, a page at a time. The filters combine. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    event_type: z.enum(eventTypes).nullish().describe("Only events of this type."),
    flow_id: eventFilterId.describe("Only events of this flow: the id of a booking job."),
    session_id: eventFilterId.describe("Only events of this session with a seller."),
    deal_id: eventFilterId.describe("Only events of this deal."),
    reversed: z.boolean().nullish().describe("The other way round: the oldest first."),
    ...pageInput,
  }),
  output: z.looseObject({ events: z.array(eventOutput), ...pageOutput }),
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
  input: eventInput,
  output: eventOutput,
  refusals: { event_not_found: 404 },
  rest: { method: "GET", path: "/events/:event_id" },
  tool: { title: "Get an event", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
