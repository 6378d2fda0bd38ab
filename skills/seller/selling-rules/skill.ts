import type { z } from "zod";
import { toMicros } from "../../../machines/money.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { isRefusal, type Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { altering, create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import type { SellerContext } from "../context.ts";
import { personOf } from "../principal.ts";
import * as contract from "./contract.ts";
import { lastMonth } from "./last-month.ts";
import { rulesFacts, sellingRulesId, sellingRulesKind, type SellingRules, type SellingRulesRow } from "./record.ts";
import { isFixed, memberOf, type RuleName, ruleNames, valuesOf, variablesOf, withRules } from "./rules.ts";

const rulesView = ({ ports }: SellerContext, row: SellingRulesRow | null) => ({
  values: valuesOf(withRules(ports.startSettings, row?.rules ?? {})),
  start_values: valuesOf(ports.startSettings),
  stored: ruleNames.filter((name) => row?.rules[memberOf[name]] !== undefined),
  fixed: ruleNames.flatMap((name) => {
    const variable = variablesOf[name];
    return variable !== null && isFixed(ports.startSettings, name) ? [{ name, variable }] : [];
  }),
  revision: row?.revision ?? 0,
  updated_at: row === null ? null : isoTime(row.updated_at_ms),
  updated_by: row?.updated_by ?? null,
});

export const getSellingRules = defineOperation(contract.getSellingRules, async (context: SellerContext) => {
  const row = (await context.load(sellingRulesKind, sellingRulesId))?.body ?? null;
  return { output: rulesView(context, row), meta: { revision: row?.revision ?? 0 } };
});

type Input = z.output<typeof contract.updateSellingRules.input>;

const microsIn = (name: RuleName, value: number | null | undefined): number | undefined | Refusal =>
  value == null ? undefined : (toMicros(value) ?? fieldRefusal(name, "An amount has at most six decimals."));

const talkIn = (limits: NonNullable<Input["negotiation"]>["seat"]) => ({
  maxRounds: limits.rounds,
  roundCapPct: limits.round_cap_pct,
  totalCapPct: limits.total_cap_pct,
  gapShare: limits.gap_share,
});

const rulesIn = (input: Input): SellingRules | Refusal => {
  const above = microsIn("approval_above_value", input.approval_above_value);
  if (isRefusal(above)) return above;
  const floor = microsIn("global_floor_cpm", input.global_floor_cpm);
  if (isRefusal(floor)) return floor;
  const { volume_discounts: volume, negotiation: talks } = input;
  if (volume != null && new Set(volume.map((step) => step.min_impressions)).size < volume.length) {
    return fieldRefusal("volume_discounts", "Two steps begin at the same volume.");
  }
  const entries = {
    seller_name: input.seller_name,
    publisher_domain: input.publisher_domain,
    approval_enabled: input.approval_enabled,
    approval_flows: input.approval_flows == null ? undefined : [...new Set(input.approval_flows)],
    approval_above_micros: above,
    approval_timeout_hours: input.approval_timeout_hours,
    quote_ttl_seconds: input.quote_ttl_seconds,
    deal_proposal_ttl_days: input.deal_proposal_ttl_days,
    tier_discounts: input.tier_discounts,
    global_floor_micros: floor,
    volume_discounts: volume?.map((step) => ({
      minImpressions: step.min_impressions,
      discountPct: step.discount_pct,
    })),
    negotiation:
      talks == null
        ? undefined
        : { seat: talkIn(talks.seat), agency: talkIn(talks.agency), advertiser: talkIn(talks.advertiser) },
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value != null)) as SellingRules;
};

/** Null: what is changed is free to be. */
const fixedRefusal = ({ ports }: SellerContext, named: readonly RuleName[]): Refusal | null => {
  const name = named.find((one) => isFixed(ports.startSettings, one));
  if (name === undefined) return null;
  return fieldRefusal(name, `The environment fixes it as ${variablesOf[name]}: it is changed there, with a start.`);
};

export const updateSellingRules = defineOperation(
  contract.updateSellingRules,
  async (context: SellerContext, input) => {
    const given = rulesIn(input);
    if (isRefusal(given)) return given;
    const reset = input.reset ?? [];
    const named = ruleNames.filter((name) => given[memberOf[name]] !== undefined || reset.includes(name));
    const twice = reset.find((name) => given[memberOf[name]] !== undefined);
    if (twice !== undefined) return fieldRefusal("reset", `Send a value of ${twice} or reset it, not both.`);
    const refusal = fixedRefusal(context, named);
    if (refusal !== null) return refusal;
    const loaded = await context.load(sellingRulesKind, sellingRulesId);
    const before = loaded?.body.rules ?? {};
    context.matchRevision(loaded?.body.revision ?? 0);
    const dropped = new Set(reset.map((name) => memberOf[name]));
    const kept = Object.fromEntries(
      Object.entries(before).filter(([member]) => !dropped.has(member as keyof SellingRules)),
    );
    const row: SellingRulesRow = {
      rules: { ...kept, ...given },
      updated_at_ms: context.nowMs,
      updated_by: await personOf(context),
      revision: (loaded?.body.revision ?? 0) + 1,
    };
    const then = withRules(context.ports.startSettings, row.rules);
    return {
      output: {
        ...rulesView(context, row),
        changed: named,
        last_month: context.dryRun ? await lastMonth(context, then) : null,
      },
      changes: [
        loaded === null
          ? altering(create(sellingRulesKind, sellingRulesId, row), {}, rulesFacts(row.rules))
          : update(sellingRulesKind, loaded, row),
      ],
      meta: { revision: row.revision },
    };
  },
);
