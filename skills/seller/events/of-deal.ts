import { eventDealTerm, eventKind, type EventRow, eventsTerm } from "../../../protocol/seam/events.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { Page } from "../../../protocol/seam/paging.ts";
import { dealKind } from "../deals/record.ts";
import { negotiationKind, quoteTerm } from "../negotiation/record.ts";
import type { SellerContext } from "../context.ts";

/** More than a deal has. */
const mostOfDeal = 499;

const flowTerm = (flow: string): string => eventsTerm({ type: null, flow, session: null }) ?? "";

/** What carries the deal's id, and what came before it had one: its quote, its proposal and their price talk. */
const termsOf = async (context: SellerContext, dealId: string): Promise<readonly string[]> => {
  const deal = (await context.load(dealKind, dealId))?.body;
  if (deal === undefined) return [eventDealTerm(dealId)];
  const { quote_id: quoteId, proposal_id: proposalId } = deal;
  const talks =
    quoteId === ""
      ? []
      : await context.list(negotiationKind, { terms: [quoteTerm(quoteId)], order: "newest", limit: 1 });
  const flows = [quoteId, proposalId ?? "", ...talks.map(({ id }) => id)].filter((flow) => flow !== "");
  return [eventDealTerm(dealId), ...flows.map(flowTerm)];
};

interface Asked {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | null | undefined;
  readonly reversed?: boolean | null | undefined;
}

export const eventsOfDeal = async (
  context: SellerContext,
  dealId: string,
  { limit, offset, cursor, reversed }: Asked,
): Promise<Page<EventRow>> => {
  const lists = await Promise.all(
    (await termsOf(context, dealId)).map((term) =>
      context.list(eventKind, { terms: [term], order: "newest", limit: mostOfDeal }),
    ),
  );
  const found: Loaded<EventRow>[] = [...new Map(lists.flat().map((event) => [event.id, event])).values()];
  const sign = reversed === true ? -1 : 1;
  found.sort((one, other) => sign * (other.n - one.n));
  const behind = cursor == null ? found.slice(offset) : found.filter(({ n }) => sign * (Number(cursor) - n) > 0);
  const rows = behind.slice(0, limit);
  const last = rows.at(-1);
  const next = behind.length > limit && last !== undefined ? String(last.n) : null;
  return { rows, page: { total: found.length, count: rows.length, next_cursor: next } };
};
