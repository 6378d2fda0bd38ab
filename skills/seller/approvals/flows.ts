import type { GatedFlow } from "../../../machines/approval/gate.ts";
import { carryKeyOn } from "../api-keys/approval.ts";
import type { Continuation } from "./flow.ts";
import { carryDealOn } from "../deals/approval.ts";
import { carryMediaBuyOn } from "../media-buys/approval.ts";
import { carryNegotiationOn } from "../negotiation/approval.ts";
import { carryProposalOn } from "../proposals/approval.ts";

export const approvalFlows: Readonly<Record<GatedFlow, Continuation>> = {
  proposal: carryProposalOn,
  negotiation: carryNegotiationOn,
  deal: carryDealOn,
  api_key: carryKeyOn,
  media_buy: carryMediaBuyOn,
};
