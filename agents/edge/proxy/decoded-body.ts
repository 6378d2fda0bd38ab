import { readBody } from "../http/body.ts";
import { webStream } from "../http/byte-stream.ts";
import type { ByteStream, ContentCoding, EdgeEnv } from "../platform.ts";

const codings: Readonly<Record<string, ContentCoding>> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
  br: "br",
};

/** Encoding of a body: one that we can undo, none, or one that we cannot. */
export const codingOf = (headers: Headers): ContentCoding | "identity" | "unknown" => {
  const text = (headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (text === "" || text === "identity") return "identity";
  return Object.hasOwn(codings, text) ? (codings[text] ?? "unknown") : "unknown";
};

export type DecodedBody =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: "too_large" | "broken" };

/**
 * Reads a body whole and without its encoding. The limit counts decoded bytes, and reading stops there, so that a small
 * body which unpacks to gigabytes costs no more than an honest one.
 */
export const readDecoded = async (
  env: Pick<EdgeEnv, "decode">,
  body: ByteStream | null,
  headers: Headers,
  most: number,
): Promise<DecodedBody> => {
  const coding = codingOf(headers);
  if (coding === "identity" || body === null) return readBody(body, most, headers);
  if (coding !== "unknown") return readBody(webStream(body).pipeThrough(env.decode(coding)), most);
  await body.cancel().catch(() => undefined);
  return { ok: false, fault: "broken" };
};
