import { expect } from "vitest";
import { mediaBuyKind } from "../../skills/seller/media-buys/record.ts";
import type { Store } from "../../storage/store.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { openWorld, type World } from "../skills/world.ts";
import { allRows } from "../storage/crash/bookings.ts";
import { crashingFiles, volatileDisk } from "../storage/crash/files.ts";
import { tempFolder, withStore } from "../storage/crash/folders.ts";
import type { Random } from "../storage/crash/random.ts";

const packages = 20;

const buy = {
  account: { brand_domain: "acme.example", operator: "agency.example" },
  brand_domain: "acme.example",
  start_time: "2027-02-01T00:00:00Z",
  end_time: "2027-02-28T00:00:00Z",
  packages: Array.from({ length: packages }, () => ({ offer_id: "prod-15ba2543", option_id: "cpm-pg", budget: 500 })),
};

const bookIn = (world: World): Promise<unknown> =>
  world.send({ caller: "agency", operation: "book_media_buy", input: buy, idempotencyKey: "one-buy-of-twenty" });

const never = 1_000_000;

/** Steps that the disk takes until a buyer has a key, and until its buy is acknowledged. */
const stepsOfBuy = async (): Promise<readonly [before: number, after: number]> => {
  const folder = await tempFolder();
  const files = crashingFiles({ at: never, half: false }, () => undefined);
  const openStore = (): Promise<Store> => openLowdbStore({ dir: folder.dir, files, warn: () => undefined });
  const world = await openWorld({ openStore });
  const before = files.taken.length;
  await bookIn(world);
  const after = files.taken.length;
  await world.close();
  await folder.remove();
  return [before, after];
};

const countOf = async (store: Store, kind: string): Promise<number> => (await allRows(store, kind)).length;

/** Of one buy: what a process that died within it, or a power cut, left. */
const leftAfter = async (at: number, random: Random): Promise<readonly number[]> => {
  const folder = await tempFolder();
  const disk = volatileDisk();
  await new Promise<void>((resolve, reject) => {
    const half = random.below(2) === 0;
    const die = async (): Promise<void> => {
      if (random.below(2) === 0) await disk.cut(random);
      await files.abandon();
      resolve();
    };
    const files = crashingFiles({ at, half }, die, disk.gate);
    const openStore = (): Promise<Store> => openLowdbStore({ dir: folder.dir, files, warn: () => undefined });
    openWorld({ openStore }).then(bookIn).catch(reject);
  });
  const dir = await folder.copyOf(folder.dir);
  const left = await withStore({ dir }, (store) =>
    Promise.all([mediaBuyKind.name, "deal", "order"].map((kind) => countOf(store, kind))),
  );
  await folder.remove();
  return left;
};

/** A buy of twenty packages is there whole or not at all, wherever it is killed. Returns how often it was there. */
export const checkKills = async (random: Random, kills: number): Promise<number> => {
  const [before, after] = await stepsOfBuy();
  expect(after).toBeGreaterThan(before);
  let whole = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const left = await leftAfter(before + 1 + (kill % (after - before)), random);
    expect([
      [0, 0, 0],
      [1, packages, packages],
    ]).toContainEqual(left);
    if (left[0] === 1) whole += 1;
  }
  return whole;
};
