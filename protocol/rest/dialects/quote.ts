import { z } from "zod";
import { dayText } from "../../neutral/date-text.ts";
import { Refused, refuse } from "../../neutral/refusals.ts";
import { carriesKey } from "../../seam/run/idempotency.ts";
import type { OperationDialect } from "./dialect.ts";
import { asMoney, asUnits, currencyOf, marks, money, readBody } from "./money.ts";
import { buyerIdentity, idempotencyKey, pricing, readPricing, terms, writePricing, writeTerms } from "./terms.ts";
import { membersOf, type Members } from "../../neutral/members.ts";

const request = z
  .looseObject({
    idempotency_key: idempotencyKey,
    product_id: z.string().min(1).max(128),
    deal_type: z.enum(["PG", "PD", "PA"]),
    impressions: z.int().min(0).nullish(),
    flight_start: dayText.nullish(),
    flight_end: dayText.nullish(),
    target_cpm: money.nullish(),
    media_type: z.enum(["digital", "ctv", "linear_tv"]).default("digital"),
    linear_tv: z.looseObject({}).nullish(),
    rate_card_id: z.string().nullish(),
    buyer_identity: buyerIdentity.nullish(),
    audience_plan: z.looseObject({}).nullish(),
    consent_context: z.looseObject({}).nullish(),
    agent_url: z.string().max(2048).nullish(),
  })
  .superRefine((body, at) => {
    if (body.linear_tv == null || body.media_type === "linear_tv") return;
    at.addIssue({ code: "custom", path: ["linear_tv"], message: "Only media_type linear_tv has linear_tv terms." });
  });

const quote = z.looseObject({
  quote_id: z.string(),
  status: z.string(),
  deal_type: z.string(),
  product: z.looseObject({ product_id: z.string(), name: z.string(), inventory_type: z.string().nullish() }),
  pricing,
  terms,
  availability: z.looseObject({}).nullish(),
  buyer_tier: z.string(),
  rate_card_id: z.string().nullish(),
  expires_at: z.string(),
  seller_id: z.string().nullish(),
  created_at: z.string(),
  deal_id: z.string().nullish(),
  media_type: z.string(),
  linear_tv: z.looseObject({}).nullish(),
  consent_context: z.looseObject({}).nullish(),
});

/** Linear TV is not sold here: a quote for it is refused before its form is read, as envelope buyers expect. */
const linearTv = { unsupported: [{ capability: "linear_tv", path: "media_type", reason: "" }] };

const readRequest = (body: unknown): Members => {
  if (membersOf(body)["media_type"] === "linear_tv") {
    throw new Refused(refuse("unsupported_capability", { extras: linearTv }));
  }
  const given = readBody(request, body);
  const target = given["target_cpm"];
  const currency = currencyOf(target);
  return { ...given, ...(target == null ? {} : { target_cpm: asUnits(target), currency }) };
};

const writeAnswer = (output: unknown): Members => {
  const { dry_run: _dry, ...flat } = membersOf(output);
  return {
    quote: {
      ...flat,
      pricing: writePricing(flat["pricing"]),
      terms: writeTerms(flat["terms"]),
      rate_card_id: null,
      media_type: flat["media_type"] ?? "digital",
      linear_tv: null,
      consent_context: null,
    },
    ...marks(membersOf(output)),
  };
};

const writeRequest = (input: unknown): Members => {
  const { currency, target_cpm: target, ...rest } = membersOf(input);
  return { ...rest, ...(target == null ? {} : { target_cpm: asMoney(target, currency ?? "USD") }) };
};

const readAnswer = (body: unknown): Members => {
  const members = membersOf(membersOf(body)["quote"]);
  return { ...members, pricing: readPricing(members["pricing"]), ...marks(membersOf(body)) };
};

export const quoteEnvelope: OperationDialect = {
  name: "envelope",
  input: request,
  output: z.looseObject({ quote }),
  selects: carriesKey,
  readRequest,
  writeAnswer,
  writeRequest,
  readAnswer,
};
