import { setTimeout as sleep } from "node:timers/promises";

import type pg from "pg";

import { type AuditLink, digestChanges, linkAudit } from "../../audit.ts";
import type { AuditEntry, Commit, CommitOutcome } from "../../store.ts";
import { type StoreSchema, unreachable } from "../connection.ts";
import { isAnswered, isRetryable, messageOf, refusedBy, storeError } from "../errors.ts";
import { type FlatCommit, flattenChanges, type Stoppers, type WrittenRow } from "./flatten.ts";
import type { Lane, Pools } from "./lanes.ts";
import type { Statement, Statements } from "../statements.ts";

const MAX_ATTEMPTS = 8;

interface Answer {
  readonly outcome: "ok" | "head" | keyof Stoppers;
  readonly at: number;
  readonly stamp: number;
}

export interface Committed {
  readonly outcome: CommitOutcome;
  readonly written: readonly WrittenRow[];
  readonly stamp: number;
}

export interface CommitContext extends Pools {
  readonly place: StoreSchema;
  readonly statements: Statements;
}

const refused = (outcome: keyof Stoppers, at: number, { stoppers }: FlatCommit): CommitOutcome => {
  const change = stoppers[outcome][at - 1];
  if (change === undefined) throw new Error("The database refused a change that the commit does not hold.");
  if (change.op === "reserve") return { ok: false, reason: "limit", ledger: change.ledger };
  return { ok: false, reason: "conflict", kind: change.kind, id: change.id };
};

// Copied: later changes by the caller must not reach the commit.
interface Entry {
  readonly audit: AuditEntry;
  readonly digest: string;
}

const entryOf = ({ audit, changes }: Commit): Entry | null =>
  audit === null ? null : { audit: { ...audit }, digest: digestChanges(changes) };

const linkOf = (lane: Lane, entry: Entry | null): AuditLink | null =>
  entry === null ? null : linkAudit(`lane-${lane.lane}`, lane.head, entry.audit, entry.digest);

const chainColumns = ({ lane, head: prev }: Lane, link: AuditLink | null): unknown[] =>
  link === null ? [lane, null, null, null, null] : [lane, link.head.seq, prev.hash, link.head.hash, link.text];

const ask = async (client: pg.PoolClient, statement: Statement, values: readonly unknown[]): Promise<Answer> => {
  const { rows } = await client.query<Answer>({ ...statement, values: [...values] });
  const [answer] = rows;
  if (answer === undefined) throw new Error("The database did not answer the commit.");
  return answer;
};

const judge = (error: unknown, place: StoreSchema): "again" | Error => {
  if (isRetryable(error)) return "again";
  if (isAnswered(error)) return refusedBy(place.label, "a commit", error);
  const text = `The connection to ${place.label} was lost during a commit, which may stand or not: ${messageOf(error)}`;
  return storeError("commit_outcome_unknown", `${text}. Repeat the call with the same idempotency key.`, error);
};

const connect = (context: CommitContext): Promise<pg.PoolClient> =>
  context.writing.connect().catch((error: unknown) => {
    throw unreachable(context.place, error);
  });

const tryOnce = async (context: CommitContext, flat: FlatCommit, entry: Entry | null): Promise<Committed | "again"> => {
  const client = await connect(context);
  const lane = context.laneOf(client);
  const link = linkOf(lane, entry);
  let answer: Answer;
  try {
    answer = await ask(client, context.statements.commit, [...chainColumns(lane, link), ...flat.columns]);
  } catch (error) {
    // A connection with a missing answer is discarded: the answer could arrive under the next query.
    client.release(!isAnswered(error));
    const verdict = judge(error, context.place);
    if (verdict === "again") return verdict;
    throw verdict;
  }
  if (answer.outcome === "ok" && link !== null) lane.head = link.head;
  // Somebody else moved the chain's head: the next connection reads it anew.
  client.release(answer.outcome === "head");
  if (answer.outcome === "head") return "again";
  if (answer.outcome !== "ok") return { outcome: refused(answer.outcome, answer.at, flat), written: [], stamp: 0 };
  return { outcome: { ok: true }, written: flat.written, stamp: answer.stamp };
};

/** One round trip and one transaction; deadlocks and serialization failures are retried. */
export const runCommit = async (context: CommitContext, commit: Commit): Promise<Committed> => {
  const flat = flattenChanges(commit.changes);
  const entry = entryOf(commit);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const result = await tryOnce(context, flat, entry);
    if (result !== "again") return result;
    await sleep(Math.random() * 5 * attempt);
  }
  const text = `${context.place.label} rolled a commit back ${MAX_ATTEMPTS} times; nothing changed.`;
  throw storeError("store_unusable", `${text} Try again under less load.`);
};
