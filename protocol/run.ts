import type { Change, Store } from "../storage/store.ts";
import { anonymousCaller, type Caller, hostCaller, isOperator, isSenior, presentedSecret, type Tier } from "./caller.ts";
import { createContext } from "./context.ts";
import { asksDryRun, dryAnswer } from "./dry-run.ts";
import { eventChange } from "./events.ts";
import { answerChange, callKey, readKey, requestDigest, scopeOf } from "./idempotency.ts";
import type { Answer, Call, Contract, Operation, Outcome, OutcomeMeta, RefusalWithChanges } from "./operation.ts";
import type { CallerDirectory, Clock, LimitState, Log, RateLimiter, TrustRegistry } from "./ports.ts";
import { isRefusal, type Refusal, Refused, refuse, refusalTable } from "./refusals.ts";
import { type Locate, schemaRefusal } from "./validation.ts";

/** How often a handler is called again after a lost race before the caller is told to try again itself. */
const mostAttempts = 16;
const tierRank: Readonly<Record<Tier, number>> = { public: 0, seat: 1, agency: 2, advertiser: 3 };

export interface RunnerParts<P> {
  readonly operations: readonly Operation<P>[];
  readonly store: Store;
  readonly ports: P;
  readonly callers: CallerDirectory;
  readonly trust: TrustRegistry;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly log: Log;
}

/** The one way to an operation: every door calls `run`, and `run` has every gate. */
export interface Runner {
  run(call: Call): Promise<Outcome>;
  /**
   * Who is behind a request of a wire. A request that calls no operation (reading a task, opening a stream) is
   * `counted`, so that it passes the same gates of credential and rate as an operation that is open to everybody.
   */
  identify(of: Call["caller"], rate: { readonly counted: boolean }): Promise<Caller | Refusal>;
  readonly contracts: readonly Contract[];
}

/** Everything a gate has established so far about one call. */
interface Progress<P> {
  readonly call: Call;
  readonly operation: Operation<P>;
  readonly caller: Caller;
  readonly rate: LimitState | null;
}

/** A call whose input and tier are known: what the handler and the commit need. */
interface Prepared<P> extends Progress<P> {
  readonly input: unknown;
  readonly tier: Tier;
  readonly dryRun: boolean;
  readonly key: string | null;
}

interface Attempt {
  readonly outcome: Outcome | "again";
}

const metaOf = (progress: { rate: LimitState | null } | null, more: Partial<OutcomeMeta> = {}): OutcomeMeta => ({
  replayed: false,
  dryRun: false,
  dialect: null,
  revision: null,
  rate: progress?.rate ?? null,
  ...more,
});

const statusOf = (contract: Contract | null, refusal: Refusal): number =>
  contract?.refusals[refusal.code] ?? refusalTable[refusal.code].status;

const refused = (contract: Contract | null, refusal: Refusal, meta: OutcomeMeta): Outcome => ({
  kind: "refused",
  refusal,
  status: statusOf(contract, refusal),
  meta,
});

const accessRefusal = (contract: Contract, caller: Caller): Refusal | null => {
  if (contract.access === "public") return null;
  if (caller.kind === "anonymous") return refuse("authentication_required");
  if (contract.access === "key") return null;
  if (!isOperator(caller)) return refuse("operator_required");
  return contract.access === "senior" && !isSenior(caller) ? refuse("senior_review_required") : null;
};

const rateRefusal = (state: LimitState | null): Refusal | null =>
  state === null || state.allowed ? null : refuse("rate_limited", { retryAfterSeconds: state.resetSeconds });

const lowerTier = (left: Tier, right: Tier): Tier => (tierRank[left] <= tierRank[right] ? left : right);

const namedAgent = (input: unknown): string | null => {
  const url = (input as { agent_url?: unknown } | null)?.agent_url;
  return typeof url === "string" && url !== "" ? url : null;
};

