import { keyRequestsOf } from "../approvals/key-request.ts";
import type { z } from "zod";
import { costMicros, fromMicros, toMicros } from "../../../machines/money.ts";
import { type Caller, isOperator } from "../../../protocol/seam/caller.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import { readSelection, selectedTerms, type Selection } from "../../../protocol/seam/selection.ts";
import { approvalKind, type ApprovalRow, settledApproval } from "../approvals/record.ts";
import { decisionView, requestView } from "../approvals/view.ts";
import type { TimeSpan } from "../../date-filter.ts";
import type { SellerContext } from "../context.ts";
import { buyerNames } from "./buyer-names.ts";
import type { listApprovals } from "./contract.ts";
import { isFoundIn } from "./filters.ts";

type Input = z.output<typeof listApprovals.input>;
type Output = z.input<typeof listApprovals.output>;
const textAt = (context: ApprovalRow["context"], name: string): string | null => {
  const value = context[name];
  return typeof value === "string" ? value : null;
};

const microsAt = (context: ApprovalRow["context"], names: readonly string[]): number | null => {
  const value = names.map((name) => context[name]).find((one) => typeof one === "number");
  return typeof value === "number" ? toMicros(value) : null;
};

const approvalValueMicros = ({ context }: ApprovalRow): number | null => {
  const price = microsAt(context, ["final_cpm", "price", "buyer_price"]);
  const { impressions } = context;
  return price === null || typeof impressions !== "number" ? null : costMicros(price, impressions);
};

const productName = (context: SellerContext, { context: facts }: ApprovalRow): string | null => {
  const productId = textAt(facts, "product_id");
  return productId === null ? null : (context.ports.catalog.get(productId)?.name ?? null);
};

const searchOf = (context: SellerContext, input: Input): ((row: ApprovalRow) => boolean) | null => {
  const { decided_by: decidedBy, q } = input;
  const isOwn = isOperator(context.caller);
  if (decidedBy == null && q == null) return null;
  return (row) => {
    const { record } = row.life.context;
    const isBy = record?.decidedBy === decidedBy || record?.principal === decidedBy;
    const texts = [row.approval_id, row.subject_id, textAt(row.context, "product_id"), productName(context, row)];
    return (
      (decidedBy == null || (isOwn && record !== null && isBy)) &&
      (q == null || isFoundIn(q, isOwn ? [...texts, row.owner] : texts))
    );
  };
};

export const selectedApprovals = (
  context: SellerContext,
  input: Input,
  filter: { readonly owners: readonly string[] | null; readonly asked: TimeSpan },
): Selection<ApprovalRow> => {
  const statuses = input.status ?? null;
  return {
    kind: approvalKind,
    terms: selectedTerms([filter.owners, statuses, input.flow_type ?? null]),
    ...filter.asked,
    createdAtMs: (row) => row.created_at_ms,
    isCurrent: (row) => statuses === null || statuses.includes(settledApproval(row, context.nowMs).life.value),
    keep: searchOf(context, input),
  };
};

/** The smallest first. */
export const approvalOrder =
  (sort: "value" | "expires") =>
  (row: ApprovalRow): number =>
    sort === "value" ? -(approvalValueMicros(row) ?? -1) : row.life.context.expiresAtMs;

/** Buyers see neither who decided nor the seller's reasons. */
const shownDecision = (row: ApprovalRow, forOperator: boolean): Output["approvals"][number]["response"] => {
  const decision = decisionView(row);
  if (decision === null || forOperator) return decision;
  return { decision: decision.decision, decided_at: decision.decided_at, reason: decision.reason };
};

const shownRequest = (row: ApprovalRow, caller: Caller, keyRequests: Parameters<typeof requestView>[2]) => {
  const request = requestView(row, caller, keyRequests);
  if (isOperator(caller)) return request;
  const { approval_id, flow_id, flow_type, proposal_id, deal_id, status, created_at, expires_at } = request;
  return { approval_id, flow_id, flow_type, proposal_id, deal_id, status, created_at, expires_at };
};

export const approvalItems = async (
  context: SellerContext,
  rows: readonly Loaded<ApprovalRow>[],
): Promise<Output["approvals"]> => {
  const forOperator = isOperator(context.caller);
  const names = await buyerNames(
    context,
    rows.map(({ body }) => body.owner),
  );
  const keyRequests = await keyRequestsOf(
    context,
    rows.map(({ body }) => body),
  );
  return rows.map(({ body }) => {
    const row = settledApproval(body, context.nowMs);
    const value = approvalValueMicros(row);
    return {
      ...shownRequest(row, context.caller, keyRequests),
      product_id: textAt(row.context, "product_id"),
      product_name: productName(context, row),
      buyer: row.owner,
      buyer_name: names.get(row.owner) ?? null,
      value: value === null ? null : fromMicros(value),
      currency: textAt(row.context, "currency"),
      response: shownDecision(row, forOperator),
    };
  });
};

const mostWaiting = 99;

/** In units; added up in micros. */
const valuesOf = (rows: readonly ApprovalRow[]): Record<string, number> => {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const currency = textAt(row.context, "currency");
    const value = approvalValueMicros(row);
    if (currency !== null && value !== null) sums.set(currency, (sums.get(currency) ?? 0) + value);
  }
  return Object.fromEntries([...sums].map(([currency, micros]) => [currency, micros / 1_000_000]));
};

const earliest = (times: readonly number[]): string | null =>
  times.length === 0 ? null : new Date(Math.min(...times)).toISOString();

export const waitingApprovals = async (
  context: SellerContext,
  owners: readonly string[] | null,
): Promise<Output["waiting"]> => {
  const selection: Selection<ApprovalRow> = {
    kind: approvalKind,
    terms: selectedTerms([owners, ["pending"], null]),
    createdAtMs: (row) => row.created_at_ms,
    isCurrent: (row) => settledApproval(row, context.nowMs).life.value === "pending",
  };
  const { rows, page } = await readSelection(context, selection, { limit: mostWaiting });
  const waiting = rows.map(({ body }) => body);
  return {
    count: page.total ?? 0,
    values: page.next_cursor === null ? valuesOf(waiting) : null,
    oldest_at: earliest(waiting.map((row) => row.created_at_ms)),
    next_timeout_at: earliest(waiting.map((row) => row.life.context.expiresAtMs)),
  };
};
