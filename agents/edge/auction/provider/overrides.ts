import type { ProviderConfig } from "../../config.ts";
import type { Params } from "../slot.ts";

export type PrebidProfile = Extract<ProviderConfig, { profile: "prebid-server" }>["profile_config"];

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/**
 * The parameters that one bidder gets for one slot: the publisher's, with the operator's put over them: by
 * bidder, by bidder and zone, then the rules as they stand in the file. Each replaces members whole.
 */
export const applyOverrides = (profile: PrebidProfile, bidder: string, zone: string | null, params: Params): Params => {
  const byBidder = own(profile.bid_param_overrides, bidder);
  const zones = own(profile.bid_param_zone_overrides, bidder);
  const byZone = zone === null || zones === undefined ? undefined : own(zones, zone);
  const rules = profile.bid_param_override_rules.filter(
    ({ when }) =>
      (when.bidder === undefined || when.bidder === bidder) && (when.zone === undefined || when.zone === zone),
  );
  return rules.reduce<Params>((merged, { set }) => ({ ...merged, ...set }), { ...params, ...byBidder, ...byZone });
};
