import { tables } from "./0001-tables.ts";
import { functions } from "./0002-functions.ts";

/** Applied once, in order, never edited after a release. `{schema}` is the quoted schema. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  { version: 1, name: "tables", sql: tables },
  { version: 2, name: "functions", sql: functions },
];
