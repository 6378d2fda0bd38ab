import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyRecord, emptyDocument, type Document } from "../../storage/lowdb/document.ts";
import { storedRow } from "../../storage/lowdb/queries.ts";
import { hasSameTerms, parseChanges } from "../../storage/lowdb/record.ts";
import { looseSlab } from "../../storage/lowdb/slabs.ts";
import { walkRows } from "../../storage/lowdb/sorted-rows.ts";
import { findRow, isRow, rowsWith, type Tables } from "../../storage/lowdb/tables.ts";

/** The numbers that are a row's. */
const numbersOf = (tables: Tables): number[] =>
  Array.from({ length: tables.columns.end }, (_, number) => number).filter((number) => isRow(tables, number));

interface Write {
  readonly kind: string;
  readonly id: string;
  readonly terms: readonly string[];
  readonly dueAtMs: number | null;
  readonly text: string;
  readonly isRemoval: boolean;
}

interface Known extends Write {
  readonly n: number;
  readonly version: number;
}

const kinds = ["deal", 'q"u\\o'];
const ids = ["a", "b", "é", 'a"', 'a\\","n":1', "😀", "\ud800", "a\n", "ab", "", "__proto__"];
const manyTerms = Array.from({ length: 20 }, (_, place) => `many=${place}`);
const terms = ["t=1", "t=2", 't="', "[", ",", '","', "é", "\ud800", ...manyTerms];

const write: fc.Arbitrary<Write> = fc.record({
  kind: fc.constantFrom(...kinds),
  id: fc.constantFrom(...ids),
  terms: fc.oneof(fc.uniqueArray(fc.constantFrom(...terms), { maxLength: 4 }), fc.constant(manyTerms)),
  dueAtMs: fc.option(fc.integer({ min: 1, max: 5 })),
  text: fc.constantFrom("", "}", "{", '"', "\\", '\\"}', '"}]', '},{"op":"put",', '","body":', "é😀\ud800"),
  isRemoval: fc.boolean(),
});

const crowdIds = Array.from({ length: 24 }, (_, number) => `r${number}`);

/** Rows of which nearly all carry the same few terms, so that a term's rows become many and few again. */
const crowded: fc.Arbitrary<Write> = fc.record({
  kind: fc.constant("deal"),
  id: fc.constantFrom(...crowdIds),
  terms: fc.oneof(
    { weight: 9, arbitrary: fc.shuffledSubarray(["t=1", "t=2", 't="', "é"], { minLength: 1 }) },
    { weight: 1, arbitrary: fc.constant([...manyTerms, "t=1"]) },
  ),
  dueAtMs: fc.constant(null),
  text: fc.constant(""),
  isRemoval: fc.nat(3).map((number) => number === 0),
});

const fromStart = { order: "oldest", after: undefined, offset: 0 } as const;

const nameOf = ({ kind, id }: Pick<Write, "kind" | "id">): string => JSON.stringify([kind, id]);

/** What a write leaves behind. */
const outcome = ({ mark }: Document, model: Map<string, Known>, one: Write): Known => {
  const known = model.get(nameOf(one));
  return { ...one, n: known?.n ?? mark.seq + 1, version: (known?.version ?? 0) + 1 };
};

/** Applies what a write left behind as a commit, or as a replay of it, and notes in the model what is there now. */
const take = (document: Document, model: Map<string, Known>, done: Known, follows: boolean): void => {
  const { kind, id, n, version, terms: all, dueAtMs, isRemoval } = done;
  const put = { op: "put", kind, id, n, version, terms: all, dueAtMs, body: { text: done.text } };
  const change = isRemoval ? { op: "remove", kind, id } : put;
  const changes = parseChanges(Buffer.from(JSON.stringify([change])), document.tables);
  applyRecord(document, { seq: document.mark.seq + 1, audit: null, ...changes }, follows);
  if (isRemoval) model.delete(nameOf(done));
  else model.set(nameOf(done), done);
};

const apply = (document: Document, model: Map<string, Known>, one: Write): void =>
  take(document, model, outcome(document, model, one), true);

const listed = ({ tables }: Document, kind: string, term: string | null) =>
  [...walkRows(tables.columns, rowsWith(tables, kind, term), fromStart)]
    .map((row) => storedRow(tables, row))
    .map(({ id, n, version }) => ({ id, n, version }));

