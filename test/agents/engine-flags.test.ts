import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = readFileSync(join(import.meta.dirname, "../../agents/server/engine-flags.ts"), "utf8");
const flags = [...source.matchAll(/setFlagsFromString\("--(?:no-)?([a-z-]+)/g)].map(([, name = ""]) => name);

it("finds the flags that are set", () => expect(flags).toHaveLength(3));

it.each(flags)("%s is a flag that this engine knows: it would pass over another one with a word to stderr", (flag) => {
  const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  expect(known).toMatch(new RegExp(`^  --${flag} \\(`, "m"));
});
