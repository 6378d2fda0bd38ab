import { z } from "zod";
import { dayText } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { changeRequest } from "../change-requests/contract.ts";
import { deal } from "../deals/contract.ts";
import { reasonText } from "../free-form.ts";
import { proposal } from "../proposals/contract.ts";

const dealId = z.string().min(1).max(128).describe("Id from list_deals or book_deal.");

const reason = reasonText.nullish().describe("Why, in words for the seller.");

const raised = z.looseObject({
  ...changeRequest.shape,
  deal,
  order_created: z.boolean().describe("Whether the deal had no order that could be changed, so that one was made."),
});

const refusals = { revision_mismatch: 412, deal_not_found: 404, invalid_transition: 409, change_pending: 409 } as const;

const changeRefusals = { ...refusals, validation_failed: 422 } as const;

const moves = { readOnly: false, destructive: true, idempotent: false, openWorld: false } as const;

export const cancelDeal = defineContract({
  name: "cancel_deal",
  group: "buyer-moves",
  summary:
    "Asks to cancel a proposed or active deal. Raises a critical change request, which a senior operator reviews. " +
    "The deal stays as it is until then: do not treat it as cancelled. Follow it with get_change_request.",
  effect: "write",
  access: "public",
  input: z.object({ deal_id: dealId, reason }),
  output: raised,
  refusals,
  rest: { method: "POST", path: "/api/v1/deals/:deal_id/cancel" },
  tool: { title: "Cancel a deal", ...moves },
  intent: {
    skill: "deals",
    phrases: [
      "cancel the deal",
      "cancel my booking",
      "we need to cancel",
      "call off the campaign",
      "pull the campaign",
      "scrap the deal",
      "we want to get out of the booking",
      "drop the booking",
      "terminate the deal",
      "stop the campaign",
      "annul the order",
    ],
  },
});

export const rescheduleDeal = defineContract({
  name: "reschedule_deal",
  group: "buyer-moves",
  summary:
    "Asks to move a deal's flight: send shift_days to move both ends, or a new flight_start or flight_end " +
    "(YYYY-MM-DD, UTC). Three days or fewer are done at once (status approved, deal shows the new dates); more, also " +
    "in all since the flight was booked or reviewed, waits for a review (pending_approval). Refused where the new " +
    "days have too little inventory.",
  effect: "write",
  access: "public",
  input: z.object({
    deal_id: dealId,
    shift_days: z.int().min(-731).max(731).nullish().describe("Days to move both ends by; negative is earlier."),
    flight_start: dayText.nullish().describe("New first day."),
    flight_end: dayText.nullish().describe("New last day."),
    reason,
  }),
  output: raised,
  refusals: changeRefusals,
  rest: { method: "POST", path: "/api/v1/deals/:deal_id/reschedule" },
  tool: { title: "Move a flight", ...moves, argumentAliases: { start_date: "flight_start", end_date: "flight_end" } },
  intent: { skill: "deals", phrases: ["move the flight", "shift the campaign by days", "reschedule the deal"] },
});

export const changeDeal = defineContract({
  name: "change_deal",
  group: "buyer-moves",
  summary:
    "Asks to change a deal's volume, in impressions; the price per thousand stays. Always waits for a review " +
    "(pending_approval); refused where too little inventory is left. Follow it with get_change_request.",
  effect: "write",
  access: "public",
  input: z.object({
    deal_id: dealId,
    impressions: z.int().min(1).max(1_000_000_000_000).describe("The new volume."),
    reason,
  }),
  output: raised,
  refusals: changeRefusals,
  rest: { method: "POST", path: "/api/v1/deals/:deal_id/change" },
  tool: { title: "Change a deal's volume", ...moves, argumentAliases: { volume: "impressions" } },
  intent: { skill: "deals", phrases: ["change the volume of the deal", "more impressions for the deal"] },
});

export const withdrawProposal = defineContract({
  name: "withdraw_proposal",
  group: "buyer-moves",
  summary:
    "Takes back your proposal that waits for an approval or is countered, with its negotiation; a quote that it " +
    "names can be booked again. Final: an accepted proposal is simply not booked, and a booked one needs cancel_deal.",
  effect: "write",
  access: "public",
  input: z.object({
    proposal_id: z.string().min(1).max(128).describe("Id from list_proposals or submit_proposal."),
    reason,
  }),
  output: proposal,
  refusals: { revision_mismatch: 412, proposal_not_found: 404, invalid_transition: 409 },
  rest: { method: "POST", path: "/proposals/:proposal_id/withdraw" },
  tool: { title: "Withdraw a proposal", ...moves },
  intent: {
    skill: "proposals",
    phrases: [
      "withdraw my proposal",
      "take back the proposal",
      "retract our proposal",
      "pull our proposal",
      "I take my proposal back",
    ],
  },
});
