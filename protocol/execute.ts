import { z } from "zod";
import type { Change, CommitOutcome } from "../storage/store.ts";
import { AttemptContext, type InnerCall } from "./context.ts";
import { dryAnswer } from "./dry-run.ts";
import { eventChange } from "./events.ts";
import { metaOf, type Prepared, refusedOutcome, type RunnerParts } from "./gates.ts";
import { answerChange, type KeyState, readKey, requestDigest, scopeOf } from "./idempotency.ts";
import { isoTime } from "./iso-time.ts";
import type { Answer, Contract, Outcome, OutcomeMeta, RefusalWithChanges } from "./operation.ts";
import { isRefusal, type Refusal, Refused, refuse } from "./refusals.ts";
import { located, verdictSchema } from "./validation.ts";

/** How often a handler is called again after a lost race before the caller is told to try again itself. */
const mostAttempts = 16;

/** What one execution works with: the agent's parts, the keys being answered now, and the way to other operations. */
export interface Machinery<P> {
  readonly parts: RunnerParts<P>;
  readonly inFlight: Set<string>;
  readonly inner: InnerCall<P>;
}

/** One attempt's end; `again` means that the commit lost a race and the decision must be made anew. */
type AttemptEnd = Outcome | "again";

/** The key of a call as one attempt found it; null without a key. */
interface KnownKey {
  readonly scope: string;
  readonly digest: string;
  readonly found: Exclude<KeyState, { state: "answered" } | { state: "taken" }>;
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

const isWon = (outcome: CommitOutcome): boolean => outcome.ok;

/** Whether the changes are durable; where they lost a race, the decision is made anew. */
const commit = <P>(
  machinery: Machinery<P>,
  prepared: Prepared<P>,
  changes: readonly Change[],
  nowMs: number,
): Promise<boolean> | true => {
  if (changes.length === 0) return true;
  const audit = {
    at: isoTime(nowMs),
    request_id: prepared.call.requestId,
    operation: prepared.operation.contract.name,
    door: prepared.call.door,
    principal: prepared.caller.principal,
  };
  return machinery.parts.store.commit({ changes, audit }).then(isWon);
};

/** All that an answer or a refusal changes, its events included. */
const changesOf = <P>(
  prepared: Prepared<P>,
  { changes = [], events = [] }: Pick<Answer<unknown>, "changes" | "events">,
  nowMs: number,
): Change[] => {
  const all = [...changes];
  for (const draft of events) all.push(eventChange(draft, nowMs, prepared.caller.owner));
  return all;
};

/** The trace of the trust that a price was made by: without it the call does not end well, whatever it answers. */
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

const settleRefusal = async <P>(
  machinery: Machinery<P>,
  prepared: Prepared<P>,
  refusal: Refusal | RefusalWithChanges,
  nowMs: number,
): Promise<AttemptEnd> => {
  if ("changes" in refusal && !prepared.dryRun) {
    if (!(await commit(machinery, prepared, changesOf(prepared, refusal, nowMs), nowMs))) return "again";
  }
  return refusedOutcome(prepared.operation.contract, located(refusal, prepared.call.locate), metaOf(prepared.rate));
};

const keptAnswer = (
  { scope, digest, found }: KnownKey,
  { secretOutput: secrets = [] }: Contract,
  output: unknown,
  meta: OutcomeMeta,
  nowMs: number,
): Change => answerChange(scope, found.loaded, { digest, output, meta, secrets, nowMs });

/** One call of the handler, the check of its output and the commit. */
const handle = async <P>(
  machinery: Machinery<P>,
  prepared: Prepared<P>,
  known: KnownKey | null,
  nowMs: number,
): Promise<AttemptEnd> => {
  const { operation, trusted } = prepared;
  const context = new AttemptContext(machinery.parts, prepared, machinery.inner, nowMs);
  const result = await operation.handle(context, prepared.input);
  if (isRefusal(result)) return await settleRefusal(machinery, prepared, result, nowMs);
  const { output } = result;
  checkOutput(operation.contract, output);
  const meta = metaOf(prepared.rate, prepared.dryRun ? { ...result.meta, dryRun: true } : result.meta);
  if (prepared.dryRun) return { kind: "done", output: dryAnswer(output, context.minted), meta };
  const changes = changesOf(prepared, result, nowMs);
  if (trusted !== null) changes.push(...(await verificationChanges(machinery, prepared, trusted, nowMs)));
  if (known !== null) changes.push(keptAnswer(known, operation.contract, output, meta, nowMs));
  const won = commit(machinery, prepared, changes, nowMs);
  if (won !== true && !(await won)) return "again";
  for (const { level, fields, message } of result.log ?? []) machinery.parts.log[level](fields, message);
  return { kind: "done", output, meta };
};

/**
 * One attempt under a key. A refusal is believed only when the key is still free afterwards: another process may have
 * answered the same call in between, and what it left behind (a booked quote) is then why the handler refused.
 */
const attempt = async <P>(
  machinery: Machinery<P>,
  prepared: Prepared<P>,
  scope: string,
  digest: string,
): Promise<AttemptEnd> => {
  const nowMs = machinery.parts.clock.nowMs();
  const found = await readKey(machinery.parts.store, scope, digest, nowMs);
  if (found.state === "taken") {
    return refused(prepared, refuse("idempotency_conflict"));
  }
  if (found.state === "answered") {
    const { output, dialect, revision } = found.row;
    return { kind: "done", output, meta: metaOf(prepared.rate, { replayed: true, dialect, revision }) };
  }
  const end = await refusedOrDone(() => handle(machinery, prepared, { scope, digest, found }, nowMs));
  if (!(end instanceof Refused) && (end === "again" || end.kind !== "refused")) return end;
  const after = await readKey(machinery.parts.store, scope, digest, nowMs);
  if (after.state !== "free") return "again";
  if (end instanceof Refused) throw end;
  return end;
};

const refusedOrDone = async (handled: () => Promise<AttemptEnd>): Promise<AttemptEnd | Refused> => {
  try {
    return await handled();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
};

const refused = <P>({ operation, rate }: Prepared<P>, refusal: Refusal): Outcome =>
  refusedOutcome(operation.contract, refusal, metaOf(rate));

/** A lost commit starts over from the load, so the loser sees the winner. */
const inRounds = async <P>(prepared: Prepared<P>, round: () => Promise<AttemptEnd>): Promise<Outcome> => {
  for (let made = 0; made < mostAttempts; made += 1) {
    const end = await round();
    if (end !== "again") return end;
  }
  return refused(prepared, refuse("concurrent_update", { retryAfterSeconds: 1 }));
};

/**
 * At most one call at a time works on a key in this process, and across processes the key's row settles who came first.
 */
const underKey = async <P>(machinery: Machinery<P>, prepared: Prepared<P>, key: string): Promise<Outcome> => {
  const scope = scopeOf(prepared.caller.owner, prepared.operation.contract.name, key);
  if (machinery.inFlight.has(scope))
    return refused(prepared, refuse("idempotency_in_flight", { retryAfterSeconds: 1 }));
  const digest = requestDigest(prepared.input);
  machinery.inFlight.add(scope);
  try {
    return await inRounds(prepared, () => attempt(machinery, prepared, scope, digest));
  } finally {
    machinery.inFlight.delete(scope);
  }
};

/** Gate 6 and the handler. */
export const execute = <P>(machinery: Machinery<P>, prepared: Prepared<P>): Promise<Outcome> =>
  prepared.key === null
    ? inRounds(prepared, () => handle(machinery, prepared, null, machinery.parts.clock.nowMs()))
    : underKey(machinery, prepared, prepared.key);
