import type { Context } from "koa";
import type { Outcome, OutcomeMeta } from "../seam/operation.ts";
import type { Refusal } from "../neutral/refusals.ts";
import { errorBody, type ErrorShape, internalError, problemBody, type WireError } from "./errors.ts";
import { closedPolicy, type HeaderList, openOrigin, rateHeaders, requestIdOf, traceparentOf } from "./headers.ts";

/** What the HTTP layer keeps of a request beside Koa's own context. */
export interface Exchange {
  requestId: string;
  traceparent: string | null;
  /** What is left of the caller's quota; null where there is no limit. */
  rate: OutcomeMeta["rate"];
}

export type HttpContext = Context & { state: Exchange };

/** How an agent answers: the shape of its errors, and whether browsers of other origins may read. */
export interface AnswerStyle {
  readonly errorShape: ErrorShape;
  readonly cors: boolean;
}

const jsonType = "application/json; charset=utf-8";

/** Fills the exchange of a request. */
export const beginExchange = (ctx: HttpContext): void => {
  ctx.state.requestId = requestIdOf(ctx.req.headers);
  ctx.state.traceparent = traceparentOf(ctx.req.headers);
  ctx.state.rate = null;
};

/**
 * The headers that every answer carries: decision 80, security, and what a cache on the way may keep, which is nothing
 * of an authenticated answer and no other one unasked. Each header costs a third of a microsecond, so there are few.
 */
export const headersOf = (ctx: HttpContext, style: AnswerStyle): string[] => {
  const { headers } = ctx.req;
  const { requestId, traceparent, rate } = ctx.state;
  const isNamed = headers.authorization !== undefined || headers["x-api-key"] !== undefined;
  const list = [
    "Request-Id",
    requestId,
    "X-Content-Type-Options",
    "nosniff",
    "Content-Security-Policy",
    closedPolicy,
    "Cache-Control",
    isNamed ? "no-store" : "no-cache",
  ];
  if (traceparent !== null) list.push("traceparent", traceparent);
  if (rate !== null) list.push(...rateHeaders(rate));
  if (style.cors && headers.origin !== undefined) list.push(...openOrigin);
  return list;
};

/**
 * Ends an answer with its whole body. `end` would hand an empty piece on behind it, and two pieces cost the socket more
 * than one; without the cork `write` would wait for it. A text of as many bytes as characters is all ASCII, which is
 * copied as it is where UTF-8 would be encoded.
 */
export const endWith = ({ res }: HttpContext, body: string | Uint8Array, bytes: number): void => {
  res.cork();
  res.write(body, bytes === body.length ? "latin1" : "utf8");
  res.uncork();
  res.end();
};

/** Writes a whole JSON answer in one piece. */
const writeJson = (ctx: HttpContext, status: number, type: string, value: unknown, headers: string[]): void => {
  const body = JSON.stringify(value) ?? "null";
  const bytes = Buffer.byteLength(body);
  headers.push("Content-Type", type, "Content-Length", String(bytes));
  ctx.res.writeHead(status, headers);
  endWith(ctx, body, bytes);
};

const wantsProblem = (ctx: HttpContext): boolean =>
  ctx.req.headers.accept?.includes("application/problem+json") === true;

/** Writes an error in the agent's shape, or as problem details where the caller asks for them. */
const writeError = (
  ctx: HttpContext,
  style: AnswerStyle,
  status: number,
  error: WireError,
  more: HeaderList = [],
): void => {
  const headers = [...headersOf(ctx, style), ...more];
  if (status === 401) headers.push("WWW-Authenticate", "Bearer");
  if (wantsProblem(ctx)) {
    const problem = problemBody(status, error, ctx.state.requestId);
    return writeJson(ctx, status, "application/problem+json", problem, headers);
  }
  return writeJson(ctx, status, jsonType, errorBody(style.errorShape, error), headers);
};

/** Writes a refusal with the status that its operation gives it; 429 and 503 always say when to come back. */
export const writeRefusal = (ctx: HttpContext, style: AnswerStyle, status: number, refusal: Refusal): void => {
  const more: string[] = [];
  const isWait = status === 429 || status === 503;
  const seconds = refusal.retryAfterSeconds ?? (isWait ? (ctx.state.rate?.resetSeconds ?? 1) : null);
  if (seconds !== null) more.push("Retry-After", String(Math.max(0, Math.ceil(seconds))));
  const { code, message, extras, issues } = refusal;
  writeError(ctx, style, status, { code, message, extras, ...(issues === undefined ? {} : { issues }) }, more);
};

/** Writes the bare 500 of a bug; what went wrong is in the log under the request id. */
export const writeBug = (ctx: HttpContext, style: AnswerStyle): void =>
  writeError(ctx, style, 500, internalError(ctx.state.requestId));

const isUnchanged = (ctx: HttpContext, status: number, etag: string): boolean =>
  status === 200 &&
  (ctx.req.method === "GET" || ctx.req.method === "HEAD") &&
  matchesTag(ctx.req.headers["if-none-match"], etag);

/** Whether `If-None-Match` names the tag; compared weakly (RFC 9110, 13.1.2). */
export const matchesTag = (given: string | undefined, etag: string): boolean =>
  given !== undefined &&
  (given.trim() === "*" || given.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));

/** Writes an answer without content. */
export const writeEmpty = (ctx: HttpContext, style: AnswerStyle, status: number, more: HeaderList): void => {
  ctx.res.writeHead(status, [...headersOf(ctx, style), ...more]);
  ctx.res.end();
};

/**
 * How a REST route answers what was done: `present` puts the output into the record's dialect, `mediaType` is the name
 * of JSON that the caller used, null for its own.
 */
export interface DoneForm {
  readonly status: number;
  readonly present: (output: unknown, dialect: string | null) => unknown;
  readonly mediaType: string | null;
}

/** Writes what `run` returned for a REST route. */
export const writeOutcome = (ctx: HttpContext, style: AnswerStyle, outcome: Outcome, form: DoneForm): void => {
  if (outcome.kind === "bug") return writeBug(ctx, style);
  const { meta } = outcome;
  if (outcome.kind === "refused") return writeRefusal(ctx, style, outcome.status, outcome.refusal);
  const headers = headersOf(ctx, style);
  if (meta.replayed) headers.push("Idempotency-Replayed", "true");
  if (meta.revision !== null) {
    const etag = `"${meta.revision}"`;
    headers.push("ETag", etag);
    if (isUnchanged(ctx, form.status, etag)) {
      ctx.res.writeHead(304, headers);
      ctx.res.end();
      return undefined;
    }
  }
  const output = form.present(outcome.output, meta.dialect);
  return writeJson(ctx, form.status, form.mediaType ?? jsonType, output, headers);
};
