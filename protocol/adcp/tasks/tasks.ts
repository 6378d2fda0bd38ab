import type { AdcpFacts, Task } from "../task.ts";
import { listAccountsTask, syncAccountsTask } from "./accounts.ts";
import { getCapabilities } from "./capabilities.ts";
import { listCreativesTask, listFormatsTask, syncCreativesTask } from "./creatives.ts";
import { deliveryTask, listBuysTask, getTaskStatus, performanceFeedback } from "./buys-read.ts";
import { createBuyTask, updateBuyTask } from "./media-buys.ts";
import { testController } from "./test-controller.ts";
import { getProducts } from "./products.ts";

/** In the order of lists and cards. */
const tasks: readonly Task[] = [
  getCapabilities,
  syncAccountsTask,
  listAccountsTask,
  getProducts,
  listFormatsTask,
  createBuyTask,
  updateBuyTask,
  listBuysTask,
  deliveryTask,
  syncCreativesTask,
  listCreativesTask,
  performanceFeedback,
  getTaskStatus,
];

export const tasksOf = ({ testMode }: AdcpFacts): readonly Task[] => (testMode ? [...tasks, testController] : tasks);
