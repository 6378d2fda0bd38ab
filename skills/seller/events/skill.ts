import { eventKind, eventsTerm } from "../../../protocol/seam/events.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { readPage } from "../../../protocol/seam/paging.ts";
import * as contract from "./contract.ts";
import { eventView } from "./view.ts";
import type { SellerContext } from "../ports.ts";

export const listEvents = defineOperation(contract.listEvents, async (context: SellerContext, input) => {
  const term = eventsTerm({
    type: input.event_type ?? null,
    flow: input.flow_id ?? null,
    session: input.session_id ?? null,
  });
  const { rows, page } = await readPage(context, { kind: eventKind, term, order: "newest" }, input);
  return { output: { events: rows.map((loaded) => eventView(loaded, true)), ...page } };
});

export const getEvent = defineOperation(contract.getEvent, async (context: SellerContext, input) => {
  const loaded = await context.own(eventKind, input.event_id, "event_not_found");
  return { output: eventView(loaded, true) };
});
