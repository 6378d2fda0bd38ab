import { applyCachePolicy } from "../../http/cache-policy.ts";
import type { EdgeConfig } from "../../config.ts";
import type { EdgeContext } from "../../context.ts";
import { dropHopByHop, reduceAcceptEncoding } from "../../http/outbound-headers.ts";
import type { EdgeRequest, EdgeResponse } from "../../platform.ts";
import { refuse } from "../../http/refusals.ts";
import { assetPolicies, mayCacheAsset } from "./asset-cache.ts";
import { answerWith, originIdleMs, upstreamRefusal } from "../origin.ts";
import { signSigV4 } from "./sigv4.ts";

type AssetRoute = EdgeConfig["proxy"]["asset_routes"][number];

const forwarded = [
  "user-agent",
  "accept",
  "accept-language",
  "referer",
  "if-none-match",
  "if-modified-since",
  "if-match",
  "if-unmodified-since",
  "range",
  "if-range",
];

const withheld = ["set-cookie", "strict-transport-security", "clear-site-data"];

export const findAssetRoute = (config: EdgeConfig, method: string, path: string): AssetRoute | null => {
  if (method !== "GET" && method !== "HEAD") return null;
  let best: AssetRoute | null = null;
  for (const route of config.proxy.asset_routes) {
    if (path.startsWith(route.prefix) && route.prefix.length > (best?.prefix.length ?? -1)) best = route;
  }
  return best;
};

const targetPath = (route: AssetRoute, path: string): string | null => {
  if (route.path_pattern === undefined || route.target_path === undefined) return path;
  const pattern = new RegExp(route.path_pattern);
  if (!pattern.test(path)) return null;
  const target = path.replace(pattern, route.target_path);
  return target.startsWith("/") && !target.startsWith("//") ? target : null;
};

const requestHeaders = (request: EdgeRequest, route: AssetRoute, target: URL, nowMs: number): Headers => {
  const headers = new Headers({ host: target.host });
  for (const name of forwarded) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  headers.set("accept-encoding", reduceAcceptEncoding(request.headers.get("accept-encoding")) ?? "identity");
  const { auth } = route;
  if (auth === undefined) return headers;
  const signed = signSigV4({
    method: request.method,
    url: target,
    nowMs,
    credentials: {
      region: auth.region,
      accessKeyId: auth.access_key_id,
      secretAccessKey: auth.secret_access_key,
      ...(auth.session_token === undefined ? {} : { sessionToken: auth.session_token }),
    },
  });
  for (const [name, value] of Object.entries(signed)) headers.set(name, value);
  return headers;
};

const failedAsset = (response: Response): EdgeResponse => {
  response.headers.set("cache-control", "no-store, private");
  return response;
};

export const handleAsset = async (
  request: EdgeRequest,
  context: EdgeContext,
  route: AssetRoute,
): Promise<EdgeResponse> => {
  const path = targetPath(route, context.url.pathname);
  if (path === null) return failedAsset(refuse("upstream_failed"));
  const target = new URL(route.origin_url);
  target.pathname = path;
  if (route.auth?.origin_query !== "strip") target.search = context.url.search;
  const result = await context.env.send({
    url: target,
    method: request.method,
    headers: requestHeaders(request, route, target, context.env.now()),
    body: null,
    idleMs: originIdleMs,
    trust: "operator",
    checkCertificate: context.config.proxy.certificate_check,
  });
  if (!result.ok) return failedAsset(upstreamRefusal(result));
  if (result.status < 200 || result.status > 599) return failedAsset(refuse("upstream_failed"));
  const { headers } = result;
  dropHopByHop(headers);
  for (const name of withheld) headers.delete(name);
  return request.method === "HEAD" ? answerWith(result.status, headers, null) : result;
};

/** The matching rule's policy for an answer, to be applied after the finalizer; `null` where none holds. */
export const assetCachePolicy = (
  request: EdgeRequest,
  context: EdgeContext,
  response: EdgeResponse,
): ((headers: Headers) => void) | null => {
  if (!mayCacheAsset(request.method, response.status, response.headers)) return null;
  const policy = assetPolicies(context.config)(context.url.pathname);
  return policy === null ? null : (headers) => applyCachePolicy(headers, policy, context.env.traits);
};
