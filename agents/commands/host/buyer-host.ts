import type { Contract } from "../../../protocol/seam/operation.ts";
import { converse } from "../../../skills/buyer/talk/contract.ts";
import { createBuyer } from "../../buyer/app.ts";
import { buyerSettingsOf, buyerSettingTable } from "../../buyer/config.ts";
import { buyerOperations } from "../../buyer/operations.ts";
import { buyerRowFormats } from "../../buyer/row-formats.ts";
import { upgradeRows } from "../../../storage/upgrade.ts";
import { openHost } from "../../host/hosts.ts";
import { systemClock } from "../../server/launch.ts";
import { UsageFailure } from "../context.ts";
import type { OpenAgent } from "./flags.ts";
import { opened } from "./opened.ts";

export const contracts: readonly Contract[] = [...buyerOperations.map(({ contract }) => contract), converse];

export const open: OpenAgent = async (context, { data, catalog }, { writes }) => {
  if (catalog !== undefined) throw new UsageFailure("--catalog: a buyer has no catalog.");
  const { config, log, place } = opened(context, "buyer", buyerSettingTable, { data });
  return openHost({
    agent: "buyer",
    place,
    log,
    writes,
    contracts,
    compose: async (store) => {
      await upgradeRows(store, buyerRowFormats, log);
      return createBuyer({ store, settings: buyerSettingsOf(config), clock: systemClock, log });
    },
  });
};
