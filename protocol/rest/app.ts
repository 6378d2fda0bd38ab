import { setMaxListeners } from "node:events";
import type { RequestListener } from "node:http";
import Koa from "koa";
import { bearerChallenge, type Challenge } from "../door/challenge.ts";
import type { DoorRoute } from "../door/door.ts";
import { type BodyLimits, defaultBodyLimits } from "../neutral/json-input.ts";
import { isRefusal, Refused, refusalTable } from "../neutral/refusals.ts";
import type { Log } from "../seam/ports.ts";
import type { Runner } from "../seam/run/run.ts";
import { causeOf } from "../seam/run/store-failure.ts";
import { type AgentWatch, type HttpDoor, noWatch } from "../seam/watch.ts";
import { sendBug, sendRefusal } from "./answer.ts";
import { createTextReader } from "./body.ts";
import { takeTurn } from "./connections.ts";
import type { Dialects } from "./dialects/dialect.ts";
import { doorHandler } from "./routing/door-route.ts";
import type { ErrorShape } from "./errors.ts";
import { type Exchange, type HttpContext, openExchange } from "./exchange.ts";
import { readTarget } from "./request-head.ts";
import { watchRequests } from "./request-log.ts";
import { restHandler } from "./routing/rest-route.ts";
import { planRoutes } from "./routing/route-plan.ts";
import { answerUnrouted, createRouter, type Handle, type Mounted } from "./routing/routes.ts";

/**
 * `trustProxy`: the nearest `X-Forwarded-For` is the caller. `closing` ends streams and closes each connection with its
 * answer.
 */
export interface HttpAppParts {
  readonly runner: Runner;
  readonly errorShape: ErrorShape;
  readonly doors: readonly DoorRoute[];
  readonly log: Log;
  readonly cors: boolean;
  readonly limits?: BodyLimits;
  readonly dialects?: Dialects;
  readonly trustProxy?: boolean;
  readonly closing?: AbortSignal;
  /** Every answer says so, and a request for real business is refused. */
  readonly isSandbox?: boolean;
  readonly challenge?: Challenge;
  /** Left out: nothing is counted. */
  readonly watch?: AgentWatch;
}

/** A wrong credential is accepted where none is needed. */
const count: Handle = async (ctx) => {
  const refused = await ctx.state.admission.count();
  if (refused?.code === "rate_limited") throw new Refused(refused);
};

/** A refusal is sent; a bug is logged and answered without detail. */
const errorBoundary =
  (shape: ErrorShape, log: Log) =>
  async (ctx: HttpContext, next: () => Promise<void>): Promise<void> => {
    try {
      await next();
    } catch (error) {
      if (ctx.headerSent) {
        ctx.res.destroy();
      } else if (error instanceof Refused) {
        return sendRefusal(ctx, shape, refusalTable[error.refusal.code].status, error.refusal);
      } else {
        sendBug(ctx, shape);
      }
      log.error({ request_id: ctx.state.requestId, ...causeOf(error) }, "bug");
    }
  };

const checkHead = async (ctx: HttpContext, next: () => Promise<void>): Promise<void> => {
  const url = readTarget(ctx.req);
  if (isRefusal(url)) {
    await count(ctx);
    throw new Refused(url);
  }
  ctx.url = url;
  await next();
};

const doorsAt: readonly (readonly [RegExp, HttpDoor])[] = [
  [/^(\/adcp)?\/mcp(\/|$)/, "mcp"],
  [/^\/a2a\//, "a2a"],
  [/^\/rpc$/, "rpc"],
];

const doorAt = (path: string): HttpDoor => doorsAt.find(([form]) => form.test(path))?.[1] ?? "page";

const mountAll = (parts: HttpAppParts, closing: AbortSignal): readonly Mounted[] => {
  const limits = parts.limits ?? defaultBodyLimits;
  const readText = createTextReader(limits);
  const rest = { runner: parts.runner, errorShape: parts.errorShape, readText };
  const plans = parts.runner.contracts.flatMap((contract) =>
    planRoutes(contract, parts.dialects?.get(contract.name) ?? null, limits),
  );
  return [
    ...plans.map((plan) => ({
      method: plan.method,
      path: plan.path,
      door: "rest" as const,
      handle: restHandler(rest, plan),
    })),
    ...parts.doors.map((route) => ({
      method: route.method,
      path: route.path,
      door: doorAt(route.path),
      isQuiet: route.uncounted === true,
      handle: doorHandler({ readText, limits, count, closing, runner: parts.runner }, route),
    })),
  ];
};

/** Throws where two routes collide. */
export const createHttpApp = (parts: HttpAppParts): RequestListener => {
  const { runner, errorShape, cors, log, challenge = bearerChallenge, watch = noWatch } = parts;
  const closing = parts.closing ?? new AbortController().signal;
  // One listener per open stream.
  setMaxListeners(0, closing);
  const app = new Koa<Exchange>({ proxy: parts.trustProxy === true, maxIpsCount: 1 });
  // Broken connections: without a listener Koa prints them.
  app.on("error", (error: NodeJS.ErrnoException) => log.info({ code: error.code ?? error.name }, "connection lost"));
  app.use(watchRequests(watch, log));
  app.use(openExchange(runner, { cors, closing, challenge, isSandbox: parts.isSandbox === true }));
  app.use(errorBoundary(errorShape, log));
  app.use(checkHead);
  app.use(createRouter(mountAll(parts, closing)));
  app.use(answerUnrouted({ errorShape, cors, count }));
  const answer = app.callback();
  return (request, response) => takeTurn(request, response, answer);
};
