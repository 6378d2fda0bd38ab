import type { Change, Store } from "../../../storage/store.ts";
import { type Caller, isEdge, isOperator, isSenior, isViewer, type Tier, withoutPreference } from "../caller.ts";
import { asksDryRun } from "./dry-run.ts";
import { callKey } from "./idempotency.ts";
import { withNamedAgent } from "../named-agent.ts";
import type { Call, CallInput, Contract, InnerHow, Operation, Outcome, OutcomeMeta } from "../operation.ts";
import type { CallerDirectory, Clock, Log, RateLimiter, TrustRegistry } from "../ports.ts";
import { queryIssue, unclearDryRun } from "../../neutral/query.ts";
import { isRefusal, type Refusal, type RefusalCode, Refused, refuse, refusalTable } from "../../neutral/refusals.ts";
import { isInScope, scopeOf } from "../scopes.ts";
import type { AgentWatch } from "../watch.ts";
import { expectedRevision } from "../revision.ts";
import { fieldRefusal, readBy, schemaRefusal } from "../../neutral/validation.ts";

const tierRank: Readonly<Record<Tier, number>> = { public: 0, seat: 1, agency: 2, advertiser: 3 };

/** `operation` null: a door refused the request before one was named. */
export interface RefusedCall extends Pick<Call, "admission"> {
  readonly operation: string | null;
}

/** What an agent does beside each call. None of them may throw. */
export interface RunnerListeners {
  /** The call waits for it; null: there is nothing to wait for. */
  before(): Promise<void> | null;
  /** The changes of a call are durable. */
  committed(changes: readonly Change[]): void;
  refused(call: RefusedCall, code: RefusalCode): Promise<void>;
}

export interface RunnerParts<P> {
  readonly operations: readonly Operation<P>[];
  readonly store: Store;
  readonly ports: P;
  readonly callers: CallerDirectory;
  readonly trust: TrustRegistry;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly log: Log;
  readonly listeners?: RunnerListeners;
  /** Left out: nothing is counted. */
  readonly watch?: AgentWatch;
}

export interface Progress<P> {
  readonly call: Call;
  readonly given: CallInput;
  readonly operation: Operation<P>;
  readonly caller: Caller;
}

export interface Prepared<P> extends Progress<P> {
  readonly input: unknown;
  readonly tier: Tier;
  readonly dryRun: boolean;
  readonly key: string | null;
  readonly expectedRevision: number | null;
  /** The agent whose trust capped the price's tier; null: none. */
  readonly trusted: { readonly agentUrl: string; readonly claimedTier: Tier } | null;
  readonly beside?: InnerHow["beside"];
}

type Standing = Pick<Prepared<unknown>, "caller" | "tier">;

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

/** The refusal's own status, else the contract's, else the table's. */
export const refusedOutcome = (contract: Contract | null, refusal: Refusal): Extract<Outcome, { kind: "refused" }> => ({
  kind: "refused",
  refusal,
  status: refusal.status ?? contract?.refusals[refusal.code] ?? refusalTable[refusal.code].status,
});

type Gated = Pick<Contract, "access" | "effect" | "group" | "opensToEdge">;

/** Gate 2. (Gate 1 refused blocked agents with their key.) */
export const accessRefusal = (contract: Gated, caller: Caller): Refusal | null =>
  roleRefusal(contract, caller) ??
  (isInScope(caller, contract) ? null : refuse("insufficient_scope", { extras: { scope: scopeOf(contract) } }));

