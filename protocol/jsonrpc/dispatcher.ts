import {
  createJSONRPCErrorResponse,
  JSONRPCErrorCode,
  JSONRPCErrorException,
  type JSONRPCRequest,
  type JSONRPCResponse,
  JSONRPCServer,
} from "json-rpc-2.0";
import { type BodyLimits, checkDepth, isMembers } from "../neutral/json-input.ts";
import { Refused } from "../neutral/refusals.ts";

export type RpcAnswer = JSONRPCResponse;
export type RpcError = NonNullable<JSONRPCResponse["error"]>;
export { JSONRPCErrorException as RpcFailure } from "json-rpc-2.0";

/**
 * Deviations from JSON-RPC 2.0. Without `notifications`, a request without an id is answered with id null; `strictIds`
 * rejects fractions.
 */
export interface RpcProfile {
  readonly batches: boolean;
  readonly notifications: boolean;
  readonly strictIds: boolean;
}

/** Including batches (JSON-RPC 2.0, section 7). */
export const strictProfile: RpcProfile = { batches: true, notifications: true, strictIds: false };

export const a2aProfile: RpcProfile = { batches: false, notifications: false, strictIds: true };

const largestBatch = 50;

/** An id of a wrong type becomes null. */
export const failure = (id: unknown, code: number, message: string, data?: unknown): RpcAnswer =>
  createJSONRPCErrorResponse(typeof id === "string" || typeof id === "number" ? id : null, code, message, data);

const isId = (id: unknown, strict: boolean): boolean =>
  id === null || typeof id === "string" || (typeof id === "number" && (!strict || Number.isInteger(id)));

/**
 * The library accepts a method that is no text, ids of other types and scalar params, which JSON-RPC 2.0, section 4,
 * forbids; without an id it would even read a notification.
 */
const formDefect = ({ id, method, params }: JSONRPCRequest, strictIds: boolean): string | null => {
  if (typeof method !== "string") return "The member method must be a string.";
  if (id !== undefined && !isId(id, strictIds)) return "The member id must be a string, an integer or null.";
  const isStructure = params === undefined || (typeof params === "object" && params !== null);
  return isStructure ? null : "The member params must be an object or an array.";
};

const batchDefect = ({ batches }: RpcProfile, length: number): string | null => {
  if (!batches) return "Batches are not accepted here. Send one request.";
  return length > largestBatch ? `Send at most ${largestBatch} requests in a batch.` : null;
};

export interface RpcDispatcher<C> {
  readonly server: JSONRPCServer<C>;
  /** Null: call `receive`. */
  refused(message: unknown): RpcAnswer | null;
  /** Null: only notifications, nothing to send. */
  receive(message: unknown, context: C): Promise<RpcAnswer | readonly RpcAnswer[] | null>;
}

/** Throws `RpcFailure` for broken or deeply nested JSON. */
export const parseMessage = (text: string, limits: BodyLimits): unknown => {
  try {
    checkDepth(text, limits.depth);
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof Refused) {
      throw new JSONRPCErrorException(error.refusal.message, JSONRPCErrorCode.InvalidRequest);
    }
    throw new JSONRPCErrorException("The body is not valid JSON.", JSONRPCErrorCode.ParseError);
  }
};

/** Silent on stderr; an unexpected error is -32603 without its text. */
const libraryServer = <C>(profile: RpcProfile): JSONRPCServer<C> => {
  const server = new JSONRPCServer<C>({ errorListener: () => undefined });
  server.mapErrorToJSONRPCErrorResponse = (id, error) =>
    error instanceof JSONRPCErrorException
      ? createJSONRPCErrorResponse(id, error.code, error.message, error.data)
      : createJSONRPCErrorResponse(id, JSONRPCErrorCode.InternalError, "Internal error");
  server.applyMiddleware((next, request, context) => {
    const defect = formDefect(request, profile.strictIds);
    if (defect === null) return next(request, context);
    const id = isId(request.id, profile.strictIds) ? request.id : null;
    return Promise.resolve(failure(id, JSONRPCErrorCode.InvalidRequest, defect));
  });
  return server;
};

export const createRpcDispatcher = <C>(profile: RpcProfile): RpcDispatcher<C> => {
  const server = libraryServer<C>(profile);
  /** The library fails on null. */
  const requestOf = (message: unknown): JSONRPCRequest => {
    if (!isMembers(message)) return {} as JSONRPCRequest;
    const isAnswered = "id" in message || profile.notifications;
    return (isAnswered ? message : { ...message, id: null }) as unknown as JSONRPCRequest;
  };
  return {
    server,
    refused: (message) => {
      const defect = Array.isArray(message) ? batchDefect(profile, message.length) : null;
      return defect === null ? null : failure(null, JSONRPCErrorCode.InvalidRequest, defect);
    },
    receive: async (message, context) => {
      if (!Array.isArray(message)) return server.receive(requestOf(message), context);
      const answers = await server.receive(message.map(requestOf), context);
      // The library unwraps a batch of one answer (JSON-RPC 2.0, section 6: an array).
      const isBare = answers !== null && !Array.isArray(answers) && message.length > 0;
      return isBare ? [answers] : answers;
    },
  };
};
