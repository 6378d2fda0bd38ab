import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { diskFiles, type Files, type OpenFile } from "../../storage/lowdb/log/files.ts";
import type { Change, Commit, Store } from "../../storage/store.ts";

export interface StorageFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Null: no bound is kept. */
  readonly target: string | null;
}

const entry = { at: "2026-11-21T10:00:00Z", operation: "book_deal", door: "rest", principal: "k" };
const writers = 64;
const deals = 100_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const heapBytes = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const round = (value: number): number => Math.round(value * 100) / 100;
const nap = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Real disks take 1 to 5 ms a flush. */
const slowFiles = (flushMs: number): Files => {
  const slow = (file: OpenFile): OpenFile => ({
    ...file,
    sync: async () => {
      await file.sync();
      await nap(flushMs);
    },
  });
  return {
    ...diskFiles,
    append: async (path) => slow(await diskFiles.append(path)),
    create: async (path) => slow(await diskFiles.create(path)),
  };
};

const withFolder = async <T>(use: (dir: string) => Promise<T>): Promise<T> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

/** 735 bytes, four terms, one of them its own. */
const dealChange = (number: number, expect = 0): Change => {
  const id = `DEMO-${number.toString(16).toUpperCase().padStart(12, "0")}`;
  const body = {
    deal_id: id,
    quote_id: `qt-${number.toString(16).padStart(12, "0")}`,
    status: expect === 0 ? "proposed" : "active",
    price_micros: 29_920_000 + number,
    note: "x".repeat(610),
  };
  const { status, quote_id: quote } = body;
  const terms = [`owner=buyer-${number % 50}`, `status=${status}`, `product=p${number % 13}`, `quote=${quote}`];
  return { op: "put", kind: "deal", id, expect, body, terms, dueAtMs: null };
};

const fill = async (store: Store, from: number, to: number): Promise<void> => {
  for (let start = from; start < to; start += 500) {
    const changes = Array.from({ length: Math.min(500, to - start) }, (_, i) => dealChange(start + i));
    await store.commit({ changes, audit: null });
  }
};

/** Quote, deal, event, idempotency answer, 31 days of inventory, audit record. */
const booking = (number: number): Commit => {
  const terms = [`owner=o${number % 50}`];
  const small = (kind: string): Change => {
    const body = { number, note: "y".repeat(200) };
    return { op: "put", kind, id: `${kind}-${number}`, expect: 0, body, terms, dueAtMs: null };
  };
  const slots = { fromSlot: number % 300, toSlot: (number % 300) + 30 };
  return {
    changes: [
      dealChange(number),
      small("quote"),
      small("event"),
      small("answer"),
      { op: "reserve", ledger: `p${number % 13}`, ...slots, amount: 1, limit: 1_000_000_000 },
    ],
    audit: { ...entry, request_id: `r${number}` },
  };
};

