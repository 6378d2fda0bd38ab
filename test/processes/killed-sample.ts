import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { main } from "../cli/program.ts";

interface Started {
  readonly child: ChildProcess;
  readonly said: () => string;
  /** Resolves with everything printed so far. */
  until(text: string): Promise<string>;
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
}

const open: Started[] = [];
const folders: string[] = [];

export const cleanUp = async (): Promise<void> => {
  for (const started of open.splice(0)) await started.end("SIGKILL");
  for (const dir of folders.splice(0)) await rm(dir, { recursive: true, force: true });
};

/** 0: any free port. A restart keeps the port, as the buyer's open lines name the address. */
const startAll = (dir: string, sellerPort = "0"): Started => {
  const args = [main, "all", "--data", dir, "--seller-port", sellerPort, "--buyer-port", "0", "--edge-port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  const read = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const started: Started = {
    child,
    said: () => text,
    until: async (wanted) => {
      while (!text.includes(wanted)) {
        if (child.exitCode !== null) throw new Error(`ended before it said ${wanted}: ${text}`);
        await sleep(5);
      }
      return text;
    },
    end: (signal) => {
      child.kill(signal);
      return gone;
    },
  };
  open.push(started);
  return started;
};

/** Without the ids of this run. */
const tableOf = (said: string): readonly string[] =>
  said
    .split("\n")
    .filter((line) => /^DEMO-[0-9A-F]|^booking /.test(line))
    .map((line) => line.replace(/DEMO-\w+|[0-9a-f-]{36}/g, "id").replace(/ +/g, " "));

/** The next start must show the finished booking, and so must the one after it. */
export const killedAfter = async (afterMs: number): Promise<void> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-all-"));
  folders.push(dir);
  const first = startAll(dir);
  const sellerPort = /seller listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(await first.until("buyer  listening"))?.[1];
  await sleep(afterMs);
  await first.end("SIGKILL");
  const second = startAll(dir, sellerPort);
  const finished = tableOf(await second.until("Ctrl-C stops"));
  expect(finished.length, second.said()).toBeGreaterThan(1);
  expect(finished.at(-1)).toMatch(/^booking id: completed, \d+ deals, budget 250,000\.00 USD/);
  expect(await second.end("SIGTERM"), second.said()).toBe(0);
  const third = startAll(dir, sellerPort);
  const said = await third.until("Ctrl-C stops");
  expect(said).toContain("The sample brief was booked by an earlier start:");
  expect(tableOf(said)).toEqual(finished);
  expect(await third.end("SIGTERM"), third.said()).toBe(0);
};
