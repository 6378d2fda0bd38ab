import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { OutboundParts } from "../../protocol/client/outbound.ts";

export interface Arrived {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Null: 404. */
export type Answering = (request: Arrived) => { readonly status: number; readonly body: unknown } | null;

export interface AgentNetwork {
  readonly arrived: Arrived[];
  readonly outbound: Pick<OutboundParts, "resolve" | "connector">;
  close(): Promise<void>;
}

const listed = new Set(["http://buyer.agents.example", "http://listed.agents.example"]);

const cardOf = (host: string) => ({
  name: `Agent at ${host}`,
  description: "Buys advertising.",
  url: `http://${host}`,
  version: "2.1.0",
  skills: [{ id: "buy", name: "Buy", description: "Buys.", tags: ["ctv"] }],
  authentication: { schemes: ["api_key"] },
});

/** Hosts below `agents.example` have a card; `registry.example` and `aamp.example` know two of them. */
const plainAnswers: Answering = ({ host, path }) => {
  const url = new URL(path, `http://${host}`);
  const named = url.searchParams.get("agent_url") ?? "";
  if (host.endsWith("registry.example") && url.pathname === "/verify") {
    const registered = listed.has(named);
    return { status: 200, body: { is_registered: registered, registry_id: registered ? "ext-7" : null } };
  }
  if (host === "aamp.example" && url.pathname === "/api/agents") {
    const agents = [...listed].map((endpoint_url, place) => ({
      agent_id: `aamp-${place}`,
      endpoint_url: `${endpoint_url}/`,
    }));
    return { status: 200, body: { success: true, data: { agents } } };
  }
  const isCard = host.endsWith(".agents.example") && url.pathname === "/.well-known/agent.json";
  return isCard ? { status: 200, body: cardOf(host) } : null;
};

const open = (arrived: Arrived[], answering: Answering): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", headers, url: path = "/" } = request;
        const seen = { method, host: headers.host ?? "", path, headers, body: Buffer.concat(chunks).toString("utf8") };
        arrived.push(seen);
        const answer = answering(seen) ?? { status: 404, body: {} };
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
      });
    });
    server.listen(0, "127.0.0.1", () => resolve(server));
  });

/**
 * `*.private.example` resolves to a private address, `*.nowhere.example` to none, the rest to a public one; every
 * connection leads to one server.
 */
export const agentNetwork = (answering: Answering = plainAnswers): AgentNetwork => {
  const arrived: Arrived[] = [];
  let server: Promise<Server> | null = null;
  return {
    arrived,
    outbound: {
      resolve: async (hostname) => {
        if (hostname.endsWith("nowhere.example")) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
        return [{ address: hostname.endsWith("private.example") ? "10.0.0.7" : "93.184.216.34", family: 4 }];
      },
      connector:
        ({ lookup }) =>
        (options, done) => {
          const reach = async (): Promise<void> => {
            server ??= open(arrived, answering);
            const { port } = (await server).address() as AddressInfo;
            const socket = connect(port, "127.0.0.1", () => done(null, socket));
            socket.once("error", (error) => done(error, null));
          };
          if (lookup === undefined) return void reach();
          lookup(options.hostname, { all: true }, (error) => {
            if (error === null) void reach();
            else done(error, null);
          });
        },
    },
    close: async () => {
      const opened = await server;
      opened?.closeAllConnections();
      await new Promise<void>((resolve) => (opened === null ? resolve() : opened.close(() => resolve())));
    },
  };
};
