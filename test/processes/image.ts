import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** A step of the file, its lines joined: `FROM node:24-alpine AS build`. */
interface Instruction {
  readonly word: string;
  readonly rest: string;
}

const readContainerfile = (): readonly Instruction[] =>
  readFileSync(join(root, "Containerfile"), "utf8")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ word: line.split(" ", 1)[0] ?? "", rest: line.slice(line.indexOf(" ") + 1) }));

/** Of the last stage, or of the first. */
export const stageOf = (which: "build" | "image"): readonly Instruction[] => {
  const all = readContainerfile();
  const last = all.findLastIndex(({ word }) => word === "FROM");
  return which === "build" ? all.slice(0, last) : all.slice(last);
};

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

const withoutWrite = (path: string): void => {
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    const at = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(at, 0o555);
    else if (entry.isFile()) chmodSync(at, 0o444 | (at.includes("/bin/") ? 0o111 : 0));
  }
  chmodSync(path, 0o555);
};

const withWrite = (path: string): void => {
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
};

export interface Unpacked {
  readonly tree: string;
  readonly data: string;
  remove(): void;
}

/** What the image holds, of files that `source` has, as a tree that nobody may write, and a folder for data. */
export const unpackImage = (source: string): Unpacked => {
  const home = mkdtempSync(join(tmpdir(), "parley-image-"));
  chmodSync(home, 0o755);
  const [tree, data] = [join(home, "opt"), join(home, "data")];
  for (const { word, rest } of stageOf("image")) {
    const [, from = "", to = ""] = /^--from=build \/src\/(\S+) (\S+)$/.exec(rest) ?? [];
    if (word !== "COPY" || from === "") continue;
    mkdirSync(dirname(join(tree, to)), { recursive: true });
    cpSync(join(source, from), join(tree, to), { recursive: true });
  }
  withoutWrite(tree);
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, nobody, nobody);
  const remove = (): void => {
    withWrite(tree);
    rmSync(home, { recursive: true, force: true });
  };
  return { tree, data, remove };
};

export interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  /** Until the ready line: on the clock, and of processor time. */
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Fields 14 and 15 of proc(5) `stat`, in hundredths of a second. */
const cpuMsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

/** As the image starts it: its entry point, as a user who is not root, with nothing but what the image sets. */
export const startImage = ({ tree, data }: Unpacked, args: readonly string[]): Promise<Started> => {
  const [entry = {}] = stageOf("image").flatMap(({ word, rest }) =>
    word === "ENTRYPOINT" ? [JSON.parse(rest) as readonly string[]] : [],
  );
  const [, ...flags] = (entry as readonly string[]).map((part) => part.replace("/opt/parley", tree));
  const begun = performance.now();
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: tree,
    env: { NODE_ENV: "production", HOST: "127.0.0.1", PORT: "0", HOME: data },
    stdio: ["ignore", "pipe", "pipe"],
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  });
  let said = "";
  return new Promise((resolve, reject) => {
    const hear = (text: Buffer): void => {
      said += text.toString();
      const url = /listening on (\S+)/.exec(said)?.[1];
      if (url === undefined || child.pid === undefined) return;
      resolve({ child, url, wallMs: performance.now() - begun, cpuMs: cpuMsOf(child.pid) });
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => reject(new Error(`it ended: ${said}`)));
  });
};

export const stopped = async ({ child }: Started): Promise<number | null> => {
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  return ended;
};