/** Builds the runner of an agent from its operation list and its ports. */
export const createRunner = <P>(parts: RunnerParts<P>): Runner => {
  const byName = new Map(parts.operations.map((operation) => [operation.contract.name, operation]));
  const inFlight = new Set<string>();

  const resolveCaller = async (of: Call["caller"]): Promise<Caller | Refusal> => {
    if (of.kind === "host") return hostCaller;
    const secret = presentedSecret(of);
    return secret === null ? anonymousCaller(of.address) : parts.callers.find(secret, of.address);
  };

  const identify: Runner["identify"] = async (of, rate) => {
    const caller = await resolveCaller(of);
    if (isRefusal(caller) || !rate.counted) return caller;
    return rateRefusal(await parts.limiter.take(caller)) ?? caller;
  };

  const readInput = async (progress: Progress<P>, locate: Locate | undefined): Promise<Prepared<P>> => {
    const { call, operation, caller } = progress;
    const raw = await call.input();
    const parsed = operation.contract.input.safeParse(raw ?? {});
    if (!parsed.success) throw new Refused(schemaRefusal(parsed.error, locate));
    const isWrite = operation.contract.effect === "write";
    const key = isWrite ? callKey(call.idempotencyKey ?? null, raw) : null;
    if (isRefusal(key)) throw new Refused(key);
    const tier = await effectiveTier(caller, namedAgent(parsed.data));
    const dryRun = isWrite && (call.dryRun === true || asksDryRun(raw));
    return { ...progress, input: parsed.data, tier, dryRun, key: dryRun ? null : key };
  };

  const effectiveTier = async (caller: Caller, agentUrl: string | null): Promise<Tier> => {
    if (agentUrl === null) return caller.tier;
    const trust = await parts.trust.ofAgent(agentUrl);
    if (trust.blocked) throw new Refused(refuse("agent_blocked"));
    return lowerTier(caller.tier, trust.ceiling);
  };

  const attempt = async (prepared: Prepared<P>, scope: string | null): Promise<Attempt> => {
    const nowMs = parts.clock.nowMs();
    const digest = scope === null ? "" : requestDigest(prepared.input);
    const known = scope === null ? null : await readKey(parts.store, scope, digest, nowMs);
    if (known?.state === "taken") {
      return { outcome: refused(prepared.operation.contract, refuse("idempotency_conflict"), metaOf(prepared)) };
    }
    if (known?.state === "answered") {
      const meta = metaOf(prepared, { replayed: true, dialect: known.row.dialect });
      return { outcome: { kind: "done", output: known.row.output, meta } };
    }
    const minted: string[] = [];
    let calls = 0;
    const context = createContext(parts, {
      caller: prepared.caller,
      tier: prepared.tier,
      nowMs,
      dryRun: prepared.dryRun,
      minted,
      callOf: prepared.call,
      call: (name, input) => {
        calls += 1;
        return inner(prepared, name, input, calls);
      },
    });
    const result = await prepared.operation.handle(context, prepared.input);
    if (isRefusal(result)) return settleRefusal(prepared, result, nowMs);
    checkOutput(prepared.operation.contract, result.output);
    const meta = metaOf(prepared, { ...result.meta, dryRun: prepared.dryRun });
    if (prepared.dryRun) return { outcome: { kind: "done", output: dryAnswer(result.output, minted), meta } };
    const changes = [...(result.changes ?? []), ...eventChanges(prepared, result, nowMs)];
    if (scope !== null && known !== null) {
      const secrets = prepared.operation.contract.secretOutput ?? [];
      const answer = { digest, output: result.output, dialect: meta.dialect, secrets, nowMs };
      changes.push(answerChange(scope, known.loaded, answer));
    }
    const won = await commit(prepared, changes, nowMs);
    return { outcome: won ? { kind: "done", output: result.output, meta } : "again" };
  };

  const settleRefusal = async (
    prepared: Prepared<P>,
    refusal: Refusal | RefusalWithChanges,
    nowMs: number,
  ): Promise<Attempt> => {
    if ("changes" in refusal && !prepared.dryRun) {
      const changes = [...refusal.changes, ...eventChanges(prepared, refusal, nowMs)];
      if (!(await commit(prepared, changes, nowMs))) return { outcome: "again" };
    }
    return { outcome: refused(prepared.operation.contract, refusal, metaOf(prepared)) };
  };

  const eventChanges = (
    prepared: Prepared<P>,
    answer: Pick<Answer<unknown>, "events">,
    nowMs: number,
  ): readonly Change[] => (answer.events ?? []).map((draft) => eventChange(draft, nowMs, prepared.caller.owner));

  const commit = async (prepared: Prepared<P>, changes: readonly Change[], nowMs: number): Promise<boolean> => {
    if (changes.length === 0) return true;
    const audit = {
      at: new Date(nowMs).toISOString(),
      request_id: prepared.call.requestId,
      operation: prepared.operation.contract.name,
      door: prepared.call.door,
      principal: prepared.caller.principal,
    };
    return (await parts.store.commit({ changes, audit })).ok;
  };

  const execute = async (prepared: Prepared<P>): Promise<Outcome> => {
    const contract = prepared.operation.contract;
    const scope = prepared.key === null ? null : scopeOf(prepared.caller.owner, contract.name, prepared.key);
    if (scope !== null && inFlight.has(scope)) {
      return refused(contract, refuse("idempotency_in_flight", { retryAfterSeconds: 1 }), metaOf(prepared));
    }
    if (scope !== null) inFlight.add(scope);
    try {
      for (let round = 0; round < mostAttempts; round += 1) {
        const { outcome } = await attempt(prepared, scope);
        if (outcome !== "again") return outcome;
      }
      return refused(contract, refuse("concurrent_update", { retryAfterSeconds: 1 }), metaOf(prepared));
    } finally {
      if (scope !== null) inFlight.delete(scope);
    }
  };

  /**
   * A call made by an operation for its own caller: every gate but the rate count. Its key is the outer call's with
   * the place of the call, so that a retry of the outer call replays each inner one.
   */
  const inner = (outer: Prepared<P>, name: string, input: unknown, place: number): Promise<Outcome> => {
    const call: Call = {
      ...outer.call,
      operation: name,
      input: () => input,
      idempotencyKey: outer.key === null ? null : `${outer.key.slice(0, 240)}#${place}`,
      dryRun: outer.dryRun,
    };
    return guarded(call, () => throughGates(call, outer.caller));
  };

  const throughGates = async (call: Call, known: Caller | null): Promise<Outcome> => {
    const operation = byName.get(call.operation);
    const caller = known ?? (await resolveCaller(call.caller));
    const contract = operation?.contract ?? null;
    if (isRefusal(caller)) return refused(contract, caller, metaOf(null));
    if (operation === undefined || contract === null) {
      return refused(null, refuse("unknown_operation"), metaOf(null));
    }
    const denied = accessRefusal(contract, caller);
    if (denied !== null) return refused(contract, denied, metaOf(null));
    const rate = known === null ? await parts.limiter.take(caller) : null;
    const progress = { call, operation, caller, rate };
    const limited = rateRefusal(rate);
    if (limited !== null) return refused(contract, limited, metaOf(progress));
    try {
      return await execute(await readInput(progress, call.locate));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return refused(contract, error.refusal, metaOf(progress));
    }
  };

  const guarded = async (call: Call, body: () => Promise<Outcome>): Promise<Outcome> => {
    try {
      return await body();
    } catch (error) {
      const cause = error instanceof Error ? { error: error.name, message: error.message, stack: error.stack } : {};
      parts.log.error({ request_id: call.requestId, operation: call.operation, door: call.door, ...cause }, "bug");
      return { kind: "bug", requestId: call.requestId };
    }
  };

  return {
    contracts: parts.operations.map((operation) => operation.contract),
    run: (call) => guarded(call, () => throughGates(call, null)),
    identify,
  };
};

const checkOutput = (contract: Contract, output: unknown): void => {
  const checked = contract.output.safeParse(output);
  if (checked.success) return;
  const where = checked.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
  throw new Error(`the output of ${contract.name} breaks its contract: ${where}`);
};
