import process from "node:process";
import type { AuctionRecord, EdgePeers, LogEntry, SeriesValue } from "../../../platform.ts";
import { boundYoungGeneration } from "../../../../server/engine-flags.ts";
import { startNodeEdge, type RunningEdge } from "../entry.ts";
import { createCaller, remoteDesk, remoteTargets, type ToPrimary, type ToWorker, type WorkerStart } from "./calls.ts";

const log = (entry: LogEntry): void => {
  process.stderr.write(`${JSON.stringify({ time: Date.now(), agent: "edge", worker: process.pid, ...entry })}\n`);
};

const countsMs = 1_000;
/** Kept-alive clients are told with their next answer that it is the last. */
const announceMs = 1_000;

interface PeersOf {
  readonly peers: EdgePeers;
  readonly events: Set<Parameters<EdgePeers["subscribe"]>[0]>;
}

const peersOf = (send: (message: ToPrimary) => void, call: ReturnType<typeof createCaller>["call"]): PeersOf => {
  const events: PeersOf["events"] = new Set();
  const peers: EdgePeers = {
    publish: (event) => send({ kind: "event", event }),
    subscribe: (handle) => void events.add(handle),
    sums: (own) => call("metrics", "sums", [own]) as Promise<readonly SeriesValue[]>,
    auctions: (fresh) => call("auctions", "last", [fresh]) as Promise<readonly AuctionRecord[]>,
    async inTurn(work) {
      await call("turn", "take", []);
      try {
        return await work();
      } finally {
        void call("turn", "end", []).catch(() => undefined);
      }
    },
    shareAuctions(take) {
      const timer = setInterval(() => {
        const auctions = take();
        if (auctions.length > 0) send({ kind: "auctions", auctions });
      }, countsMs);
      timer.unref();
    },
    shareCounts(read) {
      const timer = setInterval(() => send({ kind: "counts", series: read() }), countsMs);
      timer.unref();
    },
  };
  return { peers, events };
};

/** One worker of an edge: serves requests, and asks its primary for everything that all workers share. */
export const runWorker = (): Promise<void> =>
  new Promise((resolve) => {
    boundYoungGeneration();
    const send = (message: ToPrimary): void => void (process.connected && process.send?.(message));
    const caller = createCaller(send);
    const { peers, events } = peersOf(send, caller.call);
    const targets = remoteTargets(caller.call);
    const deals = remoteDesk(caller.call);
    let edge: Promise<RunningEdge> | undefined;
    let isClosing = false;
    const start = ({ port, host, sources, hasDeals }: WorkerStart): Promise<RunningEdge> =>
      startNodeEdge({
        port,
        host,
        sources,
        configEntries: targets.configEntries,
        secretEntries: targets.secretEntries,
        counter: targets.counter,
        openIdentity: targets.identity,
        peers,
        ...(hasDeals ? { dealDesk: deals.desk } : {}),
        log,
      });
    const close = async (): Promise<void> => {
      if (isClosing) return;
      isClosing = true;
      await (await edge)?.close(announceMs);
      if (process.connected) process.disconnect();
      resolve();
      process.exit(0);
    };
    process.on("message", (message: ToWorker) => {
      if (message.kind === "start") {
        edge = start(message.start);
        edge.then(
          () => send({ kind: "ready" }),
          (error: unknown) => {
            log({ level: "error", event: "worker_start", cause: String(error) });
            process.exit(1);
          },
        );
      } else if (message.kind === "result") caller.settle(message);
      else if (message.kind === "deals") deals.take(message.news);
      else if (message.kind === "event") for (const handle of events) handle(message.event);
      else void close();
    });
    process.on("disconnect", () => {
      caller.fail("the primary process is gone");
      void close();
    });
    // A terminal and a supervisor signal the whole group: each worker then drains by itself, at the primary's side.
    process.on("SIGTERM", () => void close());
    process.on("SIGINT", () => void close());
    send({ kind: "hello" });
  });
