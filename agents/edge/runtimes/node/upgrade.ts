import http, { type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { fromRawHeaders } from "../../http/light-headers.ts";
import type { EdgeResponse, LogEntry } from "../../platform.ts";
import { opensWebSocket } from "../../publisher/upgrade.ts";
import { writeResponse } from "./request.ts";
import { createTunnels, type Tunnels } from "./tunnel.ts";

/**
 * With a listener for upgrades Node takes every request that offers one off the server, body unread. What is no
 * WebSocket goes back to it without the offer, which a server may pass over (RFC 9110, section 7.8).
 */
const withoutUpgrade = (server: http.Server, incoming: IncomingMessage, socket: Socket, head: Buffer): void => {
  const lines = [`${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}`];
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = incoming.rawHeaders.slice(index, index + 2);
    if (name.toLowerCase() === "upgrade") continue;
    const kept = name.toLowerCase() === "connection" ? value.replace(/\bupgrade\b\s*,?/i, "") : value;
    lines.push(`${name}: ${kept}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
};

type Answer = (incoming: IncomingMessage, outgoing: http.ServerResponse) => Promise<EdgeResponse>;

export const serveUpgrades = (
  server: http.Server,
  answer: Answer,
  log: (entry: LogEntry) => void,
): Pick<Tunnels, "close"> => {
  const tunnels = createTunnels();
  const serve = async (incoming: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const outgoing = new http.ServerResponse(incoming);
    outgoing.shouldKeepAlive = false;
    outgoing.assignSocket(socket);
    outgoing.once("finish", () => socket.end());
    const first = await answer(incoming, outgoing);
    const response = first.tunnel === undefined ? first : await tunnels.open(first.tunnel, socket, head);
    if (response === null) outgoing.detachSocket(socket);
    else await writeResponse(response, incoming, outgoing);
  };
  server.on("upgrade", (incoming, stream, head) => {
    const socket = stream as Socket;
    socket.on("error", () => undefined);
    const headers = fromRawHeaders(incoming.rawHeaders);
    if (!opensWebSocket({ method: incoming.method ?? "", headers })) {
      return withoutUpgrade(server, incoming, socket, head);
    }
    serve(incoming, socket, head).catch((error: unknown) => {
      log({ level: "error", event: "leaf_bug", cause: String(error) });
      socket.destroy();
    });
  });
  return tunnels;
};
