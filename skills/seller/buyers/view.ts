import type { z } from "zod";
import { slotOfTime } from "../../../machines/inventory/dates.ts";
import { lowerTier, type Tier, tierOfIdentity } from "../../../machines/pricing/tiers.ts";
import type { TrustStatus } from "../../../machines/trust/statuses.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { ownerOf } from "../../../protocol/seam/caller.ts";
import { keyUseView } from "../../../protocol/seam/key-use.ts";
import { apiKeyKind, type ApiKeyRow, keyOwnerTerm } from "../api-keys/record.ts";
import { bookedIn } from "../desk/activity.ts";
import type { Counts } from "../oversight/day-counts.ts";
import { buyerNameIn } from "../portfolio/buyer-names.ts";
import type { SellerContext } from "../context.ts";
import { normalisedUrl } from "../registry/agent-url.ts";
import { agentKind, agentTerm } from "../registry/record.ts";
import { accessTierOf } from "../registry/view.ts";
import type { listBuyers } from "./contract.ts";

type BuyerView = z.input<typeof listBuyers.output>["buyers"][number];

/** A buyer's agent: `ceiling` null where its trust is `blocked`. */
interface BuyerAgent {
  readonly agentId: string | null;
  readonly status: TrustStatus;
  readonly ceiling: Tier | null;
}

const mostKeys = 50;

export const buyerOfKey = (row: ApiKeyRow): string => ownerOf(row.key_id, row.identity, row.life.context.verified);

export const newestKeysOf = async (
  context: SellerContext,
  owner: string,
  limit = mostKeys,
): Promise<readonly ApiKeyRow[]> => {
  const rows = await context.list(apiKeyKind, { terms: [keyOwnerTerm(owner)], order: "newest", limit });
  return rows.map(({ body }) => body);
};

const buyerAgentOf = async (context: SellerContext, agentUrl: string | null): Promise<BuyerAgent | null> => {
  const url = agentUrl === null ? null : normalisedUrl(agentUrl);
  if (url === null) return null;
  const [found] = await context.list(agentKind, { terms: [agentTerm(url)], order: "oldest", limit: 1 });
  if (found === undefined) return { agentId: null, status: "unknown", ceiling: "public" };
  const { agent_id: agentId, trust_status: status } = found.body;
  return { agentId, status, ceiling: accessTierOf(found.body, context.ports.settings) };
};

const tierOf = (key: ApiKeyRow, standing: BuyerAgent | null): { readonly tier: Tier | null; readonly why: string } => {
  if (standing?.ceiling === null) return { tier: null, why: "Its agent is blocked. set_agent_trust ends that." };
  if (!key.life.context.verified) {
    return { tier: "public", why: "Its identity is not verified. approve_or_reject decides on its key's approval." };
  }
  const claimed = tierOfIdentity(key.identity);
  const proven = `Its verified identity gives the tier ${claimed}.`;
  if (standing === null) return { tier: claimed, why: proven };
  const tier = lowerTier(claimed, standing.ceiling);
  if (tier === claimed) return { tier, why: proven };
  return { tier, why: `${proven} The trust of its agent (${standing.status}) allows ${standing.ceiling} at most.` };
};

export const standingOfKey = async (context: SellerContext, key: ApiKeyRow) => {
  const standing = await buyerAgentOf(context, key.agent_url);
  const { tier, why } = tierOf(key, standing);
  return {
    verified: key.life.context.verified,
    tier,
    ceiling: standing?.ceiling ?? null,
    tier_reason: why,
    trust_status: standing?.status ?? null,
    agent_url: key.agent_url,
    agent_id: standing?.agentId ?? null,
  };
};

export const everBooked = async (context: SellerContext, owner: string): Promise<BuyerView["deals"]> => {
  const everyDay = { fromSlot: 0, toSlot: slotOfTime(context.nowMs) };
  const { deals: count, ...booked } = await bookedIn(context, [{ owner, productId: null }], everyDay);
  return { count, ...booked };
};

export interface Buyer {
  readonly owner: string;
  /** Newest first; at least one. */
  readonly keys: readonly [ApiKeyRow, ...ApiKeyRow[]];
}

const namesIn = ({ identity }: ApiKeyRow): BuyerView["names"] => ({
  seat: identity.seat_name,
  agency: identity.agency_name,
  advertiser: identity.advertiser_name,
  holding_company: identity.agency_holding_company,
});

const latest = (times: readonly (string | null)[]): string | null =>
  times.reduce((found, time) => (found === null || (time !== null && time > found) ? time : found), null);

export const buyerView = async (
  context: SellerContext,
  { owner, keys }: Buyer,
  refused: Counts,
): Promise<BuyerView> => {
  const [key] = keys;
  const term = keyOwnerTerm(owner);
  const [first] = await context.list(apiKeyKind, { terms: [term], order: "oldest", limit: 1 });
  return {
    owner,
    name: buyerNameIn(owner, key),
    names: namesIn(key),
    ...(await standingOfKey(context, key)),
    keys: await context.count(apiKeyKind, term),
    deals: await everBooked(context, owner),
    refused: refused[owner] ?? 0,
    first_seen: isoTime(first?.body.created_at_ms ?? key.created_at_ms),
    last_seen: latest(keys.map((row) => keyUseView(row, context.ports.keyUses).last_used_at)),
  };
};
