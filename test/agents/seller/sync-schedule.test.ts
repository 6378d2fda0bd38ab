import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSyncSchedule } from "../../../agents/seller/background/sync-schedule.ts";
import { hostAdmission } from "../../../protocol/seam/admission.ts";
import type { Call, Outcome } from "../../../protocol/seam/operation.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";

const meta = { replayed: false, dryRun: false, dialect: null, revision: null };
const done: Outcome = { kind: "done", output: {}, meta };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const start = (enabled: boolean, run: (call: Call) => Promise<Outcome>, packages = 1) => {
  const warned: unknown[] = [];
  const log = { info: () => undefined, warn: (fields: unknown) => void warned.push(fields), error: () => undefined };
  const settings = { inventorySync: { enabled, intervalMinutes: 10 } };
  const store = { count: async (kind: string) => (kind === "package" ? packages : 0) };
  const schedule = createSyncSchedule({ settings, runner: { run }, store, log });
  schedule.start();
  return { warned, schedule };
};

const minutes = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 60_000);

describe("scheduled import of inventory", () => {
  test("off unless it is switched on", async () => {
    const calls: Call[] = [];
    start(false, async (call) => (calls.push(call), done));
    await minutes(100);
    expect(calls).toEqual([]);
  });

  test("a fresh store is filled once, also where no schedule is switched on", async () => {
    const calls: Call[] = [];
    const { schedule } = start(false, async (call) => (calls.push(call), done), 0);
    await minutes(100);
    expect(calls.map(({ operation, admission }) => [operation, admission])).toEqual([["sync_packages", hostAdmission]]);
    await schedule.stop();
  });

  test("imports as the host, again after each wait, and goes on after a refusal", async () => {
    const calls: Call[] = [];
    const outcomes: Outcome[] = [{ kind: "refused", refusal: refuse("ad_server_unavailable"), status: 502 }, done];
    const { warned, schedule } = start(true, async (call) => {
      calls.push(call);
      return outcomes.shift() ?? done;
    });
    await minutes(9);
    expect(calls).toHaveLength(0);
    await minutes(21);
    expect(calls.map(({ operation, admission }) => [operation, admission])).toEqual([
      ["sync_packages", hostAdmission],
      ["sync_packages", hostAdmission],
      ["sync_packages", hostAdmission],
    ]);
    expect(warned).toEqual([{ code: "ad_server_unavailable" }]);
    await schedule.stop();
    await minutes(100);
    expect(calls).toHaveLength(3);
  });

  test("a stop waits for the import that runs, and none follows it", async () => {
    let finish: (outcome: Outcome) => void = () => undefined;
    let count = 0;
    const { schedule } = start(true, () => {
      count += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    await minutes(60);
    expect(count).toBe(1);
    let stopped = false;
    const stop = schedule.stop().then(() => {
      stopped = true;
    });
    await minutes(1);
    expect(stopped).toBe(false);
    finish(done);
    await stop;
    await minutes(60);
    expect(count).toBe(1);
  });
});
