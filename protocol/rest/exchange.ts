import type { IncomingMessage } from "node:http";
import type { Middleware, ParameterizedContext } from "koa";
import { type Challenge, invalidToken, lackingScope } from "../door/challenge.ts";
import { credentialsOf } from "../door/door-call.ts";
import { admissionAsked, sandboxHeader } from "../door/sandbox.ts";
import type { Admission } from "../seam/admission.ts";
import { presentedSecret } from "../seam/caller.ts";
import type { LimitState } from "../seam/ports.ts";
import type { Runner } from "../seam/run/run.ts";
import type { HttpDoor } from "../seam/watch.ts";
import { closedPolicy, openOrigin, rateHeaders, requestIdOf, traceparentOf } from "./headers.ts";

export interface Exchange {
  requestId: string;
  traceparent: string | null;
  admission: Admission;
  /** Left out before one fits. */
  route?: { readonly path: string; readonly door: HttpDoor; readonly isQuiet?: boolean };
}

export type HttpContext = ParameterizedContext<Exchange> & { readonly params?: Readonly<Record<string, string>> };

/** A 429 or 503 without a time gets the end of the window. */
export const setRate = (ctx: HttpContext, rate: LimitState | null): void => {
  if (rate !== null) ctx.set(rateHeaders(rate));
  const isWait = ctx.status === 429 || ctx.status === 503;
  if (isWait && !ctx.res.hasHeader("Retry-After")) ctx.set("Retry-After", String(rate?.resetSeconds ?? 1));
};

/** Bounds of reading an unread body before closing. */
const mostDrained = 16_777_216;
const longestDrainMs = 2000;

/** Closed over unread bytes, a connection is reset and its answer lost (RFC 9112, 9.6). */
const drain = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, longestDrainMs);
    let bytes = 0;
    request.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > mostDrained) resolve();
    });
    request.once("close", resolve).once("end", resolve).resume();
    request.once("close", () => clearTimeout(timer)).once("end", () => clearTimeout(timer));
  });

/** Sets request id, trace, admission and common headers. Authenticated answers are not cacheable. */
export const openExchange =
  (
    runner: Pick<Runner, "admit">,
    {
      cors,
      closing,
      challenge,
      isSandbox,
    }: {
      readonly cors: boolean;
      readonly closing: AbortSignal;
      readonly challenge: Challenge;
      readonly isSandbox: boolean;
    },
  ) =>
  async (ctx: HttpContext, next: () => Promise<void>): Promise<void> => {
    const { headers } = ctx.req;
    const traceparent = traceparentOf(headers);
    const claim = credentialsOf(headers, ctx.ip);
    const admission = admissionAsked(runner.admit(claim), headers, ctx.req.url ?? "", isSandbox);
    ctx.state = { requestId: requestIdOf(headers), traceparent, admission };
    if (closing.aborted) ctx.res.shouldKeepAlive = false;
    const isNamed = claim.authorization !== null || claim.apiKey !== null || claim.cookies !== null;
    ctx.set("Request-Id", ctx.state.requestId);
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set("Content-Security-Policy", closedPolicy);
    ctx.set("Cache-Control", isNamed ? "no-store" : "no-cache");
    if (traceparent !== null) ctx.set("traceparent", traceparent);
    if (isSandbox) ctx.set(sandboxHeader, "true");
    if (cors && headers.origin !== undefined) ctx.set(openOrigin);
    await next();
    if (ctx.headerSent || ctx.respond === false) return;
    setRate(ctx, await admission.remaining());
    const lacking = admission.lackingScope();
    if (ctx.status === 401) {
      ctx.set("WWW-Authenticate", presentedSecret(claim) === null ? challenge() : challenge(invalidToken));
    }
    if (ctx.status === 403 && lacking !== null) ctx.set("WWW-Authenticate", challenge(lackingScope(lacking)));
    if (!ctx.res.shouldKeepAlive && !ctx.req.complete && !ctx.req.destroyed) await drain(ctx.req);
  };

export type HttpMiddleware = Middleware<Exchange>;
