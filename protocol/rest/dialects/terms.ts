import { z } from "zod";
import { keyForm } from "../../seam/run/idempotency.ts";
import { asMoney, asUnits, currencyOf, money } from "./money.ts";
import { membersOf, type Members } from "../../neutral/members.ts";

export const pricing = z.looseObject({
  pricing_type: z.string(),
  base_cpm: money.nullable(),
  tier_discount_pct: z.number(),
  volume_discount_pct: z.number(),
  final_cpm: money.nullable(),
  pricing_model: z.string(),
  rationale: z.string(),
  base_cpp: money.nullish(),
  final_cpp: money.nullish(),
});

export const terms = z.looseObject({
  impressions: z.int().nullish(),
  flight_start: z.string().nullish(),
  flight_end: z.string().nullish(),
  guaranteed: z.boolean(),
  grps: z.number().nullish(),
  guaranteed_grps: z.number().nullish(),
  target_demo: z.string().nullish(),
});

/** With every member that envelope buyers send. */
export const buyerIdentity = z.looseObject({
  seat_id: z.string().max(255).nullish(),
  seat_name: z.string().nullish(),
  dsp_platform: z.string().max(255).nullish(),
  agency_id: z.string().max(255).nullish(),
  agency_name: z.string().nullish(),
  agency_holding_company: z.string().nullish(),
  advertiser_id: z.string().max(255).nullish(),
  advertiser_name: z.string().nullish(),
  advertiser_industry: z.string().nullish(),
  campaign_id: z.string().nullish(),
  campaign_name: z.string().nullish(),
});

export const idempotencyKey = z.string().regex(keyForm).describe("Makes the request safe to send again.");

export const writePricing = (flat: unknown): Members => {
  const { currency, base_cpm: base, final_cpm: final, ...rest } = membersOf(flat);
  return {
    ...rest,
    base_cpm: asMoney(base, currency),
    final_cpm: asMoney(final, currency),
    base_cpp: null,
    final_cpp: null,
  };
};

export const readPricing = (enveloped: unknown): Members => {
  const { base_cpp: _base, final_cpp: _final, ...rest } = membersOf(enveloped);
  const currency = currencyOf(rest["final_cpm"]) ?? currencyOf(rest["base_cpm"]) ?? "USD";
  return { ...rest, base_cpm: asUnits(rest["base_cpm"]), final_cpm: asUnits(rest["final_cpm"]), currency };
};

export const writeTerms = (flat: unknown): Members => ({
  ...membersOf(flat),
  grps: null,
  guaranteed_grps: null,
  target_demo: null,
});
