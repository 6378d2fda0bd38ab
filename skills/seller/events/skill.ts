import type { z } from "zod";
import { eventKind, eventOwnerTerm, type EventRow, eventsTerm } from "../../../protocol/seam/events.ts";
import { defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import { readPage } from "../../../protocol/seam/paging.ts";
import { readSelection, type Selection } from "../../../protocol/seam/selection.ts";
import { isRefusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { momentsBetween, type TimeSpan } from "../../date-filter.ts";
import { buyerNames } from "../portfolio/buyer-names.ts";
import * as contract from "./contract.ts";
import { eventTypes } from "./event-types.ts";
import { eventsOfDeal } from "./of-deal.ts";
import { eventView } from "./view.ts";
import type { SellerContext } from "../context.ts";

type Filter = z.output<typeof contract.listEvents.input>;

const orderOf = ({ reversed }: Pick<Filter, "reversed">) => (reversed === true ? "oldest" : "newest");

/** Only the owner has a term; other filters search within it. */
const selectedEvents = (input: Filter, term: string | null, span: TimeSpan): Selection<EventRow> => {
  const wanted = [
    ["event_type", input.event_type],
    ["flow_id", input.flow_id],
    ["session_id", input.session_id],
  ] as const;
  const given = wanted.filter(([, value]) => value != null);
  const isOwners = input.owner != null;
  return {
    kind: eventKind,
    order: orderOf(input),
    terms: [input.owner == null ? term : eventOwnerTerm(input.owner)],
    ...span,
    createdAtMs: (row) => Date.parse(row.timestamp),
    keep: isOwners && given.length > 0 ? (row) => given.every(([name, value]) => row[name] === value) : null,
  };
};

const namedEvent = (
  { ports }: SellerContext,
  row: Loaded<EventRow>,
  buyers: ReadonlyMap<string, string | null>,
): z.input<typeof contract.getEvent.output> => {
  const { owner, payload } = row.body;
  const { product_id: id } = payload;
  const product = typeof id === "string" ? ports.catalog.get(id) : null;
  return { ...eventView(row, true), product_name: product?.name ?? null, buyer_name: buyers.get(owner) ?? null };
};

const shownEvents = async (context: SellerContext, rows: readonly Loaded<EventRow>[]) => {
  const names = await buyerNames(
    context,
    rows.map(({ body }) => body.owner),
  );
  return rows.map((row) => namedEvent(context, row, names));
};

const countedTypes = async (context: SellerContext): Promise<Record<string, number>> => {
  const counted = await Promise.all(
    eventTypes.map(async (type) => {
      const term = eventsTerm({ type, flow: null, session: null });
      return [type, await context.count(eventKind, term)] as const;
    }),
  );
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
};

const otherFilters = ["event_type", "flow_id", "session_id", "owner", "since", "until", "with_counts"] as const;

export const listEvents = defineOperation(contract.listEvents, async (context: SellerContext, input) => {
  if (input.deal_id != null) {
    const other = otherFilters.find((name) => input[name] != null);
    if (other !== undefined) return fieldRefusal(other, "Leave it out: deal_id takes no other filter.");
    const { rows, page } = await eventsOfDeal(context, input.deal_id, input);
    return { output: { events: await shownEvents(context, rows), ...page } };
  }
  const term = eventsTerm({
    type: input.event_type ?? null,
    flow: input.flow_id ?? null,
    session: input.session_id ?? null,
  });
  const spanned = momentsBetween({ from: "since", to: "until" }, input.since, input.until);
  if (isRefusal(spanned)) return spanned;
  const isPlain = input.owner == null && spanned.fromMs === null && spanned.toMs === null;
  if (!isPlain && input.offset > 0) return fieldRefusal("offset", "Use cursor with owner, since and until.");
  const { rows, page } = isPlain
    ? await readPage(context, { kind: eventKind, term, order: orderOf(input) }, input)
    : await readSelection(context, selectedEvents(input, term, spanned), {
        ...input,
        limit: Math.min(input.limit, 499),
      });
  const counts = input.with_counts === true ? { counts: await countedTypes(context) } : {};
  return { output: { events: await shownEvents(context, rows), ...counts, ...page } };
});

export const getEvent = defineOperation(contract.getEvent, async (context: SellerContext, input) => {
  const loaded = await context.own(eventKind, input.event_id, "event_not_found");
  return { output: namedEvent(context, loaded, await buyerNames(context, [loaded.body.owner])) };
});
