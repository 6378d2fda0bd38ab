import { says } from "../requests.ts";
import type { Segment } from "../../../talk/reader/cut.ts";
import { dayMs } from "../../../../machines/inventory/dates.ts";
import type { Entity, Period } from "../../../talk/reader/entity.ts";
import { isoOf } from "../../../talk/reader/moments.ts";
import {
  flightNames,
  idsIn,
  numberIn,
  openTopics,
  pick,
  rowOfProduct,
  type Slots,
  soleOf,
  topicFor,
  inCents,
} from "../memory.ts";
import type { Request } from "../requests.ts";
import { entitiesWithin, isKept, type Said, saidBy, sureIds } from "../said.ts";
import { clarify, inTurn, type Spoken, type Talk } from "../spoken.ts";
import { money, saleIn, totalOf } from "../wording.ts";
import { without } from "../terms.ts";
import { cheapestOf, itemsOf } from "./discovery.ts";
import { isOpenAlready, quoteOne } from "./quotes.ts";
import { recommended } from "./ranking.ts";
import { type Portion, sumsOf } from "../allocation.ts";

/** A product of a message with the terms that are its own. */
export interface Group {
  readonly said: Said;
  readonly id: string;
  /** Of a table: the line. */
  readonly line?: Segment;
}

const own: ReadonlySet<Entity["kind"]> = new Set(["volume", "money", "percent", "price", "period", "dealType"]);
const shared: ReadonlySet<Entity["kind"]> = new Set(["period", "dealType", "audience", "geo"]);
const sizes = ["volume", "money", "percent"] as const;
const leading: ReadonlySet<Entity["kind"]> = new Set([...sizes, "price"]);

const has = (entities: readonly Entity[], ...kinds: readonly Entity["kind"][]): boolean =>
  entities.some(({ kind }) => kinds.includes(kind));

const ofKind = (entities: readonly Entity[], ...kinds: readonly Entity["kind"][]): readonly Entity[] =>
  entities.filter(({ kind }) => kinds.includes(kind));

/** Cut before each product, or before the size that stands ahead of each: "2M CTV, 500k native". */
const groupsIn = (
  entities: readonly Entity[],
): { readonly head: readonly Entity[]; readonly groups: readonly (readonly Entity[])[] } => {
  const relevant = entities.filter((one) => own.has(one.kind) || (one.kind === "product" && !one.isExcluded));
  const first = relevant.findIndex(({ kind }) => kind === "product");
  const ahead = relevant.slice(0, first);
  // A size directly ahead of the first product, and one ahead of the next, belong to them.
  const isAhead =
    ahead.length > 0 &&
    leading.has(ahead.at(-1)?.kind ?? "product") &&
    !relevant
      .slice(relevant.findLastIndex(({ kind }) => kind === "product"))
      .some(({ kind }) => kind === ahead.at(-1)?.kind);
  const groups: Entity[][] = [];
  const head: Entity[] = isAhead ? ahead.slice(0, -1) : [...ahead];
  let open: Entity[] = isAhead ? ahead.slice(-1) : [];
  for (const one of relevant.slice(first)) {
    const isNamed = has(open, "product");
    const begins = one.kind === "product" ? !isAhead || isNamed : isAhead && isNamed && one.kind === ahead.at(-1)?.kind;
    if (begins) {
      groups.push(open);
      open = [one];
    } else open.push(one);
  }
  return { head, groups: [...groups, open].filter((group) => has(group, "product")) };
};

/** A line of a table has its own terms, and those that stand around the table. */
const groupsOfLines = ({ scan, parts, lines = [] }: Request): readonly Group[] => {
  const around = entitiesWithin(
    scan,
    parts.filter((part) => !lines.includes(part)),
  ).filter(({ kind }) => shared.has(kind));
  return lines.map((line): Group => {
    const own = entitiesWithin(scan, [line]);
    const [id] = idsIn(saidBy(own));
    const said = saidBy([...own, ...around.filter(({ kind }) => !own.some((one) => one.kind === kind))], scan);
    return { said, id: id ?? "", line };
  });
};

