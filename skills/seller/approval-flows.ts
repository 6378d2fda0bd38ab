import type { GatedFlow } from "../../machines/approval/gate.ts";
import { carryKeyOn } from "./api-keys/approval.ts";
import type { CarryOn } from "./approval-flow.ts";
import { carryDealOn } from "./deals/approval.ts";
import { carryNegotiationOn } from "./negotiation/approval.ts";
import { carryProposalOn } from "./proposals/approval.ts";

/** What each outcome does to the flow that waits, by the flow's word: one line per flow that a gate can hold. */
const approvalFlows: Readonly<Partial<Record<GatedFlow, CarryOn>>> = {
  proposal: carryProposalOn,
  negotiation: carryNegotiationOn,
  deal: carryDealOn,
  api_key: carryKeyOn,
};

/** The flow of an approval that was raised; every flow that raises one has its line in the table. */
export const flowOf = (flow: GatedFlow): CarryOn => {
  const carryOn = approvalFlows[flow];
  if (carryOn === undefined) throw new Error(`No flow ${flow} can be carried on.`);
  return carryOn;
};
