import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { launchPostgres, type PostgresServer } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresBroker: string;
  }
}

export type BrokerAnswer = { readonly url: string } | { readonly reason: string } | { readonly error: string };

const describeError = (error: unknown): BrokerAnswer => ({
  error: error instanceof Error ? error.message : String(error),
});

/** Starts on the first request. `TEST_DATABASE_URL` names another server. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = mkdtempSync(join(tmpdir(), "parley-broker-"));
  const path = join(folder, "broker");
  let launched: Promise<PostgresServer | { readonly reason: string }> | undefined;
  const answer = async (): Promise<BrokerAnswer> => {
    const given = process.env["TEST_DATABASE_URL"];
    if (given !== undefined && given !== "") return { url: given };
    launched ??= launchPostgres({ durable: false });
    const server = await launched;
    return "reason" in server ? server : { url: server.url("postgres") };
  };
  const broker = createServer((socket) => {
    socket.on("error", () => undefined);
    void answer()
      .catch(describeError)
      .then((found) => socket.end(`${JSON.stringify(found)}\n`));
  });
  await new Promise<void>((resolve) => broker.listen(path, resolve));
  broker.unref();
  project.provide("postgresBroker", path);
  return async () => {
    broker.close();
    const server = await launched?.catch(() => undefined);
    if (server !== undefined && "stop" in server) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
};
