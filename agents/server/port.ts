import { type AddressInfo, createServer, type Server } from "node:net";
import { StartFailure } from "../../protocol/neutral/settings.ts";

const probePort = (host: string, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => reject(portFailure(error.code ?? "", host, port)));
    probe.listen(port, host, () => resolve(probe));
  });

/**
 * Fails before anything is opened when a port is taken; picks a free one for each 0. All are held together, so that no
 * two are equal.
 */
export const reservePorts = async (host: string, ports: readonly number[]): Promise<readonly number[]> => {
  const probes: Server[] = [];
  try {
    for (const port of ports) probes.push(await probePort(host, port));
    return probes.map((probe) => (probe.address() as AddressInfo).port);
  } finally {
    for (const probe of probes) await new Promise((resolve) => probe.close(resolve));
  }
};

export const reservePort = async (host: string, port: number): Promise<number> =>
  (await reservePorts(host, [port]))[0] ?? port;

/** `code` is the system's. */
export const portFailure = (code: string, host: string, port: number): StartFailure => {
  if (code === "EADDRINUSE") {
    return new StartFailure(
      `Port ${port} on ${host} is taken by another program. Stop it, or choose another port (--port, or for all: ` +
        "--seller-port, --buyer-port, --edge-port). Port 0 takes any free one.",
    );
  }
  if (code === "EACCES") return new StartFailure(`Port ${port} needs more rights. Choose one above 1023.`);
  return new StartFailure(`Cannot listen on ${host}:${port} (${code}). Check HOST and the port.`);
};
