import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Members } from "./wire.ts";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Members;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Of the next answers, in order; then 200. */
  readonly statuses: number[];
  close(): Promise<void>;
}

/** A webhook on loopback. */
export const openReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) as Members });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    statuses,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
