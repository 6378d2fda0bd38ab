import { roleOf } from "../../../protocol/seam/caller.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { type Context, defineOperation } from "../../../protocol/seam/operation.ts";
import { apiKeyKind } from "../api-keys/record.ts";
import type { SellerPorts } from "../ports.ts";
import * as contract from "./contract.ts";

export const getCaller = defineOperation(contract.getCaller, async (context: Context<SellerPorts>) => {
  const { caller, ports } = context;
  const key = caller.keyId === null ? null : await context.load(apiKeyKind, caller.keyId);
  const expiresAtMs = key?.body.life.context.expiresAtMs ?? null;
  return {
    output: {
      principal: caller.principal,
      role: roleOf(caller),
      label: caller.kind === "host" ? "host" : (key?.body.label ?? null),
      key_id: caller.keyId,
      owner: caller.owner,
      tier: context.tier,
      verified: caller.verified,
      expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
      agent: "seller",
      organization_name: ports.settings.sellerName,
      sandbox: ports.settings.sandbox,
    },
  };
});
