import { IncomingMessage, type ServerResponse } from "node:http";
import type { ByteStep, ByteStream, EdgeRequest, EdgeResponse } from "../../platform.ts";
import { flatHeaders, fromRawHeaders } from "../../http/light-headers.ts";
import { dropRestOfBody } from "./rest-of-body.ts";
import { drained, NodeBytes, pipeNative } from "../leaf/streams.ts";

const hasBody = (incoming: IncomingMessage): boolean => {
  if (incoming.method === "GET" || incoming.method === "HEAD") return false;
  return incoming.headers["transfer-encoding"] !== undefined || Number(incoming.headers["content-length"] ?? 0) > 0;
};

const signalOf = (outgoing: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller.signal;
};

/**
 * A request whose members are built on first use: most routes need neither body nor signal. A class, because an object
 * literal with getters gets a hidden class of its own each time, which the collector then has to carry.
 */
class NodeRequest implements EdgeRequest {
  readonly method: string;
  readonly url: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #headers: Headers | undefined;
  #body: ByteStream | null | undefined;
  #signal: AbortSignal | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, url: string) {
    this.method = incoming.method ?? "GET";
    this.url = url;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get headers(): Headers {
    this.#headers ??= fromRawHeaders(this.#incoming.rawHeaders);
    return this.#headers;
  }

  get body(): ByteStream | null {
    if (this.#body === undefined) {
      const incoming = this.#incoming;
      // Destroying the request would take the socket, and with it the answer that refuses the body.
      this.#body = hasBody(incoming) ? new NodeBytes(incoming, { cancel: () => void incoming.pause() }) : null;
    }
    return this.#body;
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#outgoing);
    return this.#signal;
  }
}

export const toEdgeRequest = (incoming: IncomingMessage, outgoing: ServerResponse, url: string): EdgeRequest =>
  new NodeRequest(incoming, outgoing, url);

const soon = (read: Promise<ByteStep>): Promise<ByteStep | null> =>
  Promise.race([read, new Promise<null>((resolve) => void setImmediate(resolve, null))]);

type WriteHead = (length?: number) => void;

const mostWaitingBytes = 262_144;

const writePiece = async (piece: Uint8Array, outgoing: ServerResponse): Promise<void> => {
  if (outgoing.writableCorked === 0) {
    outgoing.cork();
    setImmediate(() => {
      if (!outgoing.writableEnded) outgoing.uncork();
    });
  }
  outgoing.write(piece);
  if (outgoing.writableLength > mostWaitingBytes) await drained(outgoing);
};

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

const end = async ({ incoming, outgoing }: Exchange, last?: Uint8Array | string): Promise<void> => {
  if (incoming.complete || !hasBody(incoming)) return void outgoing.end(last);
  if (last === undefined) outgoing.flushHeaders();
  else outgoing.write(last);
  await dropRestOfBody(incoming);
  outgoing.end();
};

const writeStream = async (body: ByteStream, both: Exchange, writeHead: WriteHead): Promise<void> => {
  const { outgoing } = both;
  const reader = body.getReader();
  const first = await reader.read();
  if (first.done) {
    writeHead(0);
    return end(both);
  }
  const second = reader.read();
  if ((await soon(second))?.done === true) {
    writeHead(first.value.length);
    return end(both, first.value);
  }
  writeHead();
  await writePiece(first.value, outgoing);
  for (let next = await second; !next.done; next = await reader.read()) {
    if (outgoing.destroyed) return void reader.cancel().catch(() => undefined);
    await writePiece(next.value, outgoing);
  }
  return end(both);
};

const writeBody = async (response: EdgeResponse, body: ByteStream, both: Exchange): Promise<void> => {
  const flat = flatHeaders(response.headers);
  return writeStream(body, both, (length) => {
    if (length !== undefined && !response.headers.has("content-length")) flat.push("content-length", String(length));
    both.outgoing.writeHead(response.status, flat);
  });
};

/** Sends the answer. A body that breaks ends the connection: nobody must take half an answer for a whole one. */
export const writeResponse = async (
  response: EdgeResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const { handle } = response;
  if (handle instanceof IncomingMessage && incoming.method !== "HEAD" && !outgoing.destroyed) {
    outgoing.writeHead(response.status, flatHeaders(response.headers));
    return pipeNative(handle, outgoing).catch(() => void outgoing.destroy());
  }
  const { wholeText: text } = response;
  if (text !== undefined && incoming.method !== "HEAD" && !outgoing.destroyed) {
    const length = String(Buffer.byteLength(text));
    outgoing.writeHead(response.status, [...flatHeaders(response.headers), "content-length", length]);
    return end({ incoming, outgoing }, text).catch(() => void outgoing.destroy());
  }
  const { body } = response;
  if (outgoing.destroyed || body === null || incoming.method === "HEAD") {
    void body?.cancel().catch(() => undefined);
    if (outgoing.destroyed) return;
    outgoing.writeHead(response.status, flatHeaders(response.headers));
    return end({ incoming, outgoing });
  }
  try {
    await writeBody(response, body, { incoming, outgoing });
  } catch {
    outgoing.destroy();
  }
};
