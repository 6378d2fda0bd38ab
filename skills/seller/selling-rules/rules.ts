import type { NegotiationLimits } from "../../../machines/negotiation/limits.ts";
import { fromMicros } from "../../../machines/money.ts";
import { type Tier, type TierTable, tiers } from "../../../machines/pricing/tiers.ts";
import type { SellerSettings } from "../settings.ts";
import { type SellingRules, talkingTiers } from "./record.ts";

/** By the name of a rule: the environment variables that fix it, so that it is changed there alone. */
export const variablesOf = {
  seller_name: "SELLER_ORGANIZATION_NAME",
  publisher_domain: "PUBLISHER_DOMAIN",
  approval_enabled: "APPROVAL_GATE_ENABLED",
  approval_flows: "APPROVAL_REQUIRED_FLOWS",
  approval_above_value: "APPROVAL_REQUIRED_ABOVE_VALUE",
  approval_timeout_hours: "APPROVAL_TIMEOUT_HOURS",
  quote_ttl_seconds: "QUOTE_TTL_SECONDS",
  deal_proposal_ttl_days: "DEAL_PROPOSAL_TTL_DAYS",
  tier_discounts: "TIER_DISCOUNTS",
  global_floor_cpm: "GLOBAL_FLOOR_CPM",
  volume_discounts: "VOLUME_DISCOUNTS",
  negotiation: null,
} as const satisfies Readonly<Record<string, string | null>>;

export type RuleName = keyof typeof variablesOf;

export const ruleNames = Object.keys(variablesOf) as readonly RuleName[];

/** Under which the row keeps it: amounts in micros. */
export const memberOf = {
  ...(Object.fromEntries(ruleNames.map((name) => [name, name])) as Record<
    Exclude<RuleName, "approval_above_value" | "global_floor_cpm">,
    keyof SellingRules
  >),
  approval_above_value: "approval_above_micros",
  global_floor_cpm: "global_floor_micros",
} as Readonly<Record<RuleName, keyof SellingRules>>;

export const isFixed = (settings: SellerSettings, name: RuleName): boolean => {
  const variable = variablesOf[name];
  return variable !== null && settings.given.has(variable);
};

const tiersOf = (table: TierTable, discounts: Readonly<Record<Tier, number>> | undefined): TierTable =>
  discounts === undefined
    ? table
    : (Object.fromEntries(tiers.map((tier) => [tier, { ...table[tier], discountPct: discounts[tier] }])) as Record<
        Tier,
        TierTable[Tier]
      >);

const negotiationOf = (
  before: SellerSettings["negotiation"],
  rules: SellingRules["negotiation"],
): Readonly<Record<Tier, NegotiationLimits>> =>
  rules === undefined
    ? before
    : { ...before, ...Object.fromEntries(talkingTiers.map((tier) => [tier, { ...before[tier], ...rules[tier] }])) };

/** What the environment fixes stays, whatever was stored before it did. */
export const withRules = (start: SellerSettings, stored: SellingRules): SellerSettings => {
  const rules = Object.fromEntries(
    ruleNames.filter((name) => !isFixed(start, name)).map((name) => [memberOf[name], stored[memberOf[name]]]),
  ) as SellingRules;
  return {
    ...start,
    sellerName: rules.seller_name ?? start.sellerName,
    publisherDomain: rules.publisher_domain ?? start.publisherDomain,
    approvalGate: {
      enabled: rules.approval_enabled ?? start.approvalGate.enabled,
      flows: rules.approval_flows ?? start.approvalGate.flows,
      aboveMicros: rules.approval_above_micros ?? start.approvalGate.aboveMicros,
    },
    approvalTimeoutHours: rules.approval_timeout_hours ?? start.approvalTimeoutHours,
    quoteTtlSeconds: rules.quote_ttl_seconds ?? start.quoteTtlSeconds,
    dealProposalTtlDays: rules.deal_proposal_ttl_days ?? start.dealProposalTtlDays,
    pricing: {
      ...start.pricing,
      tiers: tiersOf(start.pricing.tiers, rules.tier_discounts),
      volume: rules.volume_discounts ?? start.pricing.volume,
      globalFloorMicros: rules.global_floor_micros ?? start.pricing.globalFloorMicros,
    },
    negotiation: negotiationOf(start.negotiation, rules.negotiation),
  };
};

const talkView = (limits: NegotiationLimits) => ({
  rounds: limits.maxRounds,
  round_cap_pct: limits.roundCapPct,
  total_cap_pct: limits.totalCapPct,
  gap_share: limits.gapShare,
});

export const valuesOf = (settings: SellerSettings) => ({
  seller_name: settings.sellerName,
  publisher_domain: settings.publisherDomain,
  approval_enabled: settings.approvalGate.enabled,
  approval_flows: [...settings.approvalGate.flows],
  approval_above_value: fromMicros(settings.approvalGate.aboveMicros),
  approval_timeout_hours: settings.approvalTimeoutHours,
  quote_ttl_seconds: settings.quoteTtlSeconds,
  deal_proposal_ttl_days: settings.dealProposalTtlDays,
  tier_discounts: Object.fromEntries(tiers.map((tier) => [tier, settings.pricing.tiers[tier].discountPct])) as Record<
    Tier,
    number
  >,
  global_floor_cpm: fromMicros(settings.pricing.globalFloorMicros),
  volume_discounts: settings.pricing.volume.map(({ minImpressions, discountPct }) => ({
    min_impressions: minImpressions,
    discount_pct: discountPct,
  })),
  negotiation: {
    seat: talkView(settings.negotiation.seat),
    agency: talkView(settings.negotiation.agency),
    advertiser: talkView(settings.negotiation.advertiser),
  },
});
