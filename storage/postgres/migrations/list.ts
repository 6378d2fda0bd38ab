import { tables } from "./0001-tables.ts";
import { functions } from "./0002-functions.ts";

/**
 * One step of the schema: applied once, in order, never edited after a release, never undone. `{schema}` stands for the
 * quoted schema.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Every migration this program knows. Numbers grow by one. A new one may only add: older processes still run. */
export const migrations: readonly Migration[] = [
  { version: 1, name: "tables", sql: tables },
  { version: 2, name: "functions", sql: functions },
];
