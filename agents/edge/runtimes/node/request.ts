import type { IncomingMessage, ServerResponse } from "node:http";
import type { EdgeRequest } from "../../platform.ts";
import { nativeSource, pipeNative, pump, toWebStream } from "../streams.ts";

const hasBody = (incoming: IncomingMessage): boolean => {
  if (incoming.method === "GET" || incoming.method === "HEAD") return false;
  return incoming.headers["transfer-encoding"] !== undefined || Number(incoming.headers["content-length"] ?? 0) > 0;
};

const headersOf = (incoming: IncomingMessage): Headers => {
  const headers = new Headers();
  const raw = incoming.rawHeaders;
  for (let index = 0; index < raw.length; index += 2) headers.append(raw[index] ?? "", raw[index + 1] ?? "");
  return headers;
};

const signalOf = (outgoing: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller.signal;
};

/** Every member is built on first use: most routes need neither body nor signal. */
export const toEdgeRequest = (incoming: IncomingMessage, outgoing: ServerResponse, url: string): EdgeRequest => {
  let headers: Headers | undefined;
  let body: ReadableStream<Uint8Array> | null | undefined;
  let signal: AbortSignal | undefined;
  return {
    method: incoming.method ?? "GET",
    url,
    get headers() {
      headers ??= headersOf(incoming);
      return headers;
    },
    get body() {
      // Destroying the request would take the socket, and with it the answer that refuses the body.
      const cancel = (): void => void incoming.pause();
      if (body === undefined) body = hasBody(incoming) ? toWebStream(incoming, { cancel }) : null;
      return body;
    },
    get signal() {
      signal ??= signalOf(outgoing);
      return signal;
    },
  };
};

const flatHeaders = (headers: Headers): string[] => {
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  return flat;
};

/** Resolves to the next piece, or `null` when none is there in this turn of the event loop. */
const soon = (read: Promise<{ done: boolean; value?: Uint8Array | undefined }>) =>
  Promise.race([read, new Promise<null>((resolve) => void setImmediate(resolve, null))]);

/** Writes the head; with `length` the body is known to be complete. */
type WriteHead = (length?: number) => void;

/** A body that is already complete goes out in one write with its length; others are streamed from the first byte. */
const writeStream = async (
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  writeHead: WriteHead,
): Promise<void> => {
  const reader = body.getReader();
  const first = await reader.read();
  if (first.done) {
    writeHead(0);
    return void outgoing.end();
  }
  const next = reader.read();
  if ((await soon(next))?.done === true) {
    writeHead(first.value.length);
    return void outgoing.end(first.value);
  }
  writeHead();
  outgoing.write(first.value);
  const second = await next;
  if (!second.done) {
    outgoing.write(second.value);
    reader.releaseLock();
    await pump(body, outgoing);
  }
  return void outgoing.end();
};

const writeBody = async (
  response: Response,
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> => {
  const flat = flatHeaders(response.headers);
  const source = nativeSource(body);
  if (source !== undefined) {
    outgoing.writeHead(response.status, flat);
    return pipeNative(source, outgoing);
  }
  return writeStream(body, outgoing, (length) => {
    if (length !== undefined && !response.headers.has("content-length")) flat.push("content-length", String(length));
    outgoing.writeHead(response.status, flat);
  });
};

/** Sends the answer. A body that breaks ends the connection: nobody must take half an answer for a whole one. */
export const writeResponse = async (
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const { body } = response;
  if (outgoing.destroyed || body === null || incoming.method === "HEAD") {
    void body?.cancel().catch(() => undefined);
    if (!outgoing.destroyed) outgoing.writeHead(response.status, flatHeaders(response.headers)).end();
    return;
  }
  try {
    await writeBody(response, body, outgoing);
  } catch {
    outgoing.destroy();
  }
};
