import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import { acknowledged, expectWhole } from "./bookings.ts";
import { buildChild, type ChildProgram } from "./children.ts";
import { tempFolder, withStore, type TempFolder } from "./folders.ts";
import type { Random } from "./random.ts";

const nap = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Checks use a copy, so that the next process starts from exactly what was left. */
const killRepeatedly = async (
  program: ChildProgram,
  folder: TempFolder,
  rounds: number,
  random: Random,
): Promise<number> => {
  const lines: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = program.start({ task: "load", dir: folder.dir, prefix: `r${round}` });
    await child.spoke;
    await nap(random.below(120));
    child.kill();
    await child.ended;
    lines.push(...child.lines);
    const copy = await folder.copyOf(folder.dir);
    await withStore({ dir: copy }, (store) => expectWhole(store, acknowledged(lines)));
  }
  const store = await openLowdbStore({ dir: folder.dir, warn: () => undefined });
  const deals = await expectWhole(store, acknowledged(lines));
  await store.close();
  return deals;
};

export const killMany = async (rounds: number, random: Random): Promise<number> => {
  const program = await buildChild();
  let deals = 0;
  try {
    for (let left = rounds; left > 0; left -= 10) {
      const folder = await tempFolder();
      deals += await killRepeatedly(program, folder, Math.min(10, left), random);
      await folder.remove();
    }
  } finally {
    await program.remove();
  }
  return deals;
};