interface Load {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

const load = async (store: Store, ms: number, commitOf: (number: number) => Commit): Promise<Load> => {
  let next = deals;
  const endMs = performance.now() + ms;
  const cpu = process.cpuUsage();
  const work = async (): Promise<void> => {
    while (performance.now() < endMs) await store.commit(commitOf((next += 1)));
  };
  await Promise.all(Array.from({ length: writers }, work));
  const { user, system } = process.cpuUsage(cpu);
  const done = next - deals;
  return { perSecond: Math.round((done / ms) * 1_000), cpuMicros: round((user + system) / done) };
};

const oneRow = (number: number): Commit => ({ changes: [dealChange(number)], audit: null });

const commitFigures = async (flushMs: number): Promise<StorageFigure[]> =>
  await withFolder(async (dir) => {
    const files = flushMs === 0 ? diskFiles : slowFiles(flushMs);
    const figures: StorageFigure[] = [];
    for (const [what, commitOf] of [
      ["one deal", oneRow],
      ["a booking", booking],
    ] as const) {
      const store = await openLowdbStore({ dir: join(dir, what), files });
      await load(store, 500, (number) => commitOf(number + 10_000_000));
      const { perSecond, cpuMicros } = await load(store, 2_000, commitOf);
      await store.close();
      const name = `commits of ${what}, ${writers} writers, flush + ${flushMs} ms`;
      figures.push({ name, value: perSecond, unit: "1/s", target: null });
      figures.push({ name: `${name}: CPU`, value: cpuMicros, unit: "us", target: null });
    }
    return figures;
  });

const sizeFigures = async (): Promise<StorageFigure[]> =>
  await withFolder(async (dir) => {
    const empty = heapBytes();
    const store = await openLowdbStore({ dir });
    await fill(store, 0, deals);
    const filled = heapBytes();
    await store.close();
    const started = performance.now();
    const again = await openLowdbStore({ dir });
    const startMs = performance.now() - started;
    const count = await again.count("deal", null);
    if (count !== deals) throw new Error(`${count} deals came back of ${deals}`);
    await again.close();
    return [
      { name: "memory of a stored deal", value: Math.round((filled - empty) / deals), unit: "bytes", target: "< 1500" },
      { name: "start with 100,000 deals", value: Math.round(startMs), unit: "ms", target: "< 2500" },
    ];
  });

const mostRounds = 30;

/** 64 writers for four seconds, longer until enough snapshots were written. */
const delaysAt = async (
  snapshotAfterBytes: number,
  snapshots: number,
): Promise<readonly [p99Ms: number, maxMs: number]> =>
  await withFolder(async (dir) => {
    let written = 0;
    const rename: Files["rename"] = async (from, to) => {
      await diskFiles.rename(from, to);
      written += 1;
    };
    const store = await openLowdbStore({ dir, snapshotAfterBytes, files: { ...diskFiles, rename } });
    await fill(store, 0, deals);
    await load(store, 500, (number) => booking(number + 20_000_000));
    const delays = monitorEventLoopDelay({ resolution: 1 });
    const before = written;
    delays.enable();
    for (let round = 0; round < 4 || (written < before + snapshots && round < mostRounds); round += 1) {
      await load(store, 1_000, (number) => booking(number + round * 1_000_000));
    }
    delays.disable();
    if (written < before + snapshots) throw new Error(`${written - before} snapshots of ${snapshots} were written`);
    await store.close();
    return [round(delays.percentile(99) / 1e6), round(delays.max / 1e6)];
  });

const snapshotFigures = async (): Promise<StorageFigure[]> => {
  const without = await delaysAt(2 ** 40, 0);
  const under = await delaysAt(8 << 20, 1);
  return [
    { name: "event loop p99 under snapshots of 100,000 deals", value: under[0], unit: "ms", target: "< 50" },
    { name: "event loop worst under the same", value: under[1], unit: "ms", target: null },
    { name: "event loop p99 of the control without snapshots", value: without[0], unit: "ms", target: null },
    { name: "event loop worst of the control", value: without[1], unit: "ms", target: null },
  ];
};

/** What a status change costs when its terms hold many rows. */
const moveFigures = async (): Promise<StorageFigure[]> =>
  await withFolder(async (dir) => {
    const store = await openLowdbStore({ dir });
    await fill(store, 0, deals);
    const places = Array.from({ length: 20_000 }, (_, i) => (i * 7_919) % deals);
    const started = process.cpuUsage();
    await Promise.all(places.map((number) => store.commit({ changes: [dealChange(number, 1)], audit: null })));
    const { user, system } = process.cpuUsage(started);
    await store.close();
    const value = round((user + system) / places.length);
    return [{ name: "status change among 100,000 deals: CPU", value, unit: "us", target: null }];
  });

export const run = async (): Promise<readonly StorageFigure[]> => [
  ...(await sizeFigures()),
  ...(await commitFigures(0)),
  ...(await commitFigures(2)),
  ...(await snapshotFigures()),
  ...(await moveFigures()),
];
