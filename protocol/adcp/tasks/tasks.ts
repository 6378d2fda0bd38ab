import type { AdcpFacts, Task } from "../task.ts";
import { listAccountsTask, syncAccountsTask } from "./accounts.ts";
import { getCapabilities } from "./capabilities.ts";
import { listCreativesTask, listFormatsTask, syncCreativesTask } from "./creatives.ts";
import { deliveryTask, getMediaBuys, getTaskStatus, performanceFeedback } from "./buys-read.ts";
import { createMediaBuy, updateMediaBuy } from "./media-buys.ts";
import { testController } from "./test-controller.ts";
import { getProducts } from "./products.ts";

/** In the order of lists and cards. */
const tasks: readonly Task[] = [
  getCapabilities,
  syncAccountsTask,
  listAccountsTask,
  getProducts,
  listFormatsTask,
  createMediaBuy,
  updateMediaBuy,
  getMediaBuys,
  deliveryTask,
  syncCreativesTask,
  listCreativesTask,
  performanceFeedback,
  getTaskStatus,
];

export const tasksOf = ({ testMode }: AdcpFacts): readonly Task[] => (testMode ? [...tasks, testController] : tasks);
