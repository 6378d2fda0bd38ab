import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { createRequire } from "node:module";
import type { Role } from "./roles.ts";

export type Use = { readonly cpuMicros: number; readonly rssBytes: number };

export type Player = { readonly url: string; use(): Promise<Use>; stop(): void };

export const startPlayer = async (file: string, role: Role, origin: string): Promise<Player> => {
  const env = { ...process.env, PARLEY_EDGE_BENCH_ROLE: `${role} ${origin}` };
  // A log that nobody reads is still written, as in production.
  const child: ChildProcess = fork(file, [], { env, stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return {
    url,
    async use() {
      child.send("use");
      const [use] = (await once(child, "message")) as [Use];
      return use;
    },
    stop: () => child.disconnect(),
  };
};

type Cannon = (options: object) => Promise<{ "2xx": number; non2xx: number; errors: number }>;

export const cannon = createRequire(import.meta.url)("autocannon") as Cannon;

export const cpuPerRequest = async (player: Player, amount: number, request: object): Promise<number> => {
  const before = await player.use();
  const shot = await cannon({ url: player.url, connections: 8, amount, ...request });
  const after = await player.use();
  if (shot.non2xx + shot.errors > 0) throw new Error(`${shot.non2xx + shot.errors} of ${amount} requests failed`);
  return (after.cpuMicros - before.cpuMicros) / amount;
};

/** A stall of the host can only make a round worse. */
export const bestOf = async (rounds: number, ...sides: (() => Promise<number>)[]): Promise<number[]> => {
  const best = sides.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, side] of sides.entries()) best[index] = Math.min(best[index] ?? 0, await side());
  }
  return best;
};

const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });

export const timed = (
  url: string,
  until: "first" | "end",
  options: http.RequestOptions = {},
  body?: string,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const request = http.request(url, { agent, ...options }, (response) => {
      response.once("data", () => {
        if (until === "first") resolve(performance.now() - started);
      });
      response.once("end", () => resolve(performance.now() - started));
      response.resume();
    });
    request.once("error", reject);
    request.end(body);
  });

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** Requests start at their time, whether or not earlier ones have ended. */
export const atRate = async (perSecond: number, seconds: number, one: () => Promise<number>): Promise<number[]> => {
  const times: Promise<number>[] = [];
  const started = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = started + (index * 1_000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    times.push(one());
  }
  return Promise.all(times);
};
