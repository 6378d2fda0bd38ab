import { tables } from "./0001-tables.ts";
import { functions } from "./0002-functions.ts";
import { sums } from "./0003-sums.ts";

/**
 * Applied once, in order, and never edited once it was on main: its digest is stored with the schema and compared at
 * every start. `{schema}` is the quoted schema.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  { version: 1, name: "tables", sql: tables },
  { version: 2, name: "functions", sql: functions },
  { version: 3, name: "sums", sql: sums },
];
