import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";
import { koaBody } from "koa-body";
import type { BodyLimits } from "../neutral/json-input.ts";
import { type Refusal, Refused, refuse } from "../neutral/refusals.ts";

/** Reads the text of a request body; an absent body is an empty text. Throws `Refused` for one that cannot be had. */
export type ReadText = (ctx: Context, acceptType: (type: string) => boolean) => string | Promise<string>;

const vendorJson = /^application\/(?:json|[a-z0-9!#$&^_.+-]{1,100}\+json)[ \t]*(?:;|$)/i;

/** JSON, and every vendor type that says it is JSON; a body without a type is taken for JSON. */
export const isJsonType = (type: string): boolean => type === "application/json" || vendorJson.test(type);

const nothing = async (): Promise<void> => undefined;

const hasBody = (request: IncomingMessage): boolean => {
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
};

const refusalOf = (error: unknown): Refusal | null => {
  const { status, code, type } = error as { status?: unknown; code?: unknown; type?: unknown };
  if (status === 413) return refuse("body_too_large");
  if (status === 415) return refuse("unsupported_media_type", { message: "Encode the body as gzip, deflate or br." });
  if (status === 400 && typeof type === "string") {
    return cutOff();
  }
  const isBroken = typeof code === "string" && (code.startsWith("Z_") || code.startsWith("ERR_"));
  return isBroken || code === "ECONNRESET" ? refuse("malformed_body") : null;
};

const cutOff = (): Refusal =>
  refuse("malformed_body", { message: "The body was cut off or is not as long as Content-Length says." });

/** Whether the body comes as it is and its header says that it keeps the limit. */
const isPlain = ({ headers }: IncomingMessage, limits: BodyLimits): boolean =>
  headers["content-encoding"] === undefined && Number(headers["content-length"]) <= limits.bytes;

const wrongUtf8 = (): Refusal => {
  const issue = { type: "utf8_invalid", loc: ["body"], msg: "The body is not valid UTF-8." };
  return refuse("validation_error", { issues: [issue] });
};

/** The decoder puts U+FFFD where bytes are no UTF-8; where it is found, the bytes say whether it was sent. */
const textOf = (bytes: Buffer): string => {
  const text = bytes.toString("utf8");
  if (text.includes("\uFFFD") && !isUtf8(bytes)) throw new Refused(wrongUtf8());
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
};

/** What arrives of a plain body. The parser of the requests lets no more through than the header says. */
const collect = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new Refused(cutOff()));
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    // Nothing of the body stays with the request, which may outlive its answer.
    request.once("end", () => resolve(Buffer.concat(pieces.splice(0))));
    request.once("close", () => {
      if (!request.readableEnded) reject(new Refused(cutOff()));
    });
  });

/** The text of a plain body; mostly all of it is there by now, and nothing has to be waited for. */
const readPlain = (request: IncomingMessage): string | Promise<string> => {
  const whole = request.complete && !request.destroyed ? (request.read() as Buffer | null) : null;
  return whole === null ? collect(request).then(textOf) : textOf(whole);
};

/** The koa-body encoding that keeps every byte: as text of UTF-8 it could not be told what had arrived. */
const asBytes = "binary";

const parseText = async (parse: Middleware, ctx: Context): Promise<string> => {
  ctx.req.headers["content-type"] ??= "application/json";
  try {
    await parse(ctx, nothing);
  } catch (error) {
    // The parser leaves a refused body where it stopped; the rest has to run off before the next request is seen.
    ctx.req.unpipe();
    ctx.req.resume();
    const refusal = refusalOf(error);
    throw refusal === null ? error : new Refused(refusal);
  }
  const text = (ctx.request as { body?: unknown }).body;
  if (typeof text !== "string") throw new Refused(refuse("unsupported_media_type"));
  return textOf(Buffer.from(text, asBytes));
};

/**
 * Makes the body reader. It takes the text, not the value: depth is judged before any object is built. What is packed,
 * comes in chunks or says that it is too long is koa-body's; a plain body of known length needs none of its machinery.
 * koa-body's limit counts inflated bytes. Its errors carry the raw body and are therefore never passed on or logged.
 */
export const createTextReader = (limits: BodyLimits): ReadText => {
  const parse: Middleware = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: ["*/*"],
    textLimit: limits.bytes,
    encoding: asBytes,
  }) as unknown as Middleware;
  return (ctx, acceptType) => {
    if (!hasBody(ctx.req)) return "";
    const type = ctx.req.headers["content-type"];
    if (type !== undefined && !acceptType(type)) throw new Refused(refuse("unsupported_media_type"));
    return isPlain(ctx.req, limits) ? readPlain(ctx.req) : parseText(parse, ctx);
  };
};
