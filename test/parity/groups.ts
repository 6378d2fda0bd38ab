/** The groups of operations by test file, so that the files take about the same time. */
export const groupsOf = {
  prices: ["avails", "discovery", "media-kit", "packages", "pricing", "products", "rate-card"],
  deals: ["deals", "negotiation", "proposals"],
  orders: ["approvals", "change-requests", "orders"],
  callers: ["api-keys", "events", "registry", "sessions", "setup", "webhooks"],
  desk: ["buyer-moves", "caller", "portfolio"],
} as const;
