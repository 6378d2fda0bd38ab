import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { refuse } from "../../http/refusals.ts";
import type { EdgeResponse, OutboundRequest } from "../../platform.ts";
import { readAnswer } from "../leaf/outbound.ts";

const idleMs = 300_000;

const mostTunnels = 1_000;

const headOf = (answer: http.IncomingMessage): string => {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    lines.push(`${answer.rawHeaders[index]}: ${answer.rawHeaders[index + 1]}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
};

interface Ends {
  readonly client: Socket;
  readonly origin: Socket;
}

const join = ({ client, origin }: Ends): void => {
  for (const [from, to] of [
    [client, origin],
    [origin, client],
  ] as const) {
    from.on("error", () => to.destroy());
    from.once("close", () => to.destroy());
    from.setTimeout(idleMs, () => from.destroy());
    from.pipe(to);
  }
};

export interface Tunnels {
  open(request: OutboundRequest, client: Socket, head: Buffer): Promise<EdgeResponse | null>;
  close(): void;
}

export const createTunnels = (): Tunnels => {
  const open = new Set<Socket>();
  const keep = (ends: Ends): void => {
    open.add(ends.client);
    ends.client.once("close", () => open.delete(ends.client));
    join(ends);
  };
  return {
    open: (request, client, head) =>
      new Promise((resolve) => {
        if (open.size >= mostTunnels) return resolve(refuse("store_unavailable"));
        const { url } = request;
        const outgoing = (url.protocol === "https:" ? https : http).request(url, {
          headers: Object.fromEntries(request.headers),
          agent: false,
          timeout: request.idleMs,
          ...(request.checkCertificate === false ? { rejectUnauthorized: false } : {}),
        });
        const gone = (): void => void outgoing.destroy();
        client.once("close", gone);
        outgoing.once("timeout", () => {
          resolve(refuse("upstream_timeout"));
          gone();
        });
        outgoing.on("error", () => resolve(refuse("upstream_failed")));
        outgoing.once("response", (incoming) => resolve(readAnswer(incoming, request)));
        outgoing.once("upgrade", (answer, stream, first) => {
          const origin = stream as Socket;
          client.write(headOf(answer));
          client.write(first);
          origin.write(head);
          keep({ client, origin });
          resolve(null);
        });
        outgoing.end();
      }),
    close: () => {
      for (const client of open) client.destroy();
    },
  };
};
