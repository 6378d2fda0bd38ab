import type { AuthInfo, RequestId, ServerContext } from "@modelcontextprotocol/server";
import type { DoorRequest, DoorResponse } from "../../protocol/door/door.ts";
import type { Caller } from "../../protocol/seam/caller.ts";
import type { ToolCaller } from "../calls/call.ts";

export const jsonAnswer = (status: number, body: unknown): DoorResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export const rpcError = (status: number, code: number, message: string, id: RequestId | null = null): DoorResponse =>
  jsonAnswer(status, { jsonrpc: "2.0", error: { code, message }, id });

/** Who sent a request, on its way through the SDK to the handler. */
export class CallerInfo implements AuthInfo {
  readonly token = "";
  readonly clientId = "";
  readonly scopes: string[] = [];
  readonly from: ToolCaller;
  /** Takes the answers to its own questions alone. */
  readonly principal: string;

  constructor(from: ToolCaller, { principal, limitKey }: Pick<Caller, "principal" | "limitKey">) {
    this.from = from;
    this.principal = `${principal}\0${limitKey}`;
  }
}

export const callerIn = ({ http }: ServerContext): CallerInfo => {
  const info: unknown = http?.authInfo;
  if (info instanceof CallerInfo) return info;
  throw new Error("an MCP request reached its handler without its caller");
};

/** The SDK keeps the headers of a running request; a credential is not among these. */
const readHeaders = ["accept", "content-type", "last-event-id"];

export const webRequest = ({ method, headers }: DoorRequest, signal?: AbortSignal): Request => {
  const sent = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (readHeaders.includes(entry[0]) || entry[0].startsWith("mcp-")),
  );
  return new Request("http://localhost/mcp", { method, headers: sent, ...(signal === undefined ? {} : { signal }) });
};

/** Koa manages the connection. */
export const headersOf = ({ headers }: Response): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].filter(([name]) => name !== "connection"));

/** By a reader: a generator's `return` would wait behind its running read. */
export const piecesOf = (
  body: ReadableStream<Uint8Array>,
  { pulled, ended }: { readonly pulled: () => void; readonly ended: () => void },
): AsyncIterable<string> => {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const over = (): IteratorResult<string> => {
    ended();
    return { done: true, value: undefined };
  };
  const next = async (): Promise<IteratorResult<string>> => {
    const { done, value } = await reader.read();
    if (done) return over();
    pulled();
    return { done: false, value: decoder.decode(value, { stream: true }) };
  };
  const end = async (): Promise<IteratorResult<string>> => {
    await reader.cancel();
    return over();
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
};
