import type { GatedFlow } from "../../../machines/approval/gate.ts";
import { decimalText } from "../../../machines/money.ts";
import type { NegotiationLimits } from "../../../machines/negotiation/limits.ts";
import type { Tier } from "../../../machines/pricing/tiers.ts";
import type { VolumeStep } from "../../../machines/pricing/volume.ts";
import type { Facts, Kind } from "../../../storage/store.ts";

/** Those who negotiate. */
export const talkingTiers = ["seat", "agency", "advertiser"] as const satisfies readonly Tier[];

export type TalkLimits = Omit<NegotiationLimits, "strategy">;

/** A member that is missing is as the agent was started. */
export interface SellingRules {
  readonly seller_name?: string;
  readonly publisher_domain?: string;
  readonly approval_enabled?: boolean;
  readonly approval_flows?: readonly GatedFlow[];
  readonly approval_above_micros?: number;
  readonly approval_timeout_hours?: number;
  readonly quote_ttl_seconds?: number;
  readonly deal_proposal_ttl_days?: number;
  readonly tier_discounts?: Readonly<Record<Tier, number>>;
  readonly global_floor_micros?: number;
  readonly volume_discounts?: readonly VolumeStep[];
  readonly negotiation?: Readonly<Record<(typeof talkingTiers)[number], TalkLimits>>;
}

/** One row, made by the first change. */
export interface SellingRulesRow {
  readonly rules: SellingRules;
  readonly updated_at_ms: number;
  readonly updated_by: string;
  readonly revision: number;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Amounts in units, as people read them in the audit. */
export const rulesFacts = (rules: SellingRules): Facts =>
  Object.fromEntries(
    Object.entries(rules).map(([name, value]) => [
      name.replace("_micros", ""),
      name.endsWith("_micros") ? decimalText(value as number) : textOf(value),
    ]),
  );

export const sellingRulesKind: Kind<SellingRulesRow> = {
  name: "selling_rules",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
  facts: ({ rules }) => rulesFacts(rules),
};

export const sellingRulesId = "current";
