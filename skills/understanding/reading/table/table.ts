import type { Act } from "../choice/acts.ts";
import { isQuestion } from "../choice/mood.ts";
import { plainText } from "../choice/spelling.ts";
import type { Heard } from "../slots.ts";
import { type Piece, piecesOf, type Size, tableText } from "./pieces.ts";
import { datesIn, isOfAll, type Row, rowOf, type Rows, rowsOf } from "./rows.ts";

/** A row of a table that was answered. */
export interface PlanRow {
  readonly product: string;
  readonly name: string;
  readonly unit: "money" | "volume";
  readonly value: number;
}

/** What a table is said after. */
export interface TableStanding {
  readonly asked: Act | null;
  /** In force, in the order in which they were named. */
  readonly products: readonly { readonly product: string; readonly name: string }[];
  readonly budget: number | null;
  /** The last table, while none of it is booked. */
  readonly plan: readonly PlanRow[];
}

export const noTable: TableStanding = { asked: null, products: [], budget: null, plan: [] };

/** Several products, each asked for by a text of its own. */
export interface Table {
  readonly act: Act;
  readonly rows: readonly string[];
  /** What no row holds. */
  readonly notes: readonly string[];
  readonly unit: "money" | "volume";
  /** The money that is spread over the rows. */
  readonly budget: number | null;
}

/** A message with more is read whole. */
const mostRows = 8;

/** What may be asked of several products at once, each with figures of its own. */
const asked: ReadonlySet<Act | null> = new Set(["quote", "book", "price", "availability", "offer", "propose"]);
/** Beside shares and money they ask for a plan. */
const planned: ReadonlySet<Act | null> = new Set([null, "plan", "list", "describe", "availability"]);

/** They are about what was shown, at the figures that it was shown with. */
const ends: ReadonlySet<Act> = new Set([
  "book",
  "accept",
  "reject",
  "cancel",
  "withdraw",
  "compare",
  "open terms",
  "offer",
]);

/** What is said of all holds for each, and what is changed needs the record that it changes. */
const ofDates = "(?!\\s+(?:(?:in|from|during|for|over)\\b|\\d))";
const staysWhole = new RegExp(`\\b(?:(?:both|all)${ofDates}|every|change|move|shift|instead)\\b`, "i");

const closeTo = 1.05;
/** A deal of fewer impressions is hardly worth its quote, so that many are dollars. */
const fewImpressions = 50_000;
/** So much money is rarely spread in one sentence. */
const fewMillions = 1_000_000;

interface Whole {
  readonly value: number;
  readonly unit: "money" | "volume";
  readonly currency: string;
}

const currencyOf = (pieces: readonly Piece[]): string =>
  pieces.map(({ heard }) => heard.currency).find((code) => code !== null) ?? "USD";

const planSum = ({ plan }: TableStanding): number => plan.reduce((sum, { value }) => sum + value, 0);

const isMoney = ({ rows, total, each, others }: Rows, standing: TableStanding): boolean => {
  const whole = total?.sized?.size;
  if (whole?.kind === "unmarked") return whole.value < fewMillions;
  const sizes = [...rows.map(({ size }) => size), whole ?? null, each, others?.size ?? null];
  if (sizes.some((size) => size?.kind === "volume")) return false;
  if (sizes.some((size) => size?.kind === "money")) return true;
  const values = sizes.flatMap((size) => (size?.kind === "unmarked" ? [size.value] : []));
  if (values.length === 0 || values.every((value) => value < fewImpressions)) return true;
  const money = standing.plan[0]?.unit === "money" ? planSum(standing) : null;
  const budget = standing.budget ?? money;
  return budget !== null && values.reduce((sum, value) => sum + value, 0) <= budget * closeTo;
};

const saidTotal = ({ total }: Rows): number | null => {
  const size = total?.sized?.size;
  return size === undefined || !("value" in size) ? null : size.value;
};

const wholeOf = (read: Rows, pieces: readonly Piece[], standing: TableStanding): Whole | null => {
  const value = saidTotal(read);
  const currency = currencyOf(pieces);
  if (value !== null) return { value, unit: isMoney(read, standing) ? "money" : "volume", currency };
  if (standing.budget !== null) return { value: standing.budget, unit: "money", currency };
  const [first] = standing.plan;
  return first === undefined ? null : { value: planSum(standing), unit: first.unit, currency };
};

interface Resolved {
  readonly row: Row;
  /** Null without a figure of its own. */
  readonly value: number | null;
}

const partOf = (whole: Whole, share: number): number =>
  whole.unit === "money" ? Math.floor(whole.value * share * 100) / 100 : Math.round(whole.value * share);

const valueOf = (size: Size | null, whole: Whole | null): number | null => {
  if (size === null || size.kind === "rest") return null;
  if (size.kind !== "share") return size.value;
  return whole === null ? null : partOf(whole, size.share);
};

