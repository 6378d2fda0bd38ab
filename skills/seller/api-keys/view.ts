import type { z } from "zod";
import { keyUseView } from "../../../protocol/seam/key-use.ts";
import type { ApiKeyRow, KeyIdentity } from "./record.ts";
import type { apiKey, createdApiKey } from "./contract.ts";
import type { SellerContext } from "../context.ts";
import { isoTimeOrNull } from "../../../protocol/neutral/iso-time.ts";

/** All members of the wire; a request can set eight of them. */
const identityView = (identity: KeyIdentity) => ({
  ...identity,
  advertiser_industry: null,
  campaign_id: null,
  campaign_name: null,
});

export const isActive = (row: ApiKeyRow, nowMs: number): boolean => {
  const { expiresAtMs } = row.life.context;
  return row.life.value === "active" && (expiresAtMs === null || nowMs < expiresAtMs);
};

const flatIds = (identity: KeyIdentity) => ({
  seat_id: identity.seat_id,
  agency_id: identity.agency_id,
  advertiser_id: identity.advertiser_id,
});

export const apiKeyView = (row: ApiKeyRow, context: SellerContext): z.input<typeof apiKey> => ({
  key_id: row.key_id,
  ...flatIds(row.identity),
  label: row.label,
  created_at: new Date(row.created_at_ms).toISOString(),
  expires_at: isoTimeOrNull(row.life.context.expiresAtMs),
  is_active: isActive(row, context.nowMs),
  ...keyUseView(row, context.ports.keyUses),
  role: row.role,
  verified: row.life.context.verified,
  revoked: row.life.value === "revoked",
  key_prefix_hint: row.prefix_hint,
  agent_url: row.agent_url,
  approval_id: row.approval_id,
  identity: identityView(row.identity),
});

export const createdApiKeyView = (row: ApiKeyRow, secret: string): z.input<typeof createdApiKey> => ({
  key_id: row.key_id,
  api_key: secret,
  ...flatIds(row.identity),
  label: row.label,
  created_at: new Date(row.created_at_ms).toISOString(),
  expires_at: isoTimeOrNull(row.life.context.expiresAtMs),
  role: row.role,
  verified: row.life.context.verified,
  approval_id: row.approval_id,
  agent_url: row.agent_url,
  warning: "Store this key securely. It will not be shown again.",
  identity: identityView(row.identity),
});
