import { z } from "zod";
import { carriesKey } from "../../seam/run/idempotency.ts";
import type { OperationDialect } from "./dialect.ts";
import { asMoney, asUnits, currencyOf, marks, money, readBody } from "./money.ts";
import { buyerIdentity, idempotencyKey, pricing, readPricing, terms, writePricing, writeTerms } from "./terms.ts";
import { membersOf, type Members } from "../../neutral/members.ts";

const request = z.looseObject({
  idempotency_key: idempotencyKey,
  quote_id: z.string().min(1).max(128),
  buyer_identity: buyerIdentity.nullish(),
  notes: z.string().max(4000).nullish(),
  audience_plan: z.looseObject({}).nullish(),
  consent_context: z.looseObject({}).nullish(),
});

const deal = z.looseObject({
  deal_id: z.string(),
  deal_type: z.string(),
  status: z.string(),
  quote_id: z.string().nullish(),
  rate_card_id: z.string().nullish(),
  product: z.looseObject({ product_id: z.string(), name: z.string(), inventory_type: z.string().nullish() }),
  pricing,
  terms,
  buyer_tier: z.string(),
  seller_id: z.string().nullish(),
  expires_at: z.string(),
  activation_instructions: z.record(z.string(), z.string()),
  openrtb_params: z.looseObject({ id: z.string(), bidfloor: money.nullish(), at: z.int() }).nullish(),
  media_type: z.string(),
  linear_tv: z.looseObject({}).nullish(),
  created_at: z.string(),
  consent_context: z.looseObject({}).nullish(),
  supply_chain: z.looseObject({}).nullish(),
});

const writeOpenRtb = (flat: unknown): Members => {
  const { bidfloorcur, bidfloor, ...rest } = membersOf(flat);
  return { ...rest, bidfloor: asMoney(bidfloor, bidfloorcur) };
};

const readOpenRtb = (enveloped: unknown): Members => {
  const members = membersOf(enveloped);
  const { bidfloor } = members;
  return { ...members, bidfloor: asUnits(bidfloor), bidfloorcur: currencyOf(bidfloor) ?? "USD" };
};

const writeAnswer = (output: unknown): Members => {
  const { dry_run: _dry, audience_plan_snapshot: plan, audience_match_summary: summary, ...flat } = membersOf(output);
  return {
    deal: {
      ...flat,
      status: flat["cancelled"] === true ? "cancelled" : flat["status"],
      pricing: writePricing(flat["pricing"]),
      terms: writeTerms(flat["terms"]),
      openrtb_params: writeOpenRtb(flat["openrtb_params"]),
      rate_card_id: null,
      media_type: "digital",
      linear_tv: null,
      consent_context: null,
      supply_chain: null,
    },
    audience_plan_snapshot: plan ?? null,
    audience_match_summary: summary ?? null,
    ...marks(membersOf(output)),
  };
};

/** The flat form has no such status: a cancelled deal is a rejected one that says so. */
const readAnswer = (body: unknown): Members => {
  const { deal: enveloped, audience_plan_snapshot: plan, audience_match_summary: summary } = membersOf(body);
  const members = membersOf(enveloped);
  return {
    ...members,
    ...(members["status"] === "cancelled" ? { status: "rejected", cancelled: true } : {}),
    pricing: readPricing(members["pricing"]),
    openrtb_params: readOpenRtb(members["openrtb_params"]),
    ...(plan == null ? {} : { audience_plan_snapshot: plan, audience_match_summary: summary }),
    ...marks(membersOf(body)),
  };
};

export const dealEnvelope: OperationDialect = {
  name: "envelope",
  input: request,
  output: z.looseObject({
    deal,
    audience_plan_snapshot: z.looseObject({}).nullable(),
    audience_match_summary: z.looseObject({}).nullable(),
  }),
  selects: carriesKey,
  readRequest: (body) => readBody(request, body),
  writeAnswer,
  writeRequest: membersOf,
  readAnswer,
};