/** Null where the parts are more than the whole, or a part is of nothing. */
const resolved = (rows: readonly Row[], read: Rows, whole: Whole | null): readonly Resolved[] | null => {
  const first = rows.map((row) => ({ row, value: valueOf(row.size, whole) }));
  const open = first.filter(({ value }) => value === null);
  const { others } = read;
  const hasShares = rows.some(({ size }) => size?.kind === "share" || size?.kind === "rest");
  const isSpread = read.isEven || others?.size.kind === "rest" || hasShares;
  if (hasShares && whole === null) return null;
  const spent = first.reduce((sum, { value }) => sum + (value ?? 0), 0);
  if (whole !== null && hasShares && spent > whole.value * closeTo) return null;
  if (open.length === 0) return first;
  if (others !== null && others.size.kind !== "rest") {
    const each = valueOf(others.size, whole);
    const own = each === null || others.isEach || others.size.kind !== "share" ? each : each / open.length;
    return first.map((one) => (one.value === null ? { ...one, value: own } : one));
  }
  if (!isSpread || whole === null || whole.value <= spent) return first;
  const rest = partOf({ ...whole, value: whole.value - spent }, 1 / open.length);
  return first.map((one) => (one.value === null ? { ...one, value: rest } : one));
};

const figureText = (value: number, { unit, currency }: Omit<Whole, "value">): string =>
  unit === "money" ? `${value} ${currency}` : `${value} impressions`;

/** As it was said, with its figure in full. */
const wordsOf = ({ row, value }: Resolved, unit: Omit<Whole, "value">): string => {
  const { text, at, size } = row;
  const said = text.replace(/\b(?:each|apiece)\b/gi, "");
  const isClear = size?.kind === "money" || size?.kind === "volume";
  if (value === null || (at !== null && (isClear || (size?.kind === "unmarked" && unit.unit === "volume"))))
    return said;
  const figure = figureText(value, unit);
  return at === null ? `${said} ${figure}` : `${text.slice(0, at.start)}${figure}${text.slice(at.end)}`;
};

/** Dates said once are those of all. */
const sharedDates = (rows: readonly Resolved[], { shared }: Rows): string => {
  const own = rows.map(({ row }) => row.dates).filter((dates) => dates !== "");
  const [only, other] = own.length > 0 ? own : shared.map(datesIn).filter((dates) => dates !== "");
  return only === undefined || other !== undefined ? "" : only;
};

interface Unit extends Omit<Whole, "value"> {
  /** Rows that are not changed keep their dates. */
  readonly isChange: boolean;
}

const textsOf = (rows: readonly Resolved[], read: Rows, unit: Unit): readonly string[] => {
  const said = sharedDates(rows, read);
  const more = read.shared.filter(isOfAll).map(({ text }) => text);
  return rows.map((one) => {
    const { dates, saysDates, behind } = one.row;
    const own = saysDates || (unit.isChange && one.value === null) ? "" : dates || said;
    return [wordsOf(one, unit), ...behind, ...more, own].filter((part) => part !== "").join(" ");
  });
};

const notesOf = ({ shared }: Rows): readonly string[] =>
  shared.flatMap(({ heard }) => heard.leftovers.filter(({ isBarePrice }) => !isBarePrice).map(({ text }) => text));

/** With the products in force, where the message does not name them. */
const withInForce = (read: Rows, { products, plan }: TableStanding): readonly Row[] => {
  const known = plan.length > 0 ? plan : products;
  const { rows, figures, each, others, isEven } = read;
  if (rows.length === 0 && figures.length > 1 && figures.length === known.length)
    return known.map(({ product, name }, at) => rowOf(product, name, figures[at] ?? null));
  if (rows.length === 0 && (each !== null || isEven))
    return known.map(({ product, name }) => rowOf(product, name, each));
  const isMeant = others !== null && rows.every(({ size }) => size !== null);
  const left = known.filter(({ product }) => !rows.some((row) => row.product === product));
  return isMeant ? [...rows, ...left.map(({ product, name }) => rowOf(product, name, null))] : rows;
};

/** The rows of the last table, with what the message changes; null where it changes none of them. */
const changedPlan = (rows: readonly Resolved[], read: Rows, { plan }: TableStanding): readonly Resolved[] | null => {
  const { giving, steps, figures } = read;
  const named = rows.filter(({ value }) => value !== null);
  const changed = [...named.map(({ row }) => row.product), ...giving, ...steps.map(({ product }) => product)];
  if (changed.length === 0 || figures.length > 0) return null;
  if (!changed.every((id) => plan.some(({ product }) => product === id))) return null;
  const stepped = ({ product, value }: PlanRow): number =>
    (named.find(({ row }) => row.product === product)?.value ?? value) +
    steps.filter((step) => step.product === product).reduce((sum, { by }) => sum + by, 0);
  const added = plan.reduce((sum, row) => sum + stepped(row) - row.value, 0);
  const [giver, other] = giving.filter((id) => !steps.some(({ product }) => product === id));
  if (giver !== undefined && (other !== undefined || added <= 0)) return null;
  return plan.map((row) => {
    const { product, name, value } = row;
    const said = named.find((one) => one.row.product === product)?.row ?? rowOf(product, name, null);
    const isNew = named.length > 0 && said.size !== null;
    const left = product === giver ? value - added : stepped(row);
    const isSame = left === value && !isNew;
    return { row: { ...said, text: name, at: null, saysDates: false }, value: isSame ? null : Math.max(0, left) };
  });
};

