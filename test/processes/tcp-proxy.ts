import { connect, createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** Where a proxy leads: a port of this machine or the path of a socket. */
export type Backend = number | string;

/** `open`: connections pass; `refuse`: they are closed at once; `silent`: they stay open and nothing passes. */
type Mode = "open" | "refuse" | "silent";

export interface TcpProxy {
  readonly port: number;
  set(backends: readonly Backend[]): void;
  mode(next: Mode): void;
  close(): Promise<void>;
}

const connected = (backend: Backend): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = typeof backend === "number" ? connect(backend, "127.0.0.1") : connect(backend);
    socket.once("connect", () => resolve(socket));
    socket.on("error", () => resolve(null));
  });

/** Takes the backends in turn and passes one over that does not listen, as load balancers of connections do. */
export const openTcpProxy = async (first: readonly Backend[]): Promise<TcpProxy> => {
  let backends = first;
  let mode: Mode = "open";
  let turn = 0;
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => open.delete(socket));
  };
  const choose = async (): Promise<Socket | null> => {
    for (let tried = 0; tried < backends.length; tried += 1) {
      const socket = await connected(backends[(turn += 1) % backends.length] as Backend);
      if (socket !== null) return socket;
    }
    return null;
  };
  const server: Server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    keep(client);
    if (mode === "refuse") return void client.destroy();
    if (mode === "silent") return;
    void choose().then((backend) => {
      if (backend === null) return void client.destroy();
      keep(backend);
      client.pipe(backend);
      backend.pipe(client);
      client.once("close", () => backend.destroy());
      backend.once("close", () => client.destroy());
      client.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      backends = next;
    },
    mode: (next) => {
      mode = next;
      if (next === "refuse") for (const socket of open) socket.destroy();
      if (next === "silent") for (const socket of open) socket.unpipe().pause();
      if (next === "open") for (const socket of open) socket.destroy();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
