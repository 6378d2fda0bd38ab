import type { Command } from "commander";
import { fileVariable, type SettingTable } from "../../../protocol/neutral/settings.ts";
import { nearestOf } from "../../../tools/calls/nearest.ts";
import { buyerSettingsOf, buyerSettingTable } from "../../buyer/config.ts";
import type { AgentName } from "../../host/store-location.ts";
import { textTable } from "../../host/text-table.ts";
import { sellerSettingsOf, sellerSettingTable } from "../../seller/config.ts";
import { agentNamed, type CommandContext, configMeaning, namedBy } from "../context.ts";
import { catalogOf } from "../host/flags.ts";
import { effectiveSettings, type Effective, type Origin, type SettingSources } from "./sources.ts";

interface CheckFlags {
  readonly agent: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** `value` is `***` for a secret. */
interface ShownSetting {
  readonly variable: string;
  readonly value: string;
  readonly origin: Origin;
  /** Where it is set; null: nowhere. */
  readonly at: string | null;
}

const shownSettings = (
  table: SettingTable,
  { found }: Pick<Effective<SettingTable>, "found">,
): readonly ShownSetting[] =>
  Object.values(table).map(({ variable, secret, shownDefault }) => {
    const set = found.get(variable);
    if (set === undefined) return { variable, value: shownDefault, origin: "default", at: null };
    return { variable, value: secret === true ? "***" : set.text, origin: set.origin, at: set.at };
  });

/** As a start reads them, with what one setting wants of another. */
const checked = async (agent: AgentName, sources: SettingSources): Promise<readonly ShownSetting[]> => {
  if (agent === "buyer") {
    const effective = effectiveSettings(agent, buyerSettingTable, sources);
    buyerSettingsOf(effective.config);
    return shownSettings(buyerSettingTable, effective);
  }
  const effective = effectiveSettings(agent, sellerSettingTable, sources);
  sellerSettingsOf(effective.config, `http://127.0.0.1:${effective.config.port}`);
  await catalogOf(undefined, effective.config);
  return shownSettings(sellerSettingTable, effective);
};

const variables = [sellerSettingTable, buyerSettingTable].flatMap((table) =>
  Object.values(table).flatMap(({ variable, secret = false }) =>
    secret ? [variable, fileVariable(variable)] : variable,
  ),
);

/** A variable that is spelled almost as a setting: nothing else would tell that it has no effect. */
const misspelled = (environment: SettingSources["environment"]): readonly string[] => {
  const known = new Set(variables);
  const names = [...known].map((name) => name.toLowerCase());
  return Object.keys(environment)
    .filter((name) => /^[A-Z][A-Z_0-9]+$/.test(name) && !known.has(name))
    .flatMap((name) => {
      const near = nearestOf(name, names)?.toUpperCase();
      const isMeant = near !== undefined && near[0] === name[0];
      return isMeant ? `${name} is set and is no setting. Did you mean ${near}?` : [];
    });
};

const check = async (context: CommandContext, flags: CheckFlags): Promise<void> => {
  const { environment } = context;
  const sources = { environment, config: namedBy("--config", flags.config) };
  const rows = await checked(agentNamed(flags.agent), sources);
  for (const hint of misspelled(environment)) process.stderr.write(`parley: ${hint}\n`);
  if (flags.json === true) return context.print(JSON.stringify(rows, null, 2));
  const cells = rows.map(({ variable, value, origin, at }) => [
    variable,
    value,
    at === null || at === variable ? origin : `${origin}: ${at}`,
  ]);
  for (const line of textTable([["Setting", "Value", "From"], ...cells]).lines) context.print(line);
};

/** `parley config check`: what an agent would start with. */
export const addConfigCommand = (program: Command, context: CommandContext): void => {
  program
    .command("config")
    .description("settings of an agent: environment, settings file and secret files")
    .command("check")
    .description("read all settings as a start does, and print each with where it is from; secrets are masked")
    .requiredOption("--agent <name>", "seller or buyer")
    .option("--config <file>", configMeaning)
    .option("--json", "print the settings as JSON")
    .action((flags: CheckFlags) => check(context, flags));
};
