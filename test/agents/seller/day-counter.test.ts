import { expect, test } from "vitest";
import { createDayCounter } from "../../../agents/seller/ports/day-counter.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import { hostAdmission } from "../../../protocol/seam/admission.ts";
import type { Call } from "../../../protocol/seam/operation.ts";
import { dayCountsIn, dayCountsKind } from "../../../skills/seller/oversight/day-counts.ts";
import { openDoors } from "../../doors/doors.ts";
import { openWorld } from "../../skills/world.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";

const day = "2027-01-15";
const clock = { nowMs: () => Date.UTC(2027, 0, 15, 12) };

const called = (operation: string): Call => ({
  operation,
  door: "rest",
  admission: hostAdmission,
  requestId: "r",
  input: () => ({ input: {} }),
});

const open = (store = openMemoryStore()) => {
  const counter = createDayCounter({ store, clock, isOperation: (name) => name === "get_quote" });
  const written = async () => (await store.get(dayCountsKind.name, day))?.body;
  return { store, counter, written };
};

test("counts are kept until they are written, and added to what another process wrote", async () => {
  const { store, counter, written } = open();
  const other = open(store).counter;
  await counter.noteRefusal(called("get_quote"), "not_found");
  await counter.noteRefusal(called("a name of the caller's own"), "unknown_operation");
  expect(counter.unwritten(day)).toMatchObject({
    code: { not_found: 1, unknown_operation: 1 },
    operation: { get_quote: 1, unknown_operation: 1 },
    buyer: { host: 2 },
  });
  await counter.write();
  expect(counter.unwritten(day)).toBeNull();
  await other.noteRefusal(called("get_quote"), "not_found");
  await other.write();
  expect(await written()).toMatchObject({
    counts: { code: { not_found: 2, unknown_operation: 1 }, buyer: { host: 3 } },
  });
});

test("the call of a key that is blocked or revoked counts as its buyer's, one without a known key as nobody's", async () => {
  const { counter } = open();
  const refusedAs = (ownerOfCall?: string): Call => ({
    ...called("get_quote"),
    admission: {
      ...hostAdmission,
      who: () => Promise.resolve({ ...refuse("agent_blocked"), ...(ownerOfCall === undefined ? {} : { ownerOfCall }) }),
    },
  });
  await counter.noteRefusal(refusedAs("agency:agency-9"), "agent_blocked");
  await counter.noteRefusal({ ...refusedAs(), operation: null }, "invalid_api_key");
  expect(counter.unwritten(day)).toMatchObject({
    buyer: { "agency:agency-9": 1, anonymous: 1 },
    operation: { get_quote: 1 },
  });
});

test("what a door refuses before an operation is named counts as its buyer's too", async () => {
  const world = await openWorld();
  const doors = await openDoors(world.runner, () => world.nowMs());
  const input = { agency_id: "agency-9", agent_url: "https://silent.example/agent" };
  const { body: key } = await world.send({ caller: "operator", operation: "create_api_key", input });
  await world.send({ caller: "operator", operation: "block_agent", input: { agent_url: input.agent_url } });
  const headers = { "X-API-Key": String(key["api_key"]), "Content-Type": "application/json" };
  for (const path of ["/mcp", "/a2a/seller/jsonrpc"]) {
    await fetch(new URL(path, doors.url), { method: "POST", headers, body: "{}" });
  }
  const owner = "agency:agency-9";
  const { body: buyer } = await world.send({ caller: "operator", operation: "get_buyer", input: { owner } });
  expect(buyer["refused"]).toBe(2);
  await doors.close();
  await world.close();
});

test("a lost race keeps the counts for the next time", async () => {
  const { store, written } = open();
  let rivals = 1;
  const racing = {
    ...store,
    commit: async (commit: Parameters<typeof store.commit>[0]) =>
      rivals-- > 0
        ? ({ ok: false, reason: "conflict", kind: dayCountsKind.name, id: day } as const)
        : store.commit(commit),
  };
  const counter = createDayCounter({ store: racing, clock, isOperation: () => true });
  await counter.noteRefusal(called("get_quote"), "not_found");
  await counter.write();
  expect(await written()).toBeUndefined();
  await counter.write();
  expect(await written()).toMatchObject({ counts: { code: { not_found: 1 } } });
  expect(counter.unwritten(day)).toBeNull();
});

test("a reader sees each count once at every moment of a write", async () => {
  const { store } = open();
  const gates: (() => void)[] = [];
  const pass = (): Promise<void> => new Promise((resolve) => void gates.push(resolve));
  /** Held before the row is there, and again before its writer knows. */
  const held = {
    ...store,
    commit: async (commit: Parameters<typeof store.commit>[0]) => {
      await pass();
      const outcome = await store.commit(commit);
      await pass();
      return outcome;
    },
  };
  const counter = createDayCounter({ store: held, clock, isOperation: () => true });
  const load = async () => store.get(dayCountsKind.name, day) as Promise<never>;
  const slot = Math.floor(clock.nowMs() / 86_400_000);
  const seen = async () => {
    const [counts] = await dayCountsIn({ load, ports: { dayCounts: counter } }, { fromSlot: slot, toSlot: slot });
    return counts?.code;
  };
  await counter.noteRefusal(called("get_quote"), "not_found");
  const reads = [seen()];
  const written = counter.write();
  reads.push(seen());
  await expect.poll(() => gates).toHaveLength(1);
  reads.push(seen());
  gates[0]?.();
  await expect.poll(() => gates).toHaveLength(2);
  reads.push(seen());
  await new Promise((resolve) => void setImmediate(resolve));
  gates[1]?.();
  await written;
  reads.push(seen());
  expect(await Promise.all(reads)).toEqual(reads.map(() => ({ not_found: 1 })));
});
