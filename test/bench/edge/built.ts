import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "../../../agents/edge/runtimes/bundle.ts";
import type { Player } from "./measure.ts";
import { writeEdgeFiles } from "./roles.ts";

const TICK_MICROS = 10_000;

/** proc(5): processor time in ticks of 10 ms. */
export const useOf = async (pid: number) => {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, "utf8"),
    readFile(`/proc/${pid}/status`, "utf8"),
  ]);
  // The second field is the name, which may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { cpuMicros: ticks * TICK_MICROS, rssBytes: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024 };
};

/** `startMs` is the time until the ready line. */
export type BuiltEdge = Omit<Player, "stop"> & {
  readonly pid: number;
  readonly startMs: number;
  stop(): Promise<void>;
};

export const startBuilt = async (origin: string, workers = 1): Promise<BuiltEdge> => {
  const main = join(checkout, "dist", "agents", "main.js");
  if (!existsSync(main)) throw new Error("build first: npm run bench does it");
  const folder = await writeEdgeFiles(origin);
  const [config, secrets, data] = ["edge.toml", "secrets.json", "data"].map((name) => join(folder, name));
  const flags = [
    "--port",
    "0",
    "--config",
    config ?? "",
    "--secrets",
    secrets ?? "",
    "--data",
    data ?? "",
    "--workers",
    String(workers),
  ];
  const started = performance.now();
  const child = spawn(process.execPath, [main, "edge", ...flags], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, PARLEY_EDGE_BENCH_ROLE: "", OUTBOUND_ALLOW: "127.0.0.1" },
  });
  const line = await new Promise<Buffer>((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("exit", (code) => reject(new Error(`the edge ended with code ${String(code)}`)));
  });
  return {
    pid: child.pid ?? 0,
    url: /http:\S+/.exec(line.toString())?.[0] ?? "",
    startMs: performance.now() - started,
    use: () => useOf(child.pid ?? 0),
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
