import { deadlinesOf } from "../deadline.ts";
import { dealEvent } from "./events.ts";
import { dealChanges } from "./changes.ts";
import { dealKind, settledDeal } from "./record.ts";

/** Gives back the impressions that it held. */
export const dealDeadlines = deadlinesOf(dealKind, (loaded, { nowMs }) => {
  const row = settledDeal(loaded.body, nowMs);
  if (row === loaded.body) return null;
  return {
    changes: dealChanges(loaded, row),
    events: [dealEvent(`deal.${row.life.value}`, row)],
  };
});
