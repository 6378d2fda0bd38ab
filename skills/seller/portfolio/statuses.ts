import type { ApprovalInstance } from "../../../machines/approval/machine.ts";
import type { DealStatus } from "../../../machines/deal/machine.ts";
import type { NegotiationInstance } from "../../../machines/negotiation/machine.ts";
import type { ProposalInstance } from "../../../machines/proposal/machine.ts";
import type { QuoteInstance } from "../../../machines/quote/machine.ts";

type Statuses<T extends { readonly value: string }> = readonly T["value"][];

export const dealStatuses = [
  "proposed",
  "active",
  "rejected",
  "expired",
  "completed",
] as const satisfies readonly DealStatus[];

/** Booked once, and worth nothing any more. */
export const lostStatuses: readonly DealStatus[] = ["rejected", "expired"];

export const quoteStatuses = ["available", "booked", "expired", "declined"] as const satisfies Statuses<QuoteInstance>;

export const proposalStatuses = [
  "pending_approval",
  "counter_pending",
  "accepted",
  "rejected",
  "failed",
] as const satisfies Statuses<ProposalInstance>;

export const negotiationStatuses = [
  "active",
  "accepted",
  "rejected",
  "expired",
] as const satisfies Statuses<NegotiationInstance>;

export const approvalStatuses = [
  "pending",
  "approved",
  "rejected",
  "timed_out",
] as const satisfies Statuses<ApprovalInstance>;
