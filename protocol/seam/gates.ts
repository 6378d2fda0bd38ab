import type { Store } from "../../storage/store.ts";
import { type Caller, isOperator, isSenior, isViewer, type Tier, withoutPreference } from "./caller.ts";
import { asksDryRun } from "./dry-run.ts";
import { callKey } from "./idempotency.ts";
import { withNamedAgent } from "./named-agent.ts";
import type { Call, Contract, Operation, Outcome, OutcomeMeta } from "./operation.ts";
import type { CallerDirectory, Clock, Log, RateLimiter, TrustRegistry } from "./ports.ts";
import { queryIssue, unclearDryRun } from "../neutral/query.ts";
import { isRefusal, type Refusal, Refused, refuse, refusalTable } from "../neutral/refusals.ts";
import { expectedRevision } from "./revision.ts";
import { fieldRefusal, readBy, schemaRefusal } from "../neutral/validation.ts";

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

export interface Progress<P> {
  readonly call: Call;
  readonly operation: Operation<P>;
  readonly caller: Caller;
}

export interface Prepared<P> extends Progress<P> {
  readonly input: unknown;
  readonly tier: Tier;
  readonly dryRun: boolean;
  readonly key: string | null;
  readonly expectedRevision: number | null;
  /** The agent whose trust stood between the caller's own tier and the price; null where none did. */
  readonly trusted: { readonly agentUrl: string; readonly claimedTier: Tier } | null;
}

type Standing = Pick<Prepared<unknown>, "caller" | "tier">;

/** What the wire sends beside the body. */
const metaOf = (more: Partial<OutcomeMeta> = {}): OutcomeMeta => ({
  replayed: more.replayed ?? false,
  dryRun: more.dryRun ?? false,
  dialect: more.dialect ?? null,
  revision: more.revision ?? null,
});

export const doneOutcome = (output: unknown, meta: Partial<OutcomeMeta> = {}): Extract<Outcome, { kind: "done" }> => ({
  kind: "done",
  output,
  meta: metaOf(meta),
});

/** A refusal with the status that the contract gives it, else the table's. */
export const refusedOutcome = (contract: Contract | null, refusal: Refusal): Outcome => ({
  kind: "refused",
  refusal,
  status: contract?.refusals[refusal.code] ?? refusalTable[refusal.code].status,
});

/** Gate 2: may this caller call this operation at all. (A blocked agent was refused with its key, in gate 1.) */
export const accessRefusal = (contract: Contract, caller: Caller): Refusal | null => {
  if (contract.effect === "write" && isViewer(caller)) {
    return refuse("operator_required", { message: "The key of a viewer reads only. Use the key of an operator." });
  }
  if (contract.access === "public") return null;
  if (caller.kind === "anonymous") return refuse("authentication_required");
  if (contract.access === "key") return null;
  if (!isOperator(caller)) return refuse("operator_required");
  return contract.access === "senior" && !isSenior(caller) ? refuse("senior_review_required") : null;
};

const lowerTier = (left: Tier, right: Tier): Tier => (tierRank[left] <= tierRank[right] ? left : right);

const longestAgentUrl = 2048;

/** The agent that a request names, also where its operation reads no `agent_url` (decision 52: on every request). */
const namedAgent = (rawInput: unknown): string | null => {
  const url = (rawInput as { agent_url?: unknown } | null | undefined)?.agent_url;
  if (typeof url !== "string" || url === "") return null;
  if (url.length <= longestAgentUrl) return url;
  throw new Refused(fieldRefusal("agent_url", `An agent_url has at most ${longestAgentUrl} characters.`, "too_big"));
};

const twoAgents = (): Refused => queryIssue("agent_url", "The body names another agent_url. Send one of them.");

/** The input with the agent that the query names; two of them, or another in the input, are refused. */
const withAgents = (contract: Contract, input: unknown, agents: readonly string[]): unknown => {
  if (agents.length > 1) throw queryIssue("agent_url", "Give this parameter once.");
  return withNamedAgent(contract, input, agents[0], twoAgents);
};

/** A named agent can only take away, and a blocked one ends the call. */
const standingOf = async (trust: TrustRegistry, caller: Caller, agentUrl: string): Promise<Standing> => {
  const named = await trust.ofAgent(agentUrl);
  if (named.blocked) throw new Refused(refuse("agent_blocked"));
  return {
    caller: named.preference === undefined ? withoutPreference(caller) : caller,
    tier: lowerTier(caller.tier, named.ceiling),
  };
};

/** Whether the operation prices for an agent: those that read an `agent_url` of their caller (wire contract 1.3). */
const pricesForAgents = (contract: Contract): boolean =>
  contract.agentIsSubject !== true && "agent_url" in ((contract.input as { shape?: object }).shape ?? {});

const trustedAgent = <P>({ operation, caller }: Progress<P>, named: string | null): Prepared<P>["trusted"] => {
  const agentUrl = named ?? caller.boundAgentUrl;
  const claimedTier = caller.claimedTier ?? caller.tier;
  const counts = agentUrl !== null && claimedTier !== "public" && pricesForAgents(operation.contract);
  return counts ? { agentUrl, claimedTier } : null;
};

/** What gate 4 and the words beside the input have told. */
interface Asked {
  readonly raw: unknown;
  readonly input: unknown;
  readonly key: string | null;
  readonly agentUrl: string | null;
}

const preparedOf = <P>(progress: Progress<P>, asked: Asked, { caller, tier }: Standing): Prepared<P> => {
  const { call, operation } = progress;
  const { raw, input, key, agentUrl } = asked;
  const isWrite = operation.contract.effect === "write";
  const dryRun = isWrite && (call.dryRun === true || asksDryRun(raw));
  // Member by member: to spread one object into another costs more than all the other gates together.
  return {
    call,
    operation,
    caller,
    input,
    tier,
    dryRun,
    key: dryRun ? null : key,
    expectedRevision: isWrite ? expectedRevision(call.ifMatch ?? null, raw) : null,
    trusted: trustedAgent(progress, agentUrl),
  };
};

/** Gates 4 and 5: the input is parsed, then tier and idempotency key are known. */
export const prepare = <P>(
  parts: RunnerParts<P>,
  progress: Progress<P>,
  given: unknown,
): Prepared<P> | Promise<Prepared<P>> => {
  const { call, caller } = progress;
  const { contract } = progress.operation;
  const raw = call.agents === undefined ? given : withAgents(contract, given, call.agents);
  if (call.dryRun === null && contract.effect === "write") throw unclearDryRun();
  const parsed = readBy(contract.input, raw === undefined ? {} : raw);
  if (!parsed.success) throw new Refused(schemaRefusal(parsed.error, call.locate));
  const key = contract.effect === "write" ? callKey(call.idempotencyKey ?? null, raw) : null;
  if (isRefusal(key)) throw new Refused(key);
  const agentUrl = contract.agentIsSubject === true ? null : namedAgent(raw);
  const asked = { raw, input: parsed.data, key, agentUrl };
  if (agentUrl === null) return preparedOf(progress, asked, { caller, tier: caller.tier });
  return standingOf(parts.trust, caller, agentUrl).then((standing) => preparedOf(progress, asked, standing));
};
