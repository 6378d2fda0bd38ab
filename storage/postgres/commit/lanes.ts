import pg from "pg";

import { type AuditHead, EMPTY_HEAD } from "../../audit.ts";
import { clientConfig, type ConnectionOptions } from "../connection.ts";
import { messageOf } from "../errors.ts";
import type { Statements } from "../statements.ts";

/**
 * The lowest free number, held by a session lock. It names an audit chain and a shard of the counters, so that commits
 * never wait for each other's.
 */
export interface Lane {
  readonly lane: number;
  head: AuditHead;
}

/** Commits have their own connections, so that reads never delay them. */
export interface Pools {
  readonly reading: pg.Pool;
  readonly writing: pg.Pool;
  laneOf(client: pg.PoolClient): Lane;
  end(): Promise<void>;
}

const IDLE_MS = 60_000;
const READING_SHARE = 0.25;

type Prepare = (client: pg.ClientBase) => Promise<void>;

export const openPools = (
  options: ConnectionOptions,
  statements: Statements,
  log: (message: string) => void,
): Pools => {
  const lanes = new WeakMap<object, Lane>();
  const build = (max: number, prepare: Prepare): pg.Pool => {
    const setUp: Prepare = async (client) => {
      // The pool hears of idle connections only, and an unheard error ends the process.
      client.on("error", () => undefined);
      await client.query({ ...statements.openSession });
      await prepare(client);
    };
    const onConnect: (client: pg.ClientBase) => unknown = setUp;
    const pool = new pg.Pool({ ...clientConfig(options), max, idleTimeoutMillis: IDLE_MS, onConnect });
    pool.on("error", (error) => log(`An idle database connection was lost: ${messageOf(error)}`));
    return pool;
  };
  const claim: Prepare = async (client) => {
    const query = { ...statements.claimLane, values: [EMPTY_HEAD.hash] };
    const [opened] = (await client.query<AuditHead & { readonly lane: number }>(query)).rows;
    if (opened === undefined) throw new Error("The database gave the connection no lane.");
    lanes.set(client, { lane: opened.lane, head: { seq: opened.seq, hash: opened.hash } });
  };
  const readers = Math.max(1, Math.floor(options.poolSize * READING_SHARE));
  const reading = build(readers, () => Promise.resolve());
  const writing = build(Math.max(1, options.poolSize - readers), claim);
  return {
    reading,
    writing,
    laneOf: (client) => {
      const lane = lanes.get(client);
      if (lane === undefined) throw new Error("The connection has no lane.");
      return lane;
    },
    end: async () => {
      await Promise.all([reading.end(), writing.end()]);
    },
  };
};
