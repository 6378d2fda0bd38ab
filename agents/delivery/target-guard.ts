import { lookup } from "node:dns/promises";
import { readAllowList } from "../../protocol/client/address-guard.ts";
import { isPublicAddress, judgeTarget, type TargetGuard } from "../../protocol/neutral/address-guard.ts";
import type { OutboundMore } from "../../protocol/client/outbound.ts";

type Resolve = NonNullable<OutboundMore["resolve"]>;

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * Rejects a private address when it is named; it is checked again at each connection. A name that does not resolve yet
 * is allowed.
 */
export const createTargetGuard = (parts: {
  readonly settings: { readonly outboundAllow: readonly string[] };
  readonly outbound?: OutboundMore;
}): TargetGuard => {
  const allow = readAllowList(parts.settings.outboundAllow.join(","));
  const resolve = parts.outbound?.resolve ?? resolveBySystem;
  return {
    isPermitted: async (url, { asksResolver }) => {
      const judgement = judgeTarget(url, allow);
      if (judgement !== "resolve" || !asksResolver) return judgement !== "refused";
      const addresses = await resolve(new URL(url).hostname).catch(() => []);
      return addresses.every(({ address }) => isPublicAddress(address));
    },
  };
};
