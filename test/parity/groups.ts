import { loadCases } from "../skills/cases.ts";

const named = {
  prices: ["avails", "discovery", "media-kit", "packages", "pricing", "products", "rate-card"],
  deals: ["deals", "negotiation", "proposals"],
  orders: ["approvals", "change-requests", "media-buys", "orders"],
  desk: ["buyer-moves", "buyers", "caller", "desk", "oversight", "portfolio", "product-changes"],
} as const;

const known = new Set<string>(Object.values(named).flat());
const all = [...new Set(loadCases().map(({ group }) => group))];

/** So that the test files take about the same time; a new group goes last. */
export const groupsOf = {
  ...named,
  others: all.filter((group) => !known.has(group)),
};
