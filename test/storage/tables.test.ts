import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyRecord, emptyDocument, type Document } from "../../storage/lowdb/document.ts";
import { storedRow } from "../../storage/lowdb/queries.ts";
import { parseChanges } from "../../storage/lowdb/record.ts";
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

const nameOf = ({ kind, id }: Pick<Write, "kind" | "id">): string => JSON.stringify([kind, id]);

/** Applies a write as a commit and notes in the model what must be there now. */
const apply = (document: Document, model: Map<string, Known>, one: Write): void => {
  const known = model.get(nameOf(one));
  const { kind, id, isRemoval } = one;
  const seq = document.mark.seq + 1;
  const replay = (change: object): void => {
    const changes = parseChanges(Buffer.from(JSON.stringify([change])), document.tables);
    applyRecord(document, { seq, audit: null, ...changes }, true);
  };
  if (isRemoval) {
    replay({ op: "remove", kind, id });
    model.delete(nameOf(one));
    return;
  }
  const next = { ...one, n: known?.n ?? seq, version: (known?.version ?? 0) + 1 };
  const { n, version, terms: all, dueAtMs } = next;
  replay({ op: "put", kind, id, n, version, terms: all, dueAtMs, body: { text: one.text } });
  model.set(nameOf(one), next);
};

const listed = ({ tables }: Document, kind: string, term: string | null) =>
  rowsWith(tables, kind, term)
    .chunks.flat()
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
    for (const id of ids) {
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
  expect(tables.due.chunks.flat().map((row) => storedRow(tables, row).id)).toEqual(byDeadline.map(({ id }) => id));
};

describe("the tables of the embedded store", () => {
  it("hold what a map would, whatever rows come, change and go, with ids and terms of any characters", () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 40 }), (writes) => {
        const document = emptyDocument();
        const model = new Map<string, Known>();
        for (const one of writes) {
          apply(document, model, one);
          compare(document, model);
        }
      }),
      { numRuns: 60 },
    );
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
