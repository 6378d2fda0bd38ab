import http from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

export type Sent = {
  readonly method?: string;
  readonly path: string;
  /** A list sends the header once per item. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
};

export type Got = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

const flat = (headers: Sent["headers"]): string[] =>
  Object.entries(headers ?? {}).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).flatMap((item) => [name, item]),
  );

/** Own connection, exactly these headers, `host` and framing. */
export const call = (base: string, sent: Sent): Promise<Got> =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(base);
    const names = Object.keys(sent.headers ?? {}).map((name) => name.toLowerCase());
    const isFramed = sent.body === undefined || names.includes("content-length");
    const length = isFramed ? [] : ["content-length", String(Buffer.byteLength(sent.body ?? ""))];
    const first = names.includes("host") ? [] : ["host", host];
    const headers = [...first, ...flat(sent.headers), ...length, "connection", "close"];
    const request = http.request(
      { hostname, port, method: sent.method ?? "GET", path: sent.path, headers, agent: false, setHost: false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => {
          const decode = DECODERS[response.headers["content-encoding"] ?? ""];
          const raw = Buffer.concat(pieces);
          const body = decode === undefined || raw.length === 0 ? raw : decode(raw);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      },
    );
    request.on("error", reject);
    request.end(sent.body);
  });

export const callRaw = (base: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    let answer = "";
    const socket = connect(Number(port), hostname, () => void socket.write(text, "latin1"));
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on("data", (piece) => (answer += piece.toString("latin1")));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
