import { createServer } from "node:net";
import { portHolder } from "./port-holder.ts";
import { StartFailure } from "./settings.ts";

/** Fails before anything is opened when the port is taken; answers the port, a free one for 0. */
export const reservePort = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => reject(portFailure(error.code ?? "", host, port)));
    probe.listen(port, host, () => {
      const address = probe.address();
      const found = typeof address === "object" && address !== null ? address.port : port;
      probe.close(() => resolve(found));
    });
  });

/** What to do about a port that cannot be listened on. `code` is the system's. */
export const portFailure = (code: string, host: string, port: number): StartFailure => {
  if (code === "EADDRINUSE") {
    const holder = portHolder(port) ?? "another program";
    return new StartFailure(
      `Port ${port} on ${host} is taken by ${holder}. Stop it, or choose another port (--port, or for all: ` +
        "--seller-port, --buyer-port, --edge-port). Port 0 takes any free one.",
    );
  }
  if (code === "EACCES") return new StartFailure(`Port ${port} needs more rights. Choose one above 1023.`);
  return new StartFailure(`Cannot listen on ${host}:${port} (${code}). Check HOST and the port.`);
};
