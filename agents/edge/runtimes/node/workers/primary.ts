import cluster, { type Worker } from "node:cluster";
import process from "node:process";
import { createRecentAuctions } from "../../../auction/recent-auctions.ts";
import type { LogEntry, SeriesValue } from "../../../platform.ts";
import { CannotStart } from "../../cannot-start.ts";
import type { RunningDesk } from "../deals/desk.ts";
import { createTurn } from "./turn.ts";
import { answerCall, type Targets, type ToPrimary, type ToWorker, type WorkerStart } from "./calls.ts";

const killAfterMs = 4_200;
/** A worker that dies sooner than this is started again only after as long, so that a fault does not spin. */
const shortLifeMs = 1_000;

export interface WorkersOptions {
  readonly count: number;
  readonly start: WorkerStart;
  readonly targets: Omit<Targets, "metrics" | "auctions" | "turn">;
  /** Tells of the seller's deals. */
  readonly deals?: RunningDesk["subscribe"];
  readonly log: (entry: LogEntry) => void;
}

export interface RunningWorkers {
  readonly port: number;
  close(): Promise<void>;
}

/** Sums of counts over all workers, those that have died included. */
const createSums = () => {
  const latest = new Map<number, readonly SeriesValue[]>();
  return {
    set: (worker: number, series: readonly SeriesValue[]): void => void latest.set(worker, series),
    total(): readonly SeriesValue[] {
      const sums = new Map<string, number>();
      for (const series of latest.values()) {
        for (const [name, value] of series) sums.set(name, (sums.get(name) ?? 0) + value);
      }
      return [...sums];
    },
  };
};

const mostMet = 10_000;

const nothing = (): void => undefined;

const send = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message);
};

/** What the primary does with a worker's message. */
const createHandler = (targets: WorkersOptions["targets"], workers: ReadonlySet<Worker>) => {
  const sums = createSums();
  const recent = createRecentAuctions();
  const turns = createTurn();
  const met = new Set<string>();
  const handle = (worker: Worker, message: ToPrimary): void => {
    if (message.kind === "call") {
      const metrics: Targets["metrics"] = async (own) => {
        sums.set(worker.id, own);
        return sums.total();
      };
      const auctions: Targets["auctions"] = async (fresh) => {
        for (const one of fresh) recent.add(one);
        return recent.last().toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
      };
      const turn: Targets["turn"] = { take: () => turns.take(worker), end: async () => turns.end(worker) };
      void answerCall({ ...targets, metrics, auctions, turn }, message).then((result) => send(worker, result));
    } else if (message.kind === "auctions") for (const one of message.auctions) recent.add(one);
    else if (message.kind === "counts") sums.set(worker.id, message.series);
    else if (message.kind === "event") {
      if (message.event.kind === "met" && met.size < mostMet) for (const host of message.event.hosts) met.add(host);
      for (const other of workers) if (other !== worker) send(other, { kind: "event", event: message.event });
    }
  };
  /** What the workers before it have met. */
  const tellMet = (worker: Worker): void => {
    if (met.size > 0) send(worker, { kind: "event", event: { kind: "met", hosts: [...met] } });
  };
  return { handle, tellMet, ended: turns.end };
};

const newsMs = 250;

/** Tells workers of deals: a list once for each, counts a few times a second. */
const createDealNews = (subscribe: RunningDesk["subscribe"], workers: ReadonlySet<Worker>) => {
  type News = Parameters<Parameters<RunningDesk["subscribe"]>[0]>;
  let latest: News | null = null;
  let isDue = false;
  const knownBy = new WeakMap<Worker, News[0]>();
  const tell = (worker: Worker): void => {
    if (latest === null) return;
    const [board, shownHere] = latest;
    const isKnown = knownBy.get(worker) === board;
    knownBy.set(worker, board);
    send(worker, { kind: "deals", news: { ...(isKnown ? {} : { board }), shownHere: [...shownHere()] } });
  };
  subscribe((...news) => {
    const isNewBoard = latest?.[0] !== news[0];
    latest = news;
    if (isDue) return;
    isDue = true;
    setTimeout(
      () => {
        isDue = false;
        for (const worker of workers) tell(worker);
      },
      isNewBoard ? 0 : newsMs,
    ).unref();
  });
  return tell;
};

/**
 * Starts the workers on one port and resolves when all of them answer. Stores, rate limits and counts live here; a
 * worker that dies is replaced, and what it was answering is lost with it.
 */
export const startWorkers = ({ count, start, targets, deals, log }: WorkersOptions): Promise<RunningWorkers> => {
  const workers = new Set<Worker>();
  const { handle, tellMet, ended } = createHandler(targets, workers);
  const tellDeals = deals === undefined ? null : createDealNews(deals, workers);
  let isClosing = false;
  cluster.setupPrimary({ exec: process.argv[1] ?? "", args: ["edge"] });

  const fork = (onReady: () => void, onEarlyEnd: (code: number | null) => void): void => {
    const worker = cluster.fork();
    const startedAtMs = Date.now();
    let isReady = false;
    workers.add(worker);
    worker.on("message", (message: ToPrimary) => {
      if (message.kind === "hello") {
        tellDeals?.(worker);
        send(worker, { kind: "start", start });
        return tellMet(worker);
      }
      if (message.kind !== "ready") return handle(worker, message);
      isReady = true;
      onReady();
    });
    worker.on("error", nothing);
    worker.on("exit", (code, signal) => {
      workers.delete(worker);
      ended(worker);
      if (isClosing) return;
      log({ level: "error", event: "worker_ended", pid: worker.process.pid, code, signal: signal || undefined });
      if (!isReady) onEarlyEnd(code);
      const wait = Date.now() - startedAtMs < shortLifeMs ? shortLifeMs : 0;
      setTimeout(() => {
        if (!isClosing) fork(nothing, nothing);
      }, wait);
    });
  };

  const close = async (): Promise<void> => {
    isClosing = true;
    const ended = [...workers].map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
    for (const worker of workers) send(worker, { kind: "close" });
    const timer = setTimeout(() => {
      for (const worker of workers) worker.process.kill("SIGKILL");
    }, killAfterMs);
    await Promise.all(ended);
    clearTimeout(timer);
  };

  return new Promise((resolve, reject) => {
    let port = start.port;
    let ready = 0;
    cluster.on("listening", (_, address) => (port = address.port));
    const onReady = (): void => {
      ready += 1;
      if (ready === count) resolve({ port, close });
    };
    const onEarlyEnd = (code: number | null): void => {
      isClosing = true;
      for (const worker of workers) worker.process.kill("SIGKILL");
      reject(new CannotStart(`a worker of the edge ended with code ${String(code)}; its own message is above`));
    };
    for (let index = 0; index < count; index += 1) fork(onReady, onEarlyEnd);
  });
};
