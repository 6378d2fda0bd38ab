import { spawn, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, isIP, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allowListOf } from "../../../protocol/neutral/address-guard.ts";
import { parseConfig, type EdgeSources } from "../startup/load.ts";
import { CannotStart } from "./cannot-start.ts";
import { bundleLeaf, checkout } from "./bundle.ts";
import { sourcesPrefix, toVariables } from "./sources.ts";

export type ChildRuntime = "bun" | "workerd" | "deno";

export interface ChildOptions {
  readonly runtime: ChildRuntime;
  readonly port: number;
  readonly host: string;
  readonly sources: EdgeSources;
}

export interface RunningChild {
  readonly port: number;
  close(): Promise<void>;
  readonly exited: Promise<number | null>;
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

const moduleFile = (...parts: string[]): string => join(checkout, "node_modules", ...parts);

const firstThere = (candidates: readonly string[], what: string): string => {
  const found = candidates.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new CannotStart(`the runtime ${what} is not installed; run \`npm install --include=dev\``);
};

/** The platform packages hold the binaries; the launchers in front of them need their install scripts to have run. */
export const binaryOf = (runtime: ChildRuntime): string => {
  const { platform, arch } = process;
  if (runtime === "bun") {
    return firstThere([moduleFile("@oven", `bun-${platform}-${arch}`, "bin", "bun"), moduleFile(".bin", "bun")], "bun");
  }
  if (runtime === "deno") {
    const packages = [`${platform}-${arch}-glibc`, `${platform}-${arch}`];
    const files = packages.map((name) => moduleFile("@deno", name, "deno"));
    return firstThere([...files, moduleFile(".bin", "deno")], "deno");
  }
  const name = `workerd-${platform}-${arch === "x64" ? "64" : arch}`;
  return firstThere([moduleFile("@cloudflare", name, "bin", "workerd"), moduleFile(".bin", "workerd")], "workerd");
};

export const compatibilityDate = "2026-10-01";

const allowedBlocks = (sources: EdgeSources): string[] =>
  allowListOf(sources.environment.OUTBOUND_ALLOW ?? "")
    .filter(({ host, port }) => isIP(host) !== 0 && port === null)
    .map(({ host }) => `${host}/${isIP(host) === 4 ? 32 : 128}`);

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(", ");

/**
 * A service for the publisher's origin, where it must see another `Host` than its address: this runtime's `fetch` sets
 * that header by itself, except towards a server that the configuration names.
 */
const originService = (sources: EdgeSources): string | null => {
  const parsed = parseConfig(sources.configText, sources.environment);
  if (!parsed.ok || parsed.config.publisher.origin_host_header_override === undefined) return null;
  const url = new URL(parsed.config.publisher.origin_url);
  const isTls = url.protocol === "https:";
  const address = JSON.stringify(`${url.hostname}:${url.port || (isTls ? "443" : "80")}`);
  const tls = `https = (tlsOptions = (trustBrowserCas = true), certificateHost = ${JSON.stringify(url.hostname)})`;
  return `    (name = "origin", external = (address = ${address}, ${isTls ? tls : "http = ()"})),`;
};

/** The configuration file of workerd: its networks are the outbound guard, its bindings carry names, never values. */
const workerdConfig = (options: ChildOptions, variables: readonly string[]): string => {
  const { host, port } = options;
  const blocks = allowedBlocks(options.sources);
  const origin = originService(options.sources);
  const address = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const tls = "tlsOptions = (trustBrowserCas = true)";
  const bindings = variables.map((name) => `    (name = "${name}", fromEnvironment = "${name}"),`);
  return [
    'using Workerd = import "/workerd/workerd.capnp";',
    "const config :Workerd.Config = (",
    "  services = [",
    '    (name = "edge", worker = .edge),',
    `    (name = "operator", network = (allow = ["public", "private"], ${tls})),`,
    `    (name = "foreign", network = (allow = [${quoted(["public", ...blocks])}], ${tls})),`,
    ...(origin === null ? [] : [origin]),
    "  ],",
    `  sockets = [(name = "http", address = ${JSON.stringify(address)}, http = (), service = "edge")],`,
    ");",
    "const edge :Workerd.Worker = (",
    '  modules = [(name = "edge", esModule = embed "edge.js")],',
    `  compatibilityDate = "${compatibilityDate}",`,
    '  globalOutbound = "foreign",',
    "  bindings = [",
    '    (name = "OPERATOR", service = "operator"),',
    '    (name = "FOREIGN", service = "foreign"),',
    ...(origin === null ? [] : ['    (name = "ORIGIN", service = "origin"),']),
    ...bindings,
    "  ],",
    ");",
    "",
  ].join("\n");
};

const commandFor = async (options: ChildOptions, folder: string, variables: readonly string[]): Promise<Command> => {
  const bundle = join(folder, "edge.js");
  await writeFile(bundle, await bundleLeaf(options.runtime), { mode: 0o600 });
  const file = binaryOf(options.runtime);
  if (options.runtime === "bun") return { file, args: ["run", bundle] };
  if (options.runtime === "deno") {
    // Reading the pieces ends at the first variable that is not there, so that one more name may be asked for.
    const env = `--allow-env=PORT,HOST,${variables.join(",")},${sourcesPrefix}${variables.length}`;
    const offline = ["--no-prompt", "--no-remote", "--no-npm", "--cached-only"];
    return { file, args: ["run", ...offline, "--allow-net", env, bundle] };
  }
  const config = join(folder, "edge.capnp");
  await writeFile(config, workerdConfig(options, variables));
  return { file, args: ["serve", config] };
};

const free = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(port, host, () => {
      const reserved = (probe.address() as AddressInfo).port;
      probe.close(() => resolve(reserved));
    });
  });

