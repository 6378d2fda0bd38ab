import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Store } from "../store.ts";
import { readAuditHeads, readAuditTrail, readAuditTrailBack } from "./audit-trail.ts";
import { type CommitContext, runCommit } from "./commit/commit.ts";
import { type ConnectionOptions, type StoreSchema, schemaOf } from "./connection.ts";
import { cureOf, sqlStateOf, storeError } from "./errors.ts";
import { type Feed, openFeed } from "./watch/feed.ts";
import { openPools } from "./commit/lanes.ts";
import { isMigrated, migrate, migratedTo } from "./migrate.ts";
import { type Ask, asker, openReader, openSettled, type RawRow, toStoredRow } from "./reader.ts";
import { type Statements, statementsFor } from "./statements.ts";
import { decodeText } from "../text.ts";

/**
 * `claimMs`: how long `due` keeps a row from other processes; `catchUpMs`: how long a lost notification can go
 * unnoticed.
 */
export interface PostgresStoreOptions {
  readonly url: string;
  readonly schema: string;
  readonly log: (message: string) => void;
  readonly poolSize?: number;
  readonly answerMs?: number;
  readonly claimMs?: number;
  readonly catchUpMs?: number;
}

const CLOSE_MS = 5_000;
const DEFAULTS = {
  poolSize: 20,
  answerMs: 5_000,
  claimMs: 30_000,
  catchUpMs: 1_000,
};

type DueRow = RawRow & { readonly due_at_ms: number };

interface DueReader {
  readonly due: Store["due"];
  /** Gives back what this process has claimed, so that another one gets it at once. */
  release(): Promise<void>;
}

const openDue = (ask: Ask, statements: Statements, instance: string, claimMs: number): DueReader => {
  let untilMs: number | null = null;
  return {
    due: async (nowMs, limit) => {
      const until = Math.floor(nowMs);
      untilMs = Math.max(untilMs ?? until, until);
      const rows = await ask<DueRow>(statements.due, [until, limit, instance, claimMs]);
      return [...rows].sort((left, right) => left.due_at_ms - right.due_at_ms || left.n - right.n).map(toStoredRow);
    },
    release: async () => {
      // A server that is gone keeps nobody: the claims expire.
      if (untilMs !== null) await ask(statements.release, [instance, untilMs]).catch(() => undefined);
    },
  };
};

/** A call may need several connections, and each several answers: together they take no longer than one may. */
const within = <T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** `close` waits for running work and rejects new. */
const openGate = (place: StoreSchema, answerMs: number) => {
  const running = new Set<Promise<unknown>>();
  let closed = false;
  const silence = `${place.label} gave no answer in ${answerMs / 1_000} s`;
  const lateRead = (): Error => storeError("store_unreachable", `Cannot reach ${silence}.`);
  const lateCommit = (): Error =>
    storeError("commit_outcome_unknown", `${silence}: a commit may stand or not. Repeat it with the same key.`);
  const pass = async <T>(work: () => Promise<T>, late: () => Error = lateRead): Promise<T> => {
    if (closed) throw storeError("store_closed", `${place.label} was closed; nothing was done.`);
    const promise = within(answerMs, work(), late);
    running.add(promise);
    return promise.finally(() => running.delete(promise));
  };
  return {
    pass,
    passCommit: <T>(work: () => Promise<T>): Promise<T> => pass(work, lateCommit),
    close: async (): Promise<void> => {
      closed = true;
      await Promise.allSettled(running);
    },
  };
};

type Gate = ReturnType<typeof openGate>;

const committer =
  (context: CommitContext, feed: Feed): Store["commit"] =>
  async (commit) => {
    const { outcome, written, stamp } = await runCommit(context, commit);
    feed.wrote(written, stamp);
    return outcome;
  };

const PROBES = 3;
const READ_ONLY = "25006";

/**
 * Only a commit shows that commits can be made: a standby answers reads, and so does a schema that lacks a function. An
 * empty one is repeated where a connection was lost: it may well be an old one.
 */
const failureOf = async (gate: Gate, context: CommitContext, left = PROBES): Promise<Error | null> => {
  try {
    await gate.passCommit(() => runCommit(context, { changes: [], audit: null }));
    return null;
  } catch (thrown) {
    const error = thrown as Error & { readonly code?: string };
    if (left > 1 && error.code === "commit_outcome_unknown") return failureOf(gate, context, left - 1);
    if (sqlStateOf(error.cause) !== READ_ONLY) return error;
    return storeError("store_unusable", `${context.place.label} is read only. ${cureOf(error.cause)}`, error.cause);
  }
};

