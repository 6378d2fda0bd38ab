import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { secretEnvironment } from "../secrecy/canaries.ts";
import { watch } from "../secrecy/watch.ts";

const root = join(import.meta.dirname, "../..");

/** A test must never run yesterday's program. */
export const buildProduct = (): void => {
  const result = spawnSync(process.execPath, [join(root, ".ci/ready.mjs"), "test"], { encoding: "utf8" });
  if (result.status !== 0) throw new Error(result.stderr);
};

export const main = join(root, "dist/agents/main.js");

export interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Environment = Readonly<Record<string, string>>;

const environmentOf = (more: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  ...secretEnvironment,
  ...more,
});

const hostOperator = { owner: "host", isOperator: true, ids: [] };

/** A new key is printed once; nothing secret may be logged. */
const scanWritten = (args: readonly string[], out: string, err: string): void => {
  const what = `parley ${args.join(" ")}`;
  watch.scan.sent({ to: hostOperator, what, text: out, document: false });
  watch.scan.kept(`${what}, stderr`, err);
};

export const parley = (args: readonly string[], more: Environment = {}): Said => {
  const options = { encoding: "utf8", env: environmentOf(more), timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], options);
  scanWritten(args, stdout, stderr);
  return { code: status, out: stdout, err: stderr };
};

/** With `input` as its stdin; a server of the test's own process may answer it. */
export const parleyWith = async (args: readonly string[], input: string, more: Environment = {}): Promise<Said> => {
  const child = spawn(process.execPath, [main, ...args], { env: environmentOf(more), timeout: 60_000 });
  const read = [child.stdout, child.stderr].map((stream) => text(stream));
  child.stdin.end(input);
  const [out = "", err = ""] = await Promise.all(read);
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once("exit", resolve)));
  scanWritten(args, out, err);
  return { code, out, err };
};

export interface Running {
  readonly process: ChildProcess;
  out(): string;
  err(): string;
  until(text: string): Promise<void>;
  /** Null when the signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export const startParley = (args: readonly string[], more: Environment = {}): Running => {
  const child = spawn(process.execPath, [main, ...args], {
    env: environmentOf(more),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      scanWritten(args, out, err);
      resolve(code);
    });
  });
  const until = async (text: string): Promise<void> => {
    const deadline = Date.now() + 60_000;
    while (!out.includes(text)) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`never said ${text}: ${out}${err}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  const stop = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return { process: child, out: () => out, err: () => err, until, stop };
};
