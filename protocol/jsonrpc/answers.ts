import type { DoorRequest, DoorResponse } from "../door/door.ts";
import { type BodyLimits, isMembers } from "../neutral/json-input.ts";
import { refusalBody } from "../neutral/refusal-body.ts";
import { accessRefusals, type Refusal, type RefusalCode, Refused, refusalTable } from "../neutral/refusals.ts";
import { failure, parseError, parseMessage, type RpcAnswer, type RpcError, RpcFailure } from "./message.ts";

/** `data` is the REST body. */
export const errorOf = (refusal: Refusal, status: number = refusalTable[refusal.code].status): RpcError => ({
  code: refusalTable[refusal.code].rpc,
  message: refusal.message,
  data: { ...refusalBody(refusal), status },
});

export const unreadError = ({
  code,
  message,
  issues,
}: Refusal): { readonly status: number; readonly error: RpcError } => {
  const [issue] = issues ?? [];
  if (issue !== undefined) return { status: 200, error: { code: parseError, message: issue.msg } };
  return { status: refusalTable[code].status, error: { code: refusalTable[code].rpc, message } };
};

/** Null is 204. */
export const rpcResponse = (status: number, answer: RpcAnswer | readonly RpcAnswer[] | null): DoorResponse => ({
  status: answer === null ? 204 : status,
  headers: answer === null ? {} : { "content-type": "application/json" },
  body: answer === null ? null : JSON.stringify(answer),
});

/** Rethrows other errors. */
export const unreadResponse = (error: unknown): DoorResponse => {
  if (error instanceof RpcFailure) return rpcResponse(200, failure(null, error.code, error.message));
  if (!(error instanceof Refused)) throw error;
  const { status, error: said } = unreadError(error.refusal);
  return rpcResponse(status, failure(null, said.code, said.message));
};

const gateCodes: ReadonlySet<RefusalCode> = new Set(accessRefusals);

/** The REST status where the caller may not call, else 200. */
export const statusOf = (answer: RpcAnswer | readonly RpcAnswer[] | null): number => {
  const data: unknown = answer !== null && "error" in answer ? answer.error?.data : undefined;
  if (!isMembers(data) || !gateCodes.has(data["error"] as RefusalCode)) return 200;
  return Number(data["status"]);
};

/** RFC 9110, 10.2.3. */
export const refusalHeaders = ({ retryAfterSeconds }: Partial<Refusal>): Record<string, string> =>
  retryAfterSeconds === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterSeconds)) };

/** For its id and form only. */
export const messageOfRefused = async (request: DoorRequest, limits: BodyLimits): Promise<unknown> => {
  if (request.method !== "POST") return null;
  try {
    return parseMessage(await request.readBody(), limits);
  } catch (error) {
    if (error instanceof RpcFailure || error instanceof Refused) return null;
    throw error;
  }
};

/** The REST status with a JSON-RPC body. */
export const refusedResponse = (message: unknown, refusal: Refusal): DoorResponse => {
  const { code, message: said, data } = errorOf(refusal);
  const { status } = refusalTable[refusal.code];
  const id = isMembers(message) ? message["id"] : null;
  const response = rpcResponse(status, failure(id, code, said, data));
  return { ...response, headers: { ...response.headers, ...refusalHeaders(refusal) } };
};
