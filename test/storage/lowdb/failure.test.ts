import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyAuditTrail } from "../../../storage/audit.ts";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import type { Files } from "../../../storage/lowdb/log/files.ts";
import type { Store } from "../../../storage/store.ts";
import { auditEntry, collect, commit, commitOk, ok, put, remove, reserve } from "../contract/kit.ts";
import { gatedFiles, type Step } from "../crash/files.ts";
import { tempFolder, type TempFolder } from "../crash/folders.ts";

let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder.remove());

const brokenFiles = (code: string, isBad: (step: Step) => boolean): Files =>
  gatedFiles(async (step, go) => {
    if (!isBad(step)) return await go();
    if (step.bytes !== undefined) await go(step.bytes.subarray(0, step.bytes.length >>> 1));
    throw Object.assign(new Error(`${code}: the disk says no`), { code });
  });

const isJournal = (step: Step): boolean => step.path.includes("journal-");

const openOn = (
  files: Files,
  snapshotAfterBytes = 32 << 20,
  warnings: string[] = [],
  retryMs = 3_000,
): Promise<Store> =>
  openLowdbStore({ dir: folder.dir, files, snapshotAfterBytes, retryMs, warn: (message) => warnings.push(message) });

const many = (store: Store, prefix: string): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => commit(store, put(`${prefix}${i}`, 0, i), put(prefix, 1, i))),
  );

describe("embedded store: a flush that fails", () => {
  it.each([
    ["ENOSPC", "write", "store_failed", "not saved.*tries again every 3 seconds"],
    ["EIO", "sync", "commit_outcome_unknown", "known at the next start"],
  ] as const)(
    "%s at %s: every unfinished commit is rejected, none of it returns, reading goes on",
    async (code, op, told, how) => {
      let broken = false;
      const store = await openOn(brokenFiles(code, (step) => broken && isJournal(step) && step.op === op));
      await commitOk(store, put("safe", 0, "safe"), put("x", 0, 0));
      broken = true;
      const results = await many(store, "x");
      expect(results.every(({ status }) => status === "rejected")).toBe(true);
      const [first] = results as [PromiseRejectedResult];
      expect(first.reason).toMatchObject({ code: told });
      expect(String(first.reason)).toMatch(new RegExp(`journal-.*${code}.*${how}`));

      broken = false;
      await expect(commit(store, put("later", 0, 1))).rejects.toMatchObject({ code: "store_failed" });
      expect(await store.failure()).toMatchObject({ code: "store_failed" });
      expect((await store.get("deal", "safe"))?.body).toBe("safe");
      expect(await store.count("deal", null)).toBe(2);
      await store.close();

      const again = await openLowdbStore({ dir: folder.dir });
      expect(await again.count("deal", null)).toBe(2);
      expect(await commit(again, put("later", 0, 1))).toEqual(ok);
      await again.close();
    },
  );

  it("what waited for a flush that failed is not written", async () => {
    const steps: string[] = [];
    let failNow = (): void => undefined;
    const held = new Promise<void>((resolve) => (failNow = resolve));
    const files = gatedFiles(async (step, go) => {
      if (isJournal(step)) steps.push(step.op);
      if (!isJournal(step) || step.op !== "sync") return await go();
      await held;
      throw Object.assign(new Error("EIO: the disk says no"), { code: "EIO" });
    });
    const store = await openOn(files);
    steps.length = 0;
    const first = commit(store, put("d1", 0, 1));
    await expect.poll(() => steps).toEqual(["write", "sync"]);
    const all = Promise.allSettled([first, commit(store, put("d2", 0, 1)), commit(store, put("d3", 0, 1))]);
    failNow();
    expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(steps.filter((step) => step === "write")).toHaveLength(1);
    await store.close();
  });

  it("when even the cutting back fails the next start drops the torn line", async () => {
    let broken = false;
    const store = await openOn(brokenFiles("EIO", (step) => broken && isJournal(step) && step.op !== "close"));
    await commitOk(store, put("safe", 0, 1));
    broken = true;
    await expect(commit(store, put("lost", 0, "x".repeat(500)))).rejects.toMatchObject({
      code: "commit_outcome_unknown",
    });
    await store.close();
    const warnings: string[] = [];
    const again = await openLowdbStore({ dir: folder.dir, warn: (message) => warnings.push(message) });
    expect(warnings).toEqual([expect.stringMatching(/torn/)]);
    expect(await again.get("deal", "lost")).toBeNull();
    expect(await again.count("deal", null)).toBe(1);
    await again.close();
  });
});

describe("embedded store: a flush that fails and cannot be taken back", () => {
  it("what was under way may be there after all, and is not said to be unsaved; what comes later is", async () => {
    let broken = false;
    const isBad = (step: Step): boolean => broken && isJournal(step) && ["sync", "truncate"].includes(step.op);
    const store = await openOn(brokenFiles("EIO", isBad));
    await commitOk(store, put("safe", 0, 1));
    broken = true;
    const results = await Promise.allSettled([commit(store, put("d1", 0, 1)), commit(store, put("d2", 0, 1))]);
    const unknown = { code: "commit_outcome_unknown", message: expect.stringMatching(/journal-.*EIO.*next start/) };
    for (const result of results) expect(result).toMatchObject({ status: "rejected", reason: unknown });
    await expect(commit(store, put("later", 0, 1))).rejects.toMatchObject({ code: "store_failed" });
    expect(await store.failure()).toMatchObject({ code: "store_failed" });
    await store.close();
    const again = await openLowdbStore({ dir: folder.dir });
    expect(await again.count("deal", null)).toBe(3);
    expect(await again.get("deal", "later")).toBeNull();
    await again.close();
  });
});

