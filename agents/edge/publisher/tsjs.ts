import { applyCachePolicy, type CachePolicy } from "../http/cache-policy.ts";
import type { EdgeHandler } from "../context.ts";
import { BUNDLE_HASH, BUNDLE_TEXT } from "./tsjs.generated.ts";

export const TSJS_PREFIX = "/static/tsjs=";

/** Address of the library that pages and creatives load; the hash makes it safe to keep forever. */
export const tsjsScriptUrl = (): string => `${TSJS_PREFIX}tsjs-unified.min.js?v=${BUNDLE_HASH}`;

const FILES = ["tsjs-unified.js", "tsjs-unified.min.js"];

const SHORT: CachePolicy = {
  browserSeconds: 300,
  edgeSeconds: 300,
  staleWhileRevalidateSeconds: 60,
  staleIfErrorSeconds: 86_400,
};
const FOREVER: CachePolicy = { browserSeconds: 31_536_000, edgeSeconds: 31_536_000, immutable: true };

const etag = `"sha256-${BUNDLE_HASH}"`;

const matchesEtag = (header: string | null): boolean =>
  (header ?? "").split(",").some((item) => item.trim() === "*" || item.trim().replace(/^W\//, "") === etag);

/** `GET /static/tsjs=<file>`: the browser library, never the origin's. */
export const handleTsjs: EdgeHandler = async (request, context) => {
  const file = context.url.pathname.slice(TSJS_PREFIX.length);
  if (!FILES.includes(file)) {
    return new Response("Not Found", { status: 404, headers: { "content-type": "text/plain; charset=utf-8" } });
  }
  const isPinned = context.url.searchParams.get("v") === BUNDLE_HASH;
  const headers = new Headers({ etag, vary: "Accept-Encoding", "x-compress-hint": "on" });
  applyCachePolicy(headers, isPinned ? FOREVER : SHORT, context.env.traits);
  if (matchesEtag(request.headers.get("if-none-match"))) return new Response(null, { status: 304, headers });
  headers.set("content-type", "application/javascript; charset=utf-8");
  return new Response(BUNDLE_TEXT, { status: 200, headers });
};
