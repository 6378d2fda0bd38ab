import type { EdgeHandler } from "../context.ts";

export const handleHealth: EdgeHandler = async () =>
  new Response("ok", { headers: { "content-type": "text/plain; charset=utf-8" } });
