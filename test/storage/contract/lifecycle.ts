import { expect, it } from "vitest";
import { verifyAuditTrail } from "../../../storage/audit.ts";
import type { AuditRecord } from "../../../storage/store.ts";
import type { Bench } from "./kit.ts";
import { auditEntry, check, collect, commit, commitOk, conflict, idsOf, ok, put, remove, reserve } from "./kit.ts";

export const watchTests = (bench: Bench): void => {
  it("a watcher hears of every committed row of its kind, once it can be read, and of no other", async () => {
    const heard: string[] = [];
    const stop = bench.store.watch("deal", (id) => heard.push(id));
    await commitOk(bench.store, put("d1", 0, 1), put("q1", 0, 1, { kind: "quote" }));
    await commitOk(bench.store, put("d1", 1, 2), put("d2", 0, 1));
    await expect.poll(() => [...heard].sort()).toEqual(["d1", "d1", "d2"]);
    expect(await commit(bench.store, put("d1", 0, 1))).toEqual(conflict("d1"));
    stop();
    await commitOk(bench.store, put("d3", 0, 1));
    expect(heard).not.toContain("d3");
  });

  it("what a watcher hears of is already readable", async () => {
    const read = new Promise<unknown>((resolve, reject) => {
      bench.store.watch("deal", (id) => {
        bench.store.get("deal", id).then(resolve, reject);
      });
    });
    await commitOk(bench.store, put("d1", 0, { x: 1 }));
    expect(await read).toMatchObject({ version: 1, body: { x: 1 } });
  });

  it("a watcher that throws harms neither the commit nor the other watchers", async () => {
    const heard: string[] = [];
    bench.store.watch("deal", () => {
      throw new Error("a careless listener");
    });
    bench.store.watch("deal", (id) => heard.push(id));
    await commitOk(bench.store, put("d1", 0, 1));
    await expect.poll(() => heard).toEqual(["d1"]);
  });
};

export const sizeTests = (bench: Bench): void => {
  it("tells how many rows of each kind there are, and what they take", async () => {
    const { store } = bench;
    await commitOk(store, put("d1", 0, 1), put("d2", 0, 1), put("q1", 0, 1, { kind: "quote" }));
    await commitOk(store, remove("d1", 1), remove("q1", 1, "quote"));
    const { bytes, rows } = await store.size();
    expect([...rows]).toEqual([["deal", 1]]);
    expect(bytes > 0).toBe(store.driver !== "memory");
  });
};

