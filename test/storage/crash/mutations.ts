import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { allRows, book, cancel } from "./bookings.ts";
import { crashingFiles } from "./files.ts";
import { tempFolder, type TempFolder } from "./folders.ts";
import type { Random } from "./random.ts";
import { days, ledger } from "./work.ts";

export const picture = async (store: Store): Promise<string> => {
  const kinds = await Promise.all(["quote", "deal", "event", "idempotency"].map((kind) => allRows(store, kind)));
  const slots = await Promise.all(Array.from({ length: days }, (_, day) => store.reserved(ledger, day, day)));
  return JSON.stringify({ kinds, slots });
};

export interface DeadFolder {
  readonly folder: TempFolder;
  readonly segment: string;
  readonly bytes: Buffer;
  /** `pictures[k]`: the state after k records. */
  readonly pictures: readonly string[];
}

/** A cancellation follows every third booking. */
export const deadFolder = async (bookings: number): Promise<DeadFolder> => {
  const folder = await tempFolder();
  const first = await openLowdbStore({ dir: folder.dir });
  await book(first, "before", 5);
  await first.close();
  const files = crashingFiles({ at: 1_000_000, half: false }, () => undefined);
  const store = await openLowdbStore({ dir: folder.dir, files });
  const pictures = [await picture(store)];
  for (let number = 0; number < bookings; number += 1) {
    const seen: Promise<string>[] = [];
    const stop = store.watch("quote", () => seen.push(picture(store)));
    await book(store, `d${number}`, number);
    stop();
    // A booking is two commits: the quote alone, then everything else.
    pictures.push(...(await Promise.all(seen)));
    if (number % 3 === 2) {
      await cancel(store, `d${number}`, number);
      pictures.push(await picture(store));
    }
  }
  const dir = await folder.copyOf(folder.dir);
  const names = (await readdir(dir)).filter((name) => name.startsWith("journal-")).sort();
  const segment = names.at(-1) ?? "";
  const bytes = await readFile(join(dir, segment));
  await store.close();
  return { folder: { ...folder, dir }, segment, bytes, pictures };
};

export interface Mutation {
  readonly name: string;
  readonly bytes: Buffer;
  readonly from: number;
}

type Mutate = (bytes: Buffer, random: Random) => Omit<Mutation, "name">;

const near = (bytes: Buffer, random: Random): number =>
  bytes.length - 1 - random.below(Math.min(6_000, bytes.length - 1));

const mutations: Readonly<Record<string, Mutate>> = {
  truncated: (bytes, random) => {
    const from = near(bytes, random);
    return { bytes: bytes.subarray(0, from), from };
  },
  torn: (bytes, random) => {
    const from = near(bytes, random);
    const junk = Buffer.from(Array.from({ length: 1 + random.below(2_000) }, () => random.below(256)));
    return { bytes: Buffer.concat([bytes.subarray(0, from), junk]), from };
  },
  zeroed: (bytes, random) => {
    const from = near(bytes, random);
    return { bytes: Buffer.concat([bytes.subarray(0, from), Buffer.alloc(bytes.length - from)]), from };
  },
  flipped: (bytes, random) => {
    const copy = Buffer.from(bytes);
    const places = Array.from({ length: 1 + random.below(6) }, () => near(bytes, random));
    for (const place of places) copy[place] = (copy[place] ?? 0) ^ (1 << random.below(8));
    return { bytes: copy, from: Math.min(...places) };
  },
  cutOut: (bytes, random) => {
    const from = near(bytes, random);
    const to = from + 1 + random.below(bytes.length - from);
    return { bytes: Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]), from };
  },
  repeated: (bytes, random) => {
    const start = bytes.lastIndexOf("\n", near(bytes, random)) + 1;
    const end = bytes.indexOf("\n", start) + 1;
    return { bytes: Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]), from: end };
  },
};

export const mutationNames = Object.keys(mutations);

export const mutate = (name: string, bytes: Buffer, random: Random): Mutation => {
  const change = mutations[name];
  if (change === undefined) throw new Error(`no mutation is named ${name}`);
  return { name, ...change(bytes, random) };
};

export const plant = async ({ folder, segment }: DeadFolder, bytes: Buffer): Promise<string> => {
  const copy = await folder.copyOf(folder.dir);
  await writeFile(join(copy, segment), bytes);
  return copy;
};
