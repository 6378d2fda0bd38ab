import { isOneOf } from "../../talk/reader/word-lists.ts";
import {
  focusOf,
  type Memory,
  openTopics,
  recordIds,
  type Row,
  type Slots,
  soleOf,
  type Topic,
  costOf,
} from "./memory.ts";
import { type Request, says } from "./requests.ts";

const places: readonly (readonly [string, number])[] = [
  ["first 1st erste ersten erster erstes primer primero primera premier premiere", 0],
  ["second 2nd zweite", 1],
  ["third 3rd dritte", 2],
  ["fourth 4th", 3],
  ["last latter", -1],
  ["former", 0],
];

/** "The second offer", "the last two weeks" mean no row of a list. */
const counting = new RegExp(
  "\\b(?:last|first|second|third) " +
    "(?:week|month|day|half|offer|price|two|three|year|quarter|chance|refusal|time|name)",
  "i",
);

const isPlace = (request: Request): number | null => {
  for (const [list, place] of places) if (says(request, list) && !counting.test(request.text)) return place;
  const figure = /\b([1-9])(?:st|nd|rd|th) (?:one|quote|offer|option|line|deal)\b/i.exec(request.text)?.[1];
  return figure === undefined ? null : Number(figure) - 1;
};

const extreme = (rows: readonly Row[], request: Request): Row | null => {
  const by = (value: (row: Row) => number | null, isMost: boolean): Row | null => {
    const known = rows.filter((row) => value(row) !== null);
    const sorted = known.toSorted((a, b) => (value(a) ?? 0) - (value(b) ?? 0));
    return (isMost ? sorted.at(-1) : sorted[0]) ?? null;
  };
  if (says(request, "cheaper cheapest gunstigere billigere")) return by(({ cpm }) => cpm, false);
  if (says(request, "dearer dearest pricier priciest") || /\b(?:more|most) expensive\b/i.test(request.text))
    return by(({ cpm }) => cpm, true);
  if (says(request, "smaller smallest")) return by(({ total }) => total, false);
  if (says(request, "bigger biggest larger largest")) return by(({ total }) => total, true);
  return null;
};

const rowsOf = (memory: Memory): readonly Row[] =>
  memory.rows.length > 1 ? memory.rows : memory.topics.filter(({ isOver }) => !isOver).map(rowOfTopic);

const rowOfTopic = ({ product, terms, cpm }: Topic): Row => ({
  product,
  record: recordOf(terms),
  cpm,
  total: costOf(cpm, terms["impressions"]),
});

export const recordOf = (terms: Slots): string | null => {
  const name = recordIds.findLast((id) => typeof terms[id] === "string");
  return name === undefined ? null : String(terms[name]);
};

const all = "both all these those them each every everything alle beide todos ambos";

/** "The March one": of what was talked about, what runs then. */
const byFlight = (request: Request, memory: Memory): Row | null => {
  const { flight_start: start, flight_end: end } = request.said.flight;
  if (typeof start !== "string" || typeof end !== "string" || !says(request, "one quote deal booking offer there"))
    return null;
  const found = memory.topics.filter(
    ({ terms, isOver }) =>
      !isOver &&
      typeof terms["flight_start"] === "string" &&
      terms["flight_start"] >= start &&
      ((terms["flight_end"] ?? terms["flight_start"] ?? "") as string) <= end,
  );
  const only = soleOf(found);
  return only === null ? null : rowOfTopic(only);
};

/** "1 and 3, please". */
export const isPlaces = (text: string): boolean =>
  /^\W*\d(?:\s*(?:,|and|&|\+)\s*\d)+\W*(?:pls|please)?\W*$/i.test(text);

/** "Book 1 and 3": places in the list; "book it at 9" is a price. */
export const rowsByNumber = ({ said, command, text }: Request, memory: Memory): readonly Row[] | null => {
  const rows = rowsOf(memory);
  const { numbers, volumes, price, products } = said;
  const isList = numbers.length > 0 && volumes.length === 0 && price === null && products.length === 0;
  const isOfRows = isPlaces(text) || isOneOf(command, "book accept decline quote describe cancel price");
  if (!isList || !isOfRows || rows.length < 2) return null;
  if (/\b(?:at|for|to|\$|cpm)\s*\d/i.test(text)) return null;
  // "Book 2, not 1"
  const refused = [...text.matchAll(/\b(?:not|never|without|except|than|of) (\d)\b/gi)].map(([, one]) => Number(one));
  const wanted = numbers.filter((number) => !refused.includes(number));
  const found = wanted.flatMap((number) => rows[number - 1] ?? []);
  return found.length === wanted.length && found.length > 0 ? found : null;
};

