import { z } from "zod";
import type { Change, CommitOutcome, StoredRow, StoreReader } from "../../../storage/store.ts";
import { alteredFields } from "./altered.ts";
import { AttemptContext, type InnerCall } from "../context.ts";
import { dryAnswer, dryStep } from "./dry-run.ts";
import { eventChange } from "../events.ts";
import { doneOutcome, type Prepared, refusedOutcome, type RunnerParts } from "./gates.ts";
import { answerChange, type IdempotencyRow, type KeyState, readKey, requestDigest, scopeOf } from "./idempotency.ts";
import { isoTime } from "../../neutral/iso-time.ts";
import type { Answer, Contract, Outcome, OutcomeMeta, RefusalWithChanges } from "../operation.ts";
import { isRefusal, type Refusal, Refused, refuse } from "../../neutral/refusals.ts";
import { located, verdictSchema } from "../../neutral/validation.ts";

/** After so many lost races the caller is asked to retry. */
const mostAttempts = 16;

export interface Machinery<P> {
  readonly parts: RunnerParts<P>;
  /** The keys of running calls, with the digest of each request. */
  readonly inFlight: Map<string, string>;
  readonly inner: InnerCall<P>;
}

/** Sent and logged once its changes are durable. */
interface Decision {
  readonly end: Outcome;
  readonly changes: readonly Change[];
  readonly log: NonNullable<Answer<unknown>["log"]>;
}

interface UsedKey {
  readonly scope: string;
  readonly digest: string;
}

interface FreeKey extends UsedKey {
  readonly loaded: StoredRow<IdempotencyRow> | null;
}

const verdicts = new WeakMap<Contract, z.core.$ZodType>();

const verdictOf = (contract: Contract): z.core.$ZodType => {
  const known = verdicts.get(contract);
  if (known !== undefined) return known;
  const made = verdictSchema(contract.output);
  verdicts.set(contract, made);
  return made;
};

const checkOutput = (contract: Contract, output: unknown): void => {
  const checked = z.safeParse(verdictOf(contract), output);
  if (checked.success) return;
  const where = checked.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
  throw new Error(`the output of ${contract.name} breaks its contract: ${where}`);
};

const commit = async <P>(
  machinery: Machinery<P>,
  prepared: Prepared<P>,
  changes: readonly Change[],
  nowMs: number,
): Promise<CommitOutcome> => {
  const { store, listeners } = machinery.parts;
  const changed = alteredFields(changes);
  const audit = {
    at: isoTime(nowMs),
    request_id: prepared.call.requestId,
    operation: prepared.operation.contract.name,
    door: prepared.call.door,
    principal: prepared.caller.principal,
    ...(changed === undefined ? {} : { changed }),
  };
  const outcome = await store.commit({ changes, audit });
  if (outcome.ok) listeners?.committed(changes);
  return outcome;
};

const changesOf = <P>(
  prepared: Prepared<P>,
  { changes = [], events = [] }: Pick<Answer<unknown>, "changes" | "events">,
  nowMs: number,
): Change[] => {
  const all = [...changes];
  const { caller, call } = prepared;
  for (const draft of events) all.push(eventChange(draft, nowMs, caller.owner, call.traceparent ?? null));
  return all;
};

/** A price needs its trust record: without it the call fails. */
const verificationChanges = async <P>(
  machinery: Machinery<P>,
  { caller, call, tier, operation: { contract } }: Prepared<P>,
  trusted: NonNullable<Prepared<P>["trusted"]>,
  nowMs: number,
): Promise<readonly Change[]> => {
  const { trust } = machinery.parts;
  if (trust.witness === undefined) return [];
  const { principal } = caller;
  const more = { effectiveTier: tier, principal, operation: contract.name, requestId: call.requestId, nowMs };
  return [await trust.witness({ ...trusted, ...more })];
};

const keptAnswer = (
  { scope, digest, loaded }: FreeKey,
  { secretOutput: secrets = [] }: Contract,
  output: unknown,
  meta: OutcomeMeta,
  nowMs: number,
): Change => answerChange(scope, loaded, { digest, output, meta, secrets, nowMs });

const refused = <P>({ operation }: Prepared<P>, refusal: Refusal): Outcome =>
  refusedOutcome(operation.contract, refusal);

const unchanged = (end: Outcome): Decision => ({ end, changes: [], log: [] });

const refusalDecision = <P>(prepared: Prepared<P>, refusal: Refusal | RefusalWithChanges, nowMs: number): Decision => ({
  end: refused(prepared, located(refusal, prepared.call.locate)),
  changes: "changes" in refusal && !prepared.dryRun ? changesOf(prepared, refusal, nowMs) : [],
  log: [],
});

