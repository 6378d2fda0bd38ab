import type { Desk, Gate } from "../../talk/gate/gate.ts";
import type { Option } from "../../talk/gate/record.ts";
import { clarify, type Spoken, toPerson } from "./spoken.ts";
import type { Turn } from "./turn.ts";

/** "Send it", ahead of "and if they agree book it". */
const firstClause = (text: string): string =>
  /^.*?(?=[.;!?]|,? (?:and|but|if|with|for|under|then|as)\b|$)/i.exec(text)?.[0] ?? "";

/** Where an order may stand beside other words: "Yes, the ROS is fine. Send it." */
export const clausesOf = (text: string): readonly string[] => [
  firstClause(text),
  ...text
    .slice(0, mostText)
    .split(/(?<=[.;!?])\s+|\n+/)
    .slice(0, mostClauses),
  /^\s*\w+(?=,)/.exec(text)?.[0] ?? "",
];

const mostText = 1000;
const mostClauses = 12;

/** "Ok, and what does native cost?" agrees to nothing. */
const agreeing = /\b(?:yes|yep|yeah|go ahead|do it|sure)\b/i;

/** The orders that the first clause of a message gives, and whether it means all of a list. */
interface Ordered {
  readonly deeds: readonly string[];
  readonly all: object | null;
  readonly numbers: readonly number[];
  readonly text: string;
}

const meantBy = ({ row }: Desk, { all, deeds, numbers }: Ordered): readonly Option[] => {
  const isOrder = deeds.some((deed) => deed !== "yes");
  const listed = row.listed.flatMap((id) => row.open.find(({ option }) => option === id) ?? []);
  if (numbers.length > 0) return listed.filter(({ n }) => numbers.includes(n));
  return row.open.filter((one) => one.option === row.armed || ((all !== null || isOrder) && listed.includes(one)));
};

/** What the message's first clause orders, where more words follow, is offered again and not done. */
export const stillArmed = (
  gate: Gate,
  desk: Desk,
  ordered: Ordered,
  { answers, memory: { topics } }: Turn,
): Spoken | null => {
  const { deeds, numbers, all, text } = ordered;
  // "1. And why a new quote?"
  const isNumber = numbers.length + (all === null ? 0 : 1) > 0 && deeds.length === 0;
  const isYes = deeds.includes("yes") && agreeing.test(text);
  const waiting = meantBy(desk, ordered).filter(({ operation, input }) => {
    const orders = gate.deeds.get(operation)?.orders(input) ?? [];
    return (
      operation !== toPerson && (isNumber || isYes || deeds.some((deed) => deed !== "yes" && orders.includes(deed)))
    );
  });
  // "Book A and B. We decline C": the order has its own answer.
  const deals = waiting.map(({ input }) => input["deal_id"]);
  const products = waiting.map(({ input: { quote_id: id } }) =>
    id === undefined ? undefined : topics.find(({ terms }) => terms["quote_id"] === id)?.product,
  );
  // "Yes, and 500k native": an offer of another deal or product is no answer to it.
  const drafts = answers
    .filter(
      ({ understood: { product_id: id } }) =>
        id === undefined || products.some((one) => one === undefined || one === id),
    )
    .flatMap(({ spoken }) => spoken.drafts ?? [])
    .filter(({ input: { deal_id: deal } }) => deal === undefined || deals.includes(deal));
  const isAnswered =
    (!isNumber && answers.some(({ spoken: { outcome } }) => outcome === "rejected")) ||
    drafts.some(({ operation: of, input: { quote_id: id } }) =>
      isYes
        ? of !== toPerson
        : // "I'll take it for $28" is an offer, and no order for the quote.
          waiting.some(({ operation, input }) => operation === of || (of === "negotiate" && input["quote_id"] === id)),
    );
  if (waiting.length === 0 || isAnswered) return null;
  const terms = waiting.map((one) => one.terms).join("\n");
  return clarify("deals", `That is not done yet, take it by itself: ${terms}`, {
    drafts: waiting.map(({ operation, input }) => ({ operation, input })),
    reason: "held_back",
  });
};
