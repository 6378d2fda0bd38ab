import { exactly } from "../../talk/gate/exact.ts";
import type { Desk, Gate } from "../../talk/gate/gate.ts";
import type { Draft } from "../../talk/gate/record.ts";
import { subjects } from "./reply.ts";
import { clarify, type Spoken } from "./spoken.ts";
import type { Turn } from "./turn.ts";

/** A new offer for the same thing stands for the one before. */
export const isOfSame = (left: Draft, right: Draft): boolean => {
  const subject = subjects.find((name) => left.input[name] !== undefined);
  return left.operation === right.operation && subject !== undefined && left.input[subject] === right.input[subject];
};

const clause = /^.*?(?=[.;!?]|,? (?:and|but|if|with|for|under|then|as)\b|$)/i;

/** "Send it, and if they agree book it": what the order began to take is offered again, and not done. */
export const stillArmed = (gate: Gate, { row }: Desk, text: string, { answers }: Turn): Spoken | null => {
  const armed = row.open.find(({ option }) => option === row.armed);
  if (armed === undefined) return null;
  const deeds = exactly(clause.exec(text)?.[0] ?? "")?.deeds ?? [];
  const orders = gate.deeds.get(armed.operation)?.orders(armed.input) ?? [];
  const isOffered = answers.some(({ spoken: { drafts = [] } }) => drafts.some((one) => isOfSame(one, armed)));
  if (isOffered || !deeds.some((deed) => deed !== "yes" && orders.includes(deed))) return null;
  const { operation, input } = armed;
  return clarify("deals", "That is not done yet: take it by itself.", {
    drafts: [{ operation, input }],
    reason: "held_back",
  });
};
