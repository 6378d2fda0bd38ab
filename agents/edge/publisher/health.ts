import type { EdgeHandler } from "../context.ts";

/** `GET /health` where the router serves it. */
export const handleHealth: EdgeHandler = async () =>
  new Response("ok", { headers: { "content-type": "text/plain; charset=utf-8" } });
