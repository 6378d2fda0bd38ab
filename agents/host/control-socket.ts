import { chmod, unlink } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import type { Outcome } from "../../protocol/seam/operation.ts";
import type { AuditVerdict } from "../../storage/audit.ts";
import type { ChainHead } from "../../storage/store.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import type { AgentName } from "./store-location.ts";

/** `key` null: the host's operator. */
export interface HostCall {
  readonly operation: string;
  readonly input: unknown;
  readonly requestId: string;
  readonly key: string | null;
  readonly idempotencyKey: string | null;
  readonly dryRun: boolean;
}

/** `heads`: the last record of each chain, to be kept elsewhere. */
export interface AuditReport {
  readonly verdict: AuditVerdict;
  readonly heads: readonly ChainHead[];
}

/** One JSON line each way. */
export type ControlRequest =
  | { readonly ask: "run"; readonly call: HostCall }
  | { readonly ask: "audit"; readonly expect?: string }
  | { readonly ask: "console-code"; readonly keyId: string }
  | { readonly ask: "address" };

/** Two agents may not be taken for each other: a key of one would be printed as the other's. */
export type SocketRequest = (ControlRequest | { readonly ask: "backup"; readonly file: string }) & {
  readonly agent: AgentName;
};

export type ControlAnswer =
  | { readonly answer: "outcome"; readonly outcome: Outcome }
  | ({ readonly answer: "audit" } & AuditReport)
  | { readonly answer: "backup"; readonly bytes: number }
  | { readonly answer: "console-code"; readonly code: string }
  | { readonly answer: "address"; readonly url: string }
  | { readonly answer: "failure"; readonly message: string };

/** Room in bytes for a body at its limit and its wrapping. */
const longestLine = 2_097_152;

const longestPath = 100;

/** Unix socket paths hold about 107 bytes, so the shorter of absolute and relative path is used. */
const socketPath = (dir: string): string => {
  const absolute = join(dir, "control.sock");
  const near = relative(process.cwd(), absolute);
  const path = near.length < absolute.length ? near : absolute;
  if (Buffer.byteLength(path) <= longestPath) return path;
  throw new StartFailure(`The data folder ${dir} has too long a path for its control socket. Choose a shorter one.`);
};

type Serve = (request: SocketRequest) => Promise<ControlAnswer>;

const serveSocket = (serve: Serve, socket: Socket): void => {
  let received = 0;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    received += chunk.length;
    if (received > longestLine) socket.destroy();
  });
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (line) => {
    received = 0;
    const answered = Promise.resolve().then(() => serve(JSON.parse(line) as SocketRequest));
    const told = answered.catch((error: unknown): ControlAnswer => {
      const isTold = error instanceof StartFailure || typeof (error as { code?: unknown } | null)?.code === "string";
      if (!isTold) throw error;
      return { answer: "failure", message: (error as Error).message };
    });
    told.then((answer) => socket.write(`${JSON.stringify(answer)}\n`)).catch(() => socket.destroy());
  });
};

/**
 * Listens on `DIR/control.sock`, mode 0600. Call it only while holding the lock of the data directory: a stale socket
 * is removed.
 */
export const openControlSocket = async (dir: string, serve: Serve): Promise<{ close(): Promise<void> }> => {
  const path = socketPath(dir);
  await unlink(path).catch(() => undefined);
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    serveSocket(serve, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of open) socket.destroy();
      server.close(() => resolve());
    });
  return { close };
};

export const isServed = (dir: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(socketPath(dir));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.end();
      resolve(true);
    });
  });

/** Throws `StartFailure` where the process ends without an answer: the call may have run all the same. */
export const callThroughSocket = (dir: string, request: SocketRequest): Promise<ControlAnswer> =>
  new Promise((resolve, reject) => {
    const socket = connect(socketPath(dir));
    const lines = createInterface({ input: socket });
    const giveUp = (): void =>
      reject(new StartFailure("The running server ended the call without an answer. Look whether it was done."));
    // The reader passes the socket's errors on; unheard, they would end the process.
    lines.once("error", giveUp);
    socket.once("error", giveUp);
    socket.once("close", giveUp);
    socket.once("connect", () => socket.write(`${JSON.stringify(request)}\n`));
    lines.once("line", (line) => {
      socket.end();
      resolve(JSON.parse(line) as ControlAnswer);
    });
  });
