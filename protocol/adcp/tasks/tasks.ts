import type { AdcpFacts, Task } from "../task.ts";
import { getCapabilities } from "./capabilities.ts";
import { getProducts } from "./products.ts";

/** In the order of lists and cards. */
const tasks: readonly Task[] = [getCapabilities, getProducts];

export const tasksOf = (_facts: AdcpFacts): readonly Task[] => tasks;
