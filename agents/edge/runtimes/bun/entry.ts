import { plainAddress } from "../../../../protocol/neutral/address-guard.ts";
import { createEdge } from "../../app.ts";
import type { EdgeTraits } from "../../platform.ts";
import { refuse } from "../../http/refusals.ts";
import { carriedSources } from "../leaf/carried-sources.ts";
import { fromPlatform, toResponse } from "../leaf/fetch-request.ts";
import { processEnv } from "../leaf/process-env.ts";

interface BunServer {
  readonly port: number;
  requestIP(request: Request): { readonly address: string } | null;
  stop(): Promise<void>;
}
declare const Bun: {
  readonly env: Readonly<Record<string, string | undefined>>;
  serve(options: {
    port: number;
    hostname: string;
    idleTimeout: number;
    maxRequestBodySize: number;
    fetch(request: Request, server: BunServer): Promise<Response>;
    error(error: unknown): Response;
  }): BunServer;
};

const bunTraits: EdgeTraits = {
  adapter: "B",
  place: "on the Bun development server",
  health: "routed",
  startupStatus: 500,
  startupHealth: false,
  fanout: "multiple",
  edgeTtl: "s-maxage",
  originBody: "buffered",
  clientSource: "socket",
  geoHeaders: "none",
  assetRoutes: false,
  headerText: "latin1",
};

const sources = carriedSources((name) => Bun.env[name]);
const app = createEdge(sources, processEnv(bunTraits, sources));

const server = Bun.serve({
  port: Number(Bun.env.PORT),
  hostname: Bun.env.HOST ?? "127.0.0.1",
  idleTimeout: 120,
  maxRequestBodySize: 1_073_741_824,
  async fetch(request, self) {
    const edgeRequest = fromPlatform(request);
    if (edgeRequest instanceof Response) return edgeRequest;
    const peer = plainAddress(self.requestIP(request)?.address ?? "") || null;
    const secure = request.url.startsWith("https:");
    return toResponse(await app(edgeRequest, { peer, secure, after: (work) => void work.catch(() => undefined) }));
  },
  error: () => refuse("internal"),
});

process.on("SIGTERM", () => void server.stop().then(() => process.exit(0)));
