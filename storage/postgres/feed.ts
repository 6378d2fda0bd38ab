import { setTimeout as sleep } from "node:timers/promises";

import pg from "pg";

import { clientConfig, type ConnectionOptions, type Place } from "./connection.ts";
import { messageOf } from "./errors.ts";
import { encodeText, decodeText, quoteName } from "./text.ts";
import type { WrittenRow } from "./flatten.ts";
import type { Ask, Settled } from "./reader.ts";
import type { Statements } from "./statements.ts";

type Listener = (id: string) => void;
type Told = readonly [kind: string, id: string, stamp: number];

/** The watching half of a store. */
export interface Feed {
  /** Tells this process at once, and the others soon, of rows that a commit of this process wrote. */
  wrote(rows: readonly WrittenRow[], stamp: number): void;
  watch(kind: string, listener: Listener): () => void;
  close(): Promise<void>;
}

/** What a feed works with. `instance` marks notifications of this process; `catchUpMs` is the pace of the safety net. */
export interface FeedContext {
  readonly place: Place;
  readonly options: ConnectionOptions;
  readonly statements: Statements;
  readonly ask: Ask;
  readonly settled: Settled;
  readonly instance: string;
  readonly catchUpMs: number;
  readonly log: (message: string) => void;
}

// PostgreSQL refuses a payload of 8,000 bytes or more; the rest is room for the frame around the rows.
const MAX_PAYLOAD_BYTES = 7_000;
const PAGE = 1_000;
const NOTIFY_PAUSE_MS = 5;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 5_000;

const keyOf = (kind: string, id: string): string => `${kind}\u0000${id}`;

/** The listeners, each told once of a stamp however many ways it arrives. `told` is emptied up to the settled stamp. */
const openListeners = (log: (message: string) => void) => {
  const listeners = new Map<string, Set<Listener>>();
  const told = new Map<string, number>();
  return {
    listeners,
    deliver: (kind: string, id: string, stamp: number, horizon: number): void => {
      const watching = listeners.get(kind);
      if (watching === undefined || stamp <= horizon || (told.get(keyOf(kind, id)) ?? 0) >= stamp) return;
      told.set(keyOf(kind, id), stamp);
      for (const listener of watching) {
        try {
          listener(id);
        } catch (error) {
          log(`A listener of ${kind} failed: ${messageOf(error)}`);
        }
      }
    },
    forget: (horizon: number): void => {
      for (const [key, stamp] of told) if (stamp <= horizon) told.delete(key);
    },
    watch: (kind: string, listener: Listener): (() => void) => {
      const watching = listeners.get(kind) ?? new Set<Listener>();
      listeners.set(kind, watching);
      const own: Listener = (id) => listener(id);
      watching.add(own);
      return () => {
        watching.delete(own);
        if (watching.size === 0 && listeners.get(kind) === watching) listeners.delete(kind);
      };
    },
  };
};

type Listeners = ReturnType<typeof openListeners>;

const payloadsOf = (instance: string, rows: readonly Told[]): string[] => {
  const payloads: string[] = [];
  let batch: string[] = [];
  let size = 0;
  const close = (): void => {
    if (batch.length > 0) payloads.push(`{"from":${JSON.stringify(instance)},"rows":[${batch.join(",")}]}`);
    batch = [];
    size = 0;
  };
  for (const row of rows) {
    const text = JSON.stringify(row);
    const bytes = Buffer.byteLength(text) + 1;
    // A row whose key alone is too long is left to the others' catching up.
    if (bytes > MAX_PAYLOAD_BYTES) continue;
    if (size + bytes > MAX_PAYLOAD_BYTES) close();
    batch.push(text);
    size += bytes;
  }
  close();
  return payloads;
};

/**
 * Sends notifications beside the commits, not inside them: NOTIFY in a transaction makes all such transactions of the
 * server commit one by one, each with its own flush. What is lost when this process dies between its commit and the
 * notification, the other processes find by catching up.
 */
const openSender = (context: FeedContext, channel: string) => {
  let waiting: Told[] = [];
  let sending: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await context.ask(context.statements.notify, [channel, payloadsOf(context.instance, batch)]);
      } catch (error) {
        context.log(`Other processes hear of ${batch.length} rows later: ${messageOf(error)}`);
      }
      // Under load one notification then speaks for many commits; the first after a silence goes out at once.
      await sleep(NOTIFY_PAUSE_MS);
    }
    sending = null;
  };
  return {
    send: (rows: readonly Told[]): void => {
      waiting.push(...rows);
      sending ??= run();
    },
    drained: async (): Promise<void> => {
      if (sending !== null) await sending;
    },
  };
};

