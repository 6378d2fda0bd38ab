import { parseArgs } from "node:util";
import type { Plan } from "./cases.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "64" },
    // Until the compiler is nearly done: after a quarter of it, it still took a twentieth of a quote's time.
    warm: { type: "string", default: "100000" },
    rows: { type: "string", default: "1000000" },
  },
});

/** Which benches are wanted: `NAME` for a module, `NAME/CASE` for one of its cases; none means all. */
export const wanted: readonly string[] = positionals;

/** How many rows a large list has. */
export const manyRows = Number(values.rows);

/** How long each case of a module is measured. */
export const planOf = (module: string): Plan => ({
  module: `${module}.js`,
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  warmJobs: Number(values.warm),
  connections: Number(values.connections),
});

/** Whether a case of a module is wanted. */
export const isWanted = (module: string, name: string): boolean =>
  wanted.length === 0 || wanted.includes(module) || wanted.includes(`${module}/${name}`);
