import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { DoorAnswer, DoorRequest, DoorResponse, DoorRoute } from "../door/door.ts";
import { type BodyLimits, checkDepth } from "../neutral/json-input.ts";
import type { LimitState } from "../seam/ports.ts";
import { type AnswerStyle, endWith, headersOf, type HttpContext } from "./answer.ts";
import { isJsonType, type ReadText } from "./body.ts";
import { type HeaderList, pageHeaders, rateHeaders } from "./headers.ts";

export interface DoorParts {
  readonly style: AnswerStyle;
  readonly readText: ReadText;
  readonly limits: BodyLimits;
  readonly addressOf: (ctx: HttpContext) => string;
  readonly standingOf: (ctx: HttpContext) => Promise<LimitState | null>;
  /**
   * Counts a request that calls no operation against its caller: the key where it is good, else the address. Throws
   * `Refused` with `rate_limited` for one too many.
   */
  readonly count: (ctx: HttpContext) => Promise<void>;
  /** Ends open streams, so that a stopping server need not wait for their callers. */
  readonly closing: AbortSignal;
}

const setAll = (ctx: HttpContext, list: HeaderList): void => {
  for (let at = 0; at < list.length; at += 2) ctx.res.setHeader(String(list[at]), String(list[at + 1]));
};

const doorRequest = (parts: DoorParts, ctx: HttpContext): DoorRequest => ({
  method: ctx.method,
  params: (ctx as { params?: Record<string, string> }).params ?? {},
  headers: ctx.req.headers as Readonly<Record<string, string | undefined>>,
  address: parts.addressOf(ctx),
  requestId: ctx.state.requestId,
  readBody: async () => {
    const text = await parts.readText(ctx, isJsonType);
    checkDepth(text, parts.limits.depth);
    return text;
  },
  tellRate: (rate) => {
    if (rate === null) return;
    ctx.state.rate = rate;
    setAll(ctx, rateHeaders(rate));
  },
  node: { request: ctx.req, response: ctx.res },
});

/**
 * Writes the pieces as they come, waits where the caller reads slowly, and ends the source when the caller is gone or
 * the server stops.
 */
const writeStream = async (
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  closing: AbortSignal,
): Promise<void> => {
  const source = pieces[Symbol.asyncIterator]();
  const ended = new AbortController();
  const gone = new Promise<"gone">((resolve) => {
    response.once("close", () => resolve("gone"));
    closing.addEventListener("abort", () => resolve("gone"), { signal: ended.signal });
    // A caller that left before the stream was made has been told of already, and is told of no more.
    if (closing.aborted || response.destroyed) resolve("gone");
  });
  try {
    for (;;) {
      const next = await Promise.race([source.next(), gone]);
      if (next === "gone" || next.done === true) break;
      if (!response.write(next.value)) await Promise.race([once(response, "drain"), gone]);
    }
  } finally {
    ended.abort();
    void source.return?.();
    response.end();
  }
};

const write = async (ctx: HttpContext, answer: DoorResponse, closing: AbortSignal): Promise<void> => {
  const { body } = answer;
  if (body !== null && typeof body === "object" && Symbol.asyncIterator in body) {
    ctx.res.writeHead(answer.status, answer.headers);
    ctx.res.flushHeaders();
    if (ctx.method === "HEAD") {
      // A source that nobody reads must still hear that it is over: it may hold a place.
      void body[Symbol.asyncIterator]().return?.();
      return void ctx.res.end();
    }
    return writeStream(ctx.res, body, closing);
  }
  if (body === null || answer.status === 304 || answer.status === 204) {
    ctx.res.writeHead(answer.status, answer.headers);
    return void ctx.res.end();
  }
  const bytes = Buffer.byteLength(body);
  ctx.res.setHeader("Content-Length", bytes);
  ctx.res.writeHead(answer.status, answer.headers);
  endWith(ctx, body, bytes);
};

/** A door's route as a handler of the HTTP layer; its own headers replace those that every answer carries. */
export const doorHandler =
  (parts: DoorParts, route: DoorRoute) =>
  async (ctx: HttpContext): Promise<void> => {
    if (route.counted === undefined) await parts.count(ctx);
    else ctx.state.rate = await parts.standingOf(ctx);
    setAll(ctx, [...headersOf(ctx, parts.style), ...pageHeaders]);
    const answer: DoorAnswer = await route.handle(doorRequest(parts, ctx));
    if (answer !== "taken") await write(ctx, answer, parts.closing);
  };
