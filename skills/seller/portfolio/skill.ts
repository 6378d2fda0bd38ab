import { defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import {
  emptySelection,
  readSelection,
  readSorted,
  selectedTerms,
  type SelectedPage,
} from "../../../protocol/seam/selection.ts";
import { isEdge } from "../../../protocol/seam/caller.ts";
import { isRefusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { dealsWithWaitingChanges } from "../change-requests/waiting.ts";
import { momentsBetween } from "../../date-filter.ts";
import { endedStep } from "../negotiation/ended.ts";
import { negotiationKind, type NegotiationRow, settledNegotiation } from "../negotiation/record.ts";
import { settledQuote } from "../pricing/record.ts";
import { quoteView } from "../pricing/view.ts";
import type { SellerContext } from "../context.ts";
import { proposalKind, type ProposalRow, settledProposal } from "../proposals/record.ts";
import { proposalView } from "../proposals/view.ts";
import { approvalItems, approvalOrder, selectedApprovals, waitingApprovals } from "./approvals.ts";
import { buyerNames } from "./buyer-names.ts";
import * as contract from "./contract.ts";
import { countedDeals } from "./deal-counts.ts";
import { dealItems, dealOrder, dealTotals, selectedDeals } from "./deals.ts";
import { createdBetween, only, ownersShown, readDays } from "./filters.ts";
import { negotiationItem } from "./negotiations.ts";
import { countedQuotes, quoteOrder, selectedQuotes } from "./quotes.ts";

const noTotals = { count: 0, impressions: 0, value: 0, currency: null, values: {}, standing_values: {} };

export const listDeals = defineOperation(contract.listDeals, async (context: SellerContext, input) => {
  if (isEdge(context.caller) && input.status?.every((status) => status === "active") !== true) {
    return refuse("operator_required", {
      message: 'The key of an edge lists active deals alone: send status "active".',
    });
  }
  const flight = readDays({ from: "flight_from", to: "flight_to" }, input.flight_from, input.flight_to);
  if (isRefusal(flight)) return flight;
  const created = createdBetween(input);
  if (isRefusal(created)) return created;
  const shown = ownersShown(context, input.buyer);
  if (isRefusal(shown)) return shown;
  if (shown === null) return { output: { deals: [], totals: noTotals, ...emptySelection.page } };
  const filter = { ...shown, flight, created };
  const changing = input.waiting == null ? null : await dealsWithWaitingChanges(context);
  const selection = selectedDeals(context, input, filter, changing);
  const order = dealOrder(input);
  const found =
    order === null
      ? await readSelection(context, selection, input)
      : await readSorted(context, selection, order, input);
  if (isRefusal(found)) return found;
  const counted = input.with_counts === true ? await countedDeals(context, input, filter, changing) : null;
  const totals = counted?.totals ?? (await dealTotals(context, input, filter));
  const { rows, page } = found;
  const standing = input.with_counts === true ? { counts: counted?.counts ?? null } : {};
  const total = page.total ?? totals?.count ?? null;
  return { output: { deals: await dealItems(context, rows), totals, ...standing, ...page, total } };
});

const namesOf = (context: SellerContext, rows: readonly Loaded<{ readonly owner: string }>[]) =>
  buyerNames(
    context,
    rows.map(({ body }) => body.owner),
  );

export const listQuotes = defineOperation(contract.listQuotes, async (context: SellerContext, input) => {
  const created = createdBetween(input);
  if (isRefusal(created)) return created;
  const shown = ownersShown(context, input.buyer);
  if (isRefusal(shown)) return shown;
  if (shown === null) return { output: { quotes: [], ...emptySelection.page } };
  const filter = { ...shown, created };
  const selection = selectedQuotes(context, input, filter);
  const order = quoteOrder(input);
  const found =
    order === null
      ? await readSelection(context, selection, input)
      : await readSorted(context, selection, order, input);
  if (isRefusal(found)) return found;
  const names = await namesOf(context, found.rows);
  const quotes = found.rows.map(({ body }) => ({
    ...quoteView(settledQuote(body, context.nowMs)),
    buyer: body.owner,
    buyer_name: names.get(body.owner) ?? null,
  }));
  const counts = input.with_counts === true ? { counts: await countedQuotes(context, input, filter) } : {};
  return { output: { quotes, ...counts, ...found.page } };
});

const talkOf = async (context: SellerContext, { negotiation_id: id }: ProposalRow): Promise<NegotiationRow | null> => {
  const loaded = id === null ? null : await context.load(negotiationKind, id);
  return loaded === null ? null : settledNegotiation(loaded.body, context.nowMs);
};

export const listProposals = defineOperation(contract.listProposals, async (context: SellerContext, input) => {
  const statuses: readonly string[] | null = input.status ?? null;
  const settled = (row: ProposalRow): ProposalRow => settledProposal(row, context.nowMs);
  const shown = ownersShown(context, input.buyer);
  if (isRefusal(shown)) return shown;
  if (shown === null) return { output: { proposals: [], ...emptySelection.page } };
  const { rows, page }: SelectedPage<ProposalRow> = await readSelection(
    context,
    {
      kind: proposalKind,
      terms: selectedTerms([shown.owners, statuses, only(input.product_id)]),
      createdAtMs: (row) => row.created_at_ms,
      isCurrent: (row) => statuses?.includes(settled(row).life.value) ?? true,
    },
    input,
  );
  const names = await namesOf(context, rows);
  const proposals = await Promise.all(
    rows.map(async ({ body }) => ({
      ...proposalView(context, settled(body), await talkOf(context, body)),
      buyer: body.owner,
      buyer_name: names.get(body.owner) ?? null,
    })),
  );
  return { output: { proposals, ...page } };
});

export const listNegotiations = defineOperation(contract.listNegotiations, async (context: SellerContext, input) => {
  const statuses = input.status ?? null;
  const { waiting } = input;
  const settled = (row: NegotiationRow): NegotiationRow => settledNegotiation(row, context.nowMs);
  const shown = ownersShown(context, input.buyer);
  if (isRefusal(shown)) return shown;
  if (shown === null) return { output: { negotiations: [], ...emptySelection.page } };
  const { rows, page } = await readSelection(
    context,
    {
      kind: negotiationKind,
      terms: selectedTerms([shown.owners, statuses, only(input.product_id)]),
      createdAtMs: (row) => row.created_at_ms,
      isCurrent: (row) => statuses?.includes(settled(row).life.value) ?? true,
      keep: waiting == null ? null : (row) => (settled(row).life.context.held !== null) === waiting,
    },
    input,
  );
  const names = await namesOf(context, rows);
  const negotiations = await Promise.all(
    rows.map(async ({ body }) => {
      const row = settled(body);
      return { ...negotiationItem(row, names.get(row.owner) ?? null), ...(await endedStep(context, row)) };
    }),
  );
  return { output: { negotiations, ...page } };
});

const nothingWaits = { count: 0, values: {}, oldest_at: null, next_timeout_at: null };

export const listApprovals = defineOperation(contract.listApprovals, async (context: SellerContext, input) => {
  const asked = momentsBetween({ from: "since", to: "until" }, input.since, input.until);
  if (isRefusal(asked)) return asked;
  const shown = ownersShown(context, null);
  if (isRefusal(shown)) return shown;
  if (shown === null) return { output: { approvals: [], waiting: nothingWaits, ...emptySelection.page } };
  const selection = selectedApprovals(context, input, { ...shown, asked });
  const found =
    input.sort === "created"
      ? await readSelection(context, selection, input)
      : await readSorted(context, selection, approvalOrder(input.sort), input);
  if (isRefusal(found)) return found;
  const approvals = await approvalItems(context, found.rows);
  return { output: { approvals, waiting: await waitingApprovals(context, shown.owners), ...found.page } };
});
