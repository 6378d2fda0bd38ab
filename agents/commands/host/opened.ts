import type { Log } from "../../../protocol/seam/ports.ts";
import { createLog } from "../../log.ts";
import { type AgentName, type StoreLocation, locationOf, type StoreSettings } from "../../host/store-location.ts";
import { readSettings, type ReadSettings, type SettingTable } from "../../../protocol/neutral/settings.ts";
import { type CommandContext, namedBy } from "../context.ts";

export const opened = <T extends SettingTable & Readonly<Record<keyof StoreSettings, SettingTable[string]>>>(
  context: CommandContext,
  agent: AgentName,
  table: T,
  data: string | undefined,
): { readonly config: ReadSettings<T>; readonly log: Log; readonly place: StoreLocation } => {
  const config = readSettings(table, context.environment);
  const level = (config as { logLevel?: string }).logLevel ?? "info";
  const place = locationOf(agent, namedBy("--data", data), config as unknown as StoreSettings);
  return { config, log: createLog(agent, level), place };
};
