import { agenticKeys, translatePlan } from "../../../protocol/audience-plan/openrtb.ts";
import { type Context, defineOperation } from "../../../protocol/seam/operation.ts";
import type { BuyerPorts } from "../ports.ts";
import * as contract from "./contract.ts";

export const translateAudience = defineOperation(
  contract.translateAudience,
  async ({ ports, nowMs }: Context<BuyerPorts>, input) => {
    const { openrtb, warnings } = translatePlan(input.audience_plan, agenticKeys(ports.agenticExtension, nowMs));
    const told = warnings.map((one) => ({ ...one, identifiers: [...one.identifiers] }));
    return { output: { openrtb, warnings: told } };
  },
);
