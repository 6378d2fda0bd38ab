import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LockFile, lockProblems } from "./architecture/lock.ts";
import { sharedNames } from "./architecture/names.ts";
import {
  functionsOver,
  importCircles,
  importProblems,
  medianFileLength,
  medianFunctionLength,
  productSources,
  sizeProblems,
  wordProblems,
} from "./architecture/rules.ts";

const root = join(import.meta.dirname, "..");
const sources = productSources(root);

describe("architecture", () => {
  it("reads the product's sources", () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it("every import follows the import table", () => {
    expect(sources.flatMap(importProblems)).toEqual([]);
  });

  it("no sources import each other in a circle", () => {
    expect(importCircles(sources)).toEqual([]);
  });

  it("finds a circle, also of type imports", () => {
    const source = (path: string, text: string) => ({ path, text });
    const circle = [
      source("machines/a.ts", 'import { b } from "./b.ts";'),
      source("machines/b.ts", 'import type { A } from "./a.ts";'),
    ];
    expect(importCircles(circle)).toEqual(["machines/a.ts -> machines/b.ts -> machines/a.ts"]);
  });

  it("files, functions and lines stay within their limits", () => {
    expect(sources.flatMap(sizeProblems)).toEqual([]);
  });

  it("no banned name or word stands in a source", () => {
    expect(sources.flatMap(wordProblems)).toEqual([]);
  });

  it("the median file has at most 90 lines", () => {
    expect(medianFileLength(sources)).toBeLessThanOrEqual(90);
  });

  it("the median function has at most 12 lines", () => {
    expect(medianFunctionLength(sources)).toBeLessThanOrEqual(12);
  });

  it("names with several homes and long functions only become fewer: lower these counts with them", () => {
    const { exported, own } = sharedNames(sources);
    const long = sources.flatMap((source) => functionsOver(50, source));
    expect(exported.length, `exported by several files: ${exported.join(", ")}`).toBeLessThanOrEqual(207);
    expect(own.length, `private in more than three files: ${own.join(", ")}`).toBeLessThanOrEqual(147);
    expect(long.length, `over 50 lines: ${long.join(", ")}`).toBeLessThanOrEqual(59);
  });

  it("the top level holds the fixed folders and what the ecosystem wants", () => {
    const found = readdirSync(root).filter((name) => !/^\.|^node_modules$|^dist$|^coverage$/.test(name));
    expect(found.sort()).toEqual([
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "Containerfile",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "agents",
      "compose.yaml",
      "docs",
      "knip.json",
      "machines",
      "package-lock.json",
      "package.json",
      "protocol",
      "skills",
      "storage",
      "test",
      "tools",
      "tsconfig.json",
      "vitest.config.ts",
      "vitest.conformance.config.ts",
      "vitest.sim.config.ts",
    ]);
  });

  it("the lock is whole, for every platform, and names no registry", () => {
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;
    expect(Object.keys(lock.packages).length).toBeGreaterThan(300);
    expect(lockProblems(lock)).toEqual([]);
  });
});

const planted = (path: string, text: string): { path: string; text: string } => ({ path, text });

describe("architecture: each rule can fail", () => {
  it("a name that two files export, one that four keep to themselves, and a long function are found", () => {
    const files = ["a", "b", "c", "d"].map((name, index) =>
      planted(`tools/${name}.ts`, `${index < 2 ? "export interface Place {}\n" : ""}const limit = ${index};`),
    );
    expect(sharedNames(files)).toEqual({ exported: ["Place"], own: ["limit"] });
    expect(functionsOver(50, planted("tools/x.ts", `const a = () => {\n${"  f();\n".repeat(50)}};`))).toEqual([
      "tools/x.ts:1",
    ]);
  });

  it("a machine that imports storage is found", () => {
    expect(importProblems(planted("machines/x.ts", 'import type { Store } from "../storage/store.ts";'))).toEqual([
      "machines/x.ts: may not import storage/store.ts",
    ]);
  });

  it("an import past the door of a folder of the embedded store is found", () => {
    const inner = 'import { findRow } from "../rows/tables.ts";';
    const door = 'import { findRow } from "../rows/index.ts";';
    expect(importProblems(planted("storage/lowdb/commit/x.ts", inner))).toEqual([
      "storage/lowdb/commit/x.ts: may not import storage/lowdb/rows/tables.ts",
    ]);
    expect(importProblems(planted("storage/lowdb/commit/x.ts", door))).toEqual([]);
    expect(importProblems(planted("storage/lowdb/rows/x.ts", 'import { Low } from "../log/index.ts";'))).toEqual([
      "storage/lowdb/rows/x.ts: may not import storage/lowdb/log/index.ts",
    ]);
  });

  it("a skill that imports koa is found", () => {
    expect(importProblems(planted("skills/seller/x.ts", 'import Koa from "koa";'))).toEqual([
      "skills/seller/x.ts: the library koa may not be imported here",
    ]);
  });

  it("a reader of text that reaches for the gate, or for a context that writes, is found", () => {
    const gate = 'import { createGate } from "../gate/gate.ts";';
    const context = 'import type { Context } from "../../../protocol/seam/operation.ts";';
    expect(importProblems(planted("skills/talk/reader/x.ts", `${gate}\n${context}`))).toEqual([
      "skills/talk/reader/x.ts: may not import skills/talk/gate/gate.ts",
      "skills/talk/reader/x.ts: may not import protocol/seam/operation.ts",
    ]);
    expect(importProblems(planted("skills/talk/replies/x.ts", `${gate}\n${context}`))).toEqual([
      "skills/talk/replies/x.ts: may not import skills/talk/gate/gate.ts",
      "skills/talk/replies/x.ts: may not import protocol/seam/operation.ts",
    ]);
    expect(importProblems(planted("skills/talk/model/x.ts", `${gate}\n${context}`))).toEqual([
      "skills/talk/model/x.ts: may not import skills/talk/gate/gate.ts",
      "skills/talk/model/x.ts: may not import protocol/seam/operation.ts",
    ]);
    expect(importProblems(planted("skills/buyer/talk/x.ts", context))).toEqual([
      "skills/buyer/talk/x.ts: may not import protocol/seam/operation.ts",
    ]);
    expect(
      importProblems(
        planted("skills/buyer/talk/reader/x.ts", 'import { getBooking } from "../../bookings/contract.ts";'),
      ),
    ).toEqual(["skills/buyer/talk/reader/x.ts: may not import skills/buyer/bookings/contract.ts"]);
    const read = 'import type { ReadContext } from "../gate/read-context.ts";';
    expect(importProblems(planted("skills/talk/replies/x.ts", read))).toEqual([]);
  });

  it("a buyer that imports the seller's rules is found", () => {
    expect(importProblems(planted("skills/buyer/x.ts", 'import { a } from "../seller/pricing/rules.ts";'))).toEqual([
      "skills/buyer/x.ts: may not import skills/seller/pricing/rules.ts",
    ]);
  });

  it("a library without a home is found, also when it is loaded late", () => {
    expect(importProblems(planted("protocol/x.ts", 'const a = await import("left-pad");'))).toEqual([
      "protocol/x.ts: the library left-pad has no home in the import table",
    ]);
  });

  it("a library behind a type, a require of one's own or a name put together is found", () => {
    expect(importProblems(planted("skills/seller/x.ts", 'export type K = import("koa").Context;'))).toEqual([
      "skills/seller/x.ts: the library koa may not be imported here",
    ]);
    expect(importProblems(planted("tools/x.ts", 'createRequire(import.meta.url)("koa");'))).toEqual([
      "tools/x.ts: what createRequire loads cannot be checked",
    ]);
    expect(importProblems(planted("machines/x.ts", 'const n = "../storage/store.ts"; await import(n);'))).toEqual([
      "machines/x.ts: an import whose name is put together cannot be checked",
    ]);
  });

  it("a Node module in the neutral edge core is found", () => {
    expect(importProblems(planted("agents/edge/x.ts", 'import { join } from "node:path";'))).toEqual([
      "agents/edge/x.ts: node:path is not allowed here: this folder must run on every platform",
    ]);
  });

  it("a long file, a long function and a long line are found", () => {
    const lines = (count: number): string => "  f();\n".repeat(count);
    expect(sizeProblems(planted("tools/x.ts", lines(401)))).toEqual(["tools/x.ts: 401 lines, at most 400"]);
    expect(sizeProblems(planted("tools/x.ts", `const a = () => {\n${lines(70)}};`))).toEqual([
      "tools/x.ts:1: a function of 72 lines, at most 70",
    ]);
    expect(sizeProblems(planted("tools/x.ts", `const a = () => [\n${"  1,\n".repeat(70)}];`))).toEqual([
      "tools/x.ts:1: a function of 72 lines, at most 70",
    ]);
    expect(sizeProblems(planted("tools/x.ts", `// ${"x".repeat(118)}`))).toEqual([
      "tools/x.ts:1: 121 columns, at most 120",
    ]);
  });

  it("a platform's package that the lock left out, a download address and a lost checksum are found", () => {
    const tool = { integrity: "sha512-x", optionalDependencies: { "@tool/linux": "1.0.0", "@tool/darwin": "1.0.0" } };
    const packages = {
      "node_modules/a/node_modules/tool": tool,
      "node_modules/@tool/linux": { resolved: "https://registry.example/linux.tgz" },
    };
    expect(lockProblems({ packages })).toEqual([
      "node_modules/a/node_modules/tool: @tool/darwin is not in the lock; take a release whose packages are all there",
      "node_modules/@tool/linux: has a download address",
      "node_modules/@tool/linux: has no checksum",
    ]);
  });

  it("a banned name and banned words are found", () => {
    expect(wordProblems(planted("protocol/utils.ts", "export const a = 1;"))).toEqual([
      "protocol/utils.ts: the name says nothing of what is inside",
    ]);
    expect(wordProblems(planted("tools/x.ts", "const a = (b: any) =>\n  b as any;"))).toEqual([
      "tools/x.ts:1: : any: use unknown and narrow it",
      "tools/x.ts:2: as any: use unknown and narrow it",
    ]);
    const silenced = ["@ts", "ignore"].join("-");
    expect(wordProblems(planted("tools/x.ts", `// ${silenced}`))).toEqual([`tools/x.ts:1: ${silenced}: mend the type`]);
    const unfinished = ["TO", "DO"].join("");
    expect(wordProblems(planted("tools/x.ts", `// ${unfinished} later`))).toEqual([
      `tools/x.ts:1: ${unfinished}: finish it or leave it out`,
    ]);
    const unopened = ["decision", "41"].join(" ");
    expect(wordProblems(planted("tools/x.ts", `/** Not for buyers (${unopened}). */`))).toHaveLength(1);
  });
});
