import type { Desk, Gate } from "../../talk/gate/gate.ts";
import { clarify, type Spoken } from "./spoken.ts";
import type { Turn } from "./turn.ts";

/** "Send it", ahead of "and if they agree book it". */
export const firstClause = (text: string): string =>
  /^.*?(?=[.;!?]|,? (?:and|but|if|with|for|under|then|as)\b|$)/i.exec(text)?.[0] ?? "";

/** What the message's first clause orders, where more words follow, is offered again and not done. */
export const stillArmed = (gate: Gate, { row }: Desk, deeds: readonly string[], { answers }: Turn): Spoken | null => {
  const armed = row.open.find(({ option }) => option === row.armed);
  if (armed === undefined) return null;
  const orders = gate.deeds.get(armed.operation)?.orders(armed.input) ?? [];
  // "Book A and B. We decline C": the order has its own answer.
  const isOffered = answers.some(
    ({ spoken: { drafts = [], outcome } }) =>
      outcome === "rejected" || drafts.some(({ operation: of }) => of === armed.operation),
  );
  if (isOffered || !deeds.some((deed) => deed !== "yes" && orders.includes(deed))) return null;
  const { operation, input } = armed;
  return clarify("deals", "That is not done yet: take it by itself.", {
    drafts: [{ operation, input }],
    reason: "held_back",
  });
};
