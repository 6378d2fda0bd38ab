import type { DoorRequest, DoorResponse, DoorRoute } from "../door/door.ts";
import { callOfDoor, queriedOf, showOutcome } from "../door/door-call.ts";
import { type BodyLimits, isMembers } from "../neutral/json-input.ts";
import { jsonSchemaOf } from "../seam/json-schema.ts";
import type { Contract, Outcome } from "../seam/operation.ts";
import { bugBody } from "../neutral/refusal-body.ts";
import { type Refusal, Refused, refuse } from "../neutral/refusals.ts";
import type { Runner } from "../seam/run/run.ts";
import { errorOf, messageOfRefused, refusedResponse, rpcResponse, statusOf, unreadResponse } from "./answers.ts";
import { createRpcDispatcher, type RpcDispatcher } from "./dispatcher.ts";
import { failure, internalError, invalidRequest, parseMessage, type RpcAnswer, RpcFailure } from "./message.ts";

const rpcResult = (outcome: Outcome): unknown => {
  if (outcome.kind === "done") return outcome.output;
  if (outcome.kind === "bug") throw new RpcFailure("Internal error", internalError, bugBody(outcome.requestId));
  const { code, message, data } = errorOf(outcome.refusal, outcome.status);
  throw new RpcFailure(message, code, data);
};

/** One header cannot key several calls; ignored, a retried batch would act again. */
const unclearKey = failure(
  null,
  invalidRequest,
  "In a batch, send idempotency_key in the params of each request, not the header.",
);

/** In the order of params by position. */
const memberNames = (contract: Contract): readonly string[] =>
  Object.keys(jsonSchemaOf(contract.input, "input")["properties"] ?? {});

/** JSON-RPC 2.0, section 4.2. */
const namedParams = (contract: Contract, params: unknown): unknown => {
  if (!Array.isArray(params)) return params ?? {};
  const names = memberNames(contract);
  if (params.length > names.length) {
    const msg = `Send at most ${names.length} params by position, or send them by name.`;
    throw new Refused(refuse("validation_error", { issues: [{ type: "too_long", loc: ["body"], msg }] }));
  }
  return Object.fromEntries(params.map((value: unknown, place) => [names[place], value]));
};

const refusedAnswer = (message: unknown, refusal: Refusal): RpcAnswer => {
  const { code, message: said, data } = errorOf(refusal);
  return failure(isMembers(message) ? message["id"] : null, code, said, data);
};

/** Each message takes from the rate limit, so that a batch cannot hide a flood: those beyond it are refused. */
const receiveBatch = async (
  dispatcher: RpcDispatcher<DoorRequest>,
  request: DoorRequest,
  batch: readonly unknown[],
): Promise<RpcAnswer | readonly RpcAnswer[] | null> => {
  const passed: unknown[] = [];
  const refused: RpcAnswer[] = [];
  for (const [place, message] of batch.entries()) {
    const refusal = place === 0 ? null : await request.admission.countMore();
    if (refusal === null) passed.push(message);
    else if (!isMembers(message) || "id" in message) refused.push(refusedAnswer(message, refusal));
  }
  const answers = await dispatcher.receive(passed, request);
  return refused.length === 0 ? answers : [...((answers ?? []) as readonly RpcAnswer[]), ...refused];
};

const serve = async (
  dispatcher: RpcDispatcher<DoorRequest>,
  limits: BodyLimits,
  request: DoorRequest,
): Promise<DoorResponse> => {
  const message = parseMessage(await request.readBody(), limits);
  const isBatch = Array.isArray(message);
  if (isBatch && request.headers["idempotency-key"] !== undefined) return rpcResponse(200, unclearKey);
  const refused = dispatcher.refused(message);
  if (refused !== null) return rpcResponse(200, refused);
  const answer = isBatch
    ? await receiveBatch(dispatcher, request, message)
    : await dispatcher.receive(message, request);
  return rpcResponse(statusOf(answer), answer);
};

/** Strict JSON-RPC 2.0 at `/rpc`: every operation is a method of its own name. */
export const rpcRoutes = (runner: Runner, limits: BodyLimits): readonly DoorRoute[] => {
  const dispatcher = createRpcDispatcher<DoorRequest>();
  for (const contract of runner.contracts.filter((one) => one.closedDoors?.rpc === undefined)) {
    dispatcher.server.addMethod(contract.name, async (params: unknown, request) => {
      const outcome = await runner.run({
        operation: contract.name,
        door: "rpc",
        ...callOfDoor(request),
        input: () => ({ input: namedParams(contract, params), ...queriedOf(request) }),
      });
      showOutcome(request, outcome);
      return rpcResult(outcome);
    });
  }
  return [
    {
      method: "POST",
      path: "/rpc",
      refused: async (request, refusal) => refusedResponse(await messageOfRefused(request, limits), refusal),
      handle: (request) => serve(dispatcher, limits, request).catch(unreadResponse),
    },
  ];
};
