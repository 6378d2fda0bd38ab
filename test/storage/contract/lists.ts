import { expect, it } from "vitest";
import { type ListQuery, maxPage, type Store } from "../../../storage/store.ts";
import type { Bench } from "./kit.ts";
import { commitOk, idsOf, put, remove } from "./kit.ts";

const page = (part: Partial<ListQuery> = {}): ListQuery => ({
  kind: "deal",
  terms: [],
  order: "oldest",
  limit: 500,
  ...part,
});

const ids = async (store: Store, part: Partial<ListQuery>): Promise<string[]> => idsOf(await store.list(page(part)));

/** d0 to d11: `color` alternates, every third has `size=big`. */
const fill = async (store: Store): Promise<void> => {
  for (let i = 0; i < 12; i += 1) {
    const terms = [`color=${i % 2 === 0 ? "red" : "blue"}`, ...(i % 3 === 0 ? ["size=big"] : [])];
    await commitOk(store, put(`d${i}`, 0, { i }, { terms }));
  }
};

export const listTests = (bench: Bench): void => {
  it("rows are listed in creation order, or newest first, bodies and versions included", async () => {
    await commitOk(bench.store, put("b", 0, { x: 1 }), put("a", 0, { x: 2 }));
    await commitOk(bench.store, put("c", 0, { x: 3 }));
    await commitOk(bench.store, put("b", 1, { x: 4 }));
    expect(await ids(bench.store, {})).toEqual(["b", "a", "c"]);
    expect(await ids(bench.store, { order: "newest" })).toEqual(["c", "a", "b"]);
    const [first] = await bench.store.list(page());
    expect(first).toMatchObject({ kind: "deal", id: "b", version: 2, body: { x: 4 } });
  });

  it("several terms are combined with and", async () => {
    await fill(bench.store);
    expect(await ids(bench.store, { terms: ["size=big"] })).toEqual(["d0", "d3", "d6", "d9"]);
    expect(await ids(bench.store, { terms: ["color=red", "size=big"] })).toEqual(["d0", "d6"]);
    expect(await ids(bench.store, { terms: ["size=big", "color=blue"], order: "newest" })).toEqual(["d9", "d3"]);
    expect(await ids(bench.store, { terms: ["color=red", "color=blue"] })).toEqual([]);
    expect(await ids(bench.store, { terms: ["color=red", "size=none"] })).toEqual([]);
  });

  it("pages follow one another by after, in both orders, also when rows vanish between them", async () => {
    await fill(bench.store);
    const first = await bench.store.list(page({ terms: ["color=red"], limit: 2 }));
    expect(idsOf(first)).toEqual(["d0", "d2"]);
    await commitOk(bench.store, remove("d2", 1), remove("d4", 1));
    const after = first[1]?.n ?? 0;
    expect(await ids(bench.store, { terms: ["color=red"], limit: 2, after })).toEqual(["d6", "d8"]);
    const newest = await bench.store.list(page({ order: "newest", limit: 3 }));
    expect(idsOf(newest)).toEqual(["d11", "d10", "d9"]);
    const rest = await ids(bench.store, { order: "newest", limit: 3, after: newest[2]?.n ?? 0 });
    expect(rest).toEqual(["d8", "d7", "d6"]);
  });

  it("offset skips rows after the cursor", async () => {
    await fill(bench.store);
    expect(await ids(bench.store, { offset: 10 })).toEqual(["d10", "d11"]);
    expect(await ids(bench.store, { offset: 12 })).toEqual([]);
    expect(await ids(bench.store, { order: "newest", offset: 2, limit: 2 })).toEqual(["d9", "d8"]);
    expect(await ids(bench.store, { terms: ["color=red", "size=big"], offset: 1 })).toEqual(["d6"]);
    const [d0] = await bench.store.list(page({ limit: 1 }));
    expect(await ids(bench.store, { after: d0?.n ?? 0, offset: 2, limit: 2 })).toEqual(["d3", "d4"]);
  });

  it("a limit of 0 gives nothing; more than the largest page, a negative or a broken number is an error", async () => {
    await commitOk(bench.store, put("d0", 0, 1));
    expect(await ids(bench.store, { limit: 0 })).toEqual([]);
    for (const limit of [maxPage + 1, -1, 1.5, Number.NaN]) {
      await expect(bench.store.list(page({ limit }))).rejects.toThrow(/limit/);
    }
    for (const offset of [-1, 0.5, Number.NaN]) {
      await expect(bench.store.list(page({ offset }))).rejects.toThrow(/offset/);
    }
  });

  it("the largest page is 500 rows and the one that tells that there are more", async () => {
    const ids = Array.from({ length: 502 }, (_, at) => `d${at}`);
    await commitOk(bench.store, ...ids.map((id) => put(id, 0, 1, { terms: ["s=a", "o=x"] })));
    for (const terms of [[], ["s=a"], ["s=a", "o=x"]]) {
      expect(idsOf(await bench.store.list(page({ terms, limit: 501 })))).toEqual(ids.slice(0, 501));
    }
  });

  it("a kind sees its own rows only", async () => {
    await commitOk(bench.store, put("x", 0, 1), put("x", 0, 2, { kind: "quote" }));
    expect((await bench.store.list(page({ kind: "quote" }))).map((row) => row.body)).toEqual([2]);
    expect(await ids(bench.store, { kind: "none" })).toEqual([]);
  });

  it("1,300 rows are walked page by page, each once and in order", async () => {
    const terms = ["status=booked"];
    const wanted = Array.from({ length: 1_300 }, (_, i) => `d${i}`);
    for (let from = 0; from < wanted.length; from += 100) {
      const puts = wanted.slice(from, from + 100).map((id) => put(id, 0, id, { terms }));
      await commitOk(bench.store, ...puts);
    }
    const seen: string[] = [];
    let after: number | undefined;
    for (;;) {
      const rows = await bench.store.list(page({ terms, ...(after === undefined ? {} : { after }) }));
      if (rows.length === 0) break;
      seen.push(...idsOf(rows));
      after = rows.at(-1)?.n;
    }
    expect(seen).toEqual(wanted);
    expect(await bench.store.count("deal", "status=booked")).toBe(1_300);
  });
};

