import { join } from "node:path";
import { type Child, compileProgram, startChild } from "../storage/children.ts";
import { launchPostgres, type PostgresServer } from "../storage/postgres-server.ts";

/** One line of the report: commits a second and CPU of the committing processes in microseconds a commit. */
export interface CommitFigure {
  readonly processes: number;
  readonly flushDelayMs: number;
  readonly commitsPerSecond: number;
  readonly cpuMicrosPerCommit: number;
}

interface Load {
  readonly commits: number;
  readonly cpuMicros: number;
}

const WRITERS = 64;

const measure = async (children: readonly Child[], seconds: number, name: string): Promise<Load> => {
  const loads = await Promise.all(
    children.map((child, index) =>
      child.run<Load>("load", { writers: WRITERS / children.length, seconds, name: `${name}-${index}` }),
    ),
  );
  const sum = (pick: (load: Load) => number): number => loads.reduce((total, load) => total + pick(load), 0);
  return { commits: sum((load) => load.commits), cpuMicros: sum((load) => load.cpuMicros) };
};

const figures = async (server: PostgresServer, flushDelayMs: number, seconds: number): Promise<CommitFigure[]> => {
  const program = await compileProgram(join(import.meta.dirname, "..", "storage", "postgres-child.ts"));
  const found: CommitFigure[] = [];
  for (const processes of [1, 2]) {
    const schema = `bench_${processes}`;
    const children = Array.from({ length: processes }, () => startChild(program, { url: server.url("postgres"), schema }));
    await Promise.all(children.map((child) => child.run("ready")));
    await measure(children, 1, "warm");
    const { commits, cpuMicros } = await measure(children, seconds, "run");
    found.push({
      processes,
      flushDelayMs,
      commitsPerSecond: Math.round(commits / seconds),
      cpuMicrosPerCommit: Math.round(cpuMicros / commits),
    });
    await Promise.all(children.map((child) => child.end()));
  }
  return found;
};

/**
 * Commits a second of 64 writers through one and two processes on one durable PostgreSQL. A commit is that of a
 * booking: a row updated, three created with a term each, two deadlines, one audit link.
 */
export const run = async (seconds = 5): Promise<readonly CommitFigure[] | { readonly reason: string }> => {
  const server = await launchPostgres({ durable: true });
  if ("reason" in server) return server;
  try {
    return await figures(server, 0, seconds);
  } finally {
    await server.stop();
  }
};
