import { expect, test } from "vitest";
import { auditForward, placesAt } from "../../skills/audit/forward.ts";
import { auditOf } from "../../storage/audit.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { AuditRecord } from "../../storage/store.ts";

const hourMs = 3_600_000;
const startMs = Date.UTC(2027, 0, 15);

/** Two writers that took turns, each with more records than are read at once. */
const twoChains = async (each: number) => {
  const stores = [openMemoryStore(), openMemoryStore()] as const;
  for (let made = 0; made < 2 * each; made += 1) {
    const at = new Date(startMs + made * hourMs).toISOString();
    const audit = { at, request_id: `r${made}`, operation: "o", door: "rest", principal: "host" };
    await stores[made % 2]?.commit({ changes: [], audit });
  }
  const trails = stores.map((store) => auditOf(store));
  return {
    heads: async () => (await Promise.all(trails.map((trail) => trail.heads()))).flat(),
    back: async function* (before: ReadonlyMap<string, number> | null) {
      for (const trail of trails) yield* trail.back(before);
    },
  };
};

const idsOf = async (records: AsyncIterable<AuditRecord>): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { request_id: id } of records) ids.push(id);
  return ids;
};

test("records of several chains come oldest first, by time, from any place on", async () => {
  const trail = await twoChains(130);
  const all = Array.from({ length: 260 }, (_, at) => `r${at}`);
  expect(await idsOf(auditForward(trail, new Map()))).toEqual(all);
  const places = await placesAt(trail, startMs + 201 * hourMs);
  expect([...places.values()]).toEqual([101, 100]);
  expect(await idsOf(auditForward(trail, places))).toEqual(all.slice(201));
  expect(await idsOf(auditForward(trail, await placesAt(trail, startMs + 999 * hourMs)))).toEqual([]);
  expect([...(await placesAt(trail, startMs)).values()]).toEqual([0, 0]);
});
