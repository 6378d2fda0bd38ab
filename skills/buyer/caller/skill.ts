import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { roleOf } from "../../../protocol/seam/caller.ts";
import { type Context, defineContract, defineOperation } from "../../../protocol/seam/operation.ts";
import { getCaller as sellersContract } from "../../seller/caller/contract.ts";
import { operatorKeyKind } from "../operator-keys/record.ts";
import type { BuyerPorts } from "../ports.ts";

const contract = defineContract({
  ...sellersContract,
  access: "operator",
  summary: "Says who you are to this agent: role, label, key id and when the key ends. Changes nothing.",
});

export const getCaller = defineOperation(contract, async (context: Context<BuyerPorts>) => {
  const { caller } = context;
  const key = caller.keyId === null ? null : await context.load(operatorKeyKind, caller.keyId);
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
      agent: "buyer",
      organization_name: "Parley buyer",
      sandbox: false,
    },
  };
});
