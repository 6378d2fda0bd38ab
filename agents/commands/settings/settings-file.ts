import { resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import type { Members } from "../../../protocol/neutral/members.ts";
import { fileVariable, type Setting, type SettingTable, StartFailure } from "../../../protocol/neutral/settings.ts";
import { longestCompared, nearestOf } from "../../../tools/calls/nearest.ts";
import type { AgentName } from "../../host/store-location.ts";
import { serverSettings } from "../../server/server-settings.ts";
import { readSmallFile } from "./small-file.ts";

/** A table of the file: settings of one agent, or at the top those that all agents have. */
export interface FileTable {
  readonly members: Members;
  /** With its line, where that can be told. */
  named(key: string): string;
}

export interface SettingsFile {
  readonly path: string;
  /** All users of the machine may read or write it. */
  readonly isOpen: boolean;
  readonly own: FileTable;
  readonly shared: FileTable;
}

const agents: readonly AgentName[] = ["seller", "buyer"];

export const keyOf = (variable: string): string => variable.toLowerCase();

const keysOf = (table: SettingTable): readonly string[] =>
  Object.values(table).flatMap(({ variable, secret }) =>
    secret === true ? [variable, fileVariable(variable)].map(keyOf) : [keyOf(variable)],
  );

const isTable = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** The parser tells no line of a key that is well written. */
const lineOfKey = (text: string, agent: AgentName | null, key: string): number | null => {
  const lines = text.split("\n");
  const heading = agent === null ? -1 : lines.findIndex((line) => line.trim().startsWith(`[${agent}]`));
  const found = lines.findIndex((line, at) => at > heading && line.replace(/["'\s]/g, "").startsWith(`${key}=`));
  return found < 0 ? null : found + 1;
};

const parsedToml = (path: string, text: string): Members => {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
    throw new StartFailure(
      `${path}, line ${error.line}, column ${error.column}: ${reason}. Write one key = value a line, texts in double ` +
        `quotes, lists in brackets, and the agent's name in brackets above its settings.`,
    );
  }
};

const cut = (key: string): string => JSON.stringify(key.slice(0, longestCompared));

const unknownKeys = ({ members, named }: FileTable, known: readonly string[], elsewhere: readonly string[]) =>
  Object.keys(members)
    .filter((key) => !known.includes(key) && !(agents as readonly string[]).includes(key))
    .map((key) => {
      if (elsewhere.includes(key))
        return `${named(key)} is a setting of one agent. Write it below [seller] or [buyer].`;
      const near = nearestOf(key, [...known, ...agents, ...elsewhere]);
      const isOfAgent = near !== null && elsewhere.includes(near) && !known.includes(near);
      const place = isOfAgent ? " That is a setting of one agent: write it below [seller] or [buyer]." : "";
      const cure = near === null ? "docs/configuration.md lists all." : `Did you mean ${near}?${place}`;
      return `${named(cut(key).slice(1, -1))} is no setting here. ${cure}`;
    });

/**
 * `table` null: the names of the agent's own settings are not checked. Throws `StartFailure` with everything that is
 * wrong.
 */
export const readSettingsFile = (given: string, agent: AgentName, table: SettingTable | null): SettingsFile => {
  const path = resolve(given);
  const read = readSmallFile(path);
  if ("wrong" in read) throw new StartFailure(`The settings file ${path} ${read.wrong}`);
  const all = parsedToml(path, read.text);
  const own = Object.hasOwn(all, agent) ? all[agent] : {};
  if (!isTable(own)) throw new StartFailure(`${path}: ${agent} is no table. Write [${agent}] above its settings.`);
  const tableAt = (members: Members, of: AgentName | null): FileTable => ({
    members,
    named: (key) => {
      const line = lineOfKey(read.text, of, key);
      return `${path}${line === null ? "" : `, line ${line}`}: ${key}`;
    },
  });
  const file = { path, isOpen: read.forAll !== 0, own: tableAt(own, agent), shared: tableAt(all, null) };
  const ownKeys = table === null ? Object.keys(own) : keysOf(table);
  const wrong = [...unknownKeys(file.shared, keysOf(serverSettings), ownKeys), ...unknownKeys(file.own, ownKeys, [])];
  if (wrong.length > 0) throw new StartFailure(wrong.join("\n"));
  return file;
};

/** The text that the environment would have; null: no setting is written so. */
export const textOfToml = (value: unknown, { isList = false }: Pick<Setting<unknown>, "isList">): string | null => {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value) || !isList) return null;
  const entries = value.map((entry) => (Array.isArray(entry) ? null : textOfToml(entry, {})));
  return entries.every((entry) => entry !== null && !entry.includes(",")) ? entries.join(",") : null;
};
