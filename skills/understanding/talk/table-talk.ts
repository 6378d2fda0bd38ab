import type { Memory } from "../memory.ts";
import type { ProductFinder } from "../reading/product-finder.ts";
import type { Slots } from "../reading/slots.ts";
import type { PlanRow, Table, TableStanding } from "../reading/table/table.ts";
import { productIdsOf } from "../terms.ts";
import { topicOf } from "../topics.ts";
import { sumsText } from "./deal-lines.ts";
import { openQuoteNote } from "./price-talk.ts";
import { bookQuestion, quoteTerms, totalOf } from "./shown-terms.ts";
import { money, type Spoken } from "./speech.ts";

interface Answer extends Pick<Spoken, "outcome" | "result"> {
  readonly understood: Slots;
}

interface Row {
  readonly texts: readonly string[];
  readonly answers: readonly Answer[];
}

const nameOf = (finder: ProductFinder, id: string): string => finder.get(id)?.name ?? id;

const isBooked = (memory: Memory, { product }: PlanRow): boolean =>
  topicOf(memory, product)?.terms["deal_id"] !== undefined;

export const standingOf = (memory: Memory, finder: ProductFinder): TableStanding => {
  const { terms, asked, plan } = memory;
  const { budget } = terms;
  const rows = plan === undefined || plan.rows.some((row) => isBooked(memory, row)) ? [] : plan.rows;
  return {
    asked,
    products: productIdsOf(terms).map((product) => ({ product, name: nameOf(finder, product) })),
    budget: rows.length > 0 ? (plan?.budget ?? null) : typeof budget === "number" ? budget : null,
    plan: rows,
  };
};

const quotedIn = ({ answers }: Row): Answer | undefined => answers.find(({ outcome }) => outcome === "quoted");

const planRow = (
  { understood, result }: Answer,
  { unit }: Table,
  { finder, before }: { readonly finder: ProductFinder; readonly before: Memory },
): PlanRow => {
  const { product_id: id, budget } = understood;
  const product = String(id);
  const terms = quoteTerms(result as Slots);
  const own = { product, name: nameOf(finder, product), unit };
  if (unit === "volume") return { ...own, value: Number(terms.impressions) };
  const earlier = before.plan?.rows.find((row) => row.product === product && row.unit === unit)?.value;
  return { ...own, value: typeof budget === "number" ? budget : (earlier ?? totalOf(terms) ?? 0) };
};

/** The numbers of its rows can be booked, and its figures changed. */
export const withTable = (memory: Memory, table: Table, rows: readonly Row[], finder: ProductFinder): Memory => {
  const { budget } = table;
  const quotes = rows.map(quotedIn);
  const quoted = quotes.filter((one) => one !== undefined);
  if (quoted.length === 0) return memory;
  const lines = quotes.map((one) => {
    const id = one?.understood["quote_id"];
    return typeof id === "string" ? id : null;
  });
  // A row that is quoted anew must not take the money of all.
  const { budget: _ofRow, ...terms } = memory.terms;
  return {
    ...memory,
    lines,
    terms,
    plan: { rows: quoted.map((one) => planRow(one, table, { finder, before: memory })), budget },
  };
};

const planText = (budget: number | null, quoted: readonly Answer[]): string => {
  const terms = quoted.map(({ result }) => quoteTerms(result as Slots));
  const [first] = terms;
  if (budget === null || first === undefined || terms.some(({ currency }) => currency !== first.currency))
    return `Together that is ${sumsText(terms)}.`;
  const total = terms.reduce((sum, one) => sum + (totalOf(one) ?? 0), 0);
  const isOver = total > budget ? ", which is more than your budget" : "";
  return `The plan comes to ${money(total, first.currency)} of ${money(budget, first.currency)}${isOver}.`;
};

export const tableTexts = ({ budget, rows: words }: Table, rows: readonly Row[]): readonly string[] => {
  const quoted = rows.flatMap((row) => quotedIn(row) ?? []);
  const isNumbered = quoted.length > 0;
  const texts = rows.map(({ texts: said, answers }, at) => {
    if (!isNumbered) return said.join(" ");
    const text = said.join(" ").replaceAll(` ${bookQuestion}`, "").replace(openQuoteNote, "");
    const isRead = answers.every(({ outcome }) => outcome !== "clarify");
    return `${at + 1}. ${isRead ? "" : `"${(words[at] ?? "").trim()}": `}${text}`;
  });
  const sum = quoted.length < 2 ? [] : [planText(budget, quoted)];
  const question = quoted.length === 0 ? [] : ['Say "book all", or the lines, like "book 1".'];
  return [...texts, ...(question.length === 0 ? [] : [[...sum, ...question].join(" ")])];
};
