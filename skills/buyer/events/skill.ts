import { eventDealTerm, eventKind, type EventRow, eventsTerm } from "../../../protocol/seam/events.ts";
import { defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import { type Page, readPage } from "../../../protocol/seam/paging.ts";
import type { BuyerContext } from "../ports.ts";
import * as contract from "./contract.ts";
import { eventView } from "./view.ts";

/** More events than a deal ever has. */
const mostOfDeal = 500;

type Query = Parameters<typeof readPage>[2] & {
  readonly event_type?: string | null | undefined;
  readonly flow_id?: string | null | undefined;
  readonly session_id?: string | null | undefined;
  readonly reversed?: boolean | null | undefined;
};

const meets = ({ body }: Loaded<EventRow>, { event_type: type, flow_id: flow, session_id: session }: Query): boolean =>
  (type == null || body.event_type === type) &&
  (flow == null || body.flow_id === flow) &&
  (session == null || body.session_id === session);

const orderOf = ({ reversed }: Query) => (reversed === true ? "oldest" : "newest");

const ofDeal = async (context: BuyerContext, dealId: string, query: Query): Promise<Page<EventRow>> => {
  const order = orderOf(query);
  const all = await context.list(eventKind, { terms: [eventDealTerm(dealId)], order, limit: mostOfDeal });
  const found = all.filter((event) => meets(event, query));
  const { cursor, offset, limit } = query;
  const isBehind = (n: number): boolean => (order === "newest" ? n < Number(cursor) : n > Number(cursor));
  const behind = cursor == null ? found.slice(offset) : found.filter(({ n }) => isBehind(n));
  const rows = behind.slice(0, limit);
  const last = rows.at(-1);
  const next = behind.length > limit && last !== undefined ? String(last.n) : null;
  return { rows, page: { total: found.length, count: rows.length, next_cursor: next } };
};

export const listEvents = defineOperation(contract.listEvents, async (context: BuyerContext, input) => {
  const { event_type, flow_id, session_id, deal_id } = input;
  const term = eventsTerm({ type: event_type ?? null, flow: flow_id ?? null, session: session_id ?? null });
  const { rows, page } =
    deal_id == null
      ? await readPage(context, { kind: eventKind, term, order: orderOf(input) }, input)
      : await ofDeal(context, deal_id, input);
  return { output: { events: rows.map(eventView), ...page } };
});

export const getEvent = defineOperation(contract.getEvent, async (context: BuyerContext, input) => {
  return { output: eventView(await context.own(eventKind, input.event_id, "event_not_found")) };
});
