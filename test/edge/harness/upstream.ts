import http from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Encodes the body and names the coding. */
  readonly coding?: "gzip" | "deflate" | "br";
  /** Before the head. */
  readonly delayMs?: number;
  /** Answers no sooner. */
  readonly held?: Promise<void>;
  /** Breaks the connection instead of answering. */
  readonly broken?: boolean;
};

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawHeaders: readonly string[];
  readonly body: string;
};

export type Upstream = {
  readonly url: string;
  readonly host: string;
  readonly seen: SeenRequest[];
  script(replies: Readonly<Record<string, Reply>>): void;
  close(): Promise<void>;
};

const CODERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

const answer = (reply: Reply, response: http.ServerResponse): void => {
  if (reply.broken === true) return void response.destroy();
  const text = Buffer.from(reply.body ?? "");
  const bytes = reply.coding === undefined ? text : CODERS[reply.coding](text);
  const coding = reply.coding === undefined ? {} : { "content-encoding": reply.coding };
  const length = [204, 205, 304].includes(reply.status ?? 200) ? {} : { "content-length": String(bytes.length) };
  response.writeHead(reply.status ?? 200, { ...length, ...coding, ...(reply.headers as http.OutgoingHttpHeaders) });
  response.end(bytes);
};

/** Unscripted paths answer `origin`. */
export const startUpstream = async (): Promise<Upstream> => {
  const seen: SeenRequest[] = [];
  let replies: Readonly<Record<string, Reply>> = {};
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const path = request.url ?? "/";
      const { method = "GET", headers, rawHeaders } = request;
      seen.push({ method, path, headers, rawHeaders, body: Buffer.concat(pieces).toString() });
      const reply = replies[path] ??
        replies[path.split("?")[0] ?? path] ?? {
          headers: { "content-type": "application/octet-stream" },
          body: "origin",
        };
      setTimeout(() => void (reply.held ?? Promise.resolve()).then(() => answer(reply, response)), reply.delayMs ?? 0);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    seen,
    script(next) {
      replies = next;
      seen.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
