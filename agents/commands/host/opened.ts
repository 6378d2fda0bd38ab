import { type AgentLog, createLog, type LogLevel } from "../../log.ts";
import { type AgentName, type StoreLocation, locationOf, type StoreSettings } from "../../host/store-location.ts";
import type { ReadSettings, SettingTable } from "../../../protocol/neutral/settings.ts";
import { type CommandContext, namedBy } from "../context.ts";
import { effectiveSettings } from "../settings/sources.ts";

interface OpenFlags {
  readonly data?: string | undefined;
  /** The settings file; else PARLEY_CONFIG. */
  readonly config?: string | undefined;
}

/** `isPart`: the table is a part of the agent's. Throws `StartFailure` with everything that is wrong. */
export const opened = <T extends SettingTable & Readonly<Record<keyof StoreSettings, SettingTable[string]>>>(
  context: CommandContext,
  agent: AgentName,
  table: T,
  flags: OpenFlags,
  isPart = false,
): {
  readonly config: ReadSettings<T> & { readonly given: ReadonlySet<string> };
  readonly log: AgentLog;
  readonly place: StoreLocation;
} => {
  const sources = { environment: context.environment, config: namedBy("--config", flags.config) };
  const { config: read, given, secrets } = effectiveSettings(agent, table, sources, isPart);
  const config = { ...read, given };
  const level = (config as { logLevel?: LogLevel }).logLevel ?? "info";
  const place = locationOf(agent, namedBy("--data", flags.data), config as unknown as StoreSettings);
  return { config, log: createLog(agent, level, secrets), place };
};
