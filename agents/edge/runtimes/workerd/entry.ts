import { createEdge, type EdgeApp } from "../../app.ts";
import { allowListOf } from "../../../../protocol/neutral/address-guard.ts";
import type { EdgeResponse, EdgeTraits, LogEntry } from "../../platform.ts";
import { refuse } from "../../http/refusals.ts";
import { carriedSources } from "../leaf/carried-sources.ts";
import { bodyInit, fromPlatform } from "../leaf/fetch-request.ts";
import { encode } from "../leaf/codings.ts";
import { plainEnv } from "../leaf/plain-env.ts";
import { createSend, type Network } from "./request.ts";

interface Bindings {
  readonly OPERATOR: Network;
  readonly FOREIGN: Network;
  readonly ORIGIN?: Network;
  readonly [variable: string]: unknown;
}
type WorkerRequest = Request & { readonly cf?: { readonly clientIp?: string } };

const workerdTraits: EdgeTraits = {
  adapter: "C",
  place: "on Cloudflare Workers",
  health: "absent",
  startupStatus: 500,
  startupHealth: false,
  fanout: "single",
  edgeTtl: "cloudflare-cdn-cache-control",
  originBody: "buffered",
  clientSource: "cloudflare-headers",
  geoHeaders: "flag",
  assetRoutes: false,
  headerText: "utf8",
};

const { error: writeLine } = console;

const log = (entry: LogEntry): void => writeLine(JSON.stringify({ time: Date.now(), agent: "edge", ...entry }));

const build = (bindings: Bindings): EdgeApp => {
  const sources = carriedSources((name) => bindings[name]);
  const allow = allowListOf(sources.environment.OUTBOUND_ALLOW ?? "");
  const { OPERATOR: operator, FOREIGN: foreign, ORIGIN: origin } = bindings;
  const networks = { operator, foreign, ...(origin === undefined ? {} : { origin }) };
  return createEdge(sources, plainEnv({ traits: workerdTraits, send: createSend(networks, allow, encode), log }));
};

let app: EdgeApp | undefined;

/** `1.2.3.4:567` or `[::1]:567`: this runtime writes the port behind the peer's address. */
const peerOf = (request: WorkerRequest): string | null =>
  request.cf?.clientIp?.replace(/:\d+$/, "").replace(/^\[|\]$/g, "") ?? null;

const asAnswer = (response: EdgeResponse, method: string): Response =>
  new Response(method === "HEAD" ? null : bodyInit(response), {
    status: response.status,
    headers: response.headers,
    encodeBody: "manual",
  } as ResponseInit);

// oxlint-disable-next-line import/no-default-export -- the runtime looks for the module's default export.
export default {
  async fetch(
    request: WorkerRequest,
    bindings: Bindings,
    context: { waitUntil(work: Promise<unknown>): void },
  ): Promise<Response> {
    try {
      app ??= build(bindings);
      const edgeRequest = fromPlatform(request);
      if (edgeRequest instanceof Response) return edgeRequest;
      const secure = request.url.startsWith("https:");
      const after = (work: Promise<unknown>): void => context.waitUntil(work.catch(() => undefined));
      return asAnswer(await app(edgeRequest, { peer: peerOf(request), secure, after }), request.method);
    } catch (error) {
      log({ level: "error", event: "leaf_bug", cause: String(error) });
      return refuse("internal");
    }
  },
};
