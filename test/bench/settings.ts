import { parseArgs } from "node:util";
import type { Plan } from "./cases.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "64" },
    // After a quarter of it the compiler still took a twentieth of a quote's time.
    warm: { type: "string", default: "100000" },
    rows: { type: "string", default: "1000000" },
    // Of talk: authors, conversations, seller or buyer, and what went wrong.
    author: { type: "string" },
    only: { type: "string" },
    agent: { type: "string" },
    failed: { type: "boolean", default: false },
  },
});

/** `NAME` for a module, `NAME/CASE` for one case; none means all. */
export const wanted: readonly string[] = positionals;

export const manyRows = Number(values.rows);

export const talkSettings = {
  author: values.author,
  only: values.only,
  agent: values.agent,
  showsFailed: values.failed,
};

export const planOf = (module: string): Plan => ({
  module: `${module}.js`,
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  warmJobs: Number(values.warm),
  connections: Number(values.connections),
});

export const isWanted = (module: string, name: string): boolean =>
  wanted.length === 0 || wanted.includes(module) || wanted.includes(`${module}/${name}`);
