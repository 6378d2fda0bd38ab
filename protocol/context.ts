import type { Kind, Store, StoredRow } from "../storage/store.ts";
import { type Caller, isOperator, type Tier } from "./caller.ts";
import type { Call, Context, Loaded, Outcome } from "./operation.ts";
import type { Log } from "./ports.ts";
import { Refused, refuse } from "./refusals.ts";
import { matchRevision } from "./revision.ts";

interface ContextParts<P> {
  readonly store: Store;
  readonly ports: P;
  readonly log: Log;
}

interface ContextCall {
  readonly caller: Caller;
  readonly tier: Tier;
  readonly nowMs: number;
  readonly dryRun: boolean;
  readonly minted: string[];
  readonly expectedRevision: number | null;
  readonly callOf: Call;
  readonly call: (name: string, input: unknown) => Promise<Outcome>;
}

/**
 * Who may load a record: its owner, an operator, and everybody where it was made anonymously (decision 10). A key
 * also keeps what it made before its identity was verified (decision 50).
 */
const mayLoad = (caller: Caller, owner: string | null): boolean =>
  isOperator(caller) ||
  owner === "anonymous" ||
  (owner !== null && (owner === caller.owner || (caller.keyId !== null && owner === `key:${caller.keyId}`)));

/** Builds what a handler is given for one attempt. Rows are copies: a handler cannot change what others see. */
export const createContext = <P>(parts: ContextParts<P>, of: ContextCall): Context<P> => {
  const load = <T>(kind: Kind<T>, id: string): Promise<Loaded<T> | null> =>
    parts.store.get(kind.name, id) as Promise<StoredRow<T> | null>;
  return {
    caller: of.caller,
    tier: of.tier,
    nowMs: of.nowMs,
    requestId: of.callOf.requestId,
    door: of.callOf.door,
    dryRun: of.dryRun,
    dialect: of.callOf.dialect ?? null,
    traceparent: of.callOf.traceparent ?? null,
    ports: parts.ports,
    log: parts.log,
    load,
    own: async (kind, id, missing) => {
      const loaded = await load(kind, id);
      if (loaded === null || !mayLoad(of.caller, kind.owner(loaded.body))) throw new Refused(refuse(missing));
      return loaded;
    },
    list: <T>(kind: Kind<T>, query: Parameters<Context<P>["list"]>[1]) =>
      parts.store.list({ kind: kind.name, ...query, terms: query.terms ?? [] }) as Promise<readonly StoredRow<T>[]>,
    count: (kind, term) => parts.store.count(kind.name, term),
    reserved: (ledger, fromSlot, toSlot) => parts.store.reserved(ledger, fromSlot, toSlot),
    reservedSum: (ledger, fromSlot, toSlot) => parts.store.reservedSum(ledger, fromSlot, toSlot),
    matchRevision: (revision) => matchRevision(of.expectedRevision, revision),
    mint: (make) => {
      const id = make();
      of.minted.push(id);
      return id;
    },
    call: of.call,
  };
};
