const bots = /Googlebot|Bingbot|AhrefsBot|SemrushBot|DotBot/i;

/** Bots and prefetches see the slots, but nobody bids for them, and what they fetch was shown to nobody. */
export const isUnseen = (headers: Headers): boolean =>
  bots.test(headers.get("user-agent") ?? "") ||
  ["sec-purpose", "purpose"].some((name) => (headers.get(name) ?? "").toLowerCase().includes("prefetch"));