describe("embedded store: a disk that can be written again", () => {
  it.each([
    ["the disk is full", ["write"]],
    ["a flush fails", ["sync"]],
    ["a flush fails and cannot be taken back", ["sync", "truncate"]],
    ["the next write would fail again", ["write", "create"]],
  ] as const)("after %s the store recovers by itself, and nothing that was rejected is there", async (_, ops) => {
    let isBroken = false;
    let attempts = 0;
    const isBad = (step: Step): boolean => {
      const isProbe = step.path.includes("probe");
      if (step.op === "truncate") attempts += 1;
      return isBroken && (isJournal(step) || isProbe) && (ops as readonly string[]).includes(step.op);
    };
    const warnings: string[] = [];
    const store = await openOn(brokenFiles("ENOSPC", isBad), 32 << 20, warnings, 10);
    await commitOk(store, put("x", 0, 0), reserve("inv", [1, 2], 3, 10));
    isBroken = true;
    const lost = [
      store.commit({ changes: [put("x", 1, 1), reserve("inv", [1, 2], 7, 10)], audit: auditEntry("lost") }),
      commit(store, put("y", 0, 1)),
      commit(store, remove("x", 1)),
    ];
    expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    const before = attempts;
    await expect.poll(() => attempts).toBeGreaterThan(before + 1);
    expect(await store.failure()).toMatchObject({ code: "store_failed" });
    await expect(commit(store, put("z", 0, 1))).rejects.toMatchObject({ code: "store_failed" });
    isBroken = false;
    await expect.poll(() => store.failure()).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(/can be written again/)]);
    expect((await store.get("deal", "x"))?.version).toBe(1);
    const audit = auditEntry("kept");
    expect(await store.commit({ changes: [put("x", 1, 2), reserve("inv", [1, 2], 7, 10)], audit })).toEqual(ok);
    await commitOk(store, put("y", 0, 2));
    await store.close();

    const again = await openLowdbStore({ dir: folder.dir });
    expect([(await again.get("deal", "x"))?.body, (await again.get("deal", "y"))?.body]).toEqual([2, 2]);
    expect(await again.get("deal", "z")).toBeNull();
    expect(await again.reserved("inv", 1, 2)).toBe(10);
    const trail = await collect(again.auditTrail());
    expect(await verifyAuditTrail(trail, await again.auditHeads())).toMatchObject({ ok: true, records: 1 });
    await again.close();
  });

  it("a store that cannot be written closes", async () => {
    let isBroken = false;
    const store = await openOn(
      brokenFiles("ENOSPC", (step) => isBroken && isJournal(step)),
      32 << 20,
      [],
      1,
    );
    isBroken = true;
    await expect(commit(store, put("x", 0, 0))).rejects.toMatchObject({ code: "commit_outcome_unknown" });
    await store.close();
    expect(await store.failure()).toMatchObject({ code: "store_closed" });
  });
});

describe("embedded store: a snapshot that fails", () => {
  const isSnapshot = (step: Step): boolean => /store\.json|audit-archive/.test(step.path);
  const failures: [string, (step: Step) => boolean][] = [
    ["write", (step) => isSnapshot(step) && step.op === "write"],
    ["sync", (step) => isSnapshot(step) && step.op === "sync"],
    ["create", (step) => step.op === "create"],
    ["rename", (step) => step.op === "rename"],
    ["remove", (step) => step.op === "remove"],
    ["the next segment", (step) => isJournal(step) && step.op === "append"],
    ["the folder", (step) => step.op === "syncFolder"],
  ];

  it.each(failures)("%s: commits go on, a warning is given, and a later snapshot succeeds", async (_, isBad) => {
    let broken = false;
    const warnings: string[] = [];
    const store = await openOn(
      brokenFiles("ENOSPC", (step) => broken && isBad(step)),
      3_000,
      warnings,
    );
    broken = true;
    for (let i = 0; i < 60; i += 1) await commitOk(store, put(`a${i}`, 0, "x".repeat(200)));
    await expect.poll(() => warnings.length).toBeGreaterThan(0);
    expect(warnings[0]).toMatch(/no snapshot.*ENOSPC.*nothing is lost/);
    broken = false;
    for (let i = 0; i < 60; i += 1) await commitOk(store, put(`b${i}`, 0, "x".repeat(200)));
    const before = warnings.length;
    await store.close();
    expect(warnings.length).toBe(before);
    const again = await openLowdbStore({ dir: folder.dir });
    expect(await again.count("deal", null)).toBe(120);
    await again.close();
  });

  it.each(["write", "sync"])(
    "at a %s of the archive: what it left there is gone when the next one succeeds",
    async (op) => {
      let failures = 0;
      const warnings: string[] = [];
      const files = brokenFiles(
        "EIO",
        (step) => step.path.includes("audit-archive") && step.op === op && (failures += 1) < 3,
      );
      const store = await openOn(files, 3_000, warnings);
      for (let i = 0; i < 60; i += 1) {
        await store.commit({ changes: [put(`a${i}`, 0, "x".repeat(200))], audit: auditEntry(`r${i}`) });
      }
      await expect.poll(() => warnings.length).toBe(2);
      await store.close();
      const again = await openLowdbStore({ dir: folder.dir });
      const trail = await collect(again.auditTrail());
      expect(await verifyAuditTrail(trail, await again.auditHeads())).toMatchObject({ ok: true, records: 60 });
      await again.close();
    },
  );
});