const triesForAnyPort = 20;

/**
 * Finds the port to use, and fails like a server of our own would when it is taken. Any port is one below the ephemeral
 * ones: those go to whoever connects or listens next, also before the runtime has it, and another server would answer.
 */
const reservePort = async (host: string, port: number): Promise<number> => {
  for (let left = port === 0 ? triesForAnyPort : 0; left > 0; left -= 1) {
    const found = await free(host, randomInt(20_000, 32_768)).catch(() => null);
    if (found !== null) return found;
  }
  return free(host, port);
};

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

const readyMs = 30_000;
const pollMs = 10;

/** The runtimes announce themselves differently or not at all, so that the port is asked until it answers. */
const untilReady = async (child: ChildProcess, exited: Promise<unknown>, host: string, port: number): Promise<void> => {
  const deadline = Date.now() + readyMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (await accepts(host, port)) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  child.kill("SIGKILL");
  await exited;
  throw new CannotStart(`the runtime ${child.spawnfile} did not start; its own message is above`);
};

const killAfterMs = 3_000;

/** Bundles the leaf, starts it on its real runtime, and resolves when it answers. Its log is our standard error. */
export const startChild = async (options: ChildOptions): Promise<RunningChild> => {
  const port = await reservePort(options.host, options.port);
  await mkdir(tmpdir(), { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), "parley-edge-"));
  const variables = toVariables(options.sources);
  const { file, args } = await commandFor({ ...options, port }, folder, Object.keys(variables));
  const child = spawn(file, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH ?? "", TMPDIR: tmpdir(), HOST: options.host, PORT: String(port), ...variables },
  });
  for (const output of [child.stdout, child.stderr]) {
    output.on("data", (piece: Buffer) => void process.stderr.write(piece));
  }
  const exited = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    // Not at its exit: the last lines of its log may still be in the pipe.
    child.once("close", (code) => resolve(code));
  });
  const tidy = exited.then(() => rm(folder, { recursive: true, force: true }));
  await untilReady(child, exited, options.host, port);
  return {
    port,
    exited,
    async close() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
      await exited;
      clearTimeout(timer);
      await tidy;
    },
  };
};
