import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { requirements } from "./requirements.ts";
import {
  type Coverage,
  coverageProblems,
  type Found,
  manifestProblems,
  type MissingList,
  readCitations,
  type TestSource,
} from "./requirements/rules.ts";

/** Uncited ids by document; may only fall. */
const bounds = { seller: 0, buyer: 0, edge: 0 };

/** Ids by document; may only grow. */
const counts = { seller: 423, buyer: 252, edge: 207 };

const root = import.meta.dirname;
const listPath = join(root, "requirements-missing.json");
const missing = JSON.parse(readFileSync(listPath, "utf8")) as MissingList;
const ids = Object.keys(requirements);

const testSources = (): readonly TestSource[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== listPath && path !== import.meta.filename)
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }));

describe("requirements: each sentence of the specification has a test, or is known to have none", () => {
  const found = testSources().map(readCitations);
  const citations = found.flatMap((one) => one.citations);

  test("citations are written in the one form, where npm test runs them", () => {
    expect(found.flatMap((one) => one.problems)).toEqual([]);
  });

  test("tests, manifest and missing list are of one mind", () => {
    expect(coverageProblems({ ids, citations, missing, bounds })).toEqual([]);
  });

  test("the manifest is in form, and no id was lost", () => {
    expect(manifestProblems(requirements, 91)).toEqual([]);
    for (const [document, least] of Object.entries(counts)) {
      expect(ids.filter((id) => id.startsWith(`${document}.`)).length, document).toBeGreaterThanOrEqual(least);
    }
  });
});

const planted = (over: Partial<Coverage>): string[] =>
  coverageProblems({
    ids: ["seller.a.b", "buyer.a.b"],
    citations: [{ id: "seller.a.b", where: "x.test.ts:1" }],
    missing: { seller: [], buyer: ["buyer.a.b"], edge: [] },
    bounds: { seller: 0, buyer: 1, edge: 0 },
    ...over,
  });

describe("requirements: each rule can fail", () => {
  test("what is in order has no problem", () => {
    expect(planted({})).toEqual([]);
  });

  test("a citation of an unknown id is found", () => {
    const citations = [
      { id: "seller.a.b", where: "x.test.ts:1" },
      { id: "seller.a.c", where: "x.test.ts:2" },
    ];
    expect(planted({ citations })).toEqual(["x.test.ts:2: cites seller.a.c, which is no requirement"]);
  });

  test("an id that no test cites and that is not listed is found", () => {
    expect(planted({ citations: [] })).toEqual(["seller.a.b: no test cites it"]);
  });

  test("a listed id that a test cites is found", () => {
    const citations = [
      { id: "seller.a.b", where: "x.test.ts:1" },
      { id: "buyer.a.b", where: "case.json.cases[1]" },
    ];
    expect(planted({ citations })).toEqual([
      "buyer.a.b: case.json.cases[1] cites it, take it out of requirements-missing.json",
    ]);
  });

  test("a list that grows beyond its bound is found, and a bound that lags behind the list", () => {
    const ids = ["seller.a.b", "buyer.a.b", "buyer.a.c"];
    expect(planted({ ids, missing: { seller: [], buyer: ["buyer.a.b", "buyer.a.c"], edge: [] } })).toEqual([
      "requirements-missing.json: 2 entries of buyer, at most 1: write a test instead",
    ]);
    expect(planted({ bounds: { seller: 0, buyer: 1, edge: 4 } })).toEqual([
      "requirements-missing.json: 0 entries of edge: lower its bound from 4",
    ]);
  });

  test("an unknown, a misplaced and a repeated entry of the list are found", () => {
    const pinned = { seller: 0, buyer: 1, edge: 1 };
    expect(planted({ missing: { seller: [], buyer: ["buyer.a.b"], edge: ["edge.a.b"] }, bounds: pinned })).toEqual([
      "requirements-missing.json: edge.a.b is no requirement",
    ]);
    const misplaced = { seller: [], buyer: [], edge: ["buyer.a.b"] };
    expect(planted({ missing: misplaced, bounds: { ...pinned, buyer: 0 } })).toEqual([
      "requirements-missing.json: buyer.a.b is not of edge",
    ]);
    const twice = { seller: [], buyer: ["buyer.a.b", "buyer.a.b"], edge: [] };
    expect(planted({ missing: twice, bounds: { seller: 0, buyer: 2, edge: 0 } })).toEqual([
      "requirements-missing.json: buyer is not in order, or has an id twice",
    ]);
  });

  test("a row that is not in form is found", () => {
    const row = { source: "Seller Agent Service, Quote", behavior: "It is seen from outside." };
    expect(manifestProblems({ "seller.a.b": row }, 91)).toEqual([]);
    expect(manifestProblems({ "seller.A": row }, 91)).toEqual(["seller.A: not the form of an id"]);
    expect(manifestProblems({ "seller.a.b": { ...row, source: "Quote" } }, 91)).toEqual([
      "seller.a.b: the source names a document and a heading",
    ]);
    expect(manifestProblems({ "seller.a.b": { ...row, behavior: "no" } }, 91)).toEqual([
      "seller.a.b: the behavior is one short sentence",
    ]);
    expect(manifestProblems({ "seller.a.b": { ...row, decision: 92 } }, 91)).toEqual([
      "seller.a.b: there is no decision 92",
    ]);
  });
});