interface Reader {
  readonly hear: (text: string) => Heard;
  readonly standing: TableStanding;
}

const mayHoldFigures = /\d|\b(?:half|third|quarters?|thirds|evenly|equally|rest|hundred|thousand|grand|million)\b/i;

const hasProduct = ({ row }: Resolved): boolean => row.product !== null;

/** Of rows without figures an offer has prices, and a look-up dates. */
const isComplete = (act: Act | null, rows: readonly Resolved[]): boolean => {
  if (rows.every(({ value }) => value !== null)) return act !== "offer" || rows.every(({ row }) => row.hasPrice);
  return rows.every(({ row, value }) => value === null && (act === "offer" ? row.hasPrice : row.dates !== ""));
};

const isShared = ({ rows, others, each, isEven }: Rows): boolean =>
  isEven || each !== null || others !== null || rows.some(({ size }) => size?.kind === "share");

const ofAvailability = /\?|\b(?:avail\w*|free|left|capacity|spots?|space|room)\b/i;
const eachWord = /\beach\b/i;
const inShares = /\d\s?(?:%|percent)|\beach\b|\b(?:evenly|equally)\b/i;

interface Found {
  readonly read: Rows;
  readonly rows: readonly Resolved[];
  readonly isMoney: boolean;
}

/** What each row asks for; null where the message is no table. */
const actOfRows = (text: string, act: Act | null, { read, rows, isMoney: ofMoney }: Found): Act | null => {
  const isPlan = ofMoney || isShared(read);
  if (rows.length < 2 || rows.length > mostRows || !rows.some(hasProduct)) return null;
  if (read.figures.length > 0 || !isComplete(act, rows) || (staysWhole.test(text) && !isPlan)) return null;
  if (eachWord.test(text) && (!ofMoney || act === "price")) return null;
  if (isPlan && rows.some(({ value }) => value !== null)) return planned.has(act) ? "quote" : act;
  if (act === "availability" && !ofAvailability.test(text)) return "quote";
  return act === null || act === "plan" ? "quote" : asked.has(act) ? act : null;
};

const changesPlan = ({ read, rows, isMoney: ofMoney }: Found, { plan }: TableStanding): boolean =>
  plan[0]?.unit === (ofMoney ? "money" : "volume") &&
  (ofMoney || rows.length > 1 || read.giving.length > 0 || read.steps.length > 0);

const stepping = /\b(?:add|take|put|move|shift|transfer)\b[^.?!]{0,40}\b(?:to|into|in|out of|from)\b/i;

const mayBeChange = (text: string, act: Act | null): boolean =>
  stepping.test(text) || !((act !== null && ends.has(act)) || (act === "price" && !inShares.test(text)));

/** "CTV 500k and native 2m for May", "half on CTV, the rest evenly": one request for each product. */
export const tableOf = (said: string, act: Act | null, { hear, standing }: Reader): Table | null => {
  const mayChange = standing.plan.length > 1 && mayBeChange(said, act);
  if (!mayHoldFigures.test(said) || !(planned.has(act) || asked.has(act) || mayChange)) return null;
  const text = tableText(said);
  const pieces = piecesOf(text, hear);
  const isChange = mayChange && !isQuestion(plainText(text));
  const found = rowsOf(pieces, isChange);
  if (found === null) return null;
  const read = { ...found, isEven: found.isEven || (!isChange && (act === "plan" || standing.asked === "plan")) };
  const rows = resolved(withInForce(read, standing), read, wholeOf(read, pieces, standing));
  if (rows === null) return null;
  const table: Found = { read, rows, isMoney: isMoney(read, standing) };
  const changed = isChange && changesPlan(table, standing) ? changedPlan(rows, read, standing) : null;
  const currency = currencyOf(pieces);
  // Which the plan refuses as a whole.
  if (table.isMoney && read.isEven && currency !== "USD") return null;
  const own = changed === null ? actOfRows(text, act, table) : "quote";
  if (own === null) return null;
  const unit = table.isMoney ? "money" : "volume";
  const inForce = changed === null && standing.plan.length > 0 ? null : standing.budget;
  return {
    act: own,
    rows: textsOf(changed ?? rows, read, { unit, currency, isChange: changed !== null }),
    notes: notesOf(read),
    unit,
    budget: table.isMoney ? (saidTotal(read) ?? inForce) : null,
  };
};