/** "CTV: 1M in March and 2M in May": a size beside each flight of one product. */
const groupsOfFlights = ({ said, text }: Request, ids: readonly string[]): readonly Group[] | null => {
  const id = soleOf(ids);
  if (id === null || /\bor\b/i.test(text)) return null;
  const parts = ofKind(said.entities, "volume", "period");
  const isSized = parts.every(({ kind }, at) => kind === parts[at % 2]?.kind);
  if (parts.length < 4 || parts.length % 2 > 0 || !isSized || parts[0]?.kind === parts[1]?.kind) return null;
  const rest = ofKind(said.entities, "product", "dealType", "price");
  return Array.from({ length: parts.length / 2 }, (_, at) => ({
    id,
    said: saidBy([...rest, ...parts.slice(2 * at, 2 * at + 2)]),
  }));
};

/** Its calendar months, where it is nothing but whole ones. */
const monthsOf = ({ start, end }: Period): readonly Slots[] => {
  const months: Slots[] = [];
  const last = (from: Date): number => Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 0);
  let at = new Date(`${start ?? ""}T00:00:00Z`);
  while (at.getUTCDate() === 1 && isoOf(last(at)) <= (end ?? "") && months.length < mostLines) {
    months.push({ start: isoOf(at.getTime()), end: isoOf(last(at)) });
    at = new Date(last(at) + dayMs);
  }
  return months.at(-1)?.["end"] === end ? months : [];
};

/** "Half in March, half in April", "a third each in Jan, Feb and March": an equal part of the volume in each. */
export const groupsOfSplit = ({ request, ids, terms, memory }: Of): readonly Group[] | null => {
  const { said, text } = request;
  const fraction = /\b(?:(hal(?:f|ves))|(thirds?)|(quarters?))\b/i.exec(text)?.slice(1) ?? [];
  const share = fraction.findIndex((one) => one !== undefined);
  if (share < 0 && !/\b(?:split|evenly|equally)\b/i.test(text)) return null;
  const periods = said.entities.filter((one) => one.kind === "period").filter(({ start, end }) => start !== end);
  const parts = share < 0 ? null : share + 2;
  const flights = parts === null || periods.length === parts ? periods : periods.flatMap(monthsOf);
  const kept = said.products.filter(({ from }) => isKept(request.scan, from)).flatMap(({ ids: own }) => own);
  const id = soleOf(ids.filter((one) => !kept.includes(one)));
  const whole = said.volumes[0] ?? topicFor(memory, id ?? "")?.terms["impressions"] ?? terms["impressions"];
  const isSplit = flights.length > 1 && (parts ?? flights.length) === flights.length && said.volumes.length < 2;
  if (!isSplit || id === null || typeof whole !== "number") return null;
  const rest = ofKind(said.entities, "dealType", "price");
  return flights.map(({ start, end }) => ({
    id,
    said: {
      ...saidBy(rest),
      volumes: [Math.floor(whole / flights.length)],
      flight: { flight_start: start, flight_end: end },
    },
  }));
};

type Of = Pick<Talk, "request" | "ids" | "terms" | "memory">;

/** Several products or flights of one request, each with its own terms; null where they share them all. */
export const groupsOf = (talk: Of): readonly Group[] | null => {
  const { request, ids } = talk;
  if (request.lines !== undefined) return groupsOfLines(request);
  const split = groupsOfSplit(talk);
  if (split !== null) return split;
  if (request.said.products.length < 2) return groupsOfFlights(request, ids);
  const { head, groups } = groupsIn(request.said.entities);
  const having = (...kinds: readonly Entity["kind"][]) => groups.filter((group) => has(group, ...kinds));
  if ([having(...sizes), having("period"), having("price")].every(({ length }) => length < 2)) return null;
  // What only the last one has stands behind the whole list.
  const ofLast = (kind: Entity["kind"]): readonly Entity[] => {
    const only = soleOf(having(kind));
    return only !== null && only === groups.at(-1) ? ofKind(only, kind) : [];
  };
  const common = [...head, ...ofLast("period"), ...ofLast("dealType")].filter((one) => !has([one], ...sizes));
  const rest = ofKind(request.said.entities, "audience", "geo");
  return groups.map((group): Group => {
    const said = saidBy([...group, ...common.filter(({ kind }) => !has(group, kind)), ...rest]);
    return { said, id: soleOf(idsIn(said)) ?? "" };
  });
};

const mostLines = 8;

