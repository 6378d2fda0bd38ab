import { callerView } from "../../../protocol/seam/caller-view.ts";
import { type Context, defineContract, defineOperation } from "../../../protocol/seam/operation.ts";
import { getCaller as sellersContract } from "../../seller/caller/contract.ts";
import { operatorKeyKind } from "../operator-keys/record.ts";
import type { BuyerPorts } from "../ports.ts";

const contract = defineContract({
  ...sellersContract,
  access: "operator",
  summary:
    "Says who you are to this agent: role, label, key id and when the key ends. The price tier, and whether deals " +
    "are for trying only, are each seller's own: list_sellers shows the tiers, a deal its sandbox. Changes nothing.",
});

export const getCaller = defineOperation(contract, async (context: Context<BuyerPorts>) => {
  const { caller } = context;
  const key = caller.keyId === null ? null : await context.load(operatorKeyKind, caller.keyId);
  return {
    output: {
      ...callerView(caller, context.tier, key?.body ?? null),
      agent: "buyer",
      organization_name: "Parley buyer",
      sandbox: false,
    },
  };
});
