import { join } from "node:path";
import type { AdapterLetter, IdentityStore, LogEntry } from "../platform.ts";
import { startNodeEdge } from "./node/entry.ts";
import { readSources } from "./sources.ts";

/** What `parley edge` was called with. `config` and `secrets` are file names, `data` a folder. */
export type EdgeRunOptions = {
  readonly port: number;
  readonly host: string;
  readonly config: string;
  readonly secrets: string;
  readonly runtime: AdapterLetter;
  readonly data: string;
  /** Defaults to the process's own. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
};

/** An edge that answers requests. `url` is where. */
export type StartedEdge = { readonly url: string; readonly port: number; close(): Promise<void> };

const logLine = (entry: LogEntry): void => {
  process.stderr.write(`${JSON.stringify({ time: Date.now(), agent: "edge", ...entry })}\n`);
};

const urlOf = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Starts the edge on the runtime that was asked for. Resolves when requests are answered. */
export const startEdge = async (options: EdgeRunOptions): Promise<StartedEdge> => {
  const sources = await readSources(options.config, options.secrets, options.environment ?? process.env);
  const edge = await startNodeEdge({
    port: options.port,
    host: options.host,
    sources,
    dataFolder: join(options.data),
    log: logLine,
    openIdentity: (): IdentityStore => {
      throw new Error("no identity store");
    },
  });
  return { url: urlOf(options.host, edge.port), port: edge.port, close: () => edge.close() };
};

const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });

/** `parley edge`: prints the ready line, serves until SIGTERM or SIGINT, then drains. */
export const runEdge = async (options: EdgeRunOptions): Promise<void> => {
  const edge = await startEdge(options);
  process.stdout.write(`listening on ${edge.url}\n`);
  await untilSignal();
  await edge.close();
};