const sumText = (lines: readonly Spoken[], budget: number | null): string => {
  const sales = lines.flatMap(({ outcome, result }) => (outcome === "quoted" ? [saleIn(result as Slots)] : []));
  const [first] = sales;
  if (first === undefined || sales.length < 2 || sales.some(({ currency }) => currency !== first.currency)) return "";
  const total = inCents(sales.reduce((sum, sale) => sum + inCents(totalOf(sale) ?? 0), 0));
  if (budget === null) return `Together that is ${money(total, first.currency)}.`;
  const over = total > budget ? ` That is ${money(total - budget, first.currency)} more than it.` : "";
  return `The plan comes to ${money(total, first.currency)} of ${money(budget, first.currency)}.${over}`;
};

/** One quote a line, and their sum. */
export const withSum = (lines: readonly Spoken[], budget: number | null, note = ""): readonly Spoken[] => {
  const sum = [sumText(lines, budget), note].filter((words) => words !== "").join(" ");
  return sum === ""
    ? lines
    : lines.map((line, at) => (at === lines.length - 1 ? { ...line, text: `${line.text}\n${sum}` } : line));
};

/** Equal parts; a kind stands for its first product. */
const equalParts = (talk: Talk, budget: number): readonly Portion[] => {
  const { products } = talk.request.said;
  const sure = sureIds(talk.request.said);
  // "Comcast Local Avails for the linear part": the kind is no other product.
  const named = products.flatMap(({ ids, inventoryType }) =>
    inventoryType === null || ids.length === 1 ? ids : ids.some((id) => sure.includes(id)) ? [] : ids.slice(0, 1),
  );
  const ids = named.length > 0 ? [...new Set(named)] : talk.ids;
  const each = Math.floor((budget * 100) / Math.max(1, ids.length)) / 100;
  return ids.map((id) => ({ id, budget: each }));
};

/** "1M impressions of CTV and pre-roll in total, split evenly" */
const volumeParts = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { ids, request } = talk;
  const whole = soleOf(request.said.volumes);
  if (whole === null || ids.length < 2 || !says(request, "split evenly equally half halves")) return [];
  return inTurn(ids, (id) => {
    const terms = { ...talk.terms, product_id: id, impressions: Math.floor(whole / ids.length) };
    return quoteOne({ ...talk, ids: [id], terms, request: { ...request, command: "quote" } }, id);
  });
};

const budgetOf = ({ request: { allocation }, terms, memory }: Talk): number | null =>
  allocation === undefined
    ? numberIn(terms["budget"] ?? memory.budget ?? memory.terms["budget"])
    : (allocation.total ??
      memory.budget ??
      (allocation.lines.every(({ size }) => size.by === "sum") ? null : numberIn(memory.terms["budget"])));

/** The plan's flight, and the line's own deal type, also where only sums are said. */
const termsFor = ({ terms, memory, request: { said } }: Talk, id: string): Slots => {
  const own = topicFor(memory, id);
  const topic = own ?? openTopics(memory)[0];
  return {
    ...pick(terms, ["audience", "geo"]),
    ...pick(said.dealTypes.length > 0 ? terms : (own?.terms ?? {}), ["deal_type"]),
    ...pick(topic?.terms ?? {}, flightNames),
    ...pick(terms, flightNames),
  };
};

const askForProducts = async (talk: Talk, budget: number | null): Promise<Spoken> => {
  const { items } = await itemsOf(talk);
  const names = items.slice(0, 13).map(({ name }) => name);
  return clarify("pricing", `Over which products shall I spread ${money(budget ?? 0)}? On sale: ${names.join("; ")}.`, {
    learnt: { budget },
    reason: "missing_product",
    rows: items.map(({ product_id: id }) => rowOfProduct(id)),
  });
};

/** "20% on linear TV": of a kind nothing of which is open, its cheapest product, and that is said. */
const cheapestOfKinds = async (
  talk: Talk,
  lines: readonly Portion[],
): Promise<{ readonly sold: readonly Portion[]; readonly note: string }> => {
  const notes: string[] = [];
  const sold: Portion[] = [];
  for (const line of lines) {
    const kind = talk.request.said.products.find(({ ids }) => ids.length > 1 && ids.includes(line.id));
    const isNamed = sureIds(talk.request.said).includes(line.id);
    const isOpen = topicFor(talk.memory, line.id) !== null;
    const least = kind === undefined || isOpen || isNamed ? undefined : await cheapestOf(talk, kind.ids);
    if (least !== undefined) notes.push(`${least.name} is the cheapest of ${kind?.ids.length ?? 0} of its kind.`);
    sold.push(least === undefined ? line : { ...line, id: least.product_id });
  }
  return { sold, note: notes.join(" ") };
};

