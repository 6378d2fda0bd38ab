import { safeRequestId } from "../../protocol/neutral/request-id.ts";
import type { EdgeConfig } from "./config.ts";
import { followPeer } from "./auction/provider/breaker.ts";
import { createRecentAuctions, type RecentAuctions } from "./auction/recent-auctions.ts";
import { loadConsentReaders } from "./consent/load.ts";
import type { EdgeContext, MetHosts } from "./context.ts";
import { dispatchFallback, identitySession, type Served } from "./routing/fallback.ts";
import { finalizeResponse, guardCookiePrivacy } from "./routing/finalize.ts";
import { createBasicAuth } from "./routing/guard.ts";
import { finishSession } from "./identity/session.ts";
import { firstSeries } from "./metric-names.ts";
import { createMetrics, type EdgeMetrics } from "./metrics.ts";
import type { ByteStream, Connection, EdgeEnv, EdgeRequest, EdgeResponse, Geo } from "./platform.ts";
import { plainText, refuse, routerError } from "./http/refusals.ts";
import { createGeoLookup, readClient, readGeo } from "./request/client.ts";
import { createMetHosts } from "./proxy/met-hosts.ts";
import { createTokens, type Tokens } from "./proxy/token.ts";
import { dropConsoleCookies, readCookies } from "./request/cookies.ts";
import { forgeableNames, inspectHeaders, publicUrl } from "./request/sanitize.ts";
import { createRouter, type Router } from "./routing/router.ts";
import { routedMethods, routes } from "./routing/routes.ts";
import { startupWarnings } from "./startup/checks.ts";
import { loadConfig, type EdgeSources } from "./startup/load.ts";
import { openStores } from "./stores.ts";

/** The edge: one request in, one response out. Never rejects. */
export type EdgeApp = (request: EdgeRequest, connection: Connection) => Promise<EdgeResponse>;

interface Runtime {
  readonly env: EdgeEnv;
  readonly config: EdgeConfig;
  readonly metrics: EdgeMetrics;
  readonly auctions: RecentAuctions;
  readonly route: Router;
  readonly auth: (path: string, headers: Headers) => Response | null;
  readonly geoOf: (ip: string | null) => Geo | null;
  readonly stores: ReturnType<typeof openStores>;
  readonly forgeable: RegExp;
  readonly newRequestId: () => string;
  readonly tokens: Tokens;
  readonly met: MetHosts;
}

interface Sanitized {
  readonly request: EdgeRequest;
  readonly context: EdgeContext;
}

const maxHeaderBytes = 16_384;

const healthOk = (): Response => new Response("ok", { headers: { "content-type": "text/plain; charset=utf-8" } });

