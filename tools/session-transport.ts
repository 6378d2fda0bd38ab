import { randomUUID } from "node:crypto";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import { isJsonContentType } from "@modelcontextprotocol/sdk/shared/mediaType.js";
import { type JSONRPCMessage, type RequestId, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import type { DoorAnswer, DoorRequest, DoorResponse } from "../protocol/door/door.ts";
import type { ToolCaller } from "./call.ts";
import { isRequest } from "./message.ts";

type SendOptions = Parameters<StreamableHTTPServerTransport["send"]>[1];

export interface SessionHooks {
  readonly opened: (id: string) => void | Promise<void>;
  readonly ended: (id: string) => void;
}

export const jsonAnswer = (status: number, body: unknown): DoorResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export const rpcError = (status: number, code: number, message: string, id: RequestId | null = null): DoorResponse =>
  jsonAnswer(status, { jsonrpc: "2.0", error: { code, message }, id });

export class CallerInfo implements AuthInfo {
  readonly token = "";
  readonly clientId = "";
  readonly scopes: string[] = [];
  readonly from: ToolCaller;

  constructor(from: ToolCaller) {
    this.from = from;
  }
}

export const unknownSession = (id: RequestId | null): DoorResponse =>
  rpcError(404, -32001, "Session not found. Initialize a new one.", id);

const versions: ReadonlySet<string | undefined> = new Set([undefined, ...SUPPORTED_PROTOCOL_VERSIONS]);

/** What the headers lack, the SDK answers. */
const isTaken = ({ method, headers }: DoorRequest): boolean => {
  const accept = headers["accept"] ?? "";
  return (
    method === "POST" &&
    isJsonContentType(headers["content-type"]) &&
    accept.includes("application/json") &&
    accept.includes("text/event-stream") &&
    versions.has(headers["mcp-protocol-version"])
  );
};

/**
 * A short path for requests of an open session: the SDK's own `Request`, `Response` and body stream cost as much as a
 * durable quote.
 */
export class SessionTransport extends StreamableHTTPServerTransport {
  readonly #waiting = new Map<RequestId, (answer: DoorAnswer) => void>();

  constructor({ opened, ended }: SessionHooks) {
    super({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: opened,
      onsessionclosed: (id) => {
        ended(id);
        this.#abandon();
      },
    });
  }

  async serve(request: DoorRequest, from: ToolCaller, sent: JSONRPCMessage | undefined): Promise<DoorAnswer> {
    if (this.sessionId !== undefined && isTaken(request) && isRequest(sent) && sent.method !== "initialize") {
      const authInfo = new CallerInfo(from);
      return this.#answer(request, sent.id, () => this.onmessage?.(sent, { authInfo }));
    }
    await this.handleRequest(request.node.request, request.node.response, sent);
    return "taken";
  }

  #answer(request: DoorRequest, id: RequestId, begin: () => void): Promise<DoorAnswer> | DoorAnswer {
    if (this.#waiting.has(id)) return rpcError(400, -32600, "A request with this id is being answered.", id);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      // A call that its client cancels is not answered: it ends with the connection.
      request.node.response.once("close", () => {
        if (this.#waiting.get(id) !== resolve) return;
        this.#waiting.delete(id);
        resolve("taken");
      });
      begin();
    });
  }

  override async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    const id = "method" in message ? undefined : message.id;
    const resolve = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || resolve === undefined) return super.send(message, options);
    this.#waiting.delete(id);
    const headers = { "content-type": "application/json", "mcp-session-id": String(this.sessionId) };
    resolve({ status: 200, headers, body: JSON.stringify(message) });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#abandon();
  }

  /** Ends waiting calls, which will get no answer. */
  #abandon(): void {
    for (const [id, resolve] of this.#waiting) resolve(unknownSession(id));
    this.#waiting.clear();
  }
}
