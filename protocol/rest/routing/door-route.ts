import { Readable } from "node:stream";
import type { DoorRequest, DoorResponse, DoorRoute } from "../../door/door.ts";
import { type BodyLimits, checkDepth } from "../../neutral/json-input.ts";
import { type Refusal, refuse } from "../../neutral/refusals.ts";
import type { Runner } from "../../seam/run/run.ts";
import { sendUnchanged } from "../answer.ts";
import { isJsonType, type ReadText } from "../body.ts";
import { type HttpContext, setRate } from "../exchange.ts";
import { pageHeaders } from "../headers.ts";
import type { Handle } from "./routes.ts";

export interface DoorParts {
  readonly readText: ReadText;
  readonly limits: BodyLimits;
  readonly count: Handle;
  readonly closing: AbortSignal;
  readonly runner: Pick<Runner, "refusedAtDoor">;
}

const doorRequest = (parts: DoorParts, ctx: HttpContext): DoorRequest => ({
  method: ctx.method,
  params: ctx.params ?? {},
  headers: ctx.req.headers as Readonly<Record<string, string | undefined>>,
  address: ctx.ip,
  requestId: ctx.state.requestId,
  admission: ctx.state.admission,
  readBody: async () => {
    const text = await parts.readText(ctx, isJsonType);
    checkDepth(text, parts.limits.depth);
    return text;
  },
  node: { request: ctx.req, response: ctx.res },
});

/**
 * The last piece of a stream that a stopping server ends: when to come back, spread so that not all readers come at
 * once (HTML, 9.2.6: a `retry` field sets the reconnection time).
 */
const comeBack = (): string => `retry: ${500 + Math.floor(Math.random() * 2_000)}\n: the server is stopping\n\n`;

const hinted = (source: AsyncIterator<string>, closing: AbortSignal): AsyncIterator<string> => {
  let isTold = false;
  return {
    ...(source.return === undefined ? {} : { return: () => source.return?.() as Promise<IteratorResult<string>> }),
    next: async () => {
      const result = await source.next();
      if (result.done !== true || isTold || !closing.aborted) return result;
      isTold = true;
      return { done: false, value: comeBack() };
    },
  };
};

/** Koa destroys it when the caller disconnects. */
const streamOf = (pieces: AsyncIterable<string>, closing: AbortSignal | null): Readable => {
  const source = pieces[Symbol.asyncIterator]();
  if (closing === null) return Readable.from({ [Symbol.asyncIterator]: () => source });
  const stream = Readable.from({ [Symbol.asyncIterator]: () => hinted(source, closing) });
  const end = (): void => void source.return?.();
  closing.addEventListener("abort", end, { once: true });
  stream.once("close", () => closing.removeEventListener("abort", end));
  if (closing.aborted) end();
  return stream;
};

const isPieces = (body: DoorResponse["body"]): body is AsyncIterable<string> =>
  body !== null && typeof body === "object" && Symbol.asyncIterator in body;

const send = (ctx: HttpContext, answer: DoorResponse, closing: AbortSignal): void => {
  const { status, headers, body, ends = false } = answer;
  ctx.status = status;
  ctx.set(headers);
  if (sendUnchanged(ctx)) return;
  ctx.body = isPieces(body) ? streamOf(body, ends ? null : closing) : body;
  // Koa sends 204 without a body.
  ctx.status = status;
  // Else the caller waits for them until the first piece.
  if (isPieces(body)) ctx.flushHeaders();
};

/** Null: no gates, or passed. */
const refusalOf = async (ctx: HttpContext, route: DoorRoute): Promise<Refusal | null> => {
  const { admission } = ctx.state;
  const refused = await admission.count();
  if (refused !== null || route.access !== "key") return refused;
  const who = await admission.who();
  return "kind" in who && who.kind === "anonymous" ? refuse("authentication_required") : null;
};

/** The door's headers replace those of every answer. */
export const doorHandler =
  (parts: DoorParts, route: DoorRoute): Handle =>
  async (ctx) => {
    const { admission } = ctx.state;
    const request = doorRequest(parts, ctx);
    ctx.set(pageHeaders);
    const { refused, handle } = route;
    const refusal = refused === undefined ? null : await refusalOf(ctx, route);
    if (refused === undefined && route.uncounted !== true) await parts.count(ctx);
    if (refusal !== null) await parts.runner.refusedAtDoor(admission, refusal.code);
    setRate(ctx, await admission.remaining());
    const answer = refusal === null || refused === undefined ? await handle(request) : await refused(request, refusal);
    if (answer === "taken") ctx.respond = false;
    else send(ctx, answer, parts.closing);
  };
