import { expect, it } from "vitest";
import type { Bench } from "./kit.ts";
import { check, commit, commitOk, conflict, ok, put, remove } from "./kit.ts";

export const rowTests = (bench: Bench): void => {
  it("a row that was never written is null", async () => {
    expect(await bench.store.get("deal", "d1")).toBeNull();
  });

  it("a created row has version 1 and grows by 1 with every write; n stays", async () => {
    await commitOk(bench.store, put("d1", 0, { status: "booked" }));
    const first = await bench.store.get("deal", "d1");
    expect(first).toMatchObject({ kind: "deal", id: "d1", version: 1, body: { status: "booked" } });
    await commitOk(bench.store, put("d1", 1, { status: "paused" }));
    const second = await bench.store.get("deal", "d1");
    expect(second).toMatchObject({ kind: "deal", id: "d1", n: first?.n, version: 2, body: { status: "paused" } });
  });

  it("creating an id that exists is a conflict and changes nothing", async () => {
    await commitOk(bench.store, put("d1", 0, { owner: "first" }));
    expect(await commit(bench.store, put("d1", 0, { owner: "second" }))).toEqual(conflict("d1"));
    expect((await bench.store.get("deal", "d1"))?.body).toEqual({ owner: "first" });
  });

  it("a put at an old or a future version is a conflict", async () => {
    await commitOk(bench.store, put("d1", 0, 1));
    await commitOk(bench.store, put("d1", 1, 2));
    expect(await commit(bench.store, put("d1", 1, 3))).toEqual(conflict("d1"));
    expect(await commit(bench.store, put("d1", 3, 3))).toEqual(conflict("d1"));
    expect(await commit(bench.store, put("absent", 1, 3))).toEqual(conflict("absent"));
    expect(await bench.store.get("deal", "d1")).toMatchObject({ version: 2, body: 2 });
  });

  it("a row is removed at its version only, and a row that is gone is a conflict", async () => {
    await commitOk(bench.store, put("d1", 0, 1));
    expect(await commit(bench.store, remove("d1", 2))).toEqual(conflict("d1"));
    await commitOk(bench.store, remove("d1", 1));
    expect(await bench.store.get("deal", "d1")).toBeNull();
    expect(await commit(bench.store, remove("d1", 1))).toEqual(conflict("d1"));
  });

  it("a row created again after its removal starts at version 1 with a later n", async () => {
    await commitOk(bench.store, put("d1", 0, 1), put("d2", 0, 1));
    const before = await bench.store.get("deal", "d1");
    await commitOk(bench.store, remove("d1", 1));
    await commitOk(bench.store, put("d1", 0, 2));
    const after = await bench.store.get("deal", "d1");
    expect(after?.version).toBe(1);
    expect(after?.n).toBeGreaterThan(before?.n ?? Infinity);
  });

  it("a check lets a commit fail when the row has moved, and 0 means still absent", async () => {
    await commitOk(bench.store, put("d1", 0, 1));
    expect(await commit(bench.store, check("d1", 1), put("o1", 0, 1))).toEqual(ok);
    expect(await commit(bench.store, check("d1", 2), put("o2", 0, 1))).toEqual(conflict("d1"));
    expect(await commit(bench.store, check("d1", 0), put("o2", 0, 1))).toEqual(conflict("d1"));
    expect(await commit(bench.store, check("absent", 0), put("o2", 0, 1))).toEqual(ok);
    expect(await bench.store.get("deal", "d1")).toMatchObject({ version: 1 });
  });
};

export const atomicityTests = (bench: Bench): void => {
  it("a commit whose last change conflicts changes nothing at all", async () => {
    const booked = { terms: ["status=booked"], dueAtMs: 5 };
    await commitOk(bench.store, put("d1", 0, "before", booked), put("d2", 0, "before"));
    const outcome = await commit(
      bench.store,
      put("new", 0, 1, { terms: ["status=booked"], dueAtMs: 1 }),
      put("d1", 1, "after", { terms: ["status=paused"] }),
      remove("d2", 1),
      { op: "reserve", ledger: "inventory", fromSlot: 1, toSlot: 3, amount: 10, limit: null },
      put("d3", 7, 1),
    );
    expect(outcome).toEqual(conflict("d3"));
    expect(await bench.store.get("deal", "new")).toBeNull();
    expect(await bench.store.get("deal", "d1")).toMatchObject({ version: 1, body: "before" });
    expect(await bench.store.get("deal", "d2")).toMatchObject({ version: 1 });
    expect(await bench.store.reserved("inventory", 1, 3)).toBe(0);
    expect(await bench.store.count("deal", "status=booked")).toBe(1);
    expect(await bench.store.count("deal", "status=paused")).toBe(0);
    expect(await bench.store.count("deal", null)).toBe(2);
    expect((await bench.store.due(10, 10)).map((row) => row.id)).toEqual(["d1"]);
  });

  it("a commit that names a row twice is an error and changes nothing", async () => {
    await expect(commit(bench.store, put("d1", 0, 1), put("d1", 1, 2))).rejects.toThrow(/d1.*twice/);
    await expect(commit(bench.store, check("d2", 0), put("d2", 0, 2))).rejects.toThrow(/d2.*twice/);
    expect(await bench.store.count("deal", null)).toBe(0);
  });

  it("an empty commit succeeds", async () => {
    expect(await commit(bench.store)).toEqual(ok);
  });
};

