import { createBuyer } from "../../agents/buyer/app.ts";
import type { SellerEndpoint } from "../../agents/buyer/config.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { callAgent, logTo, plainBuyer } from "./world.ts";

/** The clock runs on through restarts. */
interface Start {
  readonly dir: string;
  readonly sellers: readonly SellerEndpoint[];
  readonly clockOffsetMs: number;
}

const { dir, sellers, clockOffsetMs } = JSON.parse(process.argv[2] ?? "{}") as Start;
const store = await openLowdbStore({ dir });
const buyer = createBuyer({
  store,
  settings: { ...plainBuyer, sellers, sellerTimeoutSeconds: 5 },
  clock: { nowMs: () => Date.now() + clockOffsetMs },
  log: logTo([]),
  worker: { leaseMs: 400, pollMs: 100, mostJobs: 4 },
});

process.on("message", ({ task, input }: { task: string; input: unknown }) => {
  void callAgent(buyer, task, input).then((reply) => process.send?.({ result: reply }));
});