/** "Remove the 27,000 one": what is open and comes to that, or has that many impressions. */
const rowsBySize = ({ said, text }: Request, memory: Memory): readonly Row[] | null => {
  if (said.products.length > 0 || !/\bone\b/i.test(text)) return null;
  const figures = said.entities.flatMap((one) => (one.kind === "volume" || one.kind === "money" ? [one.value] : []));
  const found = openTopics(memory).filter(({ cpm, terms: { impressions } }) =>
    figures.some(
      (figure) => figure === impressions || Math.abs((Number(cpm) * Number(impressions)) / 1000 - figure) < 1,
    ),
  );
  const only = soleOf(found);
  return only === null ? null : [rowOfTopic(only)];
};

const amounts: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, five: 5 };

/** "The first two", of three. */
const rowsCounted = ({ text }: Request, rows: readonly Row[]): readonly Row[] | null => {
  const [, side = "", word = ""] =
    /\b(first|last) (two|three|four|five|[2-5])\b(?! (?:weeks?|days?|months?|years?|quarters?|of))/i.exec(text) ?? [];
  const amount = amounts[word.toLowerCase()] ?? Number(word);
  if (word === "" || amount > rows.length) return null;
  return side.toLowerCase() === "first" ? rows.slice(0, amount) : rows.slice(-amount);
};

const oneOfRows =
  "(?:the |that )?(?:first|second|third|fourth|[1-4](?:st|nd|rd|th)|last|" +
  "cheap\\w+|dear\\w+|most expensive|small\\w+|big\\w+)\\b";

/** "All but the first", "I'd rather not have the second". */
const exceptRow = new RegExp(
  `\\b(?:but|except|excluding|without|not|minus|than|bar)(?: (?:for|have|want|take|book))? ${oneOfRows}`,
  "i",
);

const correction = new RegExp(
  `(?:[.,;:!?]|\\bor\\b) ?(?:or |oh |hm )?(?:no|nope|sorry|wait|rather|actually|i mean|make that)\\b[ ,:]+` +
    `(?:i mean |make it |take )?${oneOfRows}`,
  "gi",
);

/** "The first. No, the second": the words behind the correction alone. */
const corrected = (request: Request): Request => {
  const { scan, parts } = request;
  const last = [...scan.text.matchAll(correction)].at(-1);
  const [part] = parts;
  if (last === undefined || part === undefined) return request;
  const from = scan.tokens.findIndex(({ start }) => start >= last.index);
  const text = scan.text.slice(last.index);
  return { ...request, parts: [{ ...part, from, to: scan.tokens.length, text }], text };
};

/** Rows of the last answer that the message means by place, price or number; null where it means none of them. */
export const rowsMeant = (request: Request, memory: Memory): readonly Row[] | null => {
  const own = corrected(request);
  const named = rowsNamed(own, memory);
  const rows = rowsOf(memory);
  if (named === null || !exceptRow.test(own.text)) return named;
  const rest = rows.filter((row) => !named.includes(row));
  return rest.length === 0 ? named : rest;
};

const rowsNamed = (request: Request, memory: Memory): readonly Row[] | null => {
  const timed = byFlight(request, memory);
  if (timed !== null) return [timed];
  const rows = rowsOf(memory);
  if (rows.length === 0) return null;
  const listed = rowsByNumber(request, memory) ?? rowsBySize(request, memory);
  if (listed !== null) return listed;
  const some = rowsCounted(request, rows);
  if (some !== null) return some;
  const place = isPlace(request);
  if (place !== null) {
    const row = rows.at(place);
    return row === undefined ? null : [row];
  }
  const found = rows.length > 1 ? extreme(rows, request) : null;
  if (found !== null) return [found];
  if (says(request, "other") && rows.length === 2) {
    const focus = focusOf(memory);
    const other = rows.find(({ product }) => product !== focus?.product);
    return other === undefined ? null : [other];
  }
  return rows.length > 1 && says(request, all) && !says(request, "dates volume") ? rows : null;
};

const smaller = "smaller smallest less fewer cheaper lower";
const larger = "larger largest bigger biggest more higher";
const earlier = "first original former earlier previous old";

/** "Go back to the first" */
const goesBack = /\b(?:go|going|went|get|switch|return|revert|back)\b[^.?!]*\b(?:back|to)\b/i;

/** "Go ahead with the smaller one": the quote that the open one of its product stands for. */
export const formerMeant = (request: Request, memory: Memory): Topic | null => {
  const topic = soleOf(openTopics(memory));
  const isFirst = says(request, "first original");
  const former = isFirst ? (topic?.first ?? topic?.former) : topic?.former;
  const isBack = request.command === "book" || goesBack.test(request.text);
  if (!isBack || topic === null || former?.quote_id == null) return null;
  const isLess = former.impressions < Number(topic.terms["impressions"]);
  if (!isFirst && !says(request, `${isLess ? smaller : larger} ${earlier}`)) return null;
  if (counting.test(request.text)) return null;
  const { impressions, cpm, quote_id: id } = former;
  return { ...topic, cpm, terms: { ...topic.terms, impressions, quote_id: id } };
};
