import { listOf, type Terms, type Want } from "./case.ts";
import { catalog, nameIsIn, typeOf } from "./catalog.ts";
import { type Course, filledWith } from "./course.ts";
import { isNear, type Reply } from "./reply.ts";
import type { Terms as Quote } from "./side.ts";

const dealWords: Readonly<Record<string, RegExp>> = {
  PG: /\bPG\b|guaranteed/i,
  PD: /\bPD\b|preferred/i,
  PA: /\bPA\b|private|auction/i,
};
const leftOut = /without|exclud|left? out|leav|except|\bnot\b|n['’]t|drop|avoid|skip|other than|instead of|no longer/i;
const asks = /\?|\b(?:say|reply|answer|confirm|tell me|write|type)\b/i;
const conditionHolds = {
  yes: /\b(?:yes|under|below|within|at most|holds|met|meets|fits|available|less than|lower|satisf\w+|true|inside|no more than|does not exceed|up to)\b/i,
  no: /\b(?:no|not|isn['’]t|doesn['’]t|does not|above|over|exceeds?|higher|more than|outside|unmet|fails?|cannot|too)\b|n['’]t\b/i,
};
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface Heard {
  readonly course: Course;
  readonly want: Want;
  readonly reply: Reply;
  /** Made in this turn. */
  readonly made: readonly Quote[];
}

const understoodOf = ({ datas }: Reply, name: string): readonly string[] =>
  datas.flatMap(({ understood }) => {
    const value = (understood as Record<string, unknown> | undefined)?.[name];
    return value === undefined || value === null ? [] : [value].flat().map(String);
  });

const switches = ({ want, reply, made }: Heard): readonly string[] => {
  if (want.product === undefined) return [];
  const right = want.product === "none" ? [] : listOf(want.product);
  const types = right.map(typeOf);
  const wrong = [...understoodOf(reply, "product_id"), ...made.map(({ product }) => product)].filter(
    (id) => !right.includes(id),
  );
  const kinds = right.length === 0 ? [] : understoodOf(reply, "inventory_type").filter((type) => !types.includes(type));
  const stray = [...new Set([...wrong, ...kinds])];
  return stray.length === 0 ? [] : [`product in force ${stray.join(", ")}, want ${right.join(", ") || "none"}`];
};

const exclusions = ({ want, reply, made }: Heard): readonly string[] =>
  (want.excluded ?? []).flatMap((excluded) => {
    const is = (id: string): boolean => id === excluded || typeOf(id) === excluded;
    const planned = reply.leaves
      .filter(([key]) => want.plan !== undefined && key === "product_id")
      .map(([, id]) => String(id));
    const chosen = [...understoodOf(reply, "product_id"), ...made.map(({ product }) => product), ...planned].filter(is);
    const lines = reply.text.split(/[\n;]|\.\s/).filter((line) => !leftOut.test(line));
    const named = [...catalog.keys()].filter(
      (id) => is(id) && lines.some((line) => line.includes(catalog.get(id)?.name ?? id)),
    );
    const all = [...new Set([...chosen, ...named])];
    return all.length === 0 ? [] : [`excluded ${excluded} was chosen: ${all.join(", ")}`];
  });

const isAsked = (quote: Quote, { product, impressions, deal_type: type, month, from }: Terms): boolean =>
  (product === undefined || quote.product === product) &&
  (impressions === undefined || quote.impressions === impressions) &&
  (type === undefined || quote.deal_type === type) &&
  (month === undefined || Number(quote.from.slice(5, 7)) === month) &&
  (from === undefined || quote.from === from);

/** Made by the turn, or shown by it. */
export const quotesIn = ({ course, reply, made }: Pick<Heard, "course" | "reply" | "made">): readonly Quote[] => {
  const shown = new Set(reply.text.match(/\bqt-[0-9a-f]{12}\b/g) ?? []);
  for (const [key, value] of reply.leaves) if (key === "quote_id") shown.add(String(value));
  const ids = new Set([...made.map(({ quote_id: id }) => id), ...shown]);
  return [...ids].flatMap((id) => course.side.quoteOf(id) ?? []);
};

export const quoteProblems = (heard: Heard): readonly string[] => {
  const { quoted, shows } = heard.want;
  const quotes = quotesIn(heard);
  const missing =
    quoted !== undefined && !quotes.some((one) => isAsked(one, quoted))
      ? [`no quote of ${JSON.stringify(quoted)}`]
      : [];
  if (shows === undefined) return missing;
  const quote = quotes.find((one) => isAsked(one, shows));
  if (quote === undefined) return [...missing, `the reply shows no quote of ${JSON.stringify(shows)}`];
  return [...missing, ...shownProblems(heard.reply, quote, shows)];
};

const shownProblems = ({ text, numbers }: Reply, quote: Quote, { ask = true }: Terms): readonly string[] => {
  const total = (quote.cpm * quote.impressions) / 1000;
  const [year = 0, month = 0] = quote.from.split("-").map(Number);
  const saysFlight =
    text.includes(quote.from) ||
    new RegExp(`\\b${months[month - 1]}`, "i").test(text) ||
    new RegExp(`\\b0?${month}/\\d{1,2}(?:/(?:${year}|${year % 100}))?\\b`).test(text);
  const checks: readonly (readonly [string, boolean])[] = [
    [catalog.get(quote.product)?.name ?? quote.product, nameIsIn(text, quote.product)],
    [`${quote.impressions} impressions`, numbers.includes(quote.impressions)],
    [`the CPM ${quote.cpm}`, numbers.some((one) => isNear(one, quote.cpm))],
    [`the total ${total.toFixed(2)}`, numbers.some((one) => isNear(one, total, 0.51))],
    [`the deal type ${quote.deal_type}`, dealWords[quote.deal_type]?.test(text) === true],
    ["the flight", saysFlight],
  ];
  const lacks = checks.filter(([, isSaid]) => !isSaid).map(([what]) => `the text does not say ${what}`);
  return ask && !asks.test(text) ? [...lacks, "the text asks nothing"] : lacks;
};

const planProblems = ({ want: { plan }, reply }: Heard): readonly string[] => {
  if (plan === undefined) return [];
  const said = reply.text + JSON.stringify(reply.datas);
  const kinds = new Set([...catalog.keys()].filter((id) => said.includes(id) || nameIsIn(said, id)).map(typeOf));
  const { budget } = plan;
  const isNearBudget = budget === undefined || reply.numbers.some((one) => isNear(one, budget, 0.05 * budget));
  return [
    ...(plan.kinds ?? []).filter((kind) => !kinds.has(kind)).map((kind) => `the plan has nothing of ${kind}`),
    ...(kinds.size < (plan.at_least ?? 1) ? [`the plan has ${kinds.size} kinds of inventory`] : []),
    ...(isNearBudget ? [] : [`the plan says no sum near ${String(budget)}`]),
  ];
};

const recordProblems = ({ course, want, reply }: Heard): readonly string[] => {
  const deals = course.side.standing();
  const said = reply.text + JSON.stringify(reply.datas);
  const unlisted = want.lists === true ? deals.filter(({ deal_id: id }) => !said.includes(id)) : [];
  const others = Object.entries(course.names).filter(
    ([name, id]) => name.startsWith("other") && said.includes(String(id)),
  );
  const sum = deals.reduce((all, { cost }) => all + cost, 0);
  const hasTotal = want.total !== true || reply.numbers.some((one) => isNear(one, sum, 0.51));
  return [
    ...unlisted.map(({ deal_id: id }) => `deal ${id} is not listed`),
    ...(want.lists === true && course.one.agent === "seller"
      ? others.map(([name]) => `another's ${name} is listed`)
      : []),
    ...(hasTotal ? [] : [`the text does not say the total ${sum.toFixed(2)}`]),
  ];
};

/** What was asked, and is neither used nor named. */
export const droppedWords = ({ want, reply, course }: Heard): readonly string[] =>
  listOf(want.not_used).flatMap((words) => {
    const expression = new RegExp(filledWith(words, course.names), "iu");
    const isNamed = reply.notUsed.some((one) => expression.test(one)) || expression.test(reply.text);
    return isNamed ? [] : [`neither not_used nor the text names /${words}/`];
  });

export const wordProblems = (heard: Heard): readonly string[] => {
  const { want, reply } = heard;
  return [
    ...(reply.text.trim() === "" ? ["no text"] : []),
    ...(reply.datas.length === 0 ? ["no data part"] : []),
    ...switches(heard),
    ...exclusions(heard),
    ...(want.holds !== undefined && !conditionHolds[want.holds].test(reply.text)
      ? [`the text does not say that the condition ${want.holds === "yes" ? "holds" : "does not hold"}`]
      : []),
    ...planProblems(heard),
    ...recordProblems(heard),
  ];
};
