import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { main } from "../cli/program.ts";
import { reservePorts } from "../../agents/server/port.ts";
import { type Block, blocksOf, differences, filledIn, fitsText } from "./blocks.ts";

const root = join(import.meta.dirname, "../..");

/** `npm` of the pages: the same program on a folder of the test's own. */
const npmInShell = `npm() {
  if [ "$1" = run ]; then shift 3; shift; fi
  node --max-semi-space-size=64 '${main}' "$@"
}
`;

/** Less than a test may take, so that the page's line is told. */
const waitMs = 30_000;

const until = async (isDone: () => boolean, what: () => string): Promise<void> => {
  const deadline = Date.now() + waitMs;
  while (!isDone()) {
    if (Date.now() > deadline) throw new Error(what());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** Keeps its variables from one block to the next, as a reader's terminal does. */
const openShell = (cwd: string, environment: Readonly<Record<string, string>>) => {
  const shell = spawn("bash", ["--noprofile", "--norc"], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, ...environment },
  });
  let out = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  shell.stdin.write(npmInShell);
  const run = async (command: string): Promise<string> => {
    out = "";
    shell.stdin.write(`${command}\necho "end-of-block"\n`);
    await until(
      () => out.includes("end-of-block\n") || shell.exitCode !== null,
      () => `did not end: ${command}\n${out}`,
    );
    return out.slice(0, out.indexOf("end-of-block\n"));
  };
  return { run, close: (): void => void shell.kill() };
};

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("close", () => resolve()));

/** Numbers of the pages, and those that are free here. */
export const portsFor = async (pages: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const named = [...new Set(pages.flatMap((page) => page.match(/\b(?:80\d\d|8787)\b/g) ?? []))];
  const free = await reservePorts(
    "127.0.0.1",
    named.map(() => 0),
  );
  return new Map(named.map((port, at) => [port, String(free[at])]));
};

const swapped = (text: string, pairs: Iterable<readonly [string, string]>): string =>
  [...pairs].reduce((sofar, [from, to]) => sofar.replace(new RegExp(`\\b${from}\\b`, "g"), to), text);

export interface Player {
  play(page: string): Promise<void>;
  close(): Promise<void>;
}

const wantOutput = (block: Block, printed: string): void => {
  if (block.kind === "output") {
    if (!fitsText(block.text, printed)) throw new Error(`line ${block.line}: printed was\n${printed}`);
    return;
  }
  let answer: unknown;
  try {
    answer = JSON.parse(printed);
  } catch {
    throw new Error(`line ${block.line}: this is no JSON:\n${printed}`);
  }
  const found = differences(JSON.parse(block.text), answer);
  if (found.length > 0) throw new Error(`line ${block.line}: ${found.join("\n")}\nin ${printed}`);
};

/** Plays pages as a reader would: in order, in one folder, with what was printed put in where a page shows `…`. */
export const openPlayer = (ports: ReadonlyMap<string, string>): Player => {
  const cwd = mkdtempSync(join(tmpdir(), "parley-guide-"));
  mkdirSync(join(cwd, "test"));
  symlinkSync(join(root, "test", "examples"), join(cwd, "test", "examples"));
  const servers: ChildProcess[] = [];
  /** What `npm start` printed stands on the screen of every page. */
  let fromStart = "";
  const ours = (text: string): string => swapped(text, ports);
  const theirs = (text: string): string => swapped(text, [...ports].map(([from, to]) => [to, from] as const));

  const serve = async (command: string, block: Block | undefined): Promise<string> => {
    const text = `${npmInShell}${command.replace(/^npm start$/m, `npm all ${allFlags(ports)}`)}`;
    const child = spawn("bash", ["--noprofile", "--norc", "-c", text], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: cwd },
      detached: true,
    });
    servers.push(child);
    let out = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (said: string) => (out += said));
    await until(
      () => block === undefined || fitsText(block.text, theirs(out)) || child.exitCode !== null,
      () => `line ${block?.line}: printed was\n${theirs(out)}`,
    );
    return out;
  };

  const play = async (page: string): Promise<void> => {
    const shell = openShell(cwd, { SELLER: ours("http://127.0.0.1:8000") });
    let last = "";
    let printed = fromStart;
    const blocks = blocksOf(page);
    for (const [at, block] of blocks.entries()) {
      const { kind, text, file } = block;
      const next = blocks[at + 1];
      if (kind === "file") {
        mkdirSync(dirname(join(cwd, file)), { recursive: true });
        writeFileSync(join(cwd, file), `${ours(text)}\n`);
      } else if (kind === "output" || kind === "json") wantOutput(block, last);
      else {
        const command = ours(filledIn(text, printed));
        const said = kind === "run" ? await shell.run(command) : await serve(command, next);
        printed += said;
        if (text === "npm start") fromStart = said;
        last = theirs(said);
      }
    }
    shell.close();
  };

  return {
    play,
    close: async () => {
      for (const child of servers) if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      await Promise.all(servers.map(ended));
      rmSync(cwd, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
};

const allFlags = (ports: ReadonlyMap<string, string>): string =>
  ["--seller-port 8000", "--buyer-port 8001", "--edge-port 8787"]
    .map((flag) => swapped(flag, ports))
    .join(" ");