const decide = async <P>(
  machinery: Machinery<P>,
  prepared: Prepared<P>,
  key: FreeKey | null,
  nowMs: number,
): Promise<Decision> => {
  const { operation, trusted, dryRun } = prepared;
  const context = new AttemptContext(machinery.parts, prepared, machinery.inner, nowMs);
  try {
    const result = await operation.handle(context, prepared.input);
    if (isRefusal(result)) return refusalDecision(prepared, result, nowMs);
    const { output, log = [] } = result;
    checkOutput(operation.contract, output);
    if (dryRun) {
      const dry = dryAnswer(output, context.minted, result.dryStep ?? dryStep(operation.contract.name));
      return unchanged(doneOutcome(dry, { ...result.meta, dryRun }));
    }
    const changes = changesOf(prepared, result, nowMs);
    if (trusted !== null) changes.push(...(await verificationChanges(machinery, prepared, trusted, nowMs)));
    const beside = prepared.beside === undefined ? [] : await prepared.beside();
    if (isRefusal(beside)) return unchanged(refused(prepared, beside));
    changes.push(...beside);
    const end = doneOutcome(output, result.meta);
    if (key !== null) changes.push(keptAnswer(key, operation.contract, output, end.meta, nowMs));
    return { end, changes, log };
  } catch (error) {
    if (error instanceof Refused) return unchanged(refused(prepared, error.refusal));
    throw error;
  }
};

const knownEnd = <P>(prepared: Prepared<P>, found: Exclude<KeyState, { state: "free" }>): Outcome => {
  if (found.state === "taken") return refused(prepared, refuse("idempotency_conflict"));
  const { output, dialect, revision } = found.row;
  return doneOutcome(output, { replayed: true, dialect, revision });
};

/** Another process may have answered the same call, and its effect (a booked quote) caused our refusal. */
const isStillFree = async (store: StoreReader, { scope, digest }: UsedKey, nowMs: number): Promise<boolean> =>
  (await readKey(store, scope, digest, nowMs)).state === "free";

/** A lost commit reloads, so that the loser sees the winner. */
const inRounds = async <P>(machinery: Machinery<P>, prepared: Prepared<P>, key: UsedKey | null): Promise<Outcome> => {
  const { parts } = machinery;
  for (let made = 0; made < mostAttempts; made += 1) {
    const nowMs = parts.clock.nowMs();
    const found = key === null ? null : await readKey(parts.store, key.scope, key.digest, nowMs);
    if (found !== null && found.state !== "free") return knownEnd(prepared, found);
    const free = key === null || found === null ? null : { ...key, loaded: found.loaded };
    const { end, changes, log } = await decide(machinery, prepared, free, nowMs);
    if (changes.length > 0 && mayEnd(prepared)) return refused(prepared, refuse("cancelled"));
    if (changes.length > 0 && !(await commit(machinery, prepared, changes, nowMs)).ok) continue;
    if (key !== null && end.kind === "refused" && !(await isStillFree(parts.store, key, nowMs))) continue;
    for (const { level, fields, message } of log) parts.log[level](fields, message);
    return end;
  }
  return refused(prepared, refuse("concurrent_update", { retryAfterSeconds: 1 }));
};

/** What another agent has already done is recorded, cancelled or not. */
const mayEnd = <P>({ call, operation }: Prepared<P>): boolean =>
  call.signal?.aborted === true && operation.contract.tool?.openWorld !== true;

/** One call per key in this process; across processes the key's row decides. */
const underKey = async <P>(machinery: Machinery<P>, prepared: Prepared<P>, key: string): Promise<Outcome> => {
  const { keyedAs } = prepared.call;
  const scope = scopeOf(prepared.caller.owner, keyedAs?.scope ?? prepared.operation.contract.name, key);
  const digest = requestDigest(keyedAs === undefined ? prepared.input : keyedAs.request);
  const running = machinery.inFlight.get(scope);
  if (running !== undefined) {
    // Another request under the key will never be taken, so waiting for the first one's answer is of no use.
    if (running !== digest) return refused(prepared, refuse("idempotency_conflict"));
    return refused(prepared, refuse("idempotency_in_flight", { retryAfterSeconds: 1 }));
  }
  machinery.inFlight.set(scope, digest);
  try {
    return await inRounds(machinery, prepared, { scope, digest });
  } finally {
    machinery.inFlight.delete(scope);
  }
};

export const execute = <P>(machinery: Machinery<P>, prepared: Prepared<P>): Promise<Outcome> =>
  prepared.key === null ? inRounds(machinery, prepared, null) : underKey(machinery, prepared, prepared.key);
