import type { z } from "zod";
import { keyUseView } from "../../../protocol/seam/key-use.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { BuyerPorts } from "../ports.ts";
import type { operatorKey } from "./contract.ts";
import { isActive, type OperatorKeyRow } from "./record.ts";
import { isoTimeOrNull } from "../../../protocol/neutral/iso-time.ts";

export const expiryOf = (key: OperatorKeyRow): string | null => isoTimeOrNull(key.life.context.expiresAtMs);

export const operatorKeyView = (
  key: OperatorKeyRow,
  { ports, nowMs }: Context<BuyerPorts>,
): z.input<typeof operatorKey> => ({
  key_id: key.key_id,
  key_prefix_hint: key.prefix_hint,
  role: key.role,
  label: key.label,
  created_at: new Date(key.created_at_ms).toISOString(),
  expires_at: expiryOf(key),
  revoked: key.life.value === "revoked",
  revoked_at: isoTimeOrNull(key.revoked_at_ms),
  is_active: isActive(key, nowMs),
  ...keyUseView(key, ports.keyUses),
});
