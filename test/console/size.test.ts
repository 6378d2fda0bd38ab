import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { builtConsole } from "./harness.ts";

const sizeOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(`${file}.br`).size, 0);

/** Of a built script: what comes with it, or later. */
const importsOf = (file: string, pattern: RegExp): string[] =>
  [...readFileSync(file, "utf8").matchAll(pattern)].map(([, name = ""]) => join(dirname(file), name));

const withIt = /(?:from|import)"(\.\/[^"]+)"/g;
const later = /import\("(\.\/[^"]+)"\)/g;

const loadedWith = (file: string, known = new Set<string>()): Set<string> => {
  if (known.has(file)) return known;
  known.add(file);
  for (const other of importsOf(file, withIt)) loadedWith(other, known);
  return known;
};

const named = (files: readonly string[], start: string): string => {
  const found = files.find((file) => basename(file).startsWith(start) && file.endsWith(".js"));
  if (found === undefined) throw new Error(`no script begins with ${start}`);
  return found;
};

test.for([
  ["seller", 15],
  ["buyer", 9],
] as const)(
  "a page of the %s loads at most 70 kB of script and 10 kB of style, compressed",
  async ([agent, least], { annotate }) => {
    const files = await builtConsole();
    const list = named(files, `${agent}-`);
    const shell = [...loadedWith(named(files, "main-")), ...loadedWith(list)];
    const screens = importsOf(list, later).map((screen) => new Set([...shell, ...loadedWith(screen)]));
    expect(screens.length).toBeGreaterThanOrEqual(least);
    const firsts = screens.map(sizeOf);
    expect(Math.min(...firsts)).toBeGreaterThan(20_000);
    expect(Math.max(...firsts), "the largest first page").toBeLessThanOrEqual(70_000);
    // One request each, of which a browser makes six at once.
    expect(Math.max(...screens.map(({ size }) => size)), "files of a first page").toBeLessThanOrEqual(14);
    const all = sizeOf(new Set(screens.flatMap((screen) => [...screen])));
    expect(all, "every screen together").toBeLessThanOrEqual(150_000);
    expect(sizeOf(files.filter((file) => file.endsWith(".css")))).toBeLessThanOrEqual(10_000);
    await annotate(`first page ${Math.min(...firsts)} to ${Math.max(...firsts)} bytes of script, all screens ${all}`);
  },
);
