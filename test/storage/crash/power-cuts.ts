import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import { acknowledged, book, cancel, expectWhole } from "./bookings.ts";
import { crashingFiles, volatileDisk } from "./files.ts";
import { tempFolder, withStore } from "./folders.ts";
import { seededRandom, type Random } from "./random.ts";

const live = async (dir: string, name: string, random: Random, lines: string[]): Promise<void> => {
  const disk = volatileDisk();
  const plan = { at: 1 + random.below(60), half: random.below(2) === 0 };
  const snapshotAfterBytes = 2_000 + random.below(2) * 30_000;
  let dead = false;
  await new Promise<void>((resolve, reject) => {
    const files = crashingFiles(
      plan,
      async () => {
        dead = true;
        await disk.cut(random);
        await files.abandon();
        resolve();
      },
      disk.gate,
    );
    const acknowledge = (line: string): void => {
      if (!dead) lines.push(line);
    };
    const work = async (): Promise<void> => {
      const store = await openLowdbStore({ dir, files, snapshotAfterBytes, warn: () => undefined });
      for (let round = 0; ; round += 1) {
        const ids = [0, 1, 2].map((writer) => `${name}-${round}-${writer}`);
        await Promise.all(
          ids.map(async (id, number) => {
            await book(store, id, number);
            acknowledge(`book ${id}`);
            if (number === 1) await cancel(store, id, number).then(() => acknowledge(`cancel ${id}`));
          }),
        );
      }
    };
    work().catch(reject);
  });
};

/** Returns the number of cuts. */
export const powerCuts = async (seed: number, folders: number, lives: number): Promise<number> => {
  let cuts = 0;
  for (let number = 0; number < folders; number += 1) {
    const random = seededRandom(seed + number);
    const folder = await tempFolder();
    const lines: string[] = [];
    let { dir } = folder;
    for (let life = 0; life < lives; life += 1) {
      await live(dir, `f${number}-${life}`, random, lines);
      dir = await folder.copyOf(dir);
      const check = await folder.copyOf(dir);
      try {
        await withStore({ dir: check }, (store) => expectWhole(store, acknowledged(lines)));
      } catch (thrown) {
        throw new Error(`folder seed ${seed + number}, life ${life}`, { cause: thrown });
      }
      cuts += 1;
    }
    await folder.remove();
  }
  return cuts;
};
