import { join } from "node:path";
import { type Child, compileProgram, startChild } from "../storage/children.ts";
import { launchPostgres, type PostgresServer } from "../storage/postgres/server.ts";
import { planOf } from "./settings.ts";

interface Load {
  readonly commits: number;
  readonly cpuMicros: number;
}

interface Rate {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

interface CommitFigure {
  readonly processes: number;
  readonly flushDelayMs: number;
  readonly driver: Rate;
  readonly bare: Rate;
  readonly ratio: number;
}

const WRITERS = 64;
const WARM_SECONDS = 1;

const measure = async (
  children: readonly Child[],
  task: "load" | "bare",
  seconds: number,
  name: string,
): Promise<Load> => {
  const loads = await Promise.all(
    children.map((child, index) =>
      child.run<Load>(task, { writers: WRITERS / children.length, seconds, name: `${name}-${index}` }),
    ),
  );
  return sumOf(loads);
};

const sumOf = (loads: readonly Load[]): Load => ({
  commits: loads.reduce((sum, load) => sum + load.commits, 0),
  cpuMicros: loads.reduce((sum, load) => sum + load.cpuMicros, 0),
});

const rateOf = (loads: readonly Load[], seconds: number): Rate => {
  const { commits, cpuMicros } = sumOf(loads);
  return { perSecond: Math.round(commits / seconds / loads.length), cpuMicros: Math.round(cpuMicros / commits) };
};

const figure = async (server: PostgresServer, processes: number, flushDelayMs: number): Promise<CommitFigure> => {
  const { seconds, rounds } = planOf("postgres-commits");
  const program = await compileProgram(join(import.meta.dirname, "..", "storage", "postgres", "child.ts"));
  const options = { url: server.url("postgres"), schema: `bench_${processes}` };
  const children = Array.from({ length: processes }, () => startChild(program, options));
  await Promise.all(children.map((child) => child.run("ready")));
  await measure(children, "load", WARM_SECONDS, `warm-${processes}`);
  const loads: { readonly driver: Load; readonly bare: Load }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const name = `run-${processes}-${round}`;
    const driven = await measure(children, "load", seconds, name);
    loads.push({ driver: driven, bare: await measure(children, "bare", seconds, name) });
  }
  const driver = rateOf(
    loads.map((one) => one.driver),
    seconds,
  );
  const bare = rateOf(
    loads.map((one) => one.bare),
    seconds,
  );
  await Promise.all(children.map((child) => child.end()));
  return { processes, flushDelayMs, driver, bare, ratio: Number((driver.perSecond / bare.perSecond).toFixed(2)) };
};

const figures = async (flushDelayMs: number): Promise<readonly CommitFigure[] | { readonly reason: string }> => {
  const settings = [`commit_delay=${flushDelayMs * 1_000}`, "commit_siblings=0"];
  const server = await launchPostgres({ durable: true, settings });
  if ("reason" in server) return server;
  try {
    return [await figure(server, 1, flushDelayMs), await figure(server, 2, flushDelayMs)];
  } finally {
    await server.stop();
  }
};

/**
 * 64 writers, one and two processes, also with 2 ms added to each flush. A commit is a booking's: a row updated, three
 * created, two deadlines, one audit link. The bare statement updates one row and inserts three.
 */
export const run = async (): Promise<unknown> => [await figures(0), await figures(2)];
