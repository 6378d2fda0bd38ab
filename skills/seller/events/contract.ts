import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { momentFilter } from "../../../protocol/neutral/date-text.ts";
import { eventFilterId, eventInput, eventOutput } from "../../../protocol/seam/events.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { eventTypes } from "./event-types.ts";

const event = eventOutput.extend({
  proposal_id: z.string(),
  product_name: z.string().nullish(),
  buyer_name: fromOthers(z.string().nullish().describe("Whose record it is about; null where its key names nobody.")),
});

export const listEvents = defineContract({
  name: "list_events",
  group: "events",
  summary:
    "Lists events, newest first unless reversed, a page at a time. The filters combine: an event must meet all " +
    "that are given. " +
    "Operators only.",
  effect: "read",
  access: "operator",
  input: z.object({
    flow_id: eventFilterId.describe("Only events of this flow: the id of a quote, a deal's quote, a key, a session, …"),
    event_type: z.enum(eventTypes).nullish().describe("Only events of this type."),
    session_id: eventFilterId.describe("Only events of this session."),
    deal_id: eventFilterId.describe(
      "Only events of this deal, from its quote and price talk on; takes no other filter.",
    ),
    owner: z.string().min(1).max(300).nullish().describe("Only of this buyer's records, for example agency:agency-2."),
    since: momentFilter.describe("At or after: a day (YYYY-MM-DD, UTC) or an instant."),
    until: momentFilter.describe("At or before: a day (UTC) or an instant."),
    reversed: z.boolean().nullish().describe("The other way round: the oldest first."),
    with_counts: z.boolean().nullish().describe("Count all kept events by type too, whatever else is asked for."),
    ...pageInput,
  }),
  output: z.looseObject({
    events: z.array(event),
    ...pageOutput,
    counts: z.record(z.string(), z.int()).optional().describe("With with_counts: the types that there are."),
    total: z.int().nullable().describe("All matches; null with since, until, or owner and another filter."),
  }),
  refusals: {},
  rest: { method: "GET", path: "/events" },
  tool: {
    title: "List events",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    rows: {
      events: [
        "event_id",
        "event_type",
        "timestamp",
        "product_name",
        "buyer_name",
        "flow_id",
        "flow_type",
        "proposal_id",
        "deal_id",
        "payload",
      ],
    },
  },
});

export const getEvent = defineContract({
  name: "get_event",
  group: "events",
  summary: "Returns one event. Operators only. Events are kept for a time that the seller's configuration says.",
  effect: "read",
  access: "operator",
  input: eventInput,
  output: event,
  refusals: { event_not_found: 404 },
  rest: { method: "GET", path: "/events/:event_id" },
  tool: { title: "Get an event", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
