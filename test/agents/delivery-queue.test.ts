import { expect, test } from "vitest";
import { createFairQueue, type FairQueue } from "../../agents/delivery/queue.ts";

const limits = {
  running: 16,
  runningPerOwner: 4,
  runningPerReceiver: 2,
  waiting: 100,
  waitingPerOwner: 50,
  waitingPerReceiver: 20,
};

/** Jobs hang until `finish`. */
const watched = () => {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const queue: FairQueue = createFairQueue(limits);
  const add = (owner: string, receiver: string): void =>
    queue.add({ owner, receiver }, () => {
      started.push(`${owner}/${receiver}`);
      return new Promise((resolve) => ends.push(resolve));
    });
  const finish = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, started, add, finish };
};

test("an owner with twenty hanging receivers holds its own share, and another owner is served at once", () => {
  const { add, started } = watched();
  for (let n = 0; n < 20; n += 1) for (let times = 0; times < 2; times += 1) add("slow", `hook-${n}`);
  expect(started).toHaveLength(4);
  add("quick", "hook");
  expect(started.at(-1)).toBe("quick/hook");
});

test("one hanging receiver leaves its owner's other receivers a turn", () => {
  const { add, started } = watched();
  for (let n = 0; n < 10; n += 1) add("buyer", "hanging");
  add("buyer", "quick");
  expect(started).toEqual(["buyer/hanging", "buyer/hanging", "buyer/quick"]);
});

test("whoever comes late has its turn before those who had one since", async () => {
  const { add, started, finish } = watched();
  for (let owner = 0; owner < 4; owner += 1) for (let n = 0; n < 8; n += 1) add(`owner-${owner}`, `hook-${n}`);
  expect(started).toHaveLength(16);
  add("late", "hook");
  await finish();
  await finish();
  expect(started.slice(16)).toEqual(["owner-0/hook-4", "late/hook"]);
});

test("each limit of what waits is kept, and there is room again once it has gone", async () => {
  const { queue, add, finish } = watched();
  const holder = { owner: "buyer", receiver: "hook" };
  for (let n = 0; n < 21; n += 1) add(holder.owner, holder.receiver);
  expect(queue.hasRoom(holder)).toBe(true);
  add(holder.owner, holder.receiver);
  expect([queue.hasRoom(holder), queue.hasRoom({ ...holder, receiver: "other" })]).toEqual([false, true]);
  await finish();
  expect(queue.hasRoom(holder)).toBe(true);
  for (let n = 0; n < 33; n += 1) add(holder.owner, `hook-${n % 5}`);
  expect(queue.hasRoom({ owner: "buyer", receiver: "fresh" })).toBe(false);
  expect(queue.hasRoom({ owner: "another", receiver: "fresh" })).toBe(true);
});
