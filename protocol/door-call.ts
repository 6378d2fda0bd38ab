import type { DoorRequest } from "./door.ts";
import type { Call, Outcome, OutcomeMeta } from "./operation.ts";
import { rateHeaders, traceparentOf } from "./rest/headers.ts";

/**
 * What every HTTP door hands on of its request: who calls, under which id and trace, and the two headers that any
 * mutation may bring. A door adds the operation and its input.
 */
export const callOfDoor = (
  request: DoorRequest,
): Required<Pick<Call, "caller" | "requestId" | "traceparent" | "idempotencyKey" | "ifMatch">> => {
  const { headers, address, requestId } = request;
  return {
    caller: {
      kind: "request",
      apiKey: headers["x-api-key"] ?? null,
      authorization: headers["authorization"] ?? null,
      address,
    },
    requestId,
    traceparent: traceparentOf(headers),
    idempotencyKey: headers["idempotency-key"] ?? null,
    ifMatch: headers["if-match"] ?? null,
  };
};

/** Tells what is left to the caller: the answer of a door otherwise tells what is left to its address. */
export const showRate = (request: DoorRequest, state: OutcomeMeta["rate"]): void => {
  const rate = state === null ? [] : rateHeaders(state);
  for (let at = 0; at < rate.length; at += 2) {
    request.node.response.setHeader(rate[at] as string, rate[at + 1] as string);
  }
};

/** The headers that an outcome brings to the answer of a door which writes its own body: rate, replay, retry. */
export const showOutcome = (request: DoorRequest, outcome: Outcome): void => {
  const response = request.node.response;
  if (response.headersSent || outcome.kind === "bug") return;
  showRate(request, outcome.meta.rate);
  if (outcome.kind === "done" && outcome.meta.replayed) response.setHeader("Idempotency-Replayed", "true");
  if (outcome.kind === "refused" && outcome.refusal.retryAfterSeconds !== undefined) {
    response.setHeader("Retry-After", String(Math.ceil(outcome.refusal.retryAfterSeconds)));
  }
};
