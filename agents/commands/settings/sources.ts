import { resolve } from "node:path";
import {
  entriesOf,
  fileVariable,
  readSettings,
  type ReadSettings,
  type Setting,
  type SettingTable,
  StartFailure,
} from "../../../protocol/neutral/settings.ts";
import type { AgentName } from "../../host/store-location.ts";
import { type FileTable, keyOf, readSettingsFile, type SettingsFile, textOfToml } from "./settings-file.ts";
import { readSmallFile } from "./small-file.ts";

type Texts = Readonly<Record<string, string | undefined>>;

/** Where an agent's settings stand, the first that has one counts: environment, file, `defaults`. */
export interface SettingSources {
  readonly environment: Texts;
  /** The settings file; else `PARLEY_CONFIG`. */
  readonly config?: string | undefined;
  /** In place of the table's own. */
  readonly defaults?: Texts;
}

export type Origin = "environment" | "file" | "secret file" | "default";

interface Found {
  readonly text: string;
  readonly origin: Origin;
  /** Where it is set, as a message names it. */
  readonly at: string;
}

type Row = Pick<Setting<unknown>, "variable" | "isList" | "secret">;

/** One place where settings stand. */
interface Place {
  readonly origin: Origin;
  /** How a message names a variable of it. */
  at(variable: string): string;
  /** Undefined: it is not set here. */
  textOf(variable: string, row: Row): string | undefined;
}

const filled = (text: string | undefined): string | undefined => text?.trim() || undefined;

const textPlace = (origin: Origin, texts: Texts): Place => ({
  origin,
  at: (variable) => variable,
  textOf: (variable) => filled(texts[variable]),
});

const filePlace = ({ path, isOpen }: SettingsFile, table: FileTable): Place => {
  const at = (variable: string): string => table.named(keyOf(variable));
  return {
    origin: "file",
    at,
    textOf: (variable, row) => {
      const member = keyOf(variable);
      if (!Object.hasOwn(table.members, member)) return undefined;
      const text = textOfToml(table.members[member], row);
      const forms = row.isList === true ? "a text, or a list of texts without commas" : "a text, number, true or false";
      if (text === null) throw new StartFailure(`${at(variable)}: ${forms} is wanted.`);
      if (row.secret === true && isOpen && variable === row.variable) {
        const key = keyOf(fileVariable(variable));
        const cure = `Run chmod o= ${path}, or put the secret in a file and name it in ${key}.`;
        throw new StartFailure(`${at(variable)} is a secret, and all users of this machine can read it. ${cure}`);
      }
      return filled(text);
    },
  };
};

const secretOf = (name: string, path: string): string => {
  const read = readSmallFile(path);
  if ("wrong" in read) throw new StartFailure(`${name}: the secret file ${path} ${read.wrong}`);
  if (read.forAll !== 0)
    throw new StartFailure(`${name}: all users of this machine can read or write ${path}. Run: chmod o= ${path}`);
  const text = filled(read.text);
  if (text === undefined)
    throw new StartFailure(`${name}: the secret file ${path} is empty. Write the secret into it.`);
  return text;
};

const foundAt = (place: Place, row: Row): Found | null => {
  const { variable } = row;
  const inFile = fileVariable(variable);
  const text = place.textOf(variable, row);
  const path = row.secret === true ? place.textOf(inFile, row) : undefined;
  if (text !== undefined && path !== undefined) {
    throw new StartFailure(`${place.at(variable)} and ${place.at(inFile)} are both set. Leave one of them out.`);
  }
  if (text !== undefined) return { text, origin: place.origin, at: place.at(variable) };
  if (path === undefined) return null;
  const file = resolve(path);
  return { text: secretOf(place.at(inFile), file), origin: "secret file", at: `${place.at(inFile)} (${file})` };
};

const countingOf = (places: readonly Place[], row: Row): Found | null => {
  for (const place of places) {
    const found = foundAt(place, row);
    if (found !== null) return found;
  }
  return null;
};

const placesOf = (agent: AgentName, whole: SettingTable | null, sources: SettingSources): readonly Place[] => {
  const { environment, config = filled(environment["PARLEY_CONFIG"]), defaults = {} } = sources;
  const file = config === undefined ? null : readSettingsFile(config, agent, whole);
  return [
    textPlace("environment", environment),
    ...(file === null ? [] : [filePlace(file, file.own), filePlace(file, file.shared)]),
    textPlace("default", defaults),
  ];
};

export interface Effective<T extends SettingTable> {
  readonly config: ReadSettings<T>;
  /** By variable, for those that are set somewhere. */
  readonly found: ReadonlyMap<string, Found>;
  /** What no log may show. */
  readonly secrets: readonly string[];
  /** The variables that somebody set: people change none of them in a running agent. */
  readonly given: ReadonlySet<string>;
}

/** Of a list what is behind each name, of an address its password, else the whole text. */
const secretsOfText = (text: string, isList: boolean): readonly string[] => {
  if (isList) return entriesOf(text).map((entry) => entry.slice(entry.indexOf("=") + 1));
  const password = URL.canParse(text) ? new URL(text).password : "";
  return password === "" ? [text] : [password];
};

/**
 * An agent's settings with where each is from. `isPart`: the table is a part of the agent's, so that the file may hold
 * others. Throws `StartFailure` with everything that is wrong.
 */
export const effectiveSettings = <T extends SettingTable>(
  agent: AgentName,
  table: T,
  sources: SettingSources,
  isPart = false,
): Effective<T> => {
  const places = placesOf(agent, isPart ? null : table, sources);
  const found = new Map<string, Found>();
  const wrong: string[] = [];
  for (const row of Object.values(table)) {
    try {
      const first = countingOf(places, row);
      if (first !== null) found.set(row.variable, first);
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      wrong.push(error.message);
    }
  }
  if (wrong.length > 0) throw new StartFailure(wrong.join("\n"));
  const secrets = Object.values(table).flatMap(({ variable, isList = false, secret = false }) => {
    const text = found.get(variable)?.text;
    return secret && text !== undefined ? secretsOfText(text, isList) : [];
  });
  const texts = Object.fromEntries([...found].map(([variable, { text }]) => [variable, text]));
  const given = new Set([...found].flatMap(([variable, { origin }]) => (origin === "default" ? [] : [variable])));
  const config = readSettings(table, texts, (variable) => found.get(variable)?.at ?? variable);
  return { config, found, secrets, given };
};
