import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { StoreLocation } from "../../agents/host/store-location.ts";
import { copyBetween } from "../../agents/host/store-tools.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import type { Change } from "../../storage/store.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";

const deals = 100_000;
const perCommit = 100;
const log = { warn: () => undefined };

/** As long as a deal is: 735 bytes and what a booking writes beside it. */
const commitAt = (at: number): readonly Change[] =>
  Array.from({ length: perCommit }, (_, i) => at + i).flatMap((n): Change[] => {
    const id = `DEMO-${n.toString(16).padStart(12, "0")}`;
    const body = { deal_id: id, price: n / 7, buyer: `seat-${n % 97}`, notes: "n".repeat(600) };
    const terms = [`buyer=seat-${n % 97}`, `status=${n % 5}`, `product=p-${n % 13}`];
    return [
      { op: "put", kind: "deal", id, expect: 0, body, terms, dueAtMs: 1_790_000_000_000 + n },
      { op: "reserve", ledger: `p-${n % 13}`, fromSlot: n % 365, toSlot: (n % 365) + 3, amount: 10, limit: null },
      { op: "add", sums: ["all", `seat-${n % 97}`], slot: n % 365, amounts: [1, n * 1_000_000] },
    ];
  });

await describeOnPostgres("a store of 100,000 deals", (url) => {
  it("is copied to PostgreSQL and back, equal by digest", async () => {
    const root = await mkdtemp(join(tmpdir(), "parley-copy-sim-"));
    const first: StoreLocation = { driver: "lowdb", dir: join(root, "first") };
    const back: StoreLocation = { driver: "lowdb", dir: join(root, "back") };
    const database: StoreLocation = { driver: "postgres", url, schema: "parley_seller" };
    const store = await openLowdbStore({ dir: first.dir });
    for (let at = 0; at < deals; at += perCommit) {
      const audit = { at: new Date(at).toISOString(), request_id: String(at), operation: "book_deal", door: "rest" };
      await store.commit({ changes: commitAt(at), audit: { ...audit, principal: "key:sim" } });
    }
    await store.close();
    const timed = async (from: StoreLocation, to: StoreLocation): Promise<string> => {
      const begun = performance.now();
      const request = { from, to: () => to, agent: "seller" as const, log, progress: () => undefined };
      const { rows, digest, records } = await copyBetween(request);
      expect([rows, records >= deals / perCommit]).toEqual([deals, true]);
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      process.stdout.write(`${from.driver} to ${to.driver}: ${rows} rows in ${seconds} s, digest ${digest}\n`);
      return digest;
    };
    expect(await timed(first, database)).toBe(await timed(database, back));
    await rm(root, { recursive: true, force: true });
  });
});
