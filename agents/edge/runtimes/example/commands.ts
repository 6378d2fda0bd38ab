import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "smol-toml";
import { z } from "zod";
import { webStream } from "../../http/byte-stream.ts";
import { requestUrl } from "../leaf/leaf-request.ts";
import { toEdgeRequest, writeResponse } from "../node/request.ts";
import { CannotStart } from "../cannot-start.ts";
import { createAppHandler, type Application } from "./application.ts";
import { templateFiles } from "./template.ts";

const newSecrets = (): string => {
  const secrets = ["proxy", "identities", "operators"].map((name) => [name, randomBytes(32).toString("hex")]);
  return `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`;
};

const nameForm = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * `parley edge new NAME --dir DIR`: writes a new application into its own folder. Throws, and writes
 * nothing, when the name is none or the folder holds anything.
 */
export const newEdgeApp = async (options: { readonly name: string; readonly dir: string }): Promise<void> => {
  const { name, dir } = options;
  if (!nameForm.test(name)) {
    throw new CannotStart(
      `"${name}" is no application name; use lower case letters, digits and dashes, a letter first`,
    );
  }
  await mkdir(dir, { recursive: true });
  if ((await readdir(dir)).length > 0)
    throw new CannotStart(`the folder ${dir} is not empty; choose another with --dir`);
  for (const [file, text] of Object.entries(templateFiles(name))) await writeFile(join(dir, file), text);
  await writeFile(join(dir, "secrets.json"), newSecrets(), { mode: 0o600 });
  process.stdout.write(`wrote ${resolve(dir)}; run it with: parley edge dev --dir ${dir}\n`);
};

const packageSchema = z.object({ name: z.string().regex(nameForm) });
const settingsSchema = z.looseObject({
  service: z.looseObject({ timeout_ms: z.int().min(100).max(60_000).default(1_500) }).prefault({}),
});
const handler = z.custom((value) => typeof value === "function");
const routesSchema = z.array(z.object({ method: z.string(), path: z.string().startsWith("/"), handle: handler }));

const readAs = <T>(file: string, read: () => unknown, schema: z.ZodType<T>): T => {
  try {
    return schema.parse(read());
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new CannotStart(`${file}: ${reason}`);
  }
};

const loadApplication = async (dir: string): Promise<Application> => {
  const text = await readFile(join(dir, "package.json"), "utf8").catch(() => {
    throw new CannotStart(`${dir} holds no application; make one with: parley edge new NAME --dir ${dir}`);
  });
  const { name } = readAs("package.json", () => JSON.parse(text), packageSchema);
  const settings = await readFile(join(dir, `${name}.toml`), "utf8");
  const config = readAs(`${name}.toml`, () => parse(settings), settingsSchema);
  const module = (await import(pathToFileURL(resolve(dir, "app.js")).href)) as { routes?: unknown };
  const routes = routesSchema.safeParse(module.routes);
  if (!routes.success) throw new CannotStart(`app.js: export a list "routes" of {method, path, handle}`);
  return { name, config, routes: module.routes as Application["routes"], timeoutMs: config.service.timeout_ms };
};

type Handler = (request: Request) => Promise<Response>;

const serveOne = async (
  handler: Handler,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<void> => {
  const hosts = incoming.headers.host === undefined ? [] : [incoming.headers.host];
  const method = incoming.method ?? "GET";
  const url = requestUrl({ method, target: incoming.url ?? "/", hosts, secure: false });
  if (url instanceof Response) return writeResponse(url, incoming, outgoing);
  const { headers, body } = toEdgeRequest(incoming, outgoing, url);
  const init = { method, headers, ...(body === null ? {} : { body: webStream(body), duplex: "half" as const }) };
  return writeResponse(await handler(new Request(url, init)), incoming, outgoing);
};

export interface EdgeAppServer {
  readonly url: string;
  close(): Promise<void>;
}

export const startEdgeApp = async (options: {
  readonly dir: string;
  readonly port: number;
  readonly host: string;
}): Promise<EdgeAppServer> => {
  const log = (message: string): void => void process.stderr.write(`${JSON.stringify({ level: "info", message })}\n`);
  const handler = createAppHandler(await loadApplication(options.dir), log);
  const server = http.createServer((incoming, outgoing) => {
    const startedAtMs = Date.now();
    outgoing.once("close", () => {
      log(`${incoming.method} ${incoming.url} ${outgoing.statusCode} ${Date.now() - startedAtMs} ms`);
    });
    serveOne(handler, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((done, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};

/** `parley edge dev --dir DIR [--port 8787]`: prints the ready line and serves until SIGTERM or SIGINT. */
export const devEdgeApp = async (options: {
  readonly dir: string;
  readonly port: number;
  readonly host: string;
}): Promise<void> => {
  const server = await startEdgeApp(options);
  process.stdout.write(`listening on ${server.url}\n`);
  await new Promise<void>((done) => {
    process.once("SIGTERM", () => done());
    process.once("SIGINT", () => done());
  });
  await server.close();
};
