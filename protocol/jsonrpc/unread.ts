import { type Refusal, refusalTable } from "../neutral/refusals.ts";
import type { RpcError } from "./dispatcher.ts";

/** The JSON-RPC number of a text that is no JSON. */
export const parseError = -32700;

/** Why no message could be read from a body, as a JSON-RPC error. What is no JSON, or no text, does not parse. */
export const unreadError = ({ code, message, issues }: Refusal): RpcError => {
  const [issue] = issues ?? [];
  return issue === undefined ? { code: refusalTable[code].rpc, message } : { code: parseError, message: issue.msg };
};
