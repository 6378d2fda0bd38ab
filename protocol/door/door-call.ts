import type { DoorRequest } from "./door.ts";
import type { Caller } from "../seam/caller.ts";
import type { Call, CredentialedCaller, IdentifiedCaller, Outcome } from "../seam/operation.ts";
import { isRefusal, type Refusal } from "../neutral/refusals.ts";
import { dryRunAsked, queryOf } from "../neutral/query.ts";
import { traceparentOf } from "../rest/headers.ts";
import type { Identified, Runner } from "../seam/run.ts";

/** What the query of a request says to any operation, whatever its door. */
const saidInQuery = (url: string): Required<Pick<Call, "dryRun" | "agents">> => {
  const query = queryOf(url);
  if (query === null) return { dryRun: false, agents: [] };
  return { dryRun: dryRunAsked(query), agents: query.getAll("agent_url") };
};

/** One value of a header, null where there is none. */
export const oneHeader = (value: string | readonly string[] | undefined): string | null =>
  typeof value === "string" ? value : (value?.[0] ?? null);

/** Who calls, as the headers of a request say it. */
export const claimOf = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  address: string,
): CredentialedCaller => ({
  kind: "request",
  apiKey: oneHeader(headers["x-api-key"]),
  authorization: oneHeader(headers["authorization"]),
  address,
});

/** Who sends a request, once it has been asked for: the gates behind do not look it up, and count it, again. */
export const identifiedAs = (who: Caller, { address }: DoorRequest): IdentifiedCaller => ({
  kind: "identified",
  who,
  address,
});

/**
 * What every HTTP door hands on of its request: who calls, under which id and trace, the two headers that any mutation
 * may bring, and what the query says of a dry run and of the agent that calls. A door adds the operation and its input.
 */
export const callOfDoor = (
  request: DoorRequest,
): Required<
  Pick<Call, "caller" | "requestId" | "traceparent" | "idempotencyKey" | "ifMatch" | "dryRun" | "agents">
> => {
  const { headers, address, requestId } = request;
  return {
    caller: claimOf(headers, address),
    requestId,
    traceparent: traceparentOf(headers),
    idempotencyKey: headers["idempotency-key"] ?? null,
    ifMatch: headers["if-match"] ?? null,
    ...saidInQuery(request.node.request.url ?? ""),
  };
};

/** When to come back, where the refusal knows it. */
export const showWait = (request: DoorRequest, { retryAfterSeconds }: Refusal): void => {
  if (retryAfterSeconds === undefined) return;
  request.node.response.setHeader("Retry-After", String(Math.ceil(retryAfterSeconds)));
};

/** Tells the caller its rate, and when to come back where it is refused; returns who it is. */
export const showIdentity = (request: DoorRequest, { who, rate }: Identified): Caller | Refusal => {
  request.tellRate(rate);
  if (isRefusal(who)) showWait(request, who);
  return who;
};

/**
 * The gates of credential and rate for what calls no operation, whose own gates would judge it: it is counted, and who
 * may not call hears of that before anything is said of the body. Null where it passes.
 */
export const refusedAtGate = async (
  runner: Pick<Runner, "identify">,
  request: DoorRequest,
  caller: Call["caller"] = claimOf(request.headers, request.address),
): Promise<Refusal | null> => {
  const who = showIdentity(request, await runner.identify(caller, { counted: true }));
  return isRefusal(who) ? who : null;
};

/** The headers that an outcome brings to the answer of a door which writes its own body: rate, replay, retry. */
export const showOutcome = (request: DoorRequest, outcome: Outcome): void => {
  const response = request.node.response;
  if (response.headersSent || outcome.kind === "bug") return;
  request.tellRate(outcome.meta.rate);
  if (outcome.kind === "done" && outcome.meta.replayed) response.setHeader("Idempotency-Replayed", "true");
  if (outcome.kind === "refused") showWait(request, outcome.refusal);
};
