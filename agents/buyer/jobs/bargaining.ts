import type { z } from "zod";
import { fromMicros } from "../../../machines/money.ts";
import { boundedText } from "../../../protocol/client/client-result.ts";
import type { AnsweredCancellation, BargainAnswer, SellerCalls } from "../../../skills/buyer/bookings/flow/ports.ts";
import {
  type changeRequest,
  createChangeRequest,
  getChangeRequest,
} from "../../../skills/seller/change-requests/contract.ts";
import { counterProposal } from "../../../skills/seller/negotiation/contract.ts";
import { createOrder } from "../../../skills/seller/orders/contract.ts";
import { submitProposal } from "../../../skills/seller/proposals/contract.ts";
import { type Ask, mapped, microsOfPrice } from "./asking.ts";

const answerOf = (action: string, price: number | null): BargainAnswer => ({
  action: boundedText(action).slice(0, 50),
  sellerMicros: microsOfPrice(price),
});

/** A message that is met by an acceptance of the proposal carries the price that was proposed. */
const actionOf = (recommendation: "accept" | "counter" | "reject" | null, counterAction: string | undefined): string =>
  recommendation === "counter" ? (counterAction ?? "counter") : (recommendation ?? "reject");

const reasonOf = (reason: unknown): string | null =>
  typeof reason === "string" && reason !== "" ? boundedText(reason).slice(0, 500) : null;

const cancellationOf = ({
  change_request_id: changeRequestId,
  status,
  rejection_reason: rejected,
  validation_errors: invalid,
}: z.output<typeof changeRequest>): AnsweredCancellation => ({
  changeRequestId,
  status,
  reason: reasonOf(rejected) ?? reasonOf(Array.isArray(invalid) ? invalid.join(" ") : null),
});

export const createBargaining = (
  ask: Ask,
): Pick<SellerCalls, "bargain" | "propose" | "order" | "cancelOrder" | "readCancellation"> => ({
  bargain: (url, { subjectId, quoteId, action, priceMicros }, of) => {
    const price = priceMicros === null ? {} : { buyer_price: fromMicros(priceMicros) };
    const input = { proposal_id: subjectId, quote_id: quoteId, action, ...price };
    return mapped(ask(url, counterProposal, input, of), (answer) => answerOf(answer.action, answer.seller_price));
  },
  propose: (url, { quoteId, priceMicros, flight_start, flight_end, ...terms }, of) => {
    const dates = { start_date: flight_start, end_date: flight_end };
    const input = { ...terms, ...dates, quote_id: quoteId, price: fromMicros(priceMicros) };
    return mapped(ask(url, submitProposal, input, of), ({ proposal_id, recommendation, counter_terms }) => {
      const price = recommendation === "accept" ? input.price : (counter_terms?.proposed_price ?? null);
      return { proposalId: proposal_id, ...answerOf(actionOf(recommendation, counter_terms?.action), price) };
    });
  },
  order: (url, { dealId, quoteId, campaignName }, of) => {
    const metadata = { job_id: of.jobId, campaign_name: campaignName };
    return mapped(ask(url, createOrder, { deal_id: dealId, quote_id: quoteId, metadata }, of), ({ order_id }) => ({
      orderId: boundedText(order_id).slice(0, 128),
    }));
  },
  cancelOrder: (url, { orderId, reason }, of) => {
    const input = { order_id: orderId, change_type: "cancellation", reason, requested_by: "buyer" };
    return mapped(ask(url, createChangeRequest, input, of), cancellationOf);
  },
  readCancellation: (url, changeRequestId, of) =>
    mapped(ask(url, getChangeRequest, { cr_id: changeRequestId }, of), cancellationOf),
});
