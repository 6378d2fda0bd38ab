import type { EdgeContext } from "../context.ts";
import type { EdgeRequest, EdgeResponse, OutboundRequest } from "../platform.ts";
import { plainText } from "../http/refusals.ts";

const names = (headers: Headers, header: string, token: string): boolean =>
  (headers.get(header) ?? "").split(",").some((item) => item.trim().toLowerCase() === token);

/** True for the opening of a WebSocket (RFC 6455, section 4.1). */
export const opensWebSocket = ({ method, headers }: Pick<EdgeRequest, "method" | "headers">): boolean =>
  method === "GET" && names(headers, "upgrade", "websocket") && names(headers, "connection", "upgrade");

/**
 * Answers the opening of a WebSocket to the publisher's origin: where the runtime has sockets, with the request that it
 * is to be opened by; elsewhere with 426, since an answer in plain HTTP would leave the page waiting.
 */
export const answerUpgrade = (origin: OutboundRequest, context: EdgeContext): EdgeResponse => {
  if (!context.env.tunnels) {
    return plainText(426, "Upgrade Required: this runtime opens no WebSocket", { connection: "close" });
  }
  origin.headers.set("connection", "Upgrade");
  origin.headers.set("upgrade", "websocket");
  return { status: 101, headers: new Headers(), body: null, tunnel: origin };
};
