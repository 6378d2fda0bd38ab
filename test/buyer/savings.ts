import { openMemoryStore } from "../../storage/memory/driver.ts";
import { seededRandom } from "../storage/crash/random.ts";
import { briefOf, openMarket } from "./market.ts";
import { callAgent, type Clock, type Job, openBuyer, settledJob } from "./world.ts";

/** In USD; `averageCpm` is everything spent over everything bought. */
export interface Bought {
  readonly spent: number;
  readonly impressions: number;
  readonly averageCpm: number;
  readonly lines: number;
  readonly completed: number;
  readonly budget: number;
}

const sumOf = (jobs: readonly Job[], read: (line: Job["booked_lines"][number]) => number): number =>
  jobs.flatMap((job) => job.booked_lines).reduce((sum, line) => sum + read(line), 0);

export const buy = async (
  negotiates: boolean,
  plan: { readonly seed: number; readonly briefs: number; readonly sellers: number; readonly products: number },
  clock: Clock,
): Promise<Bought> => {
  const market = await openMarket({ ...plan, lossPct: 0, delayMs: 0, clock, priceProbeLimit: 1_000_000 });
  const settings = { sellers: market.endpoints, negotiates, sellerTimeoutSeconds: 30 };
  const world = await openBuyer(settings, { clock, worker: { mostJobs: 4 } }, async () => openMemoryStore());
  try {
    const random = seededRandom(plan.seed + 7);
    const briefs = Array.from({ length: plan.briefs }, (_none, place) => briefOf(random, place));
    const jobs: Job[] = [];
    for (const brief of briefs) {
      const { output } = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
      jobs.push(await settledJob(world.buyer, String(output["job_id"])));
    }
    const spent = sumOf(jobs, ({ cost }) => cost);
    const impressions = sumOf(jobs, (line) => Number(line["impressions"]));
    return {
      spent: Math.round(spent * 100) / 100,
      impressions,
      averageCpm: Math.round((spent / impressions) * 1_000 * 10_000) / 10_000,
      lines: sumOf(jobs, () => 1),
      completed: jobs.filter(({ status }) => status === "completed").length,
      budget: jobs.reduce((sum, { totals }) => sum + totals.budget, 0),
    };
  } finally {
    await world.close();
    await market.close();
  }
};
