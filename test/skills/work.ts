import { Session } from "node:inspector/promises";

export interface WorkCounter {
  /** Blocks of our code entered during `run`: the same on any machine. */
  count(run: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

const ours = /\/(agents|machines|protocol|skills|storage|tools)\/(?!.*node_modules)/;

/**
 * V8's coverage counts only code loaded after this, so import it dynamically; a loop inside the engine (`indexOf`)
 * counts as one.
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
