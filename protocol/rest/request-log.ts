import type { Log } from "../seam/ports.ts";
import type { AgentWatch } from "../seam/watch.ts";
import type { HttpContext } from "./exchange.ts";

const callsOf = (ctx: HttpContext): Readonly<Record<string, unknown>> => {
  const { count, last, principal } = ctx.state.admission.told();
  return { ...last, ...(count > 1 ? { calls: count } : {}), ...(principal === null ? {} : { principal }) };
};

/**
 * Counts requests, and writes a line for each: at `info`, of a probe at `debug`. The path's pattern stands for the
 * path, and nothing else that was sent is in it.
 */
export const watchRequests =
  (watch: AgentWatch, log: Log) =>
  async (ctx: HttpContext, next: () => Promise<void>): Promise<void> => {
    const startMs = performance.now();
    watch.requestBegan();
    try {
      await next();
    } finally {
      const ms = performance.now() - startMs;
      const { method, status, state } = ctx;
      const { route, requestId } = state;
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
        },
        "request",
      );
    }
  };
