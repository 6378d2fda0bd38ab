import { statSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { builtConsole } from "./harness.ts";

const sizeOf = (files: readonly string[], ending: string): number =>
  files.filter((file) => file.endsWith(ending)).reduce((sum, file) => sum + statSync(`${file}.br`).size, 0);

test.each([
  ["seller", "buyer-"],
  ["buyer", "seller-"],
])("all that a %s's page loads is at most 70 kB of script and 10 kB of style, compressed", async (_agent, other) => {
  const loaded = (await builtConsole()).filter((file) => !basename(file).startsWith(other));
  expect(sizeOf(loaded, ".js")).toBeGreaterThan(0);
  expect(sizeOf(loaded, ".js")).toBeLessThanOrEqual(70_000);
  expect(sizeOf(loaded, ".css")).toBeLessThanOrEqual(10_000);
});
