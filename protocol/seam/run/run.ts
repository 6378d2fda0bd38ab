import { withCallLog } from "./call-log.ts";
import { type Admission, type Claim, createAdmission } from "../admission.ts";
import type { Caller } from "../caller.ts";
import type { InnerCall } from "../context.ts";
import { execute, type Machinery } from "./execute.ts";
import { scopeOf } from "../scopes.ts";
import { accessRefusal, prepare, type Prepared, refusedOutcome, type RunnerParts } from "./gates.ts";
import { placedKey } from "./idempotency.ts";
import type { Call, Contract, InnerHow, Operation, Outcome } from "../operation.ts";
import { isRefusal, type RefusalCode, Refused, refuse } from "../../neutral/refusals.ts";
import { causeOf, logStoreFailure, storeRefusal } from "./store-failure.ts";
import { noWatch } from "../watch.ts";

/** Every door calls `run`, and `run` has every gate. */
export interface Runner {
  run(call: Call): Promise<Outcome>;
  admit(claim: Claim): Admission;
  /** For a request that a door refuses before any operation is named. */
  refusedAtDoor(admission: Admission, code: RefusalCode): Promise<void>;
  readonly contracts: readonly Contract[];
}

/** Inner calls pass closed doors. */
const openTo = <P>(operation: Operation<P> | undefined, call: Call, known: Caller | null): Operation<P> | null =>
  operation === undefined || (known === null && operation.contract.closedDoors?.[call.door] !== undefined)
    ? null
    : operation;

/** Fixed order: caller, access, rate, input, tier. */
const throughGates = async <P>(
  parts: RunnerParts<P>,
  named: Operation<P> | undefined,
  call: Call,
  known: Caller | null,
): Promise<Prepared<P> | Outcome> => {
  const operation = openTo(named, call, known);
  const contract = operation?.contract ?? null;
  const caller = known ?? (await call.admission.who());
  const denied = contract === null || isRefusal(caller) ? null : accessRefusal(contract, caller);
  if (contract !== null && denied?.code === "insufficient_scope") call.admission.lacks(scopeOf(contract));
  const refused = denied ?? (known === null ? await call.admission.count() : null);
  if (refused !== null) return refusedOutcome(contract, refused);
  if (operation === null) return refusedOutcome(null, refuse("unknown_operation"));
  try {
    const read = call.input();
    const given = read instanceof Promise ? await read : read;
    const prepared = prepare(parts, { call, operation, caller: caller as Caller, given });
    return prepared instanceof Promise ? await prepared : prepared;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refusedOutcome(contract, error.refusal);
  }
};

/**
 * A store that cannot serve is 503, anything else a bug. Both are logged with the request id; the caller sees no
 * detail.
 */
const unexpected = ({ log }: Pick<RunnerParts<unknown>, "log">, call: Call, error: unknown): Outcome => {
  const fields = { request_id: call.requestId, operation: call.operation, door: call.door };
  const refusal = storeRefusal(error);
  if (refusal === null) log.error({ ...fields, ...causeOf(error) }, "bug");
  else logStoreFailure(log, refusal.code, { ...fields, ...causeOf(error) });
  return refusal === null ? { kind: "bug", requestId: call.requestId } : refusedOutcome(null, refusal);
};

/** The outer key with the number of the call, so that a retry replays each inner call. */
const innerCall = <P>(
  outer: Prepared<P>,
  { name, input, place }: Parameters<InnerCall<P>>[1],
  how: InnerHow | undefined,
): Call => {
  const { keyedAs: _keyedAs, ...call } = outer.call;
  return {
    ...call,
    operation: name,
    input: () => ({ ...outer.given, input, dryRun: outer.dryRun }),
    idempotencyKey: how?.key ?? (outer.key === null ? null : placedKey(outer.key, place)),
    ifMatch: null,
  };
};

export const createRunner = <P>(parts: RunnerParts<P>): Runner => {
  const { listeners, watch = noWatch } = parts;
  const byName = new Map(parts.operations.map((operation) => [operation.contract.name, operation]));
  if (byName.size !== parts.operations.length) throw new Error("two operations have the same name");
  const inner: InnerCall<P> = async (outer, named, how) => {
    const operation = byName.get(named.name);
    if (how?.readsOnly === true && operation?.contract.effect === "write")
      throw new Error(`${named.name} writes, and was called by what may only read`);
    const call = innerCall(outer, named, how);
    // What the outer call's agent may not see stays hidden.
    const caller = how?.as ?? { ...outer.caller, tier: outer.tier };
    const passed = await throughGates(parts, operation, call, caller);
    return answer("kind" in passed || how?.beside === undefined ? passed : { ...passed, beside: how.beside });
  };
  const machinery: Machinery<P> = { parts, inFlight: new Map(), inner };
  const answer = (passed: Prepared<P> | Outcome): Outcome | Promise<Outcome> =>
    "kind" in passed ? passed : execute(machinery, passed);
  const run: Runner["run"] = async (call) => {
    try {
      const waited = listeners?.before() ?? null;
      if (waited !== null) await waited;
      const outcome = await answer(await throughGates(parts, byName.get(call.operation), call, null));
      if (outcome.kind === "refused") await listeners?.refused(call, outcome.refusal.code);
      return outcome;
    } catch (error) {
      return unexpected(parts, call, error);
    }
  };
  return {
    contracts: parts.operations.map((operation) => operation.contract),
    run: withCallLog(run, (name) => byName.has(name), { log: parts.log, watch }),
    refusedAtDoor: async (admission, code) => {
      watch.refusedAtDoor(code);
      await listeners?.refused({ admission, operation: null }, code);
    },
    admit: (claim) => createAdmission(parts, claim),
  };
};
