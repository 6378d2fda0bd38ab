import type { approveOrReject, getApproval } from "../../skills/seller/approvals/contract.ts";
import type { getApprovalBrief } from "../../skills/seller/desk/contract.ts";
import type { listApprovals } from "../../skills/seller/portfolio/contract.ts";
import { operation } from "./api.ts";

/** What the seller's screens call; a test compares each with its contract. */
export const seller = {
  listApprovals: operation<typeof listApprovals>("list_approvals", "GET", "/api/v1/approvals"),
  getApproval: operation<typeof getApproval>("get_approval", "GET", "/approvals/:approval_id"),
  getApprovalBrief: operation<typeof getApprovalBrief>(
    "get_approval_brief",
    "GET",
    "/api/v1/approvals/:approval_id/brief",
  ),
  approveOrReject: operation<typeof approveOrReject>("approve_or_reject", "POST", "/approvals/:approval_id/decide"),
} as const;
