import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "docs/threat-model.md"), "utf8");
const rows = text.split("\n").filter((line) => line.startsWith("|"));

const filesIn = (line: string): readonly string[] => [...line.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file ?? "");

it("each defence names a test, and each named test is there", () => {
  const begins = rows.findIndex((line) => line.startsWith("| Door or way"));
  const defences = rows.slice(begins + 2);
  expect(defences.length).toBeGreaterThan(25);
  expect(defences.filter((line) => filesIn(line).length === 0)).toEqual([]);
  expect(filesIn(text).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