const oddNames = ["__proto__", "constructor", "toString", "hasOwnProperty", "", " ", "a\nb", "\u0000", "a\u0001b"];
const sqlNames = ["'; DROP TABLE row; --", "%_\\", "$1", '"'];
const brokenPairs = ["\ud800", "\udc00x"];
const unicode = ["\u{1F4FA}\u{1F1EB}\u{1F1F7}", "Ünïcödé", "e\u0301", "\u00e9", "漢字", "\u{10FFFF}"];

export const nameTests = (bench: Bench): void => {
  const names = [...oddNames, ...sqlNames, ...brokenPairs, ...unicode, "x".repeat(1_000)];
  it.each(names)("any text is an id, a kind and a term: %j", async (name) => {
    const kind = `k${name}`;
    const term = `name=${name}`;
    await commitOk(bench.store, put(name, 0, { name }, { kind, terms: [term] }), put("other", 0, 1, { kind }));
    expect(await bench.store.get(kind, name)).toMatchObject({ kind, id: name, body: { name } });
    expect(await bench.store.count(kind, term)).toBe(1);
    const query = { kind, terms: [term], order: "oldest", limit: 5 } as const;
    expect((await bench.store.list(query)).map((row) => row.id)).toEqual([name]);
    expect(await commit(bench.store, put(name, 0, 1, { kind }))).toEqual(conflict(name, kind));
    await commitOk(bench.store, remove(name, 1, kind));
    expect(await bench.store.get(kind, name)).toBeNull();
    expect(await bench.store.count(kind, term)).toBe(0);
  });

  it.each(["__proto__", "constructor", "toString"])("%s is a kind and a ledger like any other", async (name) => {
    expect(await bench.store.get(name, name)).toBeNull();
    expect(await bench.store.count(name, name)).toBe(0);
    expect(await bench.store.reserved(name, 0, 1)).toBe(0);
    await commitOk(bench.store, put("x", 0, 1, { kind: name, terms: [name] }), {
      op: "reserve",
      ledger: name,
      fromSlot: 0,
      toSlot: 0,
      amount: 3,
      limit: 3,
    });
    expect(await bench.store.count(name, name)).toBe(1);
    expect(await bench.store.reserved(name, 0, 0)).toBe(3);
  });

  it("ids that look alike are different rows", async () => {
    await commitOk(bench.store, put("e\u0301", 0, 1), put("\u00e9", 0, 2), put("É", 0, 3), put("e", 0, 4));
    expect(await bench.store.count("deal", null)).toBe(4);
    expect((await bench.store.get("deal", "\u00e9"))?.body).toBe(2);
  });

  it("a kind and an id never run into one another", async () => {
    await commitOk(bench.store, put("c", 0, 1, { kind: "ab" }), put("bc", 0, 2, { kind: "a" }));
    expect((await bench.store.get("ab", "c"))?.body).toBe(1);
    expect((await bench.store.get("a", "bc"))?.body).toBe(2);
  });
};

export const bodyTests = (bench: Bench): void => {
  it("a body comes back as the JSON it was", async () => {
    const body = {
      text: 'line\nbreak \u{1F4FA} \u2028 "quoted" ,"b": ,"changes":',
      numbers: [0, -1, 0.1, 1e21, Number.MAX_SAFE_INTEGER, 29_920_000],
      nested: { deep: [[[{ a: null }]]], empty: {}, list: [] },
      yes: true,
    };
    await commitOk(bench.store, put("d1", 0, body));
    expect((await bench.store.get("deal", "d1"))?.body).toEqual(body);
  });

  it("a body with prototype keys keeps them as plain members", async () => {
    const body = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as { [key: string]: never };
    await commitOk(bench.store, put("d1", 0, body));
    const read = (await bench.store.get("deal", "d1"))?.body as object;
    expect(Object.keys(read).sort()).toEqual(["__proto__", "constructor"]);
    expect((read as { admin?: boolean }).admin).toBeUndefined();
  });

  it("members that are undefined are left out", async () => {
    await commitOk(bench.store, put("d1", 0, { a: 1, b: undefined }));
    expect((await bench.store.get("deal", "d1"))?.body).toEqual({ a: 1 });
  });

  it("no caller can change a stored row through what it handed in or got back", async () => {
    const body = { status: "booked", slots: [1, 2] };
    const written = commit(bench.store, put("d1", 0, body, { terms: ["status=booked"] }));
    body.status = "stolen";
    body.slots.push(3);
    expect(await written).toEqual(ok);
    const read = (await bench.store.get("deal", "d1"))?.body as typeof body;
    expect(read).toEqual({ status: "booked", slots: [1, 2] });
    read.slots.push(4);
    expect((await bench.store.get("deal", "d1"))?.body).toEqual({ status: "booked", slots: [1, 2] });
  });

  it("a large body survives", async () => {
    const body = { text: "\u00e4".repeat(600_000) };
    await commitOk(bench.store, put("d1", 0, body));
    expect((await (await bench.reopen()).get("deal", "d1"))?.body).toEqual(body);
  });
};
