import http from "node:http";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { startBuilt, useOf } from "./built.ts";
import { cannon, timed } from "./measure.ts";

const WORKERS = 2;
const NEW_CONNECTIONS = 200;
const SATURATING = 64;
const LOAD_S = 8;

const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return list.trim().split(" ").map(Number);
};

type Shot = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

type Burst = { readonly slowestMs: number; readonly failed: number };

/** Each request on a connection of its own, all at once. */
const newVisitors = async (url: string, { headers, body }: Shot): Promise<Burst> => {
  const options: http.RequestOptions = { method: "POST", headers, agent: false };
  const all = await Promise.allSettled(Array.from({ length: NEW_CONNECTIONS }, () => timed(url, "end", options, body)));
  const times = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  return { slowestMs: Math.max(...times), failed: all.length - times.length };
};

export type BurstFigures = {
  readonly saturated: Burst;
  readonly workerKilled: Burst;
  /** Of the busy time of all workers, what the least busy one had. */
  readonly leastShare: number;
  readonly perSecond: number;
};

/** 200 new connections on two workers that are saturated, and again while one of them was killed. */
export const measureBurst = async (origin: string, path: string, shot: Shot): Promise<BurstFigures> => {
  const edge = await startBuilt(origin, WORKERS);
  const workers = await childrenOf(edge.pid);
  const request = { method: "POST", path, ...shot };
  // Until the engine compiles no more.
  await cannon({ url: edge.url, connections: SATURATING, amount: 4_000, requests: [request] });
  const load = cannon({ url: edge.url, connections: SATURATING, duration: LOAD_S, requests: [request] });
  await sleep(1_000);
  const before = await Promise.all(workers.map(useOf));
  const saturated = await newVisitors(`${edge.url}${path}`, shot);
  await sleep(2_000);
  const after = await Promise.all(workers.map(useOf));
  const busy = after.map(({ cpuMicros }, index) => cpuMicros - (before[index]?.cpuMicros ?? 0));
  process.kill(workers[0] ?? 0, "SIGKILL");
  const workerKilled = await newVisitors(`${edge.url}${path}`, shot);
  const { "2xx": answered } = await load;
  await edge.stop();
  const leastShare = Math.min(...busy) / busy.reduce((sum, one) => sum + one, 0);
  return { saturated, workerKilled, leastShare, perSecond: answered / LOAD_S };
};
