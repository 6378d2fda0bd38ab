import { z } from "zod";
import type { Change, CommitOutcome } from "../storage/store.ts";
import { createContext } from "./context.ts";
import { dryAnswer } from "./dry-run.ts";
import { eventChange } from "./events.ts";
import { metaOf, type Prepared, refusedOutcome, type RunnerParts } from "./gates.ts";
import { answerChange, type KeyState, readKey, requestDigest, scopeOf } from "./idempotency.ts";
import { isoTime } from "./iso-time.ts";
import type { Answer, Contract, EventDraft, Outcome, RefusalWithChanges } from "./operation.ts";
import { isRefusal, type Refusal, Refused, refuse } from "./refusals.ts";
import { located, verdictSchema } from "./validation.ts";

/** How often a handler is called again after a lost race before the caller is told to try again itself. */
const mostAttempts = 16;

/** Calls another operation on behalf of a prepared call; `place` counts the calls of one attempt. */
export type InnerCall<P> = (outer: Prepared<P>, name: string, input: unknown, place: number) => Promise<Outcome>;

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

const commit = <P>(
  machinery: Machinery<P>,
  prepared: Prepared<P>,
  changes: readonly Change[],
  nowMs: number,
): Promise<boolean> | boolean => {
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

const eventChanges = <P>(
  prepared: Prepared<P>,
  drafts: readonly EventDraft[] | undefined,
  nowMs: number,
): readonly Change[] => (drafts ?? []).map((draft) => eventChange(draft, nowMs, prepared.caller.owner));

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
    const changes = [...refusal.changes, ...eventChanges(prepared, refusal.events, nowMs)];
    if (!(await commit(machinery, prepared, changes, nowMs))) return "again";
  }
  return refusedOutcome(prepared.operation.contract, located(refusal, prepared.call.locate), metaOf(prepared.rate));
};

const settleAnswer = async <P>(
  machinery: Machinery<P>,
  prepared: Prepared<P>,
  answer: Answer<unknown>,
  known: KnownKey | null,
  nowMs: number,
): Promise<AttemptEnd> => {
  const contract = prepared.operation.contract;
  checkOutput(contract, answer.output);
  const meta = metaOf(prepared.rate, answer.meta);
  const changes = [...(answer.changes ?? []), ...eventChanges(prepared, answer.events, nowMs)];
  const { trusted } = prepared;
  if (trusted !== null) changes.push(...(await verificationChanges(machinery, prepared, trusted, nowMs)));
  if (known !== null) {
    const stored = { digest: known.digest, output: answer.output, meta, secrets: contract.secretOutput ?? [], nowMs };
    changes.push(answerChange(known.scope, known.found.loaded, stored));
  }
  const won = await commit(machinery, prepared, changes, nowMs);
  if (won) for (const { level, fields, message } of answer.log ?? []) machinery.parts.log[level](fields, message);
  return won ? { kind: "done", output: answer.output, meta } : "again";
};

const handle = async <P>(
  machinery: Machinery<P>,
  prepared: Prepared<P>,
  known: KnownKey | null,
  nowMs: number,
): Promise<AttemptEnd> => {
  const minted: string[] = [];
  let calls = 0;
  const context = createContext(machinery.parts, {
    caller: prepared.caller,
    tier: prepared.tier,
    nowMs,
    dryRun: prepared.dryRun,
    minted,
    expectedRevision: prepared.expectedRevision,
    callOf: prepared.call,
    // Nobody knows what an inner call that throws has done: it ends the outer one, and no answer is remembered of it.
    call: (name, input) => {
      calls += 1;
      return machinery.inner(prepared, name, input, calls);
    },
  });
  const result = await prepared.operation.handle(context, prepared.input);
  if (isRefusal(result)) return await settleRefusal(machinery, prepared, result, nowMs);
  if (!prepared.dryRun) return await settleAnswer(machinery, prepared, result, known, nowMs);
  checkOutput(prepared.operation.contract, result.output);
  const meta = metaOf(prepared.rate, { ...result.meta, dryRun: true });
  return { kind: "done", output: dryAnswer(result.output, minted), meta };
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
    return refusedOutcome(prepared.operation.contract, refuse("idempotency_conflict"), metaOf(prepared.rate));
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

/**
 * Gate 6 and the handler: with a key, at most one call at a time works on it in this process, and across processes
 * the key's row settles who came first. A lost commit starts over from the load, so the loser sees the winner.
 */
export const execute = async <P>(machinery: Machinery<P>, prepared: Prepared<P>): Promise<Outcome> => {
  const contract = prepared.operation.contract;
  const scope = prepared.key === null ? null : scopeOf(prepared.caller.owner, contract.name, prepared.key);
  const refused = (refusal: Refusal): Outcome => refusedOutcome(contract, refusal, metaOf(prepared.rate));
  if (scope !== null && machinery.inFlight.has(scope)) {
    return refused(refuse("idempotency_in_flight", { retryAfterSeconds: 1 }));
  }
  const digest = scope === null ? "" : requestDigest(prepared.input);
  if (scope !== null) machinery.inFlight.add(scope);
  try {
    for (let round = 0; round < mostAttempts; round += 1) {
      const end =
        scope === null
          ? await handle(machinery, prepared, null, machinery.parts.clock.nowMs())
          : await attempt(machinery, prepared, scope, digest);
      if (end !== "again") return end;
    }
    return refused(refuse("concurrent_update", { retryAfterSeconds: 1 }));
  } finally {
    if (scope !== null) machinery.inFlight.delete(scope);
  }
};
