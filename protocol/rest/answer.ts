import type { Outcome } from "../seam/operation.ts";
import type { Refusal } from "../neutral/refusals.ts";
import { errorBody, type ErrorShape, internalError, problemBody, type WireError } from "./errors.ts";
import type { HttpContext } from "./exchange.ts";

const jsonType = "application/json; charset=utf-8";

const sendJson = (ctx: HttpContext, status: number, type: string, value: unknown): void => {
  ctx.status = status;
  ctx.set("Content-Type", type);
  ctx.body = JSON.stringify(value) ?? "null";
};

const wantsProblem = (ctx: HttpContext): boolean =>
  ctx.req.headers.accept?.includes("application/problem+json") === true;

/** RFC 9457 problem details where the caller accepts them. */
const sendError = (ctx: HttpContext, shape: ErrorShape, status: number, error: WireError): void => {
  if (wantsProblem(ctx)) {
    return sendJson(ctx, status, "application/problem+json", problemBody(status, error, ctx.state.requestId));
  }
  return sendJson(ctx, status, jsonType, errorBody(shape, error));
};

export const sendRefusal = (ctx: HttpContext, shape: ErrorShape, status: number, refusal: Refusal): void => {
  const { code, message, extras, issues, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) {
    ctx.set("Retry-After", String(Math.max(0, Math.ceil(retryAfterSeconds))));
  }
  sendError(ctx, shape, status, { code, message, extras, ...(issues === undefined ? {} : { issues }) });
};

/** The cause is in the log under the request id. */
export const sendBug = (ctx: HttpContext, shape: ErrorShape): void =>
  sendError(ctx, shape, 500, internalError(ctx.state.requestId));

/** Weak comparison (RFC 9110, 13.1.2). Koa's `fresh` never returns 304 to `no-cache`, which `fetch` always adds. */
const hasTag = (given: string | undefined, etag: string): boolean =>
  given !== undefined &&
  (given.trim() === "*" || given.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));

/** Call it after status and headers. */
export const sendUnchanged = (ctx: HttpContext): boolean => {
  const etag = ctx.response.get("ETag");
  const isRead = ctx.status === 200 && (ctx.method === "GET" || ctx.method === "HEAD");
  if (!isRead || !etag || !hasTag(ctx.req.headers["if-none-match"], etag)) return false;
  ctx.status = 304;
  ctx.body = null;
  return true;
};

/** `mediaType` null: the default. */
export interface DoneForm {
  readonly status: number;
  readonly present: (output: unknown, dialect: string | null) => unknown;
  readonly mediaType: string | null;
}

export const sendOutcome = (ctx: HttpContext, shape: ErrorShape, outcome: Outcome, form: DoneForm): void => {
  if (outcome.kind === "bug") return sendBug(ctx, shape);
  if (outcome.kind === "refused") return sendRefusal(ctx, shape, outcome.status, outcome.refusal);
  const { meta } = outcome;
  if (meta.replayed) ctx.set("Idempotency-Replayed", "true");
  ctx.status = form.status;
  if (meta.revision !== null) {
    ctx.set("ETag", `"${meta.revision}"`);
    if (sendUnchanged(ctx)) return undefined;
  }
  return sendJson(ctx, form.status, form.mediaType ?? jsonType, form.present(outcome.output, meta.dialect));
};
