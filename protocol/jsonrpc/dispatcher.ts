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
 * How a door differs from strict JSON-RPC 2.0: `batches` are allowed or refused; a request without an id is a
 * notification or (A2A) answered with id null; `strictIds` refuses fractional numbers.
 */
export interface RpcProfile {
  readonly batches: boolean;
  readonly notifications: boolean;
  readonly strictIds: boolean;
}

/** JSON-RPC 2.0, section 7 in full: what `/rpc` speaks. */
export const strictProfile: RpcProfile = { batches: true, notifications: true, strictIds: false };

/** What A2A asks of JSON-RPC: no batches, every request answered. */
export const a2aProfile: RpcProfile = { batches: false, notifications: false, strictIds: true };

const largestBatch = 50;

/** A JSON-RPC error answer; an id of a wrong type is answered as null. */
export const failure = (id: unknown, code: number, message: string, data?: unknown): RpcAnswer =>
  createJSONRPCErrorResponse(typeof id === "string" || typeof id === "number" ? id : null, code, message, data);

const isId = (id: unknown, strict: boolean): boolean =>
  id === null || typeof id === "string" || (typeof id === "number" && (!strict || Number.isInteger(id)));

/**
 * What the library takes although JSON-RPC 2.0, section 4, forbids it: a method that is no text, an id of another
 * type, params that are no structure. Without an id it would even take such a request for a notification.
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

/** The dispatcher of a door: methods are registered on `server`. */
export interface RpcDispatcher<C> {
  readonly server: JSONRPCServer<C>;
  /** Why a message or batch is refused whole; null where it is to be received. */
  refused(message: unknown): RpcAnswer | null;
  /** Answers a message or batch. Null: nothing to send (only notifications). */
  receive(message: unknown, context: C): Promise<RpcAnswer | readonly RpcAnswer[] | null>;
}

/** The value of a body text. Throws `RpcFailure` for what is no JSON or nested too deeply. */
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

/** The library's server, silent on stderr; an error that no method meant to answer is -32603 without its text. */
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
  /** The library fails on null, which is no request like any other value that is no object. */
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
      // The library answers a batch of one answer with the bare answer (JSON-RPC 2.0, section 6: an array).
      const isBare = answers !== null && !Array.isArray(answers) && message.length > 0;
      return isBare ? [answers] : answers;
    },
  };
};
