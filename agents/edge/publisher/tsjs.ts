import { applyCachePolicy, type CachePolicy } from "../http/cache-policy.ts";
import type { EdgeHandler } from "../context.ts";
import { bundleHash, bundleText } from "./tsjs.generated.ts";

export const tsjsPrefix = "/static/tsjs=";

/** Address of the library that pages and creatives load; the hash makes it safe to keep forever. */
export const tsjsScriptUrl = (): string => `${tsjsPrefix}tsjs-unified.min.js?v=${bundleHash}`;

const files = ["tsjs-unified.js", "tsjs-unified.min.js"];

const short: CachePolicy = {
  browserSeconds: 300,
  edgeSeconds: 300,
  staleWhileRevalidateSeconds: 60,
  staleIfErrorSeconds: 86_400,
};
const forever: CachePolicy = { browserSeconds: 31_536_000, edgeSeconds: 31_536_000, immutable: true };

const etag = `"sha256-${bundleHash}"`;

const matchesEtag = (header: string | null): boolean =>
  (header ?? "").split(",").some((item) => item.trim() === "*" || item.trim().replace(/^W\//, "") === etag);

/** `GET /static/tsjs=<file>`: the browser library, never the origin's. */
export const handleTsjs: EdgeHandler = async (request, context) => {
  const file = context.url.pathname.slice(tsjsPrefix.length);
  if (!files.includes(file)) {
    return new Response("Not Found", { status: 404, headers: { "content-type": "text/plain; charset=utf-8" } });
  }
  const isPinned = context.url.searchParams.get("v") === bundleHash;
  const headers = new Headers({ etag, vary: "Accept-Encoding", "x-compress-hint": "on" });
  applyCachePolicy(headers, isPinned ? forever : short, context.env.traits);
  if (matchesEtag(request.headers.get("if-none-match"))) return new Response(null, { status: 304, headers });
  headers.set("content-type", "application/javascript; charset=utf-8");
  return new Response(bundleText, { status: 200, headers });
};