/** What is open of a kind that the message names beside one of its products. */
const replacedBy = ({ request: { said }, memory }: Talk): readonly string[] => {
  const sure = sureIds(said);
  const kinds = said.products.filter(({ ids }) => ids.length > 1 && ids.some((id) => sure.includes(id)));
  return openTopics(memory)
    .map(({ product }) => product)
    .filter((id) => !sure.includes(id) && kinds.some(({ ids }) => ids.includes(id)));
};

/** "$2,500 each" is said of every line. */
const isOfEach = ({ request }: Talk): boolean => request.allocation === undefined && says(request, "each apiece");

const budgetOfAll = (talk: Talk): number | null => {
  const budget = budgetOf(talk);
  return budget !== null && isOfEach(talk) ? budget * Math.max(1, talk.ids.length) : budget;
};

/** A volume is shared where no budget is said; else it is asked for. */
const unbudgeted = async (talk: Talk): Promise<readonly Spoken[]> => {
  const parts = await volumeParts(talk);
  return parts.length > 0
    ? parts
    : [clarify("pricing", "For which budget shall I plan?", { reason: "missing_budget" })];
};

/** A budget over several products: the price is asked first, so that no line costs more than its share. */
const mostMeant = 4;
const byPrice = "They are chosen by price alone: there are no audience figures here.";

/** "Propose two or three products, and how to split the money": nobody named any. */
const isToChoose = ({ request, ids }: Talk): boolean =>
  request.allocation === undefined &&
  request.said.products.length === 0 &&
  (ids.length === 0 || ids.length > mostMeant) &&
  says(request, "propose proposal recommend recommendation suggest suggestion choose pick");

export const plan = async (asked: Talk): Promise<readonly Spoken[]> => {
  const { allocation, said } = asked.request;
  const isChosen = isToChoose(asked);
  const talk = isChosen ? { ...asked, ids: await recommended(asked) } : asked;
  const budget = budgetOfAll(talk);
  if (said.currency !== null && said.currency !== "USD")
    return [
      clarify("pricing", "Prices are in USD here, and other currencies are not converted. Which budget in USD?", {
        learnt: { budget: null },
        about: without(talk.terms, "budget"),
        reason: "currency_mismatch",
      }),
    ];
  const lines =
    allocation === undefined ? (budget === null ? null : equalParts(talk, budget)) : sumsOf(allocation, budget);
  if (lines === null) return unbudgeted(talk);
  if (lines.length === 0) return [await askForProducts(talk, budget)];
  const { sold, note: why } = await cheapestOfKinds(talk, lines);
  const note = isChosen ? byPrice : why;
  const dropped = [...sold.flatMap(({ id, budget: share }) => (share === 0 ? [id] : [])), ...replacedBy(talk)];
  // "Comcast for the linear part, same 24k": the whole campaign's budget stays.
  const isPart =
    talk.memory.budget !== null &&
    (budget ?? 0) < talk.memory.budget &&
    openTopics(talk.memory).some(({ product }) => sold.every(({ id }) => id !== product));
  const given = sold.filter(({ budget: share }) => share > 0).slice(0, mostLines);
  // "ROS 8k, 11 to 24 January, and native 6k, 1 to 14 February"
  const groups = groupsOf(talk) ?? [];
  const told = await inTurn(given, async ({ id, budget: share }) => {
    const own = groups.find((group) => group.id === id)?.said.flight;
    const terms = { ...termsFor(talk, id), ...own, product_id: id, budget: share };
    const request = { ...talk.request, said: { ...said, budget: share } };
    // A sum that only happens to be the plan's own is a new one.
    const memory = { ...talk.memory, terms: without(talk.memory.terms, "budget") };
    const of = { ...talk, memory, ids: [id], terms, request };
    const line = (await isOpenAlready(of, id)) ?? (await quoteOne(of, id));
    return line.about === undefined ? line : { ...line, about: { ...line.about, budget: budget ?? share } };
  });
  const last = told.length - 1;
  return withSum(
    told.map((line, at) =>
      at === last
        ? { ...line, dropped, ...(budget === null || isPart ? {} : { learnt: { ...line.learnt, budget } }) }
        : line,
    ),
    // Nobody named the sum of what each may cost.
    isOfEach(talk) ? null : budget,
    note,
  );
};
