import { quoteForgetAtMs } from "../../../machines/quote/machine.ts";
import { remove, update } from "../../../protocol/seam/changes.ts";
import { deadlinesOf } from "../deadline.ts";
import { quoteEvent } from "./events.ts";
import { quoteKind, settledQuote } from "./record.ts";

/** Removed once nobody can read it any more. */
export const quoteDeadlines = deadlinesOf(quoteKind, (loaded, { nowMs }) => {
  const forgetAtMs = quoteForgetAtMs(loaded.body.life);
  if (forgetAtMs !== null) {
    return forgetAtMs <= nowMs ? { changes: [remove(quoteKind, loaded)], events: [] } : null;
  }
  const row = settledQuote(loaded.body, nowMs);
  if (row === loaded.body) return null;
  return { changes: [update(quoteKind, loaded, row)], events: [quoteEvent("quote.expired", row)] };
});