export const countTests = (bench: Bench): void => {
  it("counts follow every create, change of terms and removal", async () => {
    const { store } = bench;
    await commitOk(store, put("d1", 0, 1, { terms: ["s=a", "o=x"] }), put("d2", 0, 1, { terms: ["s=a"] }));
    expect(await store.count("deal", null)).toBe(2);
    expect(await store.count("deal", "s=a")).toBe(2);
    await commitOk(store, put("d1", 1, 1, { terms: ["s=b", "o=x"] }));
    expect(await store.count("deal", "s=a")).toBe(1);
    expect(await store.count("deal", "s=b")).toBe(1);
    expect(await store.count("deal", "o=x")).toBe(1);
    expect(await ids(store, { terms: ["s=a"] })).toEqual(["d2"]);
    await commitOk(store, remove("d1", 2));
    expect(await store.count("deal", null)).toBe(1);
    expect(await store.count("deal", "s=b")).toBe(0);
    expect(await store.count("deal", "o=x")).toBe(0);
    expect(await store.count("none", null)).toBe(0);
  });

  it("a term given twice counts once", async () => {
    await commitOk(bench.store, put("d1", 0, 1, { terms: ["s=a", "s=a"] }));
    expect(await bench.store.count("deal", "s=a")).toBe(1);
    expect(await ids(bench.store, { terms: ["s=a", "s=a"] })).toEqual(["d1"]);
    await commitOk(bench.store, remove("d1", 1));
    expect(await bench.store.count("deal", "s=a")).toBe(0);
  });

  it("a row that moves between terms keeps its place in creation order", async () => {
    const { store } = bench;
    await fill(store);
    await commitOk(store, put("d4", 1, 1, { terms: ["color=blue"] }));
    expect(await ids(store, { terms: ["color=blue"] })).toEqual(["d1", "d3", "d4", "d5", "d7", "d9", "d11"]);
    await commitOk(store, put("d4", 2, 1, { terms: ["color=red"] }));
    expect(await ids(store, { terms: ["color=red"] })).toEqual(["d0", "d2", "d4", "d6", "d8", "d10"]);
  });
};

export const dueTests = (bench: Bench): void => {
  it("due rows come oldest deadline first; later ones and rows without one do not", async () => {
    const { store } = bench;
    await commitOk(
      store,
      put("late", 0, 1, { dueAtMs: 1_790_000_000_500 }),
      put("never", 0, 1),
      put("early", 0, { a: 1 }, { dueAtMs: 1_790_000_000_100 }),
      put("q", 0, 1, { kind: "quote", dueAtMs: 1_790_000_000_300 }),
      put("future", 0, 1, { dueAtMs: 1_790_000_000_501 }),
    );
    const rows = await store.due(1_790_000_000_500, 10);
    expect(idsOf(rows)).toEqual(["early", "q", "late"]);
    expect(rows[0]).toMatchObject({ kind: "deal", id: "early", version: 1, body: { a: 1 } });
    expect(await store.due(1_790_000_000_099, 10)).toEqual([]);
  });

  it("as many rows as are asked for are handed out, more than a page has too", async () => {
    const ids = Array.from({ length: 601 }, (_, at) => `d${at}`);
    await commitOk(bench.store, ...ids.map((id, at) => put(id, 0, 1, { dueAtMs: at })));
    expect(idsOf(await bench.store.due(1_000, 600))).toEqual(ids.slice(0, 600));
  });

  it("no more than limit rows are handed out", async () => {
    await commitOk(bench.store, ...[5, 3, 1, 2, 4].map((at) => put(`d${at}`, 0, 1, { dueAtMs: at })));
    expect(idsOf(await bench.store.due(10, 2))).toEqual(["d1", "d2"]);
  });

  it("a deadline moves, ends and goes with its row", async () => {
    const { store } = bench;
    await commitOk(store, ...["a", "b", "c"].map((id) => put(id, 0, 1, { dueAtMs: 10 })));
    await commitOk(store, put("a", 1, 1, { dueAtMs: 50 }), put("b", 1, 1), remove("c", 1));
    expect(await store.due(49, 10)).toEqual([]);
    expect(idsOf(await store.due(50, 10))).toEqual(["a"]);
  });
};
