import type { EdgeHandler } from "../context.ts";
import { renderSeries } from "../metrics.ts";
import { plainText } from "../http/refusals.ts";

export const handleMetrics: EdgeHandler = async (_, { env, metrics }) => {
  const own = metrics.snapshot();
  return new Response(renderSeries((await env.peers?.sums(own)) ?? own), {
    headers: {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
};

export const declineMetrics: EdgeHandler = async (_, context) =>
  plainText(501, `Metrics are not supported ${context.env.traits.place}.\nUse the production adapter (runtime A).`);
