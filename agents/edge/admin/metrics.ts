import type { EdgeHandler } from "../context.ts";

/** `GET /_ts/admin/metrics`: the counters of this process in the Prometheus text format. */
export const handleMetrics: EdgeHandler = async (_, context) =>
  new Response(context.metrics.render(), {
    headers: {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