const isTold = (value: unknown): value is Told =>
  Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string" && Number.isSafeInteger(value[2]);

/** Reads a notification; anything that this driver did not write is no rows at all. */
const readPayload = (payload: string | undefined, instance: string): readonly Told[] => {
  try {
    const parsed: unknown = JSON.parse(payload ?? "");
    if (typeof parsed !== "object" || parsed === null || Reflect.get(parsed, "from") === instance) return [];
    const rows: unknown = Reflect.get(parsed, "rows");
    return Array.isArray(rows) ? rows.filter(isTold) : [];
  } catch {
    return [];
  }
};

interface WrittenSince {
  readonly id: string;
  readonly written: number;
  readonly n: number;
}

/** Reads what was written since the last look, so that no lost notification is lost for good. */
const openCatchUp = (context: FeedContext, listeners: Listeners) => {
  let horizon = context.settled.stamp;
  const readKind = async (kind: string, upTo: number): Promise<void> => {
    // All rows of the stamp that was looked at last have been told; the largest place says so.
    let last = { written: horizon, n: Number.MAX_SAFE_INTEGER };
    for (;;) {
      const values = [encodeText(kind), last.written, last.n, upTo, PAGE];
      const rows = await context.ask<WrittenSince>(context.statements.writtenSince, values);
      for (const row of rows) listeners.deliver(kind, decodeText(row.id), row.written, horizon);
      last = rows.at(-1) ?? last;
      if (rows.length < PAGE) return;
    }
  };
  return {
    horizon: () => horizon,
    run: async (): Promise<void> => {
      const upTo = await context.settled.refresh();
      if (upTo <= horizon) return;
      for (const kind of listeners.listeners.keys()) await readKind(kind, upTo);
      horizon = upTo;
      listeners.forget(horizon);
    },
  };
};

/** Opens the feed. It listens on a connection of its own, for good: when that breaks it connects again and catches up. */
export const openFeed = (context: FeedContext): Feed => {
  const channel = `parley_${context.place.schema}`;
  const stop = new AbortController();
  const listeners = openListeners(context.log);
  const sender = openSender(context, channel);
  const catchUp = openCatchUp(context, listeners);

  const listenOnce = async (): Promise<void> => {
    const client = new pg.Client({ ...clientConfig(context.options), query_timeout: 0 });
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    client.on("error", () => undefined);
    client.on("notification", (message) => {
      for (const [kind, id, stamp] of readPayload(message.payload, context.instance)) {
        listeners.deliver(kind, id, stamp, catchUp.horizon());
      }
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${quoteName(channel)}`);
      await Promise.race([ended, aborted(stop.signal)]);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const listen = repeat(stop.signal, context.log, "Listening for other processes", listenOnce);
  const watchdog = pace(stop.signal, context, catchUp.run);

  return {
    wrote: (rows, stamp) => {
      if (rows.length === 0) return;
      for (const { kind, id } of rows) listeners.deliver(kind, id, stamp, catchUp.horizon());
      sender.send(rows.map(({ kind, id }) => [kind, id, stamp] as const));
    },
    watch: (kind, listener) => listeners.watch(kind, listener),
    close: async () => {
      stop.abort();
      await Promise.all([listen, watchdog, sender.drained()]);
    },
  };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true })));

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);

// Runs `work` again and again until the signal; a failure is logged once per outage and slows the next try down.
const repeat = async (
  signal: AbortSignal,
  log: (message: string) => void,
  what: string,
  work: () => Promise<void>,
): Promise<void> => {
  let wait = FIRST_RETRY_MS;
  while (!signal.aborted) {
    const begun = Date.now();
    try {
      await work();
    } catch (error) {
      if (wait === FIRST_RETRY_MS) log(`${what} stopped, it is tried again: ${messageOf(error)}`);
    }
    wait = Date.now() - begun > LAST_RETRY_MS ? FIRST_RETRY_MS : Math.min(wait * 2, LAST_RETRY_MS);
    if (!signal.aborted) await pause(wait, signal);
  }
};

const pace = async (signal: AbortSignal, context: FeedContext, work: () => Promise<void>): Promise<void> => {
  let failing = false;
  while (!signal.aborted) {
    await pause(context.catchUpMs, signal);
    if (signal.aborted) return;
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) context.log(`Catching up with other processes failed, it is tried again: ${messageOf(error)}`);
      failing = true;
    }
  }
};