const read = (path: string, text: string): Found => readCitations({ path, text });

describe("requirements: how a citation is read", () => {
  test("covers is read inside a test, also a parameterised one, with its line", () => {
    expect(read("x.test.ts", 'test("a", () => {\n  covers("seller.a.b", "seller.a.c");\n});')).toEqual({
      citations: [
        { id: "seller.a.b", where: "x.test.ts:2" },
        { id: "seller.a.c", where: "x.test.ts:2" },
      ],
      problems: [],
    });
    expect(read("x.test.ts", 'it.each([1])("a", () => covers("seller.a.b"));').citations).toHaveLength(1);
  });

  test("a comment cites nothing", () => {
    expect(read("x.test.ts", 'test("a", () => {}); // covers("seller.a.b")').citations).toEqual([]);
  });

  test("covers outside a test, or with anything but literals, is refused", () => {
    expect(read("x.test.ts", 'covers("seller.a.b");').problems).toEqual(["x.test.ts:1: cite inside a test"]);
    expect(read("x.test.ts", 'test("a", () => covers(...ids));').problems).toEqual([
      "x.test.ts:1: write the ids out as string literals",
    ]);
    expect(read("x.test.ts", 'test("a", () => covers());').problems).toHaveLength(1);
  });

  test("a JSON case cites at its top, an edge case in its item", () => {
    expect(read("skills/a.json", '{"title":"a","requirements":["seller.a.b"]}').citations).toEqual([
      { id: "seller.a.b", where: "skills/a.json" },
    ]);
    expect(read("edge/cases/a.json", '{"cases":[{"requirements":["edge.a.b"]}]}').citations).toEqual([
      { id: "edge.a.b", where: "edge/cases/a.json.cases[0]" },
    ]);
  });

  test("requirements in another place of a case, or not as a list of ids, is refused", () => {
    expect(read("a.json", '{"setup":[{"requirements":["seller.a.b"]}]}').problems).toEqual([
      "a.json.setup[0]: requirements stands beside the title of a case",
    ]);
    expect(read("a.json", '{"requirements":"seller.a.b"}').problems).toEqual(["a.json: requirements is a list of ids"]);
  });

  test("a citation in a folder that npm test does not run is refused", () => {
    expect(read("conformance/x.test.ts", 'test("a", () => covers("seller.a.b"));')).toEqual({
      citations: [],
      problems: ["conformance/x.test.ts: cites, but npm test does not run it"],
    });
  });
});