interface Parts {
  readonly context: CommitContext;
  readonly feed: Feed;
  readonly gate: Gate;
  readonly ask: Ask;
  readonly reader: ReturnType<typeof openReader>;
  readonly claims: DueReader;
}

const assemble = ({ context, feed, gate, ask, reader, claims }: Parts): Store => {
  const commit = committer(context, feed);
  const gated: Ask = (statement, values) => gate.pass(() => ask(statement, values));
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await gate.close();
    await Promise.race([claims.release(), sleep(CLOSE_MS, undefined, { ref: false })]);
    await feed.close();
    // An unresponsive host must not keep the process.
    await Promise.race([context.end(), sleep(CLOSE_MS, undefined, { ref: false })]);
  };
  return {
    driver: "postgres",
    get: (kind, id) => gate.pass(() => reader.get(kind, id)),
    list: (query) => gate.pass(() => reader.list(query)),
    count: (kind, term) => gate.pass(() => reader.count(kind, term)),
    reserved: (ledger, from, to) => gate.pass(() => reader.reserved(ledger, from, to)),
    reservedSlots: (ledger, from, to) => gate.pass(() => reader.reservedSlots(ledger, from, to)),
    added: (sums, from, to) => gate.pass(() => reader.added(sums, from, to)),
    commit: (changes) => gate.passCommit(() => commit(changes)),
    due: (nowMs, limit) => gate.pass(() => claims.due(nowMs, limit)),
    watch: (kind, listener) => feed.watch(kind, listener),
    auditTrail: () => readAuditTrail(gated, context.statements),
    auditTrailBack: (before) => readAuditTrailBack(gated, context.statements, before),
    auditHeads: () => readAuditHeads(gated, context.statements),
    size: async () => {
      const [size] = await gated<{ bytes: number }>(context.statements.size, [context.place.schema]);
      const rows = await gated<{ kind: string; amount: number }>(context.statements.rowsByKind, []);
      return {
        bytes: size?.bytes ?? 0,
        rows: new Map(rows.map(({ kind, amount }) => [decodeText(kind), amount])),
      };
    },
    failure: () => failureOf(gate, context),
    close: () => (closing ??= close()),
  };
};

export const holdsPostgresStore = ({ url, schema }: Pick<PostgresStoreOptions, "url" | "schema">): Promise<boolean> =>
  isMigrated(schemaOf(url, schema), { ...DEFAULTS, url, schema });

type Addressed = Pick<PostgresStoreOptions, "url" | "schema">;

/** The last migration that its schema has, 0 without a schema. */
export const postgresVersion = ({ url, schema }: Addressed): Promise<number> =>
  migratedTo(schemaOf(url, schema), { ...DEFAULTS, url, schema });

/** What a tool needs of a store beside the port. */
interface OpenedPostgres {
  readonly store: Store;
  readonly place: StoreSchema;
  readonly settings: ConnectionOptions;
}

/**
 * Many processes may open one schema at once. A pooler in between must keep sessions: lanes are session locks, and
 * watching listens.
 */
export const openPostgres = async (options: PostgresStoreOptions): Promise<OpenedPostgres> => {
  const { claimMs, catchUpMs, log, ...connection } = { ...DEFAULTS, ...options };
  const settings: ConnectionOptions = connection;
  const place = schemaOf(settings.url, settings.schema);
  await migrate(place, settings);
  const statements = statementsFor(place);
  const pools = openPools(settings, statements, log);
  const ask = asker(pools.reading, place, settings.answerMs);
  const settled = openSettled(ask, statements);
  await settled.refresh().catch(async (error: unknown) => {
    await pools.end();
    throw error;
  });
  const instance = randomUUID();
  const feed = openFeed({ place, options: settings, statements, ask, settled, instance, catchUpMs, log });
  const context: CommitContext = { ...pools, place, statements };
  const claims = openDue(ask, statements, instance, claimMs);
  const gate = openGate(place, settings.answerMs);
  const store = assemble({ context, feed, gate, ask, reader: openReader(ask, statements, settled), claims });
  return { store, place, settings };
};

export const openPostgresStore = async (options: PostgresStoreOptions): Promise<Store> =>
  (await openPostgres(options)).store;
