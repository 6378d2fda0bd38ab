import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buyerForgetRules } from "../../agents/buyer/forgetting.ts";
import type { ForgetRules } from "../../agents/host/forgetting.ts";
import { sellerForgetRules } from "../../agents/seller/forgetting/rules.ts";
import { productSources } from "../architecture/rules.ts";

const root = join(import.meta.dirname, "../..");

interface Described {
  readonly kinds: readonly string[];
  readonly fate: string;
}

/** The lines of the tables below a heading, or below all. */
const described = (heading: string): readonly Described[] => {
  const [, section = ""] = readFileSync(join(root, "docs/data.md"), "utf8").split(`## ${heading}\n`);
  const lines = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    return { kinds: [...(cells[1] ?? "").matchAll(/`(\w+)`/g)].map(([, kind]) => kind ?? ""), fate: cells[4] ?? "" };
  });
};

const kindsOf = (rows: readonly Described[]): readonly string[] => rows.flatMap(({ kinds }) => kinds);

const agents: readonly (readonly [string, ForgetRules])[] = [
  ["The seller", sellerForgetRules],
  ["The buyer", buyerForgetRules],
];

/** A kind is an object with the type `Kind` and a name; two are named by a constant. */
const kindsInCode = (): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const { text } of productSources(root)) {
    for (const [, name] of text.matchAll(/Kind(?:<[\w<>]+>)?(?: = |\b[^\n]{0,40}=> ?\(?)\{\s*name: "([a-z][a-z0-9_]*)"/g)) {
      found.add(name ?? "");
    }
    for (const [, name] of text.matchAll(/\bconst \w+Kind = "([a-z0-9_]+)"/g)) found.add(name ?? "");
  }
  return found;
};

describe("what is stored about whom", () => {
  it("names every kind of rows that the code writes, and no other", () => {
    const named = new Set(["The seller", "The buyer", "The edge"].flatMap((one) => kindsOf(described(one))));
    expect([...named].sort()).toEqual([...kindsInCode()].sort());
  });

  it.each(agents)("%s: says of each kind what the rules do", (heading, { rules, last }) => {
    const ruled = [...rules, ...last].map(({ kind }) => kind);
    const rows = described(heading);
    expect(ruled.filter((kind) => !kindsOf(rows).includes(kind))).toEqual([]);
    for (const { kinds, fate } of rows) {
      const isPart = fate.startsWith("stays");
      for (const kind of kinds) expect(ruled.includes(kind), `${kind}: ${fate}`).toBe(!isPart && kind !== "newest_order");
    }
  });
});
