import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyRecord,
  type Document,
  emptyDocument,
  everyRow,
  parseChanges,
  readerOf,
} from "../../../storage/lowdb/rows/index.ts";

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

/** Few shared terms, so that a term's rows become many and few again. */
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

const nameOf = ({ kind, id }: Pick<Write, "kind" | "id">): string => JSON.stringify([kind, id]);

const outcome = ({ mark }: Document, model: Map<string, Known>, one: Write): Known => {
  const known = model.get(nameOf(one));
  return { ...one, n: known?.n ?? mark.seq + 1, version: (known?.version ?? 0) + 1 };
};

const take = (document: Document, model: Map<string, Known>, done: Known): void => {
  const { kind, id, n, version, terms: all, dueAtMs, isRemoval } = done;
  const put = { op: "put", kind, id, n, version, terms: all, dueAtMs, body: { text: done.text } };
  const change = isRemoval ? { op: "remove", kind, id } : put;
  const changes = parseChanges(JSON.stringify([change]));
  applyRecord(document, { seq: document.mark.seq + 1, audit: null, ...changes });
  if (isRemoval) model.delete(nameOf(done));
  else model.set(nameOf(done), done);
};

const compare = async (document: Document, model: Map<string, Known>): Promise<void> => {
  const reader = readerOf(document, () => undefined);
  const inOrder = [...model.values()].toSorted((one, other) => one.n - other.n);
  for (const kind of kinds) {
    const ofKind = inOrder.filter((known) => known.kind === kind);
    for (const term of [null, ...terms]) {
      const query = { kind, terms: term === null ? [] : [term], order: "oldest", limit: 500 } as const;
      const listed = (await reader.list(query)).map(({ id, n, version }) => ({ id, n, version }));
      const expected = ofKind.filter((known) => term === null || known.terms.includes(term));
      expect(listed).toEqual(expected.map(({ id, n, version }) => ({ id, n, version })));
      expect(await reader.count(kind, term)).toBe(expected.length);
    }
    for (const id of [...ids, ...crowdIds]) {
      const known = model.get(nameOf({ kind, id }));
      expect((await reader.get(kind, id)) ?? undefined).toEqual(
        known && expect.objectContaining({ kind, n: known.n, version: known.version, body: { text: known.text } }),
      );
    }
  }
  expect([...everyRow(document.tables)]).toHaveLength(model.size);
  const due = inOrder.filter((known) => known.dueAtMs !== null);
  const byDeadline = due.toSorted((one, other) => (one.dueAtMs ?? 0) - (other.dueAtMs ?? 0) || one.n - other.n);
  expect((await reader.due(10, 500)).map(({ id }) => id)).toEqual(byDeadline.map(({ id }) => id));
};

/** The model says after each step what must be there. */
const writeAndReplay = async (writes: readonly Write[], from: number): Promise<void> => {
  const document = emptyDocument();
  const model = new Map<string, Known>();
  const journal: Known[] = [];
  for (const one of writes) {
    const done = outcome(document, model, one);
    journal.push(done);
    take(document, model, done);
    await compare(document, model);
  }
  for (const done of journal.slice(from)) {
    take(document, model, done);
    await compare(document, model);
  }
};

describe("the rows of the embedded store", () => {
  it("hold what a map would, whatever rows come, change and go, with ids and terms of any characters", async () => {
    await fc.assert(fc.asyncProperty(fc.array(write, { maxLength: 40 }), fc.nat(40), writeAndReplay), { numRuns: 30 });
  });

  it("hold what a map would while many rows come to carry a term and lose it, and older commits are replayed", async () => {
    const writes = fc.array(crowded, { minLength: 30, maxLength: 90 });
    await fc.assert(fc.asyncProperty(writes, fc.nat(60), writeAndReplay), { numRuns: 15 });
  });
});
