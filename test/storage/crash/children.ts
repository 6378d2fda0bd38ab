import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { ChildTask } from "./child.ts";

const here = dirname(fileURLToPath(import.meta.url));

export interface ChildProgram {
  start(task: ChildTask): Child;
  remove(): Promise<void>;
}

interface Child {
  readonly pid: number;
  readonly lines: readonly string[];
  readonly spoke: Promise<void>;
  readonly ended: Promise<string>;
  kill(): void;
}

const follow = (process: ChildProcess): Child => {
  const lines: string[] = [];
  let errors = "";
  process.stderr?.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  const ended = new Promise<string>((resolve) => process.once("close", () => resolve(errors)));
  const spoke = new Promise<void>((resolve, reject) => {
    void ended.then(() => reject(new Error(`the child ended without a word: ${errors}`)));
    if (process.stdout === null) return;
    createInterface(process.stdout).on("line", (line) => {
      lines.push(line);
      resolve();
    });
  });
  spoke.catch(() => undefined);
  return { pid: process.pid ?? 0, lines, spoke, ended, kill: () => void process.kill("SIGKILL") };
};

export const buildChild = async (): Promise<ChildProgram> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-child-"));
  const outfile = join(dir, "child.mjs");
  await build({
    entryPoints: [join(here, "child.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  return {
    start: (task) => {
      const args = [outfile, JSON.stringify(task)];
      return follow(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] }));
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
};
