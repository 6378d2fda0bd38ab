import type { z } from "zod";
import { fromMicros } from "../../../machines/money.ts";
import type { Caller } from "../../../protocol/seam/caller.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { begunView, pricingView } from "../pricing/view.ts";
import type { DealType } from "../products/record.ts";
import { totalCost } from "../words.ts";
import { dealWords, waitingFor } from "./words.ts";
import { matchSummary } from "../audience/rules.ts";
import type { ChangeRequestRow } from "../change-requests/record.ts";
import { isAwaitingApproval, type DealRow } from "./record.ts";
import type { deal, generateDeal } from "./contract.ts";

const kinds: Readonly<Record<DealType, string>> = {
  PG: "programmatic guaranteed deal",
  PD: "preferred deal",
  PA: "private auction deal",
};

const namedDeal = (row: DealRow): string => {
  const seats = row.wseat.length === 0 ? "" : ` (seat ${row.wseat.join(", ")})`;
  return `the ${kinds[row.deal_type]} ${row.deal_id} of ${row.seller_id}${seats}`;
};

const activationInstructions = (row: DealRow): Record<string, string> => ({
  ttd: `In The Trade Desk, add ${namedDeal(row)} under Inventory, then target it in the ad group.`,
  dv360: `In Display & Video 360, accept ${namedDeal(row)} under My inventory, then assign it to a line item.`,
  xandr: `In Xandr Invest, enter ${namedDeal(row)} under Deals, then target it in the line item's supply settings.`,
});

const waitingView = ({ change_request_id, change_type, life }: ChangeRequestRow) => ({
  change_request_id,
  change_type,
  status: life.value,
});

/** Seller spec, Deal. `waiting`: changes asked for and not written. */
export const dealView = (
  row: DealRow,
  caller: Caller,
  waiting: readonly ChangeRequestRow[] = [],
): z.input<typeof deal> => {
  const { terms, expiresAtMs, statusReason, isCancelled = false } = row.life.context;
  const plan = row.audience_plan;
  const view = {
    deal_id: row.deal_id,
    deal_type: row.deal_type,
    status: row.life.value,
    status_reason: statusReason,
    cancelled: isCancelled,
    quote_id: row.quote_id,
    proposal_id: row.proposal_id ?? null,
    product: { ...row.product },
    pricing: pricingView(row.pricing, terms.priceMicros),
    terms: {
      impressions: terms.impressions,
      flight_start: terms.flightStart,
      flight_end: terms.flightEnd,
      guaranteed: row.deal_type === "PG",
      ...begunView(row.begun_on),
    },
    total_cost: totalCost(terms.priceMicros, terms.impressions),
    ...dealWords(row, caller, waiting),
    changes_waiting: waiting.map(waitingView),
    waiting_for: waitingFor(row, waiting),
    buyer_tier: row.tier,
    seller_id: row.seller_id,
    awaiting_approval: isAwaitingApproval(row),
    expires_at: isoTime(expiresAtMs),
    activation_instructions: activationInstructions(row),
    openrtb_params: {
      id: row.deal_id,
      bidfloor: fromMicros(terms.priceMicros),
      bidfloorcur: row.pricing.currency,
      at: row.deal_type === "PA" ? 3 : 1,
      wseat: [...row.wseat],
      wadomain: [],
    },
    notes: row.notes ?? null,
    approval_id: row.approval?.approval_id ?? null,
    created_at: isoTime(row.created_at_ms),
    terms_digest: row.terms_digest,
    revision: row.revision,
    sandbox: row.sandbox,
  };
  return plan == null ? view : { ...view, audience_plan_snapshot: plan, audience_match_summary: matchSummary(plan) };
};

/** Clients of the proposal route read the price at the top level and other names for the instructions. */
export const generatedDealView = (
  row: DealRow,
  caller: Caller,
  platform: string | null,
): z.input<typeof generateDeal.output> => {
  const view = dealView(row, caller);
  const own = platform === null ? undefined : view.activation_instructions[platform.toLowerCase()];
  return {
    ...view,
    price: fromMicros(row.life.context.terms.priceMicros),
    pricing_model: "CPM",
    activation_instructions: {
      ...view.activation_instructions,
      agentic: `Bid on deal ${row.deal_id} with the parameters in openrtb_params.`,
      traditional_dsp: own ?? `Enter ${namedDeal(row)} in your DSP, then target it.`,
    },
  };
};
