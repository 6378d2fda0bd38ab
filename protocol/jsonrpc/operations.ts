import { z } from "zod";
import type { DoorRequest, DoorResponse, DoorRoute } from "../door/door.ts";
import { callOfDoor, refusedAtGate, showOutcome } from "../door/door-call.ts";
import type { BodyLimits } from "../neutral/json-input.ts";
import type { Contract, Outcome } from "../seam/operation.ts";
import { bugBody, refusalBody } from "../neutral/refusal-body.ts";
import { type Refusal, refusalTable, Refused, refuse } from "../neutral/refusals.ts";
import type { Runner } from "../seam/run.ts";
import { createRpcDispatcher, type RpcAnswer, type RpcError, rpcError, strictProfile } from "./dispatcher.ts";
import { parseError, unreadError } from "./unread.ts";

const errorOf = (refusal: Refusal, status: number): RpcError => {
  const { rpc } = refusalTable[refusal.code];
  return { code: rpc, message: refusal.message, data: { ...refusalBody(refusal), status } };
};

const resultOf = (outcome: Outcome): unknown => {
  if (outcome.kind === "done") return outcome.output;
  if (outcome.kind === "bug") throw rpcError(-32603, "Internal error", bugBody(outcome.requestId));
  const { code, message, data } = errorOf(outcome.refusal, outcome.status);
  throw rpcError(code, message, data);
};

const send = (status: number, answer: RpcAnswer | readonly RpcAnswer[] | null): DoorResponse => ({
  status: answer === null ? 204 : status,
  headers: answer === null ? {} : { "content-type": "application/json" },
  body: answer === null ? null : JSON.stringify(answer),
});

/** The answer to a body that was not read, and its status. */
const unread = (error: unknown): readonly [RpcAnswer, number] => {
  if (!(error instanceof Refused)) throw error;
  const said = unreadError(error.refusal);
  const status = said.code === parseError ? 200 : refusalTable[error.refusal.code].status;
  return [{ jsonrpc: "2.0", id: null, error: said }, status];
};

/** One header cannot be the key of several calls, and to leave it out would make a retry of the batch do all again. */
const unclearKey: RpcAnswer = {
  jsonrpc: "2.0",
  id: null,
  error: { code: -32600, message: "In a batch, send idempotency_key in the params of each request, not the header." },
};

/** The input's members in the order in which the contract lists them, which is the order of params by position. */
const memberNames = (contract: Contract): readonly string[] => {
  const { properties } = z.toJSONSchema(contract.input, { io: "input" });
  return Object.keys(properties ?? {});
};

/** Params by name as they are, params by position under the names of their places (JSON-RPC 2.0, section 4.2). */
const namedParams = (contract: Contract, params: unknown): unknown => {
  if (!Array.isArray(params)) return params ?? {};
  const names = memberNames(contract);
  if (params.length > names.length) {
    const msg = `Send at most ${names.length} params by position, or send them by name.`;
    throw new Refused(refuse("validation_error", { issues: [{ type: "too_long", loc: ["body"], msg }] }));
  }
  return Object.fromEntries(params.map((value: unknown, place) => [names[place], value]));
};

/** Strict JSON-RPC 2.0 at `/rpc`: every operation is a method of its own name. */
export const rpcRoutes = (runner: Runner, limits: BodyLimits): readonly DoorRoute[] => {
  const dispatcher = createRpcDispatcher<DoorRequest>(strictProfile, limits, async (request) => {
    const refused = await refusedAtGate(runner, request);
    return refused === null ? null : errorOf(refused, refusalTable[refused.code].status);
  });
  for (const contract of runner.contracts.filter((one) => one.closedDoors?.rpc === undefined)) {
    dispatcher.server.addMethod(contract.name, async (params: unknown, request) => {
      const input = (): unknown => namedParams(contract, params);
      const outcome = await runner.run({ operation: contract.name, door: "rpc", ...callOfDoor(request), input });
      showOutcome(request, outcome);
      return resultOf(outcome);
    });
  }
  const handle: DoorRoute["handle"] = async (request) => {
    try {
      const text = await request.readBody();
      const isUnclear = request.headers["idempotency-key"] !== undefined && text.trimStart().startsWith("[");
      const answer = isUnclear ? dispatcher.behindGate(unclearKey, request) : dispatcher.receive(text, request);
      return send(200, await answer);
    } catch (error) {
      const [answer, status] = unread(error);
      const judged = await dispatcher.behindGate(answer, request);
      return send(judged === answer ? status : 200, judged);
    }
  };
  return [{ method: "POST", path: "/rpc", counted: "by-door", handle }];
};
