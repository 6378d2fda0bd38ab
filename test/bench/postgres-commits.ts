import { join } from "node:path";
import { type Child, compileProgram, startChild } from "../storage/children.ts";
import { launchPostgres, type PostgresServer } from "../storage/postgres-server.ts";
import { planOf } from "./settings.ts";

interface Load {
  readonly commits: number;
  readonly cpuMicros: number;
}

/** Commits a second, and CPU of the committing processes in microseconds a commit. */
interface Rate {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** One line of the report: the driver, the bare statement beside it in the same minute, and their ratio. */
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
): Promise<Rate> => {
  const loads = await Promise.all(
    children.map((child, index) =>
      child.run<Load>(task, { writers: WRITERS / children.length, seconds, name: `${name}-${index}` }),
    ),
  );
  const commits = loads.reduce((sum, load) => sum + load.commits, 0);
  const cpuMicros = loads.reduce((sum, load) => sum + load.cpuMicros, 0);
  return { perSecond: Math.round(commits / seconds), cpuMicros: Math.round(cpuMicros / commits) };
};

const figure = async (server: PostgresServer, processes: number, flushDelayMs: number): Promise<CommitFigure> => {
  const { seconds } = planOf("postgres-commits");
  const program = await compileProgram(join(import.meta.dirname, "..", "storage", "postgres-child.ts"));
  const options = { url: server.url("postgres"), schema: `bench_${processes}` };
  const children = Array.from({ length: processes }, () => startChild(program, options));
  await Promise.all(children.map((child) => child.run("ready")));
  await measure(children, "load", WARM_SECONDS, `warm-${processes}`);
  const driver = await measure(children, "load", seconds, `run-${processes}`);
  const bare = await measure(children, "bare", seconds, `run-${processes}`);
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
 * Commits a second of 64 writers through one and two processes on one durable PostgreSQL, also with 2 ms added to each
 * flush. A commit is that of a booking: a row updated, three created with a term each, two deadlines, one audit link.
 * Beside it stands one bare named statement that updates one row and inserts three.
 */
export const run = async (): Promise<unknown> => [await figures(0), await figures(2)];
