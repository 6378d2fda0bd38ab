import { inRequestSpan, type OpenSpan } from "../neutral/trace.ts";
import type { Log } from "../seam/ports.ts";
import type { AgentWatch } from "../seam/watch.ts";
import type { HttpContext } from "./exchange.ts";

const callsOf = (ctx: HttpContext): Readonly<Record<string, unknown>> => {
  const { count, last, principal } = ctx.state.admission.told();
  return { ...last, ...(count > 1 ? { calls: count } : {}), ...(principal === null ? {} : { principal }) };
};

/** Names by OpenTelemetry's conventions for HTTP servers. */
const tellSpan = (span: OpenSpan, method: string, route: string | undefined, status: number): void => {
  if (route !== undefined) {
    span.rename(`${method} ${route}`);
    span.set("http.route", route);
  }
  span.set("http.response.status_code", status);
  if (status >= 500) span.fail(String(status));
};

/**
 * Counts requests, makes each a span, and writes a line for each: at `info`, of a probe at `debug`. The path's pattern
 * stands for the path, and nothing else that was sent is in it.
 */
export const watchRequests = (watch: AgentWatch, log: Log) => {
  const answer = async (ctx: HttpContext, next: () => Promise<void>, span: OpenSpan): Promise<void> => {
    const startMs = performance.now();
    watch.requestBegan();
    try {
      await next();
    } finally {
      const ms = performance.now() - startMs;
      const { method, status, state } = ctx;
      const { route, requestId } = state;
      tellSpan(span, method, route?.path, status);
      watch.requestEnded({ method, door: route?.door ?? "page", status, seconds: ms / 1000 });
      const write = route?.isQuiet === true ? log.debug : log.info;
      write?.(
        {
          request_id: requestId,
          method,
          route: route?.path ?? null,
          status,
          duration_ms: Math.round(ms * 10) / 10,
          ...callsOf(ctx),
          ...(span.traceparent === null ? {} : { trace_id: span.traceparent.split("-")[1] }),
        },
        "request",
      );
    }
  };
  return (ctx: HttpContext, next: () => Promise<void>): Promise<void> =>
    inRequestSpan(ctx.method, ctx.req.headers, (span) => answer(ctx, next, span));
};
