import { createJSONRPCErrorResponse, type JSONRPCRequest, JSONRPCServer } from "json-rpc-2.0";
import { isMembers } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import { failure, formDefect, internalError, invalidRequest, isId, type RpcAnswer, RpcFailure } from "./message.ts";

const largestBatch = 50;

export interface RpcDispatcher<C> {
  readonly server: JSONRPCServer<C>;
  /** Null: call `receive`. */
  refused(message: unknown): RpcAnswer | null;
  /** Null: only notifications, nothing to send. */
  receive(message: unknown, context: C): Promise<RpcAnswer | readonly RpcAnswer[] | null>;
}

/**
 * Silent on stderr; an unexpected error is -32603 without its text. The library accepts a method that is no text, ids
 * of other types and scalar params, and would read a notification where such a request has no id.
 */
const libraryServer = <C>(): JSONRPCServer<C> => {
  const server = new JSONRPCServer<C>({ errorListener: () => undefined });
  server.mapErrorToJSONRPCErrorResponse = (id, error) =>
    error instanceof RpcFailure
      ? createJSONRPCErrorResponse(id, error.code, error.message, error.data)
      : createJSONRPCErrorResponse(id, internalError, "Internal error");
  server.applyMiddleware((next, request, context) => {
    const defect = formDefect(request as unknown as Members, false);
    if (defect === null) return next(request, context);
    const id = isId(request.id, false) ? (request.id ?? null) : null;
    return Promise.resolve(createJSONRPCErrorResponse(id, invalidRequest, defect));
  });
  return server;
};

/** The library fails on null. */
const requestOf = (message: unknown): JSONRPCRequest =>
  (isMembers(message) ? message : {}) as unknown as JSONRPCRequest;

/** JSON-RPC 2.0 with batches (section 7) and notifications. */
export const createRpcDispatcher = <C>(): RpcDispatcher<C> => {
  const server = libraryServer<C>();
  return {
    server,
    refused: (message) =>
      Array.isArray(message) && message.length > largestBatch
        ? failure(null, invalidRequest, `Send at most ${largestBatch} requests in a batch.`)
        : null,
    receive: async (message, context) => {
      if (!Array.isArray(message)) return server.receive(requestOf(message), context);
      const answers = await server.receive(message.map(requestOf), context);
      // The library unwraps a batch of one answer (JSON-RPC 2.0, section 6: an array).
      const isBare = answers !== null && !Array.isArray(answers) && message.length > 0;
      return isBare ? [answers] : answers;
    },
  };
};
