import { withCallLog } from "./call-log.ts";
import { anonymousCaller, type Caller } from "./caller.ts";
import type { InnerCall } from "./context.ts";
import { execute, type Machinery } from "./execute.ts";
import {
  accessRefusal,
  metaOf,
  prepare,
  type Prepared,
  rateRefusal,
  refusedOutcome,
  resolveCaller,
  type RunnerParts,
} from "./gates.ts";
import { placedKey } from "./idempotency.ts";
import type { Call, Contract, Operation, Outcome } from "./operation.ts";
import type { LimitState } from "./ports.ts";
import { isRefusal, type Refusal, Refused, refuse } from "../neutral/refusals.ts";

/** Who is behind a request, or why it is refused, and what is left to the caller; null: not counted, or no limit. */
export interface Identified {
  readonly who: Caller | Refusal;
  readonly rate: LimitState | null;
}

/** The one way to an operation: every door calls `run`, and `run` has every gate. */
export interface Runner {
  run(call: Call): Promise<Outcome>;
  /**
   * Who is behind a request of a wire. A request that calls no operation (reading a task, opening a stream) is
   * `counted`, so that it passes the same gates of credential and rate as an operation that is open to everybody;
   * `refused`: only a credential that is refused is, because what follows it may be a call that `run` counts.
   */
  identify(of: Call["caller"], how: { readonly counted: boolean | "refused" }): Promise<Identified>;
  /** What is left to anonymous callers of an address: what an answer tells that no operation was called for. */
  standing(address: string): Promise<LimitState | null>;
  readonly contracts: readonly Contract[];
}

/** The operation, unless there is none or the door that the call came through is closed to it; inner calls pass. */
const openTo = <P>(operation: Operation<P> | undefined, call: Call, known: Caller | null): Operation<P> | null =>
  operation === undefined || (known === null && operation.contract.closedDoors?.[call.door] !== undefined)
    ? null
    : operation;

/** A credential that is refused counts against its address, so that keys cannot be tried without end. */
const countedRefusal = async <P>(
  parts: RunnerParts<P>,
  of: Call["caller"],
  refusal: Refusal,
): Promise<readonly [Refusal, LimitState | null]> => {
  if (of.kind === "host") return [refusal, null];
  const rate = await parts.limiter.take(anonymousCaller(of.address));
  return [rateRefusal(rate) ?? refusal, rate];
};

/** Counts a request, unless its wire has done so. */
const takeRate = <P>(
  { limiter }: RunnerParts<P>,
  of: Call["caller"],
  caller: Caller,
): LimitState | null | Promise<LimitState | null> =>
  of.kind === "identified" && of.rate !== undefined ? of.rate : limiter.take(caller);

/** What is left to a caller who was not counted. */
const standingOf = async <P>({ limiter }: RunnerParts<P>, caller: Caller): Promise<LimitState | null> =>
  (await limiter.standing?.(caller)) ?? null;

/** The gates before the handler in their fixed order: caller, access, rate, input, tier. */
const throughGates = async <P>(
  parts: RunnerParts<P>,
  named: Operation<P> | undefined,
  call: Call,
  known: Caller | null,
): Promise<Prepared<P> | Outcome> => {
  const operation = openTo(named, call, known);
  const contract = operation?.contract ?? null;
  const caller = known ?? (await resolveCaller(parts.callers, call.caller));
  if (isRefusal(caller)) {
    const [refusal, rate] = await countedRefusal(parts, call.caller, caller);
    return refusedOutcome(contract, refusal, metaOf(rate));
  }
  const denied = contract === null ? null : accessRefusal(contract, caller);
  if (denied !== null) return refusedOutcome(contract, denied, metaOf(await standingOf(parts, caller)));
  const rate = known === null ? await takeRate(parts, call.caller, caller) : null;
  const limited = rateRefusal(rate);
  if (limited !== null) return refusedOutcome(contract, limited, metaOf(rate));
  if (operation === null) return refusedOutcome(null, refuse("unknown_operation"), metaOf(rate));
  try {
    const given = call.input();
    const raw = given instanceof Promise ? await given : given;
    const prepared = prepare(parts, { call, operation, caller, rate }, raw);
    return prepared instanceof Promise ? await prepared : prepared;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refusedOutcome(contract, error.refusal, metaOf(rate));
  }
};

