import type { DoorRequest } from "./door.ts";
import type { Caller } from "../seam/caller.ts";
import type { Claim } from "../seam/admission.ts";
import type { Call, Outcome } from "../seam/operation.ts";
import { isRefusal, Refused } from "../neutral/refusals.ts";
import { dryRunAsked, queryOf } from "../neutral/query.ts";
import { traceparentOf } from "../rest/headers.ts";

const saidInQuery = (url: string): Required<Pick<Call, "dryRun" | "agents">> => {
  const query = queryOf(url);
  if (query === null) return { dryRun: false, agents: [] };
  return { dryRun: dryRunAsked(query), agents: query.getAll("agent_url") };
};

/** One value of a header, null where there is none. */
export const oneHeader = (value: string | readonly string[] | undefined): string | null =>
  typeof value === "string" ? value : (value?.[0] ?? null);

/** The credential of a request, as its headers hold it. */
export const credentialsOf = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  address: string,
): Claim => ({
  apiKey: oneHeader(headers["x-api-key"]),
  authorization: oneHeader(headers["authorization"]),
  address,
});

/** The caller of a request that has passed the gates of its door. */
export const callerOf = async ({ admission }: DoorRequest): Promise<Caller> => {
  const who = await admission.who();
  if (isRefusal(who)) throw new Refused(who);
  return who;
};

/**
 * What every HTTP door hands on of its request: who calls, under which id and trace, the two headers that any mutation
 * may bring, and what the query says of a dry run and of the agent that calls. A door adds the operation and its input.
 */
export const callOfDoor = (
  request: DoorRequest,
): Required<
  Pick<Call, "admission" | "requestId" | "traceparent" | "idempotencyKey" | "ifMatch" | "dryRun" | "agents">
> => {
  const { headers, admission, requestId } = request;
  return {
    admission,
    requestId,
    traceparent: traceparentOf(headers),
    idempotencyKey: headers["idempotency-key"] ?? null,
    ifMatch: headers["if-match"] ?? null,
    ...saidInQuery(request.node.request.url ?? ""),
  };
};

/** The headers that an outcome adds to the answer of a door which writes its own body: replay and retry. */
export const showOutcome = ({ node: { response } }: DoorRequest, outcome: Outcome): void => {
  if (response.headersSent || outcome.kind === "bug") return;
  if (outcome.kind === "done") {
    if (outcome.meta.replayed) response.setHeader("Idempotency-Replayed", "true");
  } else if (outcome.refusal.retryAfterSeconds !== undefined) {
    response.setHeader("Retry-After", String(Math.ceil(outcome.refusal.retryAfterSeconds)));
  }
};
