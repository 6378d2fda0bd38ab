import { randomUUID } from "node:crypto";
import {
  type EventStore,
  isJsonContentType,
  isJSONRPCNotification,
  type JSONRPCMessage,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { DoorAnswer, DoorRequest, DoorResponse } from "../../protocol/door/door.ts";
import { carried, isRequest } from "./message.ts";
import { type CallerInfo, headersOf, piecesOf, rpcError, webRequest } from "./web.ts";

type SendOptions = Parameters<WebStandardStreamableHTTPServerTransport["send"]>[1];

export interface SessionHooks {
  readonly opened: (id: string) => void | Promise<void>;
  readonly ended: (id: string) => void;
  /** Of an answer that is sent as a stream. */
  readonly streaming: (ended: Promise<void>) => void;
  readonly events: EventStore & { forget(): void };
  /** The request may send messages before its answer, which one JSON body cannot carry. */
  readonly speaks: (sent: JSONRPCMessage) => boolean;
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

const withResolver = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

/** A client that reads no more gets its listening stream closed, and can resume it. */
const mostUnread = 256;

const lastDataOf = (text: string): string | undefined =>
  text
    .split("\n")
    .findLast((line) => line.startsWith("data: {"))
    ?.slice("data: ".length);

/**
 * Streamable HTTP of one session. What cannot send a message before its answer is answered by `#answer`, in one body,
 * without the SDK's `Request`, `Response` and stream: here a call takes 50 us of CPU so, 175 through them.
 */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #waiting = new Map<RequestId, (answer: DoorAnswer) => void>();
  readonly #hooks: SessionHooks;
  #unread = 0;
  readonly #listening = new Set<ReadableStream>();

  constructor(hooks: SessionHooks) {
    super({
      sessionIdGenerator: randomUUID,
      eventStore: hooks.events,
      retryInterval: 1000,
      keepAliveMs: 0,
      onsessioninitialized: hooks.opened,
      onsessionclosed: hooks.ended,
    });
    this.#hooks = hooks;
  }

  /** An open stream is no idle session. */
  get isListening(): boolean {
    return this.#listening.size > 0;
  }

  async serve(request: DoorRequest, authInfo: CallerInfo, sent: JSONRPCMessage | undefined): Promise<DoorAnswer> {
    const message = carried(sent);
    const isOpen = this.sessionId !== undefined && isTaken(request);
    if (isOpen && isRequest(message) && message.method !== "initialize" && !this.#hooks.speaks(message)) {
      return this.#answer(request, message.id, () => this.onmessage?.(message, { authInfo }));
    }
    const response = await this.handleRequest(webRequest(request), { parsedBody: message, authInfo });
    if (sent !== undefined) this.#endCancelled(sent);
    if (!isRequest(sent) || sent.method !== "initialize") return this.#streamOf(request, response);
    const answer = await inOnePiece(response);
    this.#hooks.events.forget();
    return answer;
  }

  #streamOf({ method }: DoorRequest, response: Response): DoorResponse {
    const { status, body } = response;
    const headers = headersOf(response);
    if (body === null) return { status, headers, body };
    if (method !== "GET" || status !== 200) {
      const { promise, resolve } = withResolver();
      this.#hooks.streaming(promise);
      return { status, headers, body: piecesOf(body, { pulled: () => undefined, ended: resolve }), ends: true };
    }
    this.#listening.add(body);
    const pulled = (): void => {
      this.#unread = Math.max(0, this.#unread - 1);
    };
    return { status, headers, body: piecesOf(body, { pulled, ended: () => this.#listening.delete(body) }) };
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

  /** The SDK sends no answer to a cancelled request and would hold its connection open. */
  #endCancelled(sent: JSONRPCMessage): void {
    if (!isJSONRPCNotification(sent) || sent.method !== "notifications/cancelled") return;
    const id = sent.params?.["requestId"] as RequestId | undefined;
    if (id === undefined) return;
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.({ status: 202, headers: {}, body: null });
    this.closeSSEStream(id);
  }

  override async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    const id = "method" in message ? undefined : message.id;
    const resolve = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || resolve === undefined) {
      if (options?.relatedRequestId === undefined && "method" in message) this.#noteUnread();
      return super.send(message, options);
    }
    this.#waiting.delete(id);
    const headers = { "content-type": "application/json", "mcp-session-id": String(this.sessionId) };
    resolve({ status: 200, headers, body: JSON.stringify(message) });
  }

  #noteUnread(): void {
    if (!this.isListening) return;
    this.#unread += 1;
    if (this.#unread <= mostUnread) return;
    this.#unread = 0;
    this.closeStandaloneSSEStream();
  }

  override async close(): Promise<void> {
    await super.close();
    this.#hooks.events.forget();
    for (const [id, resolve] of this.#waiting) resolve(unknownSession(id));
    this.#waiting.clear();
  }
}

/** Nothing can come before the answer to `initialize`, so clients that read no stream can read it. */
const inOnePiece = async (response: Response): Promise<DoorResponse> => {
  const text = await response.text();
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const headers = { ...headersOf(response), "content-type": "application/json" };
  return { status: response.status, headers, body: isStream ? (lastDataOf(text) ?? null) : text };
};