const compare = (document: Document, model: Map<string, Known>): void => {
  const { tables } = document;
  const inOrder = [...model.values()].toSorted((one, other) => one.n - other.n);
  for (const kind of kinds) {
    const ofKind = inOrder.filter((known) => known.kind === kind);
    const expected = (term: string | null) =>
      ofKind
        .filter((known) => term === null || known.terms.includes(term))
        .map(({ id, n, version }) => ({ id, n, version }));
    for (const term of [null, ...terms]) expect(listed(document, kind, term)).toEqual(expected(term));
    for (const id of [...ids, ...crowdIds]) {
      const row = findRow(tables, kind, id);
      const known = model.get(nameOf({ kind, id }));
      expect(row === -1 ? undefined : storedRow(tables, row)).toEqual(
        known && expect.objectContaining({ kind, n: known.n, version: known.version, body: { text: known.text } }),
      );
    }
  }
  expect(numbersOf(tables)).toHaveLength(model.size);
  const due = inOrder.filter((known) => known.dueAtMs !== null);
  const byDeadline = due.toSorted((one, other) => (one.dueAtMs ?? 0) - (other.dueAtMs ?? 0) || one.n - other.n);
  expect([...walkRows(tables.columns, tables.due, fromStart)].map((row) => storedRow(tables, row).id)).toEqual(
    byDeadline.map(({ id }) => id),
  );
};

/** Writes, then replays what was written from some place on; after each step the model tells what must be there. */
const writeAndReplay = (writes: readonly Write[], from: number): void => {
  const document = emptyDocument();
  const model = new Map<string, Known>();
  const journal: Known[] = [];
  for (const one of writes) {
    const done = outcome(document, model, one);
    journal.push(done);
    take(document, model, done, true);
    compare(document, model);
  }
  for (const done of journal.slice(from)) {
    take(document, model, done, false);
    compare(document, model);
  }
};

describe("the tables of the embedded store", () => {
  it("hold what a map would, whatever rows come, change and go, with ids and terms of any characters", () => {
    fc.assert(fc.property(fc.array(write, { maxLength: 40 }), fc.nat(40), writeAndReplay), { numRuns: 60 });
  });

  it("hold what a map would while many rows come to carry a term and leave it, and older records are replayed", () => {
    const writes = fc.array(crowded, { minLength: 30, maxLength: 90 });
    fc.assert(fc.property(writes, fc.nat(60), writeAndReplay), { numRuns: 30 });
  });

  it("keep a list on the heap only of a term that more than eight rows carry, or that stands behind 16 others", () => {
    const document = emptyDocument();
    const model = new Map<string, Known>();
    const row = { kind: "deal", terms: ["t=1", "t=2"], dueAtMs: null, text: "", isRemoval: false };
    const heads = (): readonly (string | null)[] => document.tables.lists.map((list) => list?.term ?? null);
    for (const id of crowdIds.slice(0, 8)) apply(document, model, { ...row, id });
    expect(heads()).toEqual([]);
    apply(document, model, { ...row, id: "more", terms: ["t=1"] });
    expect(heads()).toEqual(["t=1"]);
    apply(document, model, { ...row, id: "more", terms: manyTerms });
    expect(heads()).toEqual(["t=1", ...manyTerms.slice(16)]);
    compare(document, model);
    for (const id of [...crowdIds.slice(0, 8), "more"]) apply(document, model, { ...row, id, isRemoval: true });
    expect(heads()).toEqual([null, null, null, null, null]);
    for (const id of crowdIds) apply(document, model, { ...row, id });
    compare(document, model);
  });

  it("tell rows with the same terms in the same places, wherever their images end", () => {
    const imageWith = (all: readonly string[]) => {
      const text = JSON.stringify({ kind: "k", id: "a", n: 1, version: 1, terms: all, dueAtMs: null, body: 1 });
      const bytes = Buffer.from(text.slice(1, -1));
      return { slab: looseSlab(bytes), start: 0, end: bytes.length };
    };
    const lists = [
      [],
      ["a"],
      ["b"],
      ["a", "b"],
      ["b", "a"],
      ['a","b'],
      ["a".repeat(200)],
      ['],"dueAtMs":'],
      ["é", "]"],
    ];
    for (const one of lists) {
      for (const other of lists) expect(hasSameTerms(imageWith(one), imageWith(other))).toBe(one === other);
    }
  });

  it("give the memory of rows that are gone to the next ones", () => {
    const document = emptyDocument();
    const model = new Map<string, Known>();
    const big = { kind: "deal", terms: ["t=1"], dueAtMs: null, text: "" };
    for (let round = 0; round < 50; round += 1) {
      for (let number = 0; number < 100; number += 1)
        apply(document, model, { ...big, id: `${number}`, isRemoval: false });
      for (let number = 0; number < 100; number += 1)
        apply(document, model, { ...big, id: `${number}`, isRemoval: true });
    }
    const { columns, slabs, lists } = document.tables;
    expect(columns.end).toBe(100);
    expect(numbersOf(document.tables)).toEqual([]);
    expect(lists.length).toBeLessThanOrEqual(1);
    expect(slabs.all.filter((slab) => slab !== null)).toHaveLength(1);
  });
});