const roleRefusal = (contract: Gated, caller: Caller): Refusal | null => {
  if (isEdge(caller) && contract.opensToEdge !== true) {
    return refuse("operator_required", {
      message:
        "The key of an edge lists active deals and reports deliveries, nothing else. Use the key of an operator.",
    });
  }
  if (contract.effect !== "read" && isViewer(caller)) {
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

/** Also where the operation reads no `agent_url`: a blocked one is refused everywhere. */
const namedAgent = (rawInput: unknown): string | null => {
  const url = (rawInput as { agent_url?: unknown } | null | undefined)?.agent_url;
  if (typeof url !== "string" || url === "") return null;
  if (url.length <= longestAgentUrl) return url;
  throw new Refused(fieldRefusal("agent_url", `An agent_url has at most ${longestAgentUrl} characters.`, "too_big"));
};

const twoAgents = (): Refused => queryIssue("agent_url", "The body names another agent_url. Send one of them.");

/** Two agents, or another in the input, are rejected. */
const withAgents = (contract: Contract, input: unknown, agents: readonly string[]): unknown => {
  if (agents.length > 1) throw queryIssue("agent_url", "Give this parameter once.");
  return withNamedAgent(contract, input, agents[0], twoAgents);
};

/** The same as where it would be discovered. Nothing is resolved here. */
const privateAgent = refuse("target_not_allowed", {
  message: "The agent_url is not a permitted public target: name the agent's public http or https address.",
});

/** A named agent can only lower the tier, and a blocked one ends the call. */
const standingOf = async (trust: TrustRegistry, caller: Caller, agentUrl: string): Promise<Standing> => {
  const named = await trust.ofAgent(agentUrl);
  if (named.blocked) throw new Refused(refuse("agent_blocked"));
  if (trust.isPermitted?.(agentUrl) === false) throw new Refused(privateAgent);
  return {
    caller: named.preference === undefined ? withoutPreference(caller) : caller,
    tier: lowerTier(caller.tier, named.ceiling),
  };
};

const pricesForAgents = (contract: Contract): boolean =>
  contract.agentIsSubject !== true && "agent_url" in ((contract.input as { shape?: object }).shape ?? {});

const trustedAgent = <P>({ operation, caller }: Progress<P>, named: string | null): Prepared<P>["trusted"] => {
  const agentUrl = named ?? caller.boundAgentUrl;
  const claimedTier = caller.claimedTier ?? caller.tier;
  const counts = agentUrl !== null && claimedTier !== "public" && pricesForAgents(operation.contract);
  return counts ? { agentUrl, claimedTier } : null;
};

interface Asked {
  readonly raw: unknown;
  readonly input: unknown;
  readonly key: string | null;
  readonly agentUrl: string | null;
}

const preparedOf = <P>(progress: Progress<P>, asked: Asked, { caller, tier }: Standing): Prepared<P> => {
  const { call, given, operation } = progress;
  const { raw, input, key, agentUrl } = asked;
  const isWrite = operation.contract.effect !== "read";
  const dryRun = isWrite && (given.dryRun === true || asksDryRun(raw));
  // Member by member: a spread costs more than all other gates together.
  return {
    call,
    given,
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

/** Gates 4 and 5. */
export const prepare = <P>(parts: RunnerParts<P>, progress: Progress<P>): Prepared<P> | Promise<Prepared<P>> => {
  const { call, caller, given } = progress;
  const { contract } = progress.operation;
  const { agents } = given;
  const raw = agents === undefined ? given.input : withAgents(contract, given.input, agents);
  if (given.dryRun === null && contract.effect !== "read") throw unclearDryRun();
  const parsed = readBy(contract.input, raw === undefined ? {} : raw);
  if (!parsed.success) throw new Refused(schemaRefusal(parsed.error, call.locate));
  const key = contract.effect !== "read" ? callKey(call.idempotencyKey ?? null, raw) : null;
  if (isRefusal(key)) throw new Refused(key);
  const agentUrl = contract.agentIsSubject === true ? null : namedAgent(raw);
  const asked = { raw, input: parsed.data, key, agentUrl };
  if (agentUrl === null) return preparedOf(progress, asked, { caller, tier: caller.tier });
  return standingOf(parts.trust, caller, agentUrl).then((standing) => preparedOf(progress, asked, standing));
};
