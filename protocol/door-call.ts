import type { DoorRequest } from "./door.ts";
import type { Call, Outcome } from "./operation.ts";
import type { Refusal } from "./refusals.ts";
import { traceparentOf } from "./rest/headers.ts";

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

/** When to come back, where the refusal knows it. */
export const showWait = (request: DoorRequest, { retryAfterSeconds }: Refusal): void => {
  if (retryAfterSeconds === undefined) return;
  request.node.response.setHeader("Retry-After", String(Math.ceil(retryAfterSeconds)));
};

/** The headers that an outcome brings to the answer of a door which writes its own body: rate, replay, retry. */
export const showOutcome = (request: DoorRequest, outcome: Outcome): void => {
  const response = request.node.response;
  if (response.headersSent || outcome.kind === "bug") return;
  request.tellRate(outcome.meta.rate);
  if (outcome.kind === "done" && outcome.meta.replayed) response.setHeader("Idempotency-Replayed", "true");
  if (outcome.kind === "refused") showWait(request, outcome.refusal);
};
