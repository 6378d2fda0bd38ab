import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import type { AdapterLetter, IdentityStore, LogEntry } from "../platform.ts";
import { loadConfig, type EdgeSources } from "../startup/load.ts";
import { CannotStart } from "./cannot-start.ts";
import type { ChildRuntime } from "./launch.ts";
import { nodeTraits, startNodeEdge } from "./node/entry.ts";
import { allowListOf } from "../../../protocol/neutral/address-guard.ts";
import type { Store } from "../../../storage/store.ts";
import { decode } from "./leaf/codings.ts";
import { createSend } from "./leaf/outbound.ts";
import type { RunningDesk } from "./node/deals/desk.ts";
import { createStoredIdentity } from "./node/identity.ts";
import { boundYoungGeneration } from "../../server/engine-flags.ts";
import { removed, startSweeper } from "../../server/sweeper.ts";
import { createFileEntries, createRateCounter } from "./node/stores.ts";
import { startWorkers } from "./node/workers/primary.ts";
import { openSecrets, readSources } from "./sources.ts";

export interface EdgeRunOptions {
  readonly port: number;
  readonly host: string;
  readonly config: string;
  readonly secrets: string;
  readonly runtime: AdapterLetter;
  readonly data: string;
  /** Processes that serve requests, on A; 1 where it is absent. */
  readonly workers?: number;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface StartedEdge {
  readonly url: string;
  readonly port: number;
  close(announceMs?: number): Promise<void>;
  readonly exited?: Promise<number | null>;
}

const children: Readonly<Partial<Record<AdapterLetter, ChildRuntime>>> = { B: "bun", C: "workerd", D: "deno" };

const logLine = (entry: LogEntry): void => {
  process.stderr.write(`${JSON.stringify({ time: Date.now(), agent: "edge", ...entry })}\n`);
};

const sweepEveryMs = 60_000;

const urlOf = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

const openDesk = async (
  loaded: ReturnType<typeof loadConfig>,
  store: Store,
  sources: EdgeSources,
): Promise<RunningDesk | null> => {
  if (!loaded.ok || loaded.config.deals === undefined) return null;
  const send = createSend(allowListOf(sources.environment.OUTBOUND_ALLOW ?? ""));
  const env = { send, decode, now: Date.now };
  const { startDealDesk } = await import("./node/deals/desk.ts");
  return startDealDesk({ config: loaded.config.deals, store, env, log: logLine });
};

const startOnNode = async (options: EdgeRunOptions, sources: EdgeSources): Promise<StartedEdge> => {
  const store = await openLowdbStore({
    dir: options.data,
    warn: (message) => logLine({ level: "warn", event: "store", message }),
  });
  const sweeper = startSweeper(
    {
      store,
      clock: { nowMs: Date.now },
      log: { error: (fields, message) => logLine({ level: "error", event: "sweep", message, ...fields }) },
      due: removed,
      isAudited: false,
    },
    sweepEveryMs,
  );
  const loaded = loadConfig(sources, nodeTraits);
  const desk = await openDesk(loaded, store, sources);
  const close = async (): Promise<void> => {
    await sweeper.stop();
    await desk?.close();
    await store.close();
  };
  const shared = {
    configEntries: createFileEntries(options.data, "config-entries.json"),
    secretEntries: createFileEntries(options.data, "secret-entries.json"),
    counter: createRateCounter(),
  };
  const { port, host, workers = 1 } = options;
  const openIdentity = (name: string): IdentityStore => createStoredIdentity(store, name, Date.now);
  // A configuration that cannot be used is answered, and its faults logged, once.
  const count = loaded.ok ? workers : 1;
  try {
    const edge =
      count > 1
        ? await startWorkers({
            count,
            start: { port, host, sources, hasDeals: desk !== null },
            targets: { ...shared, identity: openIdentity, ...(desk === null ? {} : { deals: desk.desk }) },
            ...(desk === null ? {} : { deals: desk.subscribe }),
            log: logLine,
          })
        : await startNodeEdge({
            port,
            host,
            sources,
            ...shared,
            openIdentity,
            ...(desk === null ? {} : { dealDesk: desk.desk }),
            log: logLine,
          });
    return {
      url: urlOf(options.host, edge.port),
      port: edge.port,
      close: (announceMs) => edge.close(announceMs).then(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
};

export const startEdge = async (options: EdgeRunOptions): Promise<StartedEdge> => {
  const sources = await readSources(options.config, options.secrets, options.environment ?? process.env);
  const open = await openSecrets(options.secrets);
  if (open !== null) logLine({ level: "warn", event: "secrets_open", message: open });
  const child = children[options.runtime];
  if (child !== undefined) {
    const { startChild } = await import("./launch.ts");
    const started = await startChild({ runtime: child, port: options.port, host: options.host, sources });
    return { ...started, url: urlOf(options.host, started.port) };
  }
  return startOnNode(options, sources);
};

const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });

/** Kept-alive clients are told with their next answer that it is the last. */
const announceMs = 1_000;

export const runEdge = async (options: EdgeRunOptions): Promise<void> => {
  if (options.runtime === "A") boundYoungGeneration();
  const edge = await startEdge(options);
  process.stdout.write(`listening on ${edge.url}\n`);
  const ended = edge.exited?.then((code) => {
    throw new CannotStart(`the edge's runtime ended by itself (code ${String(code)}); its own message is above`);
  });
  await Promise.race([untilSignal(), ...(ended === undefined ? [] : [ended])]);
  ended?.catch(() => undefined);
  await edge.close(announceMs);
};
