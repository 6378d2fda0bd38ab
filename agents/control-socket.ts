import { chmod, unlink } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Call, Outcome } from "../protocol/operation.ts";
import type { Runner } from "../protocol/run.ts";

/** A command's call on its way to the process that holds the folder. `key` is the credential in `PARLEY_KEY`. */
export interface ControlRequest {
  readonly operation: string;
  readonly input: unknown;
  readonly requestId: string;
  readonly key: string | null;
  readonly idempotencyKey: string | null;
  readonly dryRun: boolean;
}

/** Longest line either side accepts, in bytes: a body limit and its wrapping. */
const longestLine = 2_097_152;

/** The caller of a command: the holder of a key where one is given, else the operator of the host (decision 67). */
export const commandCaller = (key: string | null): Call["caller"] =>
  key === null ? { kind: "host" } : { kind: "request", apiKey: key, authorization: null, address: "host" };

/** A command's request as a call of the runner. */
export const commandCall = (request: ControlRequest): Call => ({
  operation: request.operation,
  door: "host",
  caller: commandCaller(request.key),
  requestId: request.requestId,
  input: () => request.input,
  idempotencyKey: request.idempotencyKey,
  dryRun: request.dryRun,
});

const socketPath = (dir: string): string => join(dir, "control.sock");

const serveLine = async (runner: Runner, socket: Socket, line: string): Promise<void> => {
  const request = JSON.parse(line) as ControlRequest;
  const outcome = await runner.run(commandCall(request));
  socket.write(`${JSON.stringify(outcome)}\n`);
};

const serveSocket = (runner: Runner, socket: Socket): void => {
  let received = 0;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    received += chunk.length;
    if (received > longestLine) socket.destroy();
  });
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (line) => {
    received = 0;
    serveLine(runner, socket, line).catch(() => socket.destroy());
  });
};

/** Listens on `DIR/control.sock`, mode 0600. Call it only while holding the folder's lock: a socket left over is removed. */
export const openControlSocket = async (dir: string, runner: Runner): Promise<{ close(): Promise<void> }> => {
  const path = socketPath(dir);
  await unlink(path).catch(() => undefined);
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    serveSocket(runner, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
};

/** Sends one call to the process that holds the folder; null when nobody listens there. */
export const callThroughSocket = (dir: string, request: ControlRequest): Promise<Outcome | null> =>
  new Promise((resolve, reject) => {
    const socket = connect(socketPath(dir));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      const nobody = error.code === "ENOENT" || error.code === "ECONNREFUSED";
      if (nobody) resolve(null);
      else reject(error);
    });
    socket.once("connect", () => socket.write(`${JSON.stringify(request)}\n`));
    createInterface({ input: socket }).once("line", (line) => {
      socket.end();
      resolve(JSON.parse(line) as Outcome);
    });
    socket.once("close", () => reject(new Error("The running server closed the control socket without an answer.")));
  });