const isHealthCheck = (request: EdgeRequest): boolean =>
  request.method === "GET" && /^https?:\/\/[^/?#]*\/health(?:[?#]|$)/i.test(request.url);

const isRoutedMethod = (method: string): boolean => (routedMethods as readonly string[]).includes(method);

/** Answer to a method that no route and no fallback takes; also what the leaves send for TRACE and its like. */
export const methodNotAllowed = (method: string): Response =>
  routerError("method_not_allowed", `method ${method} not allowed; allowed: ${routedMethods.join(", ")}`, {
    allow: routedMethods.join(", "),
  });

/** Ids are unique by a random start and a count: random bytes for each would cost more than the rest of the id. */
const createRequestIds = (env: EdgeEnv): (() => string) => {
  let prefix = "";
  let count = 0;
  return () => {
    if (prefix === "") prefix = Array.from(env.random(9), (byte) => byte.toString(16).padStart(2, "0")).join("");
    count += 1;
    return `${prefix}${count.toString(16).padStart(8, "0")}`;
  };
};

const requestIdOf = (headers: Headers, runtime: Runtime): string =>
  safeRequestId(headers.get("request-id")) ?? runtime.newRequestId();

const sanitize = (request: EdgeRequest, connection: Connection, runtime: Runtime): Sanitized | Response => {
  const { env, config } = runtime;
  const headers = request.headers;
  const { bytes, forged } = inspectHeaders(headers, runtime.forgeable);
  if (bytes > maxHeaderBytes) {
    return routerError("header_fields_too_large", `the header section is longer than ${maxHeaderBytes} bytes`);
  }
  const url = publicUrl(request.url, headers, env.traits);
  if (url === null) return routerError("bad_request", "the request target is no valid URL");
  const client = readClient(headers, env.traits, config, connection.peer);
  const geo = readGeo(headers, env.traits, client.ip, runtime.geoOf);
  // What the platform or the trusted proxy said was read above; from here on no copy of it exists.
  for (const name of forged) headers.delete(name);
  dropConsoleCookies(headers);
  if (client.ip !== null) headers.set("x-forwarded-for", client.ip);
  if (env.traits.clientSource === "spin-headers") headers.set("host", url.host);
  const { identity, configStore, secretStore } = runtime.stores;
  const context: EdgeContext = {
    env,
    config,
    url,
    clientIp: client.ip,
    geo,
    cookies: new Map(),
    ja4: client.ja4,
    h2: client.h2,
    startedAtMs: env.now(),
    requestId: requestIdOf(headers, runtime),
    metrics: runtime.metrics,
    auctions: runtime.auctions,
    tokens: runtime.tokens,
    met: runtime.met,
    identity,
    counter: env.counter ?? null,
    configStore,
    secretStore,
    after: (work) => connection.after(work),
  };
  return { request: url.href === request.url ? request : new FoldedRequest(request, url.href), context };
};

class FoldedRequest implements EdgeRequest {
  readonly url: string;
  readonly #given: EdgeRequest;

  constructor(given: EdgeRequest, url: string) {
    this.#given = given;
    this.url = url;
  }

  get method(): string {
    return this.#given.method;
  }

  get headers(): Headers {
    return this.#given.headers;
  }

  get body(): ByteStream | null {
    return this.#given.body;
  }

  get signal(): AbortSignal {
    return this.#given.signal;
  }
}

const answer = async (runtime: Runtime, { request, context }: Sanitized): Promise<Served> => {
  if (!isRoutedMethod(request.method)) return { response: methodNotAllowed(request.method), session: null };
  const path = context.url.pathname;
  const stopped = runtime.auth(path, request.headers);
  if (stopped !== null) return { response: stopped, session: null };
  const cookies = readCookies(request.headers, runtime.env.traits);
  if (cookies === null) return { response: refuse("invalid_header_value"), session: null };
  await loadConsentReaders(cookies);
  const full = { ...context, cookies };
  const route = runtime.route(request.method, path);
  if (route === null) return dispatchFallback(request, full);
  const response = await route.handler(request, full);
  return { response, session: route.skipsIdentity ? null : identitySession(request, full) };
};

const boundary = async (runtime: Runtime, sanitized: Sanitized): Promise<Served> => {
  try {
    return await answer(runtime, sanitized);
  } catch (error) {
    const { requestId, url } = sanitized.context;
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    runtime.env.log({ level: "error", event: "bug", request_id: requestId, path: url.pathname, cause });
    return { response: refuse("internal"), session: null };
  }
};

const serve = async (runtime: Runtime, request: EdgeRequest, connection: Connection): Promise<EdgeResponse> => {
  const sanitized = sanitize(request, connection, runtime);
  if (sanitized instanceof Response) return finalizeResponse(sanitized, runtime.env, runtime.config, null);
  const { response, session, cachePolicy } = await boundary(runtime, sanitized);
  const { context } = sanitized;
  finalizeResponse(response, runtime.env, runtime.config, context.geo);
  cachePolicy?.(response.headers);
  if (session !== null) {
    await finishSession(session.session, response.headers, session.context).catch((error: unknown) => {
      runtime.env.log({ level: "error", event: "bug", request_id: context.requestId, cause: String(error) });
    });
    guardCookiePrivacy(response.headers);
  }
  if (!response.headers.has("request-id")) response.headers.set("request-id", context.requestId);
  runtime.metrics.add("edge_responses_total", { status: String(response.status) });
  return response;
};

const startupErrorApp =
  (env: EdgeEnv): EdgeApp =>
  async (request) => {
    if (env.traits.startupHealth && isHealthCheck(request)) return healthOk();
    if (!isRoutedMethod(request.method)) return methodNotAllowed(request.method);
    const answer =
      env.traits.startupStatus === 503
        ? plainText(503, "Service Unavailable", { "retry-after": "60" })
        : plainText(500, "An internal error occurred");
    return finalizeResponse(answer, env, null, null);
  };

/**
 * Builds the edge from what a leaf found. A configuration that cannot be used never throws: each reason goes to the
 * log with its key and cure, and the startup-error router answers.
 */
export const createEdge = (sources: EdgeSources, env: EdgeEnv): EdgeApp => {
  const loaded = loadConfig(sources, env.traits);
  if (!loaded.ok) {
    for (const { key, message } of loaded.problems) env.log({ level: "error", event: "startup_error", key, message });
    return startupErrorApp(env);
  }
  const { config, secrets, ignored } = loaded;
  for (const warning of [...ignored, ...startupWarnings(config)])
    env.log({ level: "warn", event: "configuration", ...warning });
  if (config.deals !== undefined && env.dealDesk === undefined) {
    const message = `has no effect ${env.traits.place}: only the production adapter (runtime A) keeps counts`;
    env.log({ level: "warn", event: "configuration", key: "deals", message });
  }
  const runtime: Runtime = {
    env,
    config,
    metrics: createMetrics(firstSeries(config)),
    auctions: createRecentAuctions(),
    route: createRouter(routes, config, env.traits),
    auth: createBasicAuth(config),
    geoOf: createGeoLookup(config),
    stores: openStores(env, config, secrets),
    forgeable: forgeableNames(config),
    newRequestId: createRequestIds(env),
    tokens: createTokens(config.publisher.proxy_secret, env.primitives),
    met: createMetHosts(config, env.peers?.publish),
  };
  env.peers?.subscribe((event) => {
    if (event.kind === "met") runtime.met.learn(event.hosts);
    followPeer(config, event);
  });
  env.peers?.shareCounts(() => runtime.metrics.snapshot());
  env.peers?.shareAuctions(() => runtime.auctions.take());
  return async (request, connection) =>
    env.traits.health === "before-router" && isHealthCheck(request) ? healthOk() : serve(runtime, request, connection);
};
