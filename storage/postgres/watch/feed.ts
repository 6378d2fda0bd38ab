import pg from "pg";

import { clientConfig, type ConnectionOptions, type StoreSchema } from "../connection.ts";
import type { WrittenRow } from "../commit/flatten.ts";
import { type Listeners, openListeners } from "./listeners.ts";
import { aborted, type LoopContext, pace, repeat } from "./loops.ts";
import { openSender, readPayload } from "./notifications.ts";
import type { Ask, Settled } from "../reader.ts";
import type { Statements } from "../statements.ts";
import { decodeText, encodeText, quoteName } from "../../text.ts";

export interface Feed {
  wrote(rows: readonly WrittenRow[], stamp: number): void;
  watch(kind: string, listener: (id: string) => void): () => void;
  close(): Promise<void>;
}

interface FeedContext {
  readonly place: StoreSchema;
  readonly options: ConnectionOptions;
  readonly statements: Statements;
  readonly ask: Ask;
  readonly settled: Settled;
  readonly instance: string;
  readonly catchUpMs: number;
  readonly log: (message: string) => void;
}

const PAGE = 1_000;

interface WrittenSince {
  readonly id: string;
  readonly written: number;
  readonly n: number;
}

const openCatchUp = (context: FeedContext, listeners: Listeners) => {
  let horizon = context.settled.stamp;
  const readKind = async (kind: string, upTo: number): Promise<void> => {
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

/** Reconnects, and finds what was missed by catching up. */
export const openFeed = (context: FeedContext): Feed => {
  const { place, options, log, instance } = context;
  const channel = `parley_${place.schema}`;
  const stop = new AbortController();
  const stopped = aborted(stop.signal);
  const listeners = openListeners(log);
  const sender = openSender({ ...context, channel });
  const catchUp = openCatchUp(context, listeners);

  const listenOnce = async (): Promise<void> => {
    const client = new pg.Client({ ...clientConfig(options), query_timeout: 0 });
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    client.on("error", () => undefined);
    client.on("notification", ({ payload }) => {
      for (const told of readPayload(payload, instance)) listeners.deliver(...told, catchUp.horizon());
    });
    const listening = async (): Promise<void> => {
      await client.connect();
      await client.query(`LISTEN ${quoteName(channel)}`);
      await ended;
    };
    try {
      await Promise.race([listening(), stopped]);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const loop: LoopContext = { signal: stop.signal, log };
  const loops = [
    repeat("Listening for other processes", listenOnce, loop),
    pace("Catching up with other processes", context.catchUpMs, () => catchUp.run(), loop),
  ];

  return {
    wrote: (rows, stamp) => {
      if (rows.length === 0) return;
      for (const { kind, id } of rows) listeners.deliver(kind, id, stamp, catchUp.horizon());
      sender.send(rows.map(({ kind, id }) => [kind, id, stamp] as const));
    },
    watch: (kind, listener) => listeners.watch(kind, listener),
    close: async () => {
      stop.abort();
      await Promise.all([...loops, sender.drained()]);
    },
  };
};
