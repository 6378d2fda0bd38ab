import { z } from "zod";
import { membersOf, type Members } from "../../neutral/members.ts";
import type { Refusal } from "../../neutral/refusals.ts";
import { requestOf } from "../request.ts";
import { defineTask } from "../task.ts";
import { typesOfChannel } from "./products.ts";

const id = z.string().min(1).max(128);
const figure = z.number().min(0).max(1_000_000_000);
const money = z.looseObject({ amount: figure, currency: z.string() });

type Scenario = (params: unknown) => Members | null;

const scenario =
  <S extends z.ZodType>(schema: S, to: (params: z.output<S>) => Members): Scenario =>
  (params) => {
    const read = schema.safeParse(params);
    return read.success ? to(read.data) : null;
  };

/** Public tests call it so, and AdCP knows no such channel. */
const inventoryOf = (channels: readonly string[]): string => {
  const [first = "display"] = channels;
  return typesOfChannel(first === "video" ? "olv" : first)[0] ?? "display";
};

const productFixture = z.looseObject({
  delivery_type: z.string().nullish(),
  channels: z.array(z.string()).nullish(),
  format_ids: z.array(z.looseObject({ id })).nullish(),
});

const priceFixture = z.looseObject({
  currency: z.string().nullish(),
  fixed_price: figure.nullish(),
  floor_price: figure.nullish(),
});

/** By AdCP's names, as the test that an agent in test mode runs. Null: the params do not fit. */
const scenarios: Readonly<Record<string, Scenario>> = {
  force_creative_status: scenario(
    z.looseObject({ creative_id: id, status: z.string(), rejection_reason: z.string().nullish() }),
    ({ creative_id, status, rejection_reason: reason }) => ({
      what: "set_creative",
      creative_id,
      status,
      reason: reason ?? null,
    }),
  ),
  force_account_status: scenario(z.looseObject({ account_id: id, status: z.string() }), ({ account_id, status }) => ({
    what: "set_account",
    account_id,
    status,
  })),
  force_media_buy_status: scenario(
    z.looseObject({ media_buy_id: id, status: z.string() }),
    ({ media_buy_id, status }) => ({ what: "set_media_buy", media_buy_id, status }),
  ),
  force_create_media_buy_arm: scenario(z.looseObject({ arm: z.literal("submitted"), task_id: id }), ({ task_id }) => ({
    what: "submit_next",
    task_id,
  })),
  simulate_delivery: scenario(
    z.looseObject({
      media_buy_id: id,
      impressions: figure.nullish(),
      clicks: figure.nullish(),
      reported_spend: money.nullish(),
    }),
    ({ media_buy_id, impressions, clicks, reported_spend: spend }) => ({
      what: "deliver",
      media_buy_id,
      impressions: impressions ?? null,
      clicks: clicks ?? null,
      spend: spend?.amount ?? null,
    }),
  ),
  simulate_budget_spend: scenario(
    z.looseObject({ media_buy_id: id, spend_percentage: figure }),
    ({ media_buy_id, spend_percentage }) => ({ what: "deliver", media_buy_id, budget_share: spend_percentage }),
  ),
  seed_product: scenario(
    z.looseObject({ product_id: id, fixture: productFixture.nullish() }),
    ({ product_id, fixture }) => ({
      what: "seed_product",
      product_id,
      deal_type: fixture?.delivery_type === "non_guaranteed" ? "PA" : "PG",
      inventory_type: inventoryOf(fixture?.channels ?? []),
      format_ids: (fixture?.format_ids ?? []).map((format) => format.id),
    }),
  ),
  seed_pricing_option: scenario(
    z.looseObject({ product_id: id, pricing_option_id: id, fixture: priceFixture.nullish() }),
    ({ product_id, pricing_option_id, fixture }) => ({
      what: "seed_option",
      product_id,
      option_id: pricing_option_id,
      price: fixture?.fixed_price ?? fixture?.floor_price ?? 10,
      currency: fixture?.currency ?? "USD",
    }),
  ),
  seed_creative: scenario(
    z.looseObject({ creative_id: id, fixture: z.looseObject({ status: z.string().nullish() }).nullish() }),
    ({ creative_id, fixture }) => ({
      what: "seed_creative",
      creative_id,
      status: fixture?.status ?? "approved",
    }),
  ),
  seed_creative_format: scenario(
    z.looseObject({ format_id: id, fixture: z.looseObject({ name: z.string().nullish() }).nullish() }),
    ({ format_id, fixture }) => ({ what: "seed_format", format_id, name: fixture?.name ?? format_id }),
  ),
  seed_media_buy: scenario(
    z.looseObject({ media_buy_id: id, fixture: z.looseObject({ status: z.string().nullish() }).nullish() }),
    ({ media_buy_id, fixture }) => ({
      what: "seed_media_buy",
      media_buy_id,
      status: fixture?.status ?? "active",
    }),
  ),
};

const names: readonly string[] = Object.keys(scenarios);

/** Those that the schema of capabilities knows. */
export const declaredScenarios = names.filter((name) =>
  /^(force_(creative|account|media_buy)_status|simulate_)/.test(name),
);

const request = requestOf({ scenario: z.string().max(64), params: z.unknown().optional() });

const unplayed = (error: string, detail: string): Members => ({ success: false, error, error_detail: detail });

const refusedAs: Readonly<Record<string, string>> = {
  not_found: "NOT_FOUND",
  media_buy_not_found: "NOT_FOUND",
  invalid_transition: "INVALID_TRANSITION",
};

const answered = (output: Members, params: Members): Members => {
  if (params["arm"] !== undefined) {
    return { success: true, forced: { arm: params["arm"], task_id: params["task_id"] } };
  }
  if (output["delivered"] !== null) return { success: true, simulated: output["delivered"] };
  if (output["previous"] === null) return { success: true, message: "It is there." };
  return { success: true, previous_state: output["previous"], current_state: output["current"] };
};

/** Absent where the agent is in no test mode. */
export const testController = defineTask({
  name: "comply_test_controller",
  title: "Control a test",
  summary: "Puts products, states and figures in, so that a buyer's test meets them. In test mode alone.",
  writes: true,
  request,
  toCall: ({ scenario: name, params }) => {
    const test = scenarios[name]?.(params ?? {}) ?? null;
    return test === null ? null : { operation: "run_test", input: { test } };
  },
  toAnswer: (output, _asked, { scenario: name, params }) => {
    if (name === "list_scenarios") return { success: true, scenarios: [...names] };
    const play = scenarios[name];
    if (play === undefined) return unplayed("UNKNOWN_SCENARIO", "list_scenarios names those that there are.");
    if (play(params ?? {}) === null) return unplayed("INVALID_PARAMS", `The params of ${name} are incomplete.`);
    return answered(output, membersOf(params));
  },
  toRefused: ({ code, message, extras }: Refusal) => ({
    ...unplayed(refusedAs[code] ?? "INVALID_PARAMS", message),
    ...(extras["current_status"] === undefined ? {} : { current_state: extras["current_status"] }),
  }),
});
