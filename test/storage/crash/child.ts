import { writeSync } from "node:fs";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import { crashingFiles, type CrashPlan } from "./files.ts";
import { book, cancel } from "./work.ts";

export type ChildTask =
  | { readonly task: "load"; readonly dir: string; readonly prefix: string }
  | { readonly task: "script"; readonly dir: string; readonly prefix: string; readonly plan: CrashPlan }
  | { readonly task: "hold"; readonly dir: string };

const say = (line: string): void => void writeSync(1, `${line}\n`);
const nap = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
const quiet = (): void => undefined;

const writers = 8;

/** Small journals, so that snapshots are written all the time. */
const load = async (dir: string, prefix: string): Promise<void> => {
  const store = await openLowdbStore({ dir, snapshotAfterBytes: 100_000, warn: quiet });
  say("ready");
  const work = async (writer: number): Promise<void> => {
    for (let i = 0; ; i += 1) {
      const id = `${prefix}-${writer}-${i}`;
      const number = writer * 1_000 + i;
      await book(store, id, number);
      say(`book ${id}`);
      if (i % 3 === 0) {
        await cancel(store, id, number);
        say(`cancel ${id}`);
      }
      await nap();
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)));
};

/** A snapshot follows each step. */
const script = async (dir: string, prefix: string, plan: CrashPlan): Promise<void> => {
  const files = crashingFiles(plan, () => void process.kill(process.pid, "SIGKILL"));
  const store = await openLowdbStore({ dir, snapshotAfterBytes: 1, files, warn: quiet });
  for (const number of [1, 2]) {
    await book(store, `${prefix}${number}`, number);
    say(`book ${prefix}${number}`);
  }
  await cancel(store, `${prefix}1`, 1);
  say(`cancel ${prefix}1`);
  await store.close();
  say(`steps ${files.taken.join(" ")}`);
};

const task = JSON.parse(process.argv[2] ?? "") as ChildTask;
if (task.task === "load") await load(task.dir, task.prefix);
else if (task.task === "script") await script(task.dir, task.prefix, task.plan);
else {
  await openLowdbStore({ dir: task.dir });
  say("ready");
  setInterval(quiet, 60_000);
}
