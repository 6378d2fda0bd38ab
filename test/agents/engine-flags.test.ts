import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const setters = [
  "agents/server/keep-calls-young.ts",
  "agents/server/grow-heap-twofold.ts",
  "agents/edge/runtimes/node/young-generation.ts",
];

const flagIn = (path: string): string => {
  const source = readFileSync(join(import.meta.dirname, "../..", path), "utf8");
  const [, name = ""] = /setFlagsFromString\("--(?:no-)?([a-z-]+)/.exec(source) ?? [];
  return name;
};

it.each(setters)(
  "%s sets a flag that this engine knows: it would pass over another one with a word to stderr",
  (path) => {
    const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
    expect(known).toMatch(new RegExp(`^  --${flagIn(path)} \\(`, "m"));
  },
);
