import { type BodyLimits, checkDepth } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import { Refused } from "../neutral/refusals.ts";

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface RpcAnswer {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: RpcError | undefined;
}

/** JSON-RPC 2.0, section 5.1. */
export const parseError = -32700;
export const invalidRequest = -32600;
export const methodNotFound = -32601;
export const internalError = -32603;

export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, code: number, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** An id of a wrong type becomes null. */
export const failure = (id: unknown, code: number, message: string, data?: unknown): RpcAnswer => ({
  jsonrpc: "2.0",
  id: typeof id === "string" || typeof id === "number" ? id : null,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

/** JSON-RPC 2.0, section 4, allows a fraction as id, A2A does not. */
export const isId = (id: unknown, areWhole: boolean): boolean =>
  id === null || typeof id === "string" || (typeof id === "number" && (!areWhole || Number.isInteger(id)));

/** JSON-RPC 2.0, section 4. */
export const formDefect = ({ id, method, params }: Members, areIdsWhole: boolean): string | null => {
  if (typeof method !== "string") return "The member method must be a string.";
  if (id !== undefined && !isId(id, areIdsWhole)) return "The member id must be a string, an integer or null.";
  const isStructure = params === undefined || (typeof params === "object" && params !== null);
  return isStructure ? null : "The member params must be an object or an array.";
};

/** Throws `RpcFailure` for broken or deeply nested JSON. */
export const parseMessage = (text: string, limits: BodyLimits): unknown => {
  try {
    checkDepth(text, limits.depth);
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof Refused) throw new RpcFailure(error.refusal.message, invalidRequest);
    throw new RpcFailure("The body is not valid JSON.", parseError);
  }
};
