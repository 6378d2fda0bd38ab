import type { EdgeConfig } from "../config.ts";
import type { Geo } from "../platform.ts";
import type { EdgeEnv, EdgeResponse } from "../platform.ts";

const edgeCacheHeaders = [
  "surrogate-control",
  "fastly-surrogate-control",
  "cdn-cache-control",
  "cloudflare-cdn-cache-control",
];

export const isPrivate = (headers: Headers): boolean =>
  /(?:^|[\s,])(?:private|no-store)(?:$|[\s,=;])/i.test(headers.get("cache-control") ?? "");

/** A response that sets a cookie must never be kept by a shared cache. */
export const guardCookiePrivacy = (headers: Headers): void => {
  if (!headers.has("set-cookie")) return;
  for (const name of edgeCacheHeaders) headers.delete(name);
  if (!isPrivate(headers)) headers.set("cache-control", "private, max-age=0");
};

const headerText = (text: string | number): string =>
  String(text).replace(/[^\x20-\x7e]+/g, (odd) =>
    [...new TextEncoder().encode(odd)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );

const geoPairs = (geo: Geo): [string, string | number | undefined][] => [
  ["x-geo-city", geo.city],
  ["x-geo-country", geo.country],
  ["x-geo-continent", geo.continent],
  [
    "x-geo-coordinates",
    geo.latitude === undefined || geo.longitude === undefined ? undefined : `${geo.latitude},${geo.longitude}`,
  ],
  ["x-geo-metro-code", (geo.metro_code ?? 0) > 0 ? geo.metro_code : undefined],
  ["x-geo-region", geo.region],
];

const addGeo = (response: EdgeResponse, env: EdgeEnv, geo: Geo | null): void => {
  const { geoHeaders } = env.traits;
  if (geoHeaders === "full" && response.status === 401) return;
  const known = geoHeaders !== "none" && geo !== null;
  if (known && geoHeaders === "full") {
    for (const [name, value] of geoPairs(geo)) if (value !== undefined) response.headers.set(name, headerText(value));
  }
  response.headers.set("x-geo-info-available", String(known));
};

const addOperatorHeaders = (headers: Headers, config: EdgeConfig): void => {
  const keepsPrivate = isPrivate(headers);
  for (const [name, value] of Object.entries(config.response_headers)) {
    const isCacheHeader = name.toLowerCase() === "cache-control" || edgeCacheHeaders.includes(name.toLowerCase());
    if (!keepsPrivate || !isCacheHeader) headers.set(name, value);
  }
};

/**
 * The standard finalizer: every routed response passes it, in this order, the last write winning.
 * Changes the response's headers in place. `config` is `null` in startup-error mode.
 */
export const finalizeResponse = <R extends EdgeResponse>(
  response: R,
  env: EdgeEnv,
  config: EdgeConfig | null,
  geo: Geo | null,
): R => {
  addGeo(response, env, geo);
  if (env.deployment.version !== undefined) response.headers.set("x-ts-version", env.deployment.version);
  if (env.deployment.staging) response.headers.set("x-ts-env", "staging");
  guardCookiePrivacy(response.headers);
  if (config !== null) addOperatorHeaders(response.headers, config);
  guardCookiePrivacy(response.headers);
  return response;
};
