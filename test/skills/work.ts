import { Session } from "node:inspector/promises";

/** Counts what our own code does. */
export interface WorkCounter {
  /** How often the blocks of our code were entered while `run` ran: the same for the same work, on any machine. */
  count(run: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

const ours = /\/(agents|machines|protocol|skills|storage|tools)\/(?!.*node_modules)/;

/**
 * Counts by the engine's own coverage, which counts a block only in code that is loaded after this: what shall be
 * counted has to be imported dynamically. Loops inside the engine, such as that of `indexOf`, count as one.
 */
export const startCounting = async (root: string): Promise<WorkCounter> => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const isOurs = (url: string): boolean => {
    const path = url.replace(/^file:\/\//, "");
    return path.startsWith(root) && ours.test(path.slice(root.length)) && !path.startsWith(`${root}/test/`);
  };
  const taken = async (): Promise<number> => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const ranges = result
      .filter(({ url }) => isOurs(url))
      .flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
    return ranges.reduce((sum, { count }) => sum + count, 0);
  };
  return {
    count: async (run) => {
      await taken();
      await run();
      return taken();
    },
    stop: async () => {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
};
