import { plainAddress } from "../../../../protocol/neutral/address-guard.ts";
import { createEdge } from "../../app.ts";
import type { EdgeTraits } from "../../platform.ts";
import { refuse } from "../../http/refusals.ts";
import { carriedSources } from "../leaf/carried-sources.ts";
import { fromPlatform, toResponse } from "../leaf/fetch-request.ts";
import { processEnv } from "../leaf/process-env.ts";

declare const Deno: {
  readonly env: { get(name: string): string | undefined };
  serve(
    options: { port: number; hostname: string; onListen(): void; onError(): Response },
    handler: (request: Request, info: { readonly remoteAddr: { readonly hostname?: string } }) => Promise<Response>,
  ): unknown;
};

const denoTraits: EdgeTraits = {
  adapter: "D",
  place: "on the Deno server",
  health: "routed",
  startupStatus: 503,
  startupHealth: true,
  fanout: "single",
  edgeTtl: "s-maxage",
  originBody: "buffered",
  clientSource: "spin-headers",
  geoHeaders: "none",
  assetRoutes: false,
  headerText: "latin1",
};

const sources = carriedSources((name) => Deno.env.get(name));
const app = createEdge(sources, processEnv(denoTraits, sources));

Deno.serve(
  {
    port: Number(Deno.env.get("PORT")),
    hostname: Deno.env.get("HOST") ?? "127.0.0.1",
    onListen: () => undefined,
    onError: () => refuse("internal"),
  },
  async (request, info) => {
    const edgeRequest = fromPlatform(request);
    if (edgeRequest instanceof Response) return edgeRequest;
    const peer = plainAddress(info.remoteAddr.hostname ?? "") || null;
    const secure = request.url.startsWith("https:");
    return toResponse(await app(edgeRequest, { peer, secure, after: (work) => void work.catch(() => undefined) }));
  },
);
