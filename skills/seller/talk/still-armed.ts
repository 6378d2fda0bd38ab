import type { Exact } from "../../talk/gate/exact.ts";
import type { Desk, Gate } from "../../talk/gate/gate.ts";
import type { Option } from "../../talk/gate/record.ts";
import { clarify, type Spoken } from "./spoken.ts";
import type { Turn } from "./turn.ts";

export const toPerson = "request_handover";

/** "Send it", ahead of "and if they agree book it". */
export const firstClause = (text: string): string =>
  /^.*?(?=[.;!?]|,? (?:and|but|if|with|for|under|then|as)\b|$)/i.exec(text)?.[0] ?? "";

/** "Ok, and what does native cost?" agrees to nothing. */
const agreeing = /\b(?:yes|yep|yeah|go ahead|do it|sure)\b/i;

const meantBy = ({ row }: Desk, { all }: Exact): readonly Option[] => {
  const listed = row.listed.flatMap((id) => row.open.find(({ option }) => option === id) ?? []);
  return row.open.filter((one) => one.option === row.armed || (all !== null && listed.includes(one)));
};

/** What the message's first clause orders, where more words follow, is offered again and not done. */
export const stillArmed = (
  gate: Gate,
  desk: Desk,
  { exact, text }: { readonly exact: Exact; readonly text: string },
  { answers }: Turn,
): Spoken | null => {
  const isYes = exact.deeds.includes("yes") && agreeing.test(firstClause(text));
  const waiting = meantBy(desk, exact).filter(({ operation, input }) => {
    const orders = gate.deeds.get(operation)?.orders(input) ?? [];
    return operation !== toPerson && (isYes || exact.deeds.some((deed) => deed !== "yes" && orders.includes(deed)));
  });
  // "Book A and B. We decline C": the order has its own answer.
  const drafts = answers.flatMap(({ spoken }) => spoken.drafts ?? []);
  const isAnswered =
    answers.some(({ spoken: { outcome } }) => outcome === "rejected") ||
    drafts.some(({ operation: of }) => (isYes ? of !== toPerson : waiting.some(({ operation }) => operation === of)));
  if (waiting.length === 0 || isAnswered) return null;
  const terms = waiting.map((one) => one.terms).join("\n");
  return clarify("deals", `That is not done yet, take it by itself: ${terms}`, {
    drafts: waiting.map(({ operation, input }) => ({ operation, input })),
    reason: "held_back",
  });
};
