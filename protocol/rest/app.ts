import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import Koa from "koa";
import type { DoorRoute } from "../door/door.ts";
import { claimOf, oneHeader } from "../door/door-call.ts";
import { type BodyLimits, defaultBodyLimits, parseJson } from "../neutral/json-input.ts";
import { rateRefusal } from "../seam/gates.ts";
import type { Call, Outcome } from "../seam/operation.ts";
import type { LimitState, Log } from "../seam/ports.ts";
import { dryRunAsked, queryOf } from "../neutral/query.ts";
import { Refused, refuse, refusalTable } from "../neutral/refusals.ts";
import type { Runner } from "../seam/run.ts";
import {
  type AnswerStyle,
  beginExchange,
  type Exchange,
  type HttpContext,
  writeBug,
  writeEmpty,
  writeOutcome,
  writeRefusal,
} from "./answer.ts";
import { createTextReader, isJsonType, type ReadText } from "./body.ts";
import { endAnswer, takeTurn } from "./connections.ts";
import type { Dialects } from "./dialects/dialect.ts";
import { type DoorParts, doorHandler } from "./door-route.ts";
import type { ErrorShape } from "./errors.ts";
import { preflightHeaders } from "./headers.ts";
import { pathOf, readTarget } from "./request-head.ts";
import { echoedType, planRoutes, readQuery, type RoutePlan, withPath } from "./route-plan.ts";
import { createRouteTable, type Handle, type Mounted } from "./route-table.ts";

/**
 * What the HTTP layer needs of an agent. `trustProxy`: the nearest proxy's `X-Forwarded-For` names the caller.
 * `closing` ends the streams that are open and closes each connection with its answer, so that a server can stop.
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
}

interface RestParts {
  readonly runner: Runner;
  readonly style: AnswerStyle;
  readonly readText: ReadText;
  readonly addressOf: (ctx: HttpContext) => string;
  readonly standingOf: StandingOf;
}

/** What is left to anonymous callers of the request's address. */
type StandingOf = (ctx: HttpContext) => Promise<LimitState | null>;

/** A call under way: the thunk of the input learns the dialect, which `run` reads only after it. */
type OpenCall = { -readonly [Member in keyof Call]: Call[Member] };

const noParams: Readonly<Record<string, string>> = {};

const paramsOf = (ctx: HttpContext): Readonly<Record<string, string>> =>
  (ctx as { params?: Readonly<Record<string, string>> }).params ?? noParams;

const anyType = (): boolean => true;

const fromBody = (plan: RoutePlan, ctx: HttpContext, call: OpenCall, text: string): unknown => {
  const body = parseJson(text, plan.limits);
  const isDialect = plan.dialect?.selects(body) === true;
  if (isDialect) call.dialect = plan.dialect.name;
  return withPath(plan, isDialect ? plan.dialect.readRequest(body) : body, paramsOf(ctx));
};

const readInput = (parts: RestParts, plan: RoutePlan, ctx: HttpContext, call: OpenCall): unknown => {
  const query = queryOf(ctx.req.url ?? "");
  if (query !== null) call.dryRun = dryRunAsked(query);
  if (!plan.readsBody) return withPath(plan, query === null ? {} : readQuery(plan, query), paramsOf(ctx));
  if (query !== null) call.agents = query.getAll("agent_url");
  const text = parts.readText(ctx, plan.mediaTypes.size > 0 ? anyType : isJsonType);
  if (typeof text === "string") return fromBody(plan, ctx, call, text);
  return text.then((arrived) => fromBody(plan, ctx, call, arrived));
};

const restHandler = (parts: RestParts, plan: RoutePlan): Handle => {
  const { runner, style, addressOf, standingOf } = parts;
  const { dialect, contract, status, locate } = plan;
  const present = (output: unknown, named: string | null): unknown =>
    dialect !== null && named === dialect.name ? dialect.writeAnswer(output) : output;
  return async (ctx) => {
    const { headers } = ctx.req;
    const call: OpenCall = {
      operation: contract.name,
      door: "rest",
      caller: claimOf(ctx.req.headers, addressOf(ctx)),
      requestId: ctx.state.requestId,
      traceparent: ctx.state.traceparent,
      input: () => readInput(parts, plan, ctx, call),
      idempotencyKey: oneHeader(headers["idempotency-key"]),
      ifMatch: oneHeader(headers["if-match"]),
      dryRun: false,
      dialect: null,
      locate,
    };
    const outcome: Outcome = await runner.run(call);
    ctx.state.rate = outcome.kind === "bug" ? await standingOf(ctx) : outcome.meta.rate;
    writeOutcome(ctx, style, outcome, { status, present, mediaType: echoedType(plan, headers["content-type"]) });
  };
};

const mountAll = (rest: RestParts, door: DoorParts, parts: HttpAppParts): readonly Mounted[] => {
  const limits = parts.limits ?? defaultBodyLimits;
  const plans = parts.runner.contracts.flatMap((contract) =>
    planRoutes(contract, parts.dialects?.get(contract.name) ?? null, limits),
  );
  return [
    ...plans.map((plan) => ({ method: plan.method, path: plan.path, handle: restHandler(rest, plan) })),
    ...parts.doors.map((route) => ({ method: route.method, path: route.path, handle: doorHandler(door, route) })),
  ];
};

