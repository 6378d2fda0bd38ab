import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { builtConsole } from "./harness.ts";

test("all screens are at most 70 kB of script and 10 kB of style, compressed", async () => {
  const sizeOf = (files: readonly string[], ending: string): number =>
    files.filter((file) => file.endsWith(ending)).reduce((sum, file) => sum + statSync(`${file}.br`).size, 0);
  const files = await builtConsole();
  expect(sizeOf(files, ".js")).toBeGreaterThan(0);
  expect(sizeOf(files, ".js")).toBeLessThanOrEqual(70_000);
  expect(sizeOf(files, ".css")).toBeLessThanOrEqual(10_000);
});
