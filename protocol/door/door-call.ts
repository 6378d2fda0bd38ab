import type { DoorRequest } from "./door.ts";
import type { Caller } from "../seam/caller.ts";
import type { Claim } from "../seam/admission.ts";
import type { Call, CallInput, Outcome } from "../seam/operation.ts";
import { isRefusal, Refused } from "../neutral/refusals.ts";
import { dryRunAsked, queryOf } from "../neutral/query.ts";
import { traceparentOf } from "../rest/headers.ts";

export type Queried = Required<Pick<CallInput, "dryRun" | "agents">>;

/** What every HTTP door reads beside its input. */
export const queriedOf = ({ node }: DoorRequest): Queried => {
  const query = queryOf(node.request.url ?? "");
  if (query === null) return { dryRun: false, agents: [] };
  return { dryRun: dryRunAsked(query), agents: query.getAll("agent_url") };
};

export const oneHeader = (value: string | readonly string[] | undefined): string | null =>
  typeof value === "string" ? value : (value?.[0] ?? null);

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The one header that a page of another origin cannot send: no preflight allows it. */
const consoleHeader = "x-parley-console";

const isOwnOrigin = (origin: string, host: string | null): boolean =>
  URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();

/** A browser sends a loopback cookie to every port of the host, so the cookie alone proves nothing. */
export const isFromConsole = (headers: Headers): boolean => {
  if (headers[consoleHeader] !== "1") return false;
  const site = oneHeader(headers["sec-fetch-site"]);
  const origin = oneHeader(headers["origin"]);
  return (
    (site === null || site === "same-origin") && (origin === null || isOwnOrigin(origin, oneHeader(headers["host"])))
  );
};

/** Null: a cookie does not count here. */
export const consoleCookies = (headers: Headers): string | null => {
  const cookies = oneHeader(headers["cookie"]);
  return cookies !== null && isFromConsole(headers) ? cookies : null;
};

export const credentialsOf = (headers: Headers, address: string): Claim => {
  // Clients of AdCP send their key under a name of their own.
  const apiKey = oneHeader(headers["x-api-key"]) ?? oneHeader(headers["x-adcp-auth"]);
  const authorization = oneHeader(headers["authorization"]);
  const cookies = apiKey === null && authorization === null ? consoleCookies(headers) : null;
  return { apiKey, authorization, cookies, address };
};

export const callerOf = async ({ admission }: DoorRequest): Promise<Caller> => {
  const who = await admission.who();
  if (isRefusal(who)) throw new Refused(who);
  return who;
};

/** Common to every HTTP door: caller, request id, trace, idempotency key and `If-Match`. */
export const callOfDoor = (
  request: DoorRequest,
): Required<Pick<Call, "admission" | "requestId" | "traceparent" | "idempotencyKey" | "ifMatch">> => {
  const { headers, admission, requestId } = request;
  return {
    admission,
    requestId,
    traceparent: traceparentOf(headers),
    idempotencyKey: headers["idempotency-key"] ?? null,
    ifMatch: headers["if-match"] ?? null,
  };
};

/** Replay and retry headers, for doors that write their own body. */
export const showOutcome = ({ node: { response } }: DoorRequest, outcome: Outcome): void => {
  if (response.headersSent || outcome.kind === "bug") return;
  if (outcome.kind === "done") {
    if (outcome.meta.replayed) response.setHeader("Idempotency-Replayed", "true");
  } else if (outcome.refusal.retryAfterSeconds !== undefined) {
    response.setHeader("Retry-After", String(Math.ceil(outcome.refusal.retryAfterSeconds)));
  }
};