/** Answers what no route has taken: a preflight or OPTIONS, a method that the path does not have, an unknown path. */
const answerUnrouted = (ctx: HttpContext, style: AnswerStyle): void => {
  const layers = (ctx as { matched?: readonly { readonly methods: readonly string[] }[] }).matched ?? [];
  const methods = [...new Set(layers.flatMap((layer) => layer.methods))];
  if (methods.length === 0) {
    const message = "There is nothing at this path. /openapi.json lists what there is.";
    return writeRefusal(ctx, style, 404, refuse("not_found", { message }));
  }
  const allow = ["Allow", [...methods, "OPTIONS"].sort().join(", ")];
  if (ctx.method !== "OPTIONS") {
    ctx.res.setHeader("Allow", String(allow[1]));
    return writeRefusal(ctx, style, 405, refuse("method_not_allowed"));
  }
  const isPreflight = style.cors && ctx.req.headers["access-control-request-method"] !== undefined;
  return writeEmpty(ctx, style, 204, isPreflight ? [...allow, ...preflightHeaders(ctx.req.headers)] : allow);
};

/** The one boundary of the HTTP layer: a refusal is encoded; a bug is logged, and answered bare. */
const answerThrown = (ctx: HttpContext, style: AnswerStyle, log: Log, error: unknown): void => {
  if (ctx.res.headersSent) {
    ctx.res.destroy();
  } else if (error instanceof Refused) {
    return writeRefusal(ctx, style, refusalTable[error.refusal.code].status, error.refusal);
  } else {
    writeBug(ctx, style);
  }
  const cause = error instanceof Error ? { error: error.name, message: error.message, stack: error.stack } : {};
  log.error({ request_id: ctx.state.requestId, ...cause }, "bug");
};

/**
 * Runs `each` for all that has arrived in one turn of the event loop, when that turn was read. What arrived together is
 * answered together, each step for all of it before the next step, so that the processor finds a step's code and tables
 * in its caches; request by request, every step would bring its own in anew.
 */
const byTurn = <T>(each: (one: T) => void): ((one: T) => void) => {
  let arrived: T[] = [];
  const runAll = (): void => {
    const together = arrived;
    arrived = [];
    for (const one of together) each(one);
  };
  return (one) => {
    if (arrived.push(one) === 1) setImmediate(runAll);
  };
};

/**
 * The HTTP face of an agent: every REST route of its operation list, and the routes that other doors and the pages
 * bring. Answers are written here; nothing is left to Koa's own responder. Throws where two routes collide.
 */
export const createHttpApp = (parts: HttpAppParts): RequestListener => {
  const style: AnswerStyle = { errorShape: parts.errorShape, cors: parts.cors };
  const limits = parts.limits ?? defaultBodyLimits;
  const readText = createTextReader(limits);
  const addressOf = parts.trustProxy === true ? ipOf : socketAddress;
  const closing = parts.closing ?? new AbortController().signal;
  const standingOf: StandingOf = (ctx) => parts.runner.standing(addressOf(ctx));
  const count: DoorParts["count"] = async (ctx) => {
    const { rate } = await parts.runner.identify(claimOf(ctx.req.headers, addressOf(ctx)), { counted: true });
    ctx.state.rate = rate;
    const limited = rateRefusal(rate);
    if (limited !== null) throw new Refused(limited);
  };
  const rest: RestParts = { runner: parts.runner, style, readText, addressOf, standingOf };
  const door: DoorParts = { style, readText, limits, addressOf, standingOf, count, closing };
  const table = createRouteTable(mountAll(rest, door, parts));
  const app = new Koa<Exchange>({ proxy: parts.trustProxy === true, maxIpsCount: 1 });
  // Koa tells of connections that broke while an answer was written; left alone it prints them.
  app.on("error", (error: NodeJS.ErrnoException) => {
    parts.log.info({ code: error.code ?? error.name }, "connection lost");
  });
  const onLost = (error: Error): boolean => app.emit("error", error);
  const route = async (ctx: HttpContext): Promise<void> => {
    try {
      const url = readTarget(ctx.req);
      if (typeof url !== "string") {
        await count(ctx);
        throw new Refused(url);
      }
      ctx.req.url = url;
      const path = pathOf(url);
      const handle = table.direct(ctx, path);
      if (handle !== undefined) return await handle(ctx);
      await table.dispatch(ctx, path);
      if ((ctx as { routeMatched?: boolean }).routeMatched === true) return;
      if (ctx.method === "OPTIONS") ctx.state.rate = await standingOf(ctx);
      else await count(ctx);
      answerUnrouted(ctx, style);
    } catch (error) {
      ctx.state.rate ??= await standingOf(ctx);
      answerThrown(ctx, style, parts.log, error);
    } finally {
      endAnswer(ctx.req, ctx.res);
    }
  };
  const answerTogether = byTurn((ctx: HttpContext) => void route(ctx).catch((error: Error) => ctx.onerror(error)));
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const ctx = app.createContext(request, response) as unknown as HttpContext;
    beginExchange(ctx);
    if (closing.aborted) response.shouldKeepAlive = false;
    answerTogether(ctx);
  };
  return (request, response) => takeTurn(request, response, onLost, begin);
};

const socketAddress = (ctx: HttpContext): string => ctx.req.socket.remoteAddress ?? "unknown";
const ipOf = (ctx: HttpContext): string => ctx.ip;
