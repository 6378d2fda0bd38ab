import { agent } from "../session.ts";
import type { Screen } from "./screen.ts";
import { approvals } from "./seller/approvals/screen.tsx";

/** In the order of the navigation; the first four are in the bar of a narrow window. */
const all: Readonly<Record<"seller" | "buyer", readonly Screen[]>> = {
  seller: [approvals],
  buyer: [],
};

export const screens = all[agent];
