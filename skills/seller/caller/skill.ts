import { callerView } from "../../../protocol/seam/caller-view.ts";
import { type Context, defineOperation } from "../../../protocol/seam/operation.ts";
import { apiKeyKind } from "../api-keys/record.ts";
import type { SellerPorts } from "../context.ts";
import * as contract from "./contract.ts";

export const getCaller = defineOperation(contract.getCaller, async (context: Context<SellerPorts>) => {
  const { caller, ports } = context;
  const key = caller.keyId === null ? null : await context.load(apiKeyKind, caller.keyId);
  return {
    output: {
      ...callerView(caller, context.tier, key?.body ?? null),
      agent: "seller",
      organization_name: ports.settings.sellerName,
      sandbox: ports.settings.sandbox,
    },
  };
});
