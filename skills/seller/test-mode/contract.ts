import { z } from "zod";
import { buyStatuses } from "../../../machines/media-buy/status.ts";
import { creativeStatuses } from "../../../machines/creative/machine.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { accountStatuses } from "../accounts/record.ts";
import { dealTypes } from "../products/record.ts";

const id = z.string().min(1).max(128);
const money = z.number().min(0).max(1_000_000_000);

const seeds = {
  seed_product: z.object({
    what: z.literal("seed_product"),
    product_id: id,
    deal_type: z.enum(dealTypes),
    inventory_type: z.string().max(64),
    format_ids: z.array(id).max(50),
  }),
  seed_option: z.object({
    what: z.literal("seed_option"),
    product_id: id,
    option_id: id,
    price: money,
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
  seed_format: z.object({ what: z.literal("seed_format"), format_id: id, name: z.string().max(255) }),
  seed_creative: z.object({ what: z.literal("seed_creative"), creative_id: id, status: z.enum(creativeStatuses) }),
  seed_media_buy: z.object({ what: z.literal("seed_media_buy"), media_buy_id: id, status: z.enum(buyStatuses) }),
};

const moves = {
  set_media_buy: z.object({ what: z.literal("set_media_buy"), media_buy_id: id, status: z.enum(buyStatuses) }),
  set_creative: z.object({
    what: z.literal("set_creative"),
    creative_id: id,
    status: z.enum(creativeStatuses),
    reason: z.string().max(2000).nullish(),
  }),
  set_account: z.object({ what: z.literal("set_account"), account_id: id, status: z.enum(accountStatuses) }),
  deliver: z.object({
    what: z.literal("deliver"),
    media_buy_id: id,
    impressions: z.int().min(0).max(1_000_000_000).nullish(),
    clicks: z.int().min(0).max(1_000_000_000).nullish(),
    spend: money.nullish(),
    budget_share: z
      .number()
      .min(0)
      .max(1000)
      .nullish()
      .describe("Instead: how much of the budget is spent, in percent."),
  }),
  submit_next: z.object({ what: z.literal("submit_next"), task_id: id }),
};

/** Operations of an operator that a test calls on its own records. */
const operatorsMoves = [
  "decline_quote",
  "transition_deal",
  "transition_order",
  "approve_or_reject",
  "review_change_request",
  "apply_change_request",
  "answer_handover",
] as const;
export type OperatorsMove = (typeof operatorsMoves)[number];

const timedRecords = ["quote", "deal", "proposal", "negotiation", "approval", "session", "plan"] as const;
export type TimedRecord = (typeof timedRecords)[number];

const standIns = {
  as_operator: z.object({
    what: z.literal("as_operator"),
    operation: z.enum(operatorsMoves),
    input: z.record(z.string(), z.unknown()),
  }),
  pass_time: z.object({ what: z.literal("pass_time"), record: z.enum(timedRecords), id }),
};

/** Offered in a sandbox alone. */
export const runTest = defineContract({
  name: "run_test",
  group: "test-mode",
  summary:
    "Puts products, states and figures in for a buyer's test, does what an operator would with a record of the " +
    "buyer, or lets its deadline come. There only in a sandbox: never where media is sold.",
  effect: "write",
  access: "key",
  input: z.object({
    test: z.discriminatedUnion("what", [
      seeds.seed_product,
      seeds.seed_option,
      seeds.seed_format,
      seeds.seed_creative,
      seeds.seed_media_buy,
      moves.set_media_buy,
      moves.set_creative,
      moves.set_account,
      moves.deliver,
      moves.submit_next,
      standIns.as_operator,
      standIns.pass_time,
    ]),
  }),
  output: z.looseObject({
    previous: z.string().nullable(),
    current: z.string().nullable(),
    delivered: z.looseObject({}).nullable(),
    result: z.looseObject({}).nullable().describe("Of as_operator: the answer of the operation."),
  }),
  refusals: { not_found: 404, invalid_transition: 409 },
  rest: { method: "POST", path: "/api/v1/test" },
});
