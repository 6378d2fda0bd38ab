import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";
import { koaBody } from "koa-body";
import type { BodyLimits } from "../neutral/json-input.ts";
import { type Refusal, Refused, refuse } from "../neutral/refusals.ts";

/** Absent body: empty text. Throws `Refused`. */
export type ReadText = (ctx: Context, acceptType: (type: string) => boolean) => Promise<string>;

const vendorJson = /^application\/(?:json|[a-z0-9!#$&^_.+-]{1,100}\+json)[ \t]*(?:;|$)/i;

/** JSON and `+json` vendor types; no type is JSON. */
export const isJsonType = (type: string): boolean => type === "application/json" || vendorJson.test(type);

/** JSON between systems is UTF-8 (RFC 8259, 8.1); ASCII is part of it. Read as UTF-8, another would be garbled. */
const charsetRefusal = (type: string): Refusal | null => {
  if (!type.includes(";")) return null;
  const named = [...type.matchAll(/;[ \t]*charset[ \t]*=[ \t]*"?([^";, \t]*)/gi)].map((match) => match[1] ?? "");
  const other = named.find((charset) => charset !== "" && !/^(?:utf-?8|us-ascii)$/i.test(charset));
  if (other === undefined) return null;
  const said = other.replace(/[^\w.:-]/g, "").slice(0, 40);
  const message = `The charset of the body is ${said}, and only UTF-8 is taken. Send charset=utf-8, or leave it out.`;
  return refuse("unsupported_media_type", { message });
};

const nothing = async (): Promise<void> => undefined;

const hasBody = (request: IncomingMessage): boolean => {
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
};

const cutOff = (): Refusal =>
  refuse("malformed_body", { message: "The body was cut off or is not as long as Content-Length says." });

const refusalOf = (error: unknown): Refusal | null => {
  const { status, code, type } = error as { status?: unknown; code?: unknown; type?: unknown };
  if (status === 413) return refuse("body_too_large");
  if (status === 415) return refuse("unsupported_media_type", { message: "Encode the body as gzip, deflate or br." });
  if (status === 400 && typeof type === "string") return cutOff();
  const isBroken = typeof code === "string" && (code.startsWith("Z_") || code.startsWith("ERR_"));
  return isBroken || code === "ECONNRESET" ? refuse("malformed_body") : null;
};

const wrongUtf8 = (): Refusal => {
  const issue = { type: "utf8_invalid", loc: ["body"], msg: "The body is not valid UTF-8." };
  return refuse("validation_error", { issues: [issue] });
};

/** The decoder replaces invalid UTF-8 by U+FFFD, which may also have been sent: the bytes tell. */
const decodedText = (bytes: Buffer): string => {
  const text = bytes.toString("utf8");
  if (text.includes("\uFFFD") && !isUtf8(bytes)) throw new Refused(wrongUtf8());
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
};

/** Keeps every byte: decoded, invalid UTF-8 could not be rejected. */
const asBytes = "binary";

/**
 * Reads text, so that depth is checked before objects are built. koa-body's errors carry the raw body and are never
 * logged.
 */
export const createTextReader = (limits: BodyLimits): ReadText => {
  const parse = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: ["*/*"],
    textLimit: limits.bytes,
    encoding: asBytes,
  }) as unknown as Middleware;
  return async (ctx, acceptType) => {
    if (!hasBody(ctx.req)) return "";
    const type = (ctx.req.headers["content-type"] ??= "application/json");
    if (!acceptType(type)) throw new Refused(refuse("unsupported_media_type"));
    const wrongCharset = charsetRefusal(type);
    if (wrongCharset !== null) throw new Refused(wrongCharset);
    if (ctx.req.destroyed) throw new Refused(cutOff());
    try {
      await parse(ctx, nothing);
    } catch (error) {
      // koa-body stops inside a rejected body; the rest must be read before the next request.
      ctx.req.unpipe();
      ctx.req.resume();
      const refusal = refusalOf(error);
      throw refusal === null ? error : new Refused(refusal);
    }
    const text = (ctx.request as { body?: unknown }).body;
    if (typeof text !== "string") throw new Refused(refuse("unsupported_media_type"));
    return decodedText(Buffer.from(text, asBytes));
  };
};