/** What a store says of itself when it cannot serve, and what the caller is told of it. */
const storeRefusals: Readonly<Record<string, "unavailable" | "outcome_unknown">> = {
  store_unreachable: "unavailable",
  store_failed: "unavailable",
  store_closed: "unavailable",
  store_unusable: "unavailable",
  commit_outcome_unknown: "outcome_unknown",
};

const retryAfterSeconds = 5;

/** What is told of a store that cannot serve; null for any other error. */
const storeRefusal = (error: unknown): Refusal | null => {
  const code = storeRefusals[String((error as { code?: unknown } | null)?.code)];
  return code === undefined ? null : refuse(code, { retryAfterSeconds });
};

const causeOf = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof Error ? { error: error.name, message: error.message, stack: error.stack } : {};

/**
 * The one boundary of what nobody expected: a store that cannot serve is 503, anything else a bug. Both are logged with
 * the request id, a bug is never explained to the caller.
 */
const unexpected = async <P>(parts: RunnerParts<P>, call: Call, error: unknown): Promise<Outcome> => {
  const fields = { request_id: call.requestId, operation: call.operation, door: call.door, ...causeOf(error) };
  const refusal = storeRefusal(error);
  parts.log.error(fields, refusal?.code ?? "bug");
  if (refusal === null) return { kind: "bug", requestId: call.requestId };
  const rate = call.caller.kind === "host" ? null : await standingOf(parts, anonymousCaller(call.caller.address));
  return refusedOutcome(null, refusal, metaOf(rate));
};

/** Who is behind a request that calls no operation. */
const identified = async <P>(
  parts: RunnerParts<P>,
  of: Call["caller"],
  counted: boolean | "refused",
): Promise<Identified> => {
  const caller = await resolveCaller(parts.callers, of);
  if (counted === false) return { who: caller, rate: null };
  if (isRefusal(caller)) {
    const [who, rate] = await countedRefusal(parts, of, caller);
    return { who, rate };
  }
  if (counted === "refused") return { who: caller, rate: null };
  const rate = await parts.limiter.take(caller);
  return { who: rateRefusal(rate) ?? caller, rate };
};

/**
 * A call made by an operation for its own caller. Its key is the outer call's with the place of the call, so that a
 * retry of the outer call replays each inner one.
 */
const innerCall = <P>(outer: Prepared<P>, name: string, input: unknown, place: number): Call => ({
  ...outer.call,
  operation: name,
  input: () => input,
  idempotencyKey: outer.key === null ? null : placedKey(outer.key, place),
  dryRun: outer.dryRun,
  ifMatch: null,
});

/** Builds the runner of an agent from its operation list and its ports. */
export const createRunner = <P>(parts: RunnerParts<P>): Runner => {
  const byName = new Map(parts.operations.map((operation) => [operation.contract.name, operation]));
  if (byName.size !== parts.operations.length) throw new Error("two operations have the same name");
  const inner: InnerCall<P> = (outer, name, input, place) => {
    const call = innerCall(outer, name, input, place);
    // What the outer call's agent may not see, the inner call shows to nobody.
    const caller = { ...outer.caller, tier: outer.tier };
    return throughGates(parts, byName.get(name), call, caller).then(answer);
  };
  const machinery: Machinery<P> = { parts, inFlight: new Set(), inner };
  const answer = (passed: Prepared<P> | Outcome): Outcome | Promise<Outcome> =>
    "kind" in passed ? passed : execute(machinery, passed);
  const run: Runner["run"] = async (call) => {
    try {
      return await answer(await throughGates(parts, byName.get(call.operation), call, null));
    } catch (error) {
      return unexpected(parts, call, error);
    }
  };
  return {
    contracts: parts.operations.map((operation) => operation.contract),
    run: withCallLog(run, (name) => byName.has(name), parts.log, parts.clock),
    identify: (of, { counted }) =>
      identified(parts, of, counted).catch((error: unknown) => {
        const refusal = storeRefusal(error);
        if (refusal === null) throw error;
        parts.log.error(causeOf(error), refusal.code);
        return { who: refusal, rate: null };
      }),
    standing: (address) => standingOf(parts, anonymousCaller(address)),
  };
};