export const auditTests = (bench: Bench): void => {
  it("commits with an entry are links of a chain that verifies; refused and silent ones leave none", async () => {
    const { store } = bench;
    await store.commit({ changes: [put("d1", 0, 1)], audit: auditEntry("r1") });
    await store.commit({ changes: [put("d1", 0, 1)], audit: auditEntry("refused") });
    await store.commit({ changes: [put("d2", 0, 1)], audit: null });
    await store.commit({ changes: [], audit: auditEntry("r2") });
    await store.commit({ changes: [reserve("inv", [1, 1], 1)], audit: auditEntry("r\u{1F4FA}\n3") });
    const trail = await collect(store.auditTrail());
    expect(trail.map((record) => record.request_id)).toEqual(["r1", "r2", "r\u{1F4FA}\n3"]);
    expect(trail.map((record) => record.seq)).toEqual([1, 2, 3]);
    expect(trail[0]).toMatchObject(auditEntry("r1"));
    expect(trail[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect((await verifyAuditTrail(trail, await store.auditHeads())).ok).toBe(true);
  });

  it("a chain goes on over a reopening, concurrent commits included", async () => {
    const changed = [{ kind: "row", id: "a", field: "price", from: "1.50", to: null }];
    const many = (prefix: string): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          bench.store.commit({
            changes: [put(`${prefix}${i}`, 0, 1)],
            audit: { ...auditEntry(`${prefix}${i}`), changed },
          }),
        ),
      );
    await many("a");
    await bench.reopen();
    await many("b");
    const trail = await collect(bench.store.auditTrail());
    expect(new Set(trail.map((record) => record.request_id)).size).toBe(80);
    expect(trail.map((record) => record.changed)).toEqual(trail.map(() => changed));
    expect((await verifyAuditTrail(trail, await bench.store.auditHeads())).ok).toBe(true);
  });

  it("the newest records come first, from any of them on, over a reopening too", async () => {
    const ids = Array.from({ length: 250 }, (_, place) => `r${place}`);
    for (const id of ids) await bench.store.commit({ changes: [put(id, 0, 1)], audit: auditEntry(id) });
    const store = await bench.reopen();
    await store.commit({ changes: [put("silent", 0, 1)], audit: null });
    await store.commit({ changes: [put("last", 0, 1)], audit: auditEntry("last") });
    const back = await collect(store.auditTrailBack(null));
    const byPlace = (one: AuditRecord, other: AuditRecord) =>
      one.chain.localeCompare(other.chain) || other.seq - one.seq;
    expect(back).toHaveLength(251);
    expect([...back].sort(byPlace)).toEqual((await collect(store.auditTrail())).sort(byPlace));
    const { chain = "", seq = 0 } = back[100] ?? {};
    const rest = await collect(store.auditTrailBack(new Map([[chain, seq]])));
    expect(rest).toEqual(back.filter((record) => record.chain === chain && record.seq < seq));
    expect(await collect(store.auditTrailBack(new Map([["unknown", 9]])))).toEqual([]);
  });

  it("a trail that lost its end, or a link in between, is found out", async () => {
    const { store } = bench;
    for (const id of ["r1", "r2", "r3"]) await store.commit({ changes: [put(id, 0, 1)], audit: auditEntry(id) });
    const trail = await collect(store.auditTrail());
    const heads = await store.auditHeads();
    expect(await verifyAuditTrail(trail.slice(0, 2), heads)).toMatchObject({ ok: false, seq: 3 });
    const gap = trail.filter((record) => record.seq !== 2);
    expect(await verifyAuditTrail(gap, heads)).toMatchObject({ ok: false, seq: 2 });
  });
};

export const lifecycleTests = (bench: Bench): void => {
  it("everything is there after a reopening: rows, versions, order, terms, deadlines, removals", async () => {
    await commitOk(bench.store, put("b", 0, { x: "\u{1F4FA}" }, { terms: ["s=a"], dueAtMs: 7 }), put("a", 0, 1));
    await commitOk(bench.store, put("gone", 0, 1, { terms: ["s=a"] }));
    await commitOk(bench.store, put("a", 1, 2, { terms: ["s=a", "o=x"] }), remove("gone", 1));
    const before = await bench.store.list({ kind: "deal", terms: [], order: "oldest", limit: 10 });
    const store = await bench.reopen();
    expect(await store.list({ kind: "deal", terms: [], order: "oldest", limit: 10 })).toEqual(before);
    expect(idsOf(before)).toEqual(["b", "a"]);
    expect(await store.count("deal", "s=a")).toBe(2);
    expect(idsOf(await store.due(7, 10))).toEqual(["b"]);
    expect(await commit(store, put("a", 1, 3))).toEqual(conflict("a"));
    expect(await commit(store, put("a", 2, 3), check("b", 1), check("gone", 0))).toEqual(ok);
    await commitOk(store, put("c", 0, 1));
    expect(idsOf(await store.list({ kind: "deal", terms: [], order: "oldest", limit: 10 }))).toEqual(["b", "a", "c"]);
  });

  it("commits under way at close are durable, later calls are refused, closing twice is harmless", async () => {
    const { store } = bench;
    const under = Promise.all(Array.from({ length: 20 }, (_, i) => commit(store, put(`d${i}`, 0, i))));
    expect(await store.failure()).toBeNull();
    const closed = store.close();
    await expect(commit(store, put("late", 0, 1))).rejects.toThrow(/closed/);
    expect((await store.failure())?.message).toMatch(/closed/);
    expect((await under).every((outcome) => outcome.ok)).toBe(true);
    await closed;
    await store.close();
    await expect(store.get("deal", "d1")).rejects.toThrow(/closed/);
    await expect(store.count("deal", null)).rejects.toThrow(/closed/);
    const again = await bench.reopen();
    expect(await again.count("deal", null)).toBe(20);
    expect(await again.get("deal", "late")).toBeNull();
  });
};
