import { randomUUID } from "node:crypto";
import type { Kind, StoredRow } from "../../storage/store.ts";
import { type Caller, isOperator, type Tier } from "./caller.ts";
import type { Prepared, RunnerParts } from "./run/gates.ts";
import type { Context, Door, InnerHow, Loaded, Outcome, PageQuery } from "./operation.ts";
import type { Log } from "./ports.ts";
import { Refused, missing, type MissingCode } from "../neutral/refusals.ts";
import { scopeOf } from "./run/idempotency.ts";
import { matchesRevision, matchRevision } from "./revision.ts";

/** The same for each attempt of one call. */
const randomEffects = new WeakMap<object, string>();

const effectOf = <P>(prepared: Prepared<P>): string => {
  const { key, caller, operation } = prepared;
  if (key !== null) return scopeOf(caller.owner, operation.contract.name, key);
  const known = randomEffects.get(prepared) ?? randomUUID();
  randomEffects.set(prepared, known);
  return known;
};

/** `place` numbers the calls of one attempt. */
export type InnerCall<P> = (
  outer: Prepared<P>,
  named: { readonly name: string; readonly input: unknown; readonly place: number },
  how: InnerHow | undefined,
) => Promise<Outcome>;

/**
 * The owner, an operator, and everybody where it was made anonymously. A key keeps what it made before verification.
 */
const mayLoad = (caller: Caller, owner: string | null): boolean =>
  isOperator(caller) ||
  owner === "anonymous" ||
  (owner !== null && (owner === caller.owner || (caller.keyId !== null && owner === `key:${caller.keyId}`)));

/** `change_request` is a `Change request`. */
const nounOf = (kindName: string): string => kindName.charAt(0).toUpperCase() + kindName.slice(1).replaceAll("_", " ");

/** A class: a dozen closures would cost more than all gates together. */
export class AttemptContext<P> implements Context<P> {
  readonly caller: Caller;
  readonly tier: Tier;
  readonly nowMs: number;
  readonly requestId: string;
  readonly door: Door;
  readonly dryRun: boolean;
  readonly dialect: string | null;
  readonly traceparent: string | null;
  readonly signal: AbortSignal | null;
  readonly ports: P;
  readonly log: Log;
  readonly minted: string[] = [];
  readonly #store: RunnerParts<P>["store"];
  readonly #prepared: Prepared<P>;
  readonly #inner: InnerCall<P>;
  #calls = 0;

  constructor({ store, ports, log }: RunnerParts<P>, prepared: Prepared<P>, inner: InnerCall<P>, nowMs: number) {
    const { call, given } = prepared;
    this.caller = prepared.caller;
    this.tier = prepared.tier;
    this.nowMs = nowMs;
    this.requestId = call.requestId;
    this.door = call.door;
    this.dryRun = prepared.dryRun;
    this.dialect = given.dialect ?? null;
    this.traceparent = call.traceparent ?? null;
    // A write that is broken off in another agent would be done there and unknown here.
    this.signal = prepared.operation.contract.effect === "read" ? (call.signal ?? null) : null;
    this.ports = ports;
    this.log = log;
    this.#store = store;
    this.#prepared = prepared;
    this.#inner = inner;
  }

  load<T>(kind: Kind<T>, id: string): Promise<Loaded<T> | null> {
    return this.#store.get(kind.name, id) as Promise<StoredRow<T> | null>;
  }

  async own<T>(kind: Kind<T>, id: string, code: MissingCode, asked = id): Promise<Loaded<T>> {
    const loaded = await this.load(kind, id);
    if (loaded === null || !mayLoad(this.caller, kind.owner(loaded.body))) {
      throw new Refused(missing(code, asked, code === "not_found" ? nounOf(kind.name) : undefined));
    }
    return loaded;
  }

  list<T>(kind: Kind<T>, query: PageQuery): Promise<readonly Loaded<T>[]> {
    const { terms = [] } = query;
    return this.#store.list({ kind: kind.name, ...query, terms }) as Promise<readonly StoredRow<T>[]>;
  }

  count<T>(kind: Kind<T>, term: string | null): Promise<number> {
    return this.#store.count(kind.name, term);
  }

  reserved(ledger: string, fromSlot: number, toSlot: number): Promise<number> {
    return this.#store.reserved(ledger, fromSlot, toSlot);
  }

  added(sums: readonly string[], fromSlot: number, toSlot: number): Promise<readonly number[]> {
    return this.#store.added(sums, fromSlot, toSlot);
  }

  reservedSlots(ledger: string, fromSlot: number, toSlot: number): Promise<ReadonlyMap<number, number>> {
    return this.#store.reservedSlots(ledger, fromSlot, toSlot);
  }

  effectKey(): string {
    return effectOf(this.#prepared);
  }

  matchRevision(revision: number): void {
    const { operation, expectedRevision } = this.#prepared;
    const { contract } = operation;
    if (!matchesRevision(contract)) throw new Error(`${contract.name} does not declare revision_mismatch.`);
    matchRevision(expectedRevision, revision);
  }

  mint(make: () => string): string {
    const id = make();
    this.minted.push(id);
    return id;
  }

  progress(message: string): void {
    this.#prepared.call.progress?.(message);
  }

  /** What an inner call did before it threw is unknown: the outer call ends too, and no answer is stored. */
  call(name: string, input: unknown, how?: InnerHow): Promise<Outcome> {
    this.#calls += 1;
    return this.#inner(this.#prepared, { name, input, place: this.#calls }, how);
  }
}
