import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DoorRequest, DoorRoute } from "../../protocol/door/door.ts";
import { callerOf } from "../../protocol/door/door-call.ts";
import { Refused } from "../../protocol/neutral/refusals.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import { accessRefusal } from "../../protocol/seam/run/gates.ts";
import { scopeOf } from "../../protocol/seam/scopes.ts";
import { type Metrics, metricsType } from "./metrics.ts";

type Need = Parameters<typeof scopeOf>[0] & Parameters<typeof accessRefusal>[0];

/** The principal of an operator who may do it. Throws `Refused`. */
export const operatorOf = async (request: DoorRequest, effect: "read" | "write"): Promise<string> => {
  const need: Need = { group: "oversight", effect, access: "operator" };
  const caller = await callerOf(request);
  const refusal = accessRefusal(need, caller);
  if (refusal?.code === "insufficient_scope") request.admission.lacks(scopeOf(need));
  if (refusal !== null) throw new Refused(refusal);
  return caller.principal;
};

const headers = { "content-type": metricsType, "cache-control": "no-store" };

/** `GET /metrics` on the agent's own port, for operators. */
export const metricsRoute = (metrics: Pick<Metrics, "page">): DoorRoute => ({
  method: "GET",
  path: "/metrics",
  handle: async (request) => {
    await operatorOf(request, "read");
    return { status: 200, headers, body: await metrics.page() };
  },
});

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

const cannotListen = (code: string, host: string, port: number): StartFailure =>
  new StartFailure(
    code === "EADDRINUSE"
      ? `METRICS_PORT: port ${port} on ${host} is taken by another program. Choose another one; 0 takes any free one.`
      : `METRICS_PORT: cannot listen on ${host}:${port} (${code}). Choose another port.`,
  );

/** The same page without a key and nothing else, for a port that only a private network reaches. */
export const serveMetrics = (metrics: Pick<Metrics, "page">, host: string, port: number): Promise<MetricsServer> => {
  const server = createServer((request, response) => {
    const isPage = request.url?.split("?")[0] === "/metrics" && (request.method === "GET" || request.method === "HEAD");
    if (!isPage) return void response.writeHead(404, { "content-type": "text/plain" }).end("GET /metrics\n");
    metrics.page().then(
      (page) => response.writeHead(200, headers).end(request.method === "HEAD" ? "" : page),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error.code ?? "unknown", host, port)));
    server.listen(port, host, () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
};
