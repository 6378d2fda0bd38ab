import { isIn } from "../words.ts";
import { dayMs } from "../../../../../machines/inventory/dates.ts";
import { dayAt, monthAt, msOf } from "../../../../talk/reader/days.ts";
import { type Amount, type Entity, textOf, type Words } from "../../../../talk/reader/entity.ts";
import type { Term } from "../../brief/form.ts";
import { before, behind, clauseAt, entitiesOfPart, has, type Part, use, wordAt } from "./part.ts";

const isoOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

const startWords =
  "start starts starting begin begins beginning launch from delay postpone kick-off first opening opens";
const endWords = "extend stretch prolong lengthen end ends ending until till til finish thru through by last stop";
const later = "later back forward after";
const earlier = "earlier sooner before";
const moves = "shift move push delay postpone bring";
const longer = "longer more extra";
const shorter = "shorter less fewer";

const wordsOf = ({ text }: Part, { from, to }: { readonly from: number; readonly to: number }): string =>
  textOf(text.scan, { from, to });

/** "Two weeks later", "shift the start by one week", "for four weeks only". */
const lengthTerm = (part: Part, { from, to, value: days }: Amount): boolean => {
  const left = before(part, from, 6);
  const right = behind(part, to, 3);
  const clause = clauseAt(part, from);
  const words = part.text.words.slice(clause.from, clause.to);
  const isMove = has(words, moves);
  const isBack = has(right.slice(0, 1), earlier) || (isMove && has(words, "forward up earlier") && !has(words, later));
  const isLater = has(right.slice(0, 1), later) || isMove;
  if (isBack || isLater) {
    for (let at = clause.from; at < clause.to; at += 1) if (isIn(wordAt(part, at), moves)) use(part, at, at + 1);
    const step = isBack ? -days : days;
    const [isStart, isEnd] = [has(words, startWords), has(words, "end ends ending finish")];
    part.terms.push({ kind: "shift", start: isEnd && !isStart ? 0 : step, end: isStart && !isEnd ? 0 : step });
    return true;
  }
  const next = right[0] ?? "";
  if (isIn(next, longer) || has(left, "extend prolong")) part.terms.push({ kind: "shift", start: 0, end: days });
  else if (isIn(next, shorter) || has(left, "shorten")) part.terms.push({ kind: "shift", start: 0, end: -days });
  else if ((part.open !== null || has(left, "for run runs over first")) && !isIn(left[0] ?? "", "last final"))
    part.terms.push({ kind: "length", days });
  else return false;
  return true;
};

const besideLength = "flight campaign run long total in a of altogether duration";

/** "Nordlys Coffee, four weeks, display, starting 11 January": a length that is a clause gives the last day. */
const loneLength = (part: Part, entities: readonly Entity[]): void => {
  const starts = part.terms.filter((term) => term.kind === "days" && term.start !== null && term.end === null);
  const isEnded = part.terms.some((term) => term.kind === "length" || (term.kind === "days" && term.end !== null));
  const lengths = entities.filter((one) => one.kind === "length");
  const [length] = lengths;
  if (starts.length !== 1 || isEnded || lengths.length !== 1 || length?.kind !== "length") return;
  const clause = clauseAt(part, length.from);
  const rest = [
    ...part.text.words.slice(clause.from, length.from),
    ...part.text.words.slice(length.to, clause.to),
  ].filter((word) => !isIn(word, besideLength));
  if (rest.length > 0) return;
  part.terms.push({ kind: "length", days: length.value });
  use(part, length.from, length.to);
};

interface Edge {
  readonly iso: string;
  readonly isPart: boolean;
}

const eves: Readonly<Record<string, string>> = {
  "xmas eve": "12-24",
  "christmas eve": "12-24",
  "new year's eve": "12-31",
};

const lastOf = (iso: string): string => isoOf(Date.UTC(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)), 0));

const leads = new Set("on the mid middle end late early beginning start of - this".split(" "));

/** "Mid September", "end of May", "20 feb": one day, where its side is known. */
const edgeOf = (part: Part, { from: first, to }: Entity, nowMs: number): Edge | null => {
  let from = first;
  while (from < to - 1 && leads.has(wordAt(part, from))) from += 1;
  const { tokens } = part.text.scan;
  const month = monthAt(tokens, from);
  const day = dayAt(tokens, from, nowMs);
  if (day !== null && day.to >= to) {
    const atMs = msOf(day, nowMs);
    return atMs === null ? null : { iso: isoOf(atMs), isPart: false };
  }
  if (month === null) return null;
  const atMs = msOf({ year: null, month, day: null }, nowMs);
  if (atMs === null) return null;
  const iso = isoOf(atMs);
  const part2 = [wordAt(part, from - 1), wordAt(part, from - 2), wordAt(part, from - 3)].find((word) =>
    isIn(word, "mid middle end late early beginning start"),
  );
  if (part2 === undefined) return null;
  const ofDay = isIn(part2, "mid middle") ? `${iso.slice(0, 8)}15` : isIn(part2, "end late") ? lastOf(iso) : iso;
  return { iso: ofDay, isPart: true };
};

const sideOf = (part: Part, { from, to }: Entity): "start" | "end" | null => {
  const left = before(part, from, 6).filter((word) => !isIn(word, "mid middle late early of"));
  const found = left.find((word) => isIn(word, startWords) || isIn(word, endWords));
  if (found !== undefined) return isIn(found, startWords) ? "start" : "end";
  const right = behind(part, to, 2);
  if (has(right.slice(0, 1), "start starts")) return "start";
  return has(right.slice(0, 1), "end ends") ? "end" : null;
};

/** A month that is only compared with: "not April, May", "Nov instead of Dec". */
const isRefused = (part: Part, { from, to }: Entity, isAlone: boolean): boolean => {
  const [last, second] = [wordAt(part, from - 1), wordAt(part, from - 2)];
  const isToo = isIn(wordAt(part, to), "is was") && wordAt(part, to + 1) === "too";
  return isToo || (last === "not" && !isAlone) || last === "instead of" || (last === "of" && second === "instead");
};

const ownDays =
  "start starts end ends flight campaign begin launch first last day date dates deadline it that this run";

/** "Our fair is on 12 Oct" is a day of the fair. */
const isOfEvent = (part: Part, entity: Dated): boolean => {
  const left = before(part, entity.from, 6).filter((word) => word !== "on");
  const isOne = entity.start !== null && entity.start === entity.end;
  return (
    isOne &&
    isIn(left[0] ?? "", "is was") &&
    left.length > 1 &&
    !has(left.slice(1), `${ownDays} ${startWords} ${endWords}`)
  );
};

/** "04/10/2027" may be two days. */
const isEither = (part: Part, { from, to }: Entity): boolean => {
  const [first, second] = [Number(wordAt(part, from)), Number(wordAt(part, from + 2))];
  return to - from === 5 && wordAt(part, from + 1) === "/" && first <= 12 && second <= 12 && first !== second;
};

const readEves = (part: Part, nowMs: number): void => {
  for (let at = part.place.from; at < part.place.to; at += 1) {
    const eve = eves[`${wordAt(part, at)} ${wordAt(part, at + 1)}`];
    if (eve !== undefined) {
      const year = new Date(nowMs).getUTCFullYear();
      const iso = Date.parse(`${year}-${eve}`) + dayMs > nowMs ? `${year}-${eve}` : `${year + 1}-${eve}`;
      const isStart = has(before(part, at, 3), startWords);
      part.terms.push({ kind: "days", start: isStart ? iso : null, end: isStart ? null : iso });
      use(part, at, at + 2);
    }
  }
};

type Dated = Extract<Entity, { kind: "period" }>;

const periodTerm = (part: Part, entity: Dated): Term => {
  const { start, end } = entity;
  const left = before(part, entity.from, 6);
  const isStart = (left[0] === "before" && left[1] === "not") || has(left, "delay postpone");
  if (end !== null && start === null && isStart) return { kind: "days", start: end, end: null };
  const side = start !== null && start === end ? sideOf(part, entity) : null;
  if (side === "end") return { kind: "days", start: null, end };
  return side === "start" ? { kind: "days", start, end: null } : { kind: "days", start, end };
};

/** "April 27" among terms of no other days is a month of next year; null for what may be another. */
const monthTerm = (part: Part, { from, to }: Entity, nowMs: number): Term | null => {
  const year = 2000 + Number(wordAt(part, from + 1));
  const month = monthAt(part.text.scan.tokens, from);
  const isNear = Math.abs(year - new Date(nowMs).getUTCFullYear()) < 2;
  if (month === null || part.open !== null || !isNear || to !== from + 2) return null;
  return { kind: "days", start: isoOf(Date.UTC(year, month - 1, 1)), end: isoOf(Date.UTC(year, month, 0)) };
};

/** One day whose side the words tell; else it is named as not understood. */
const vagueTerm = (part: Part, entity: Entity, nowMs: number): Term => {
  const edge = edgeOf(part, entity, nowMs);
  const isOfEnd = part.open !== null && part.text.words.slice(0, entity.from).includes("end");
  const side = sideOf(part, entity) ?? (isOfEnd ? "end" : null);
  if (edge !== null && side === "end") return { kind: "days", start: null, end: edge.iso };
  if (edge !== null && side === "start" && !edge.isPart) return { kind: "days", start: edge.iso, end: null };
  if (edge !== null && !edge.isPart && side === null)
    return { kind: "loose day", iso: edge.iso, words: wordsOf(part, entity) };
  const isAmount = entity.kind === "vague" && entity.value === "";
  return { kind: isAmount ? "two budgets" : "unclear", words: wordsOf(part, entity) };
};

const dayTerm = (part: Part, entity: Words): Term => {
  const [side = "", day = ""] = entity.value.split(" ");
  const isStart = side === "start" || (side !== "end" && sideOf(part, entity) === "start");
  return { kind: "day", day: Number(day), side: isStart ? "start" : "end" };
};

const readYear = (part: Part): void => {
  for (let at = part.place.from; at < part.place.to; at += 1) {
    const year = Number(wordAt(part, at));
    const isYear = year >= 2020 && year < 2060 && part.text.scan.owners[at]?.kind !== "period" && !part.used.has(at);
    if (!isYear || part.open?.start_date === undefined) continue;
    part.terms.push({ kind: "year", value: year });
    use(part, at, at + 1);
  }
};

/** Where "starting next" begins, ahead of a day. */
const leadOf = (part: Part, to: number): number => {
  let from = to;
  while (from > part.place.from && isIn(wordAt(part, from - 1), "next coming on")) from -= 1;
  while (from > part.place.from && isIn(wordAt(part, from - 1), "starting beginning")) from -= 1;
  return from;
};

const seasons = "spring summer autumn winter fall christmas easter";

export const readDates = (part: Part, nowMs: number): void => {
  readEves(part, nowMs);
  const entities = entitiesOfPart(part).filter(({ from }) => !part.used.has(from));
  // "Remind me next month" says when somebody does something, and no flight.
  const isDated = ({ kind, from }: Entity): boolean =>
    isIn(kind, "period vague") || (kind === "deadline" && wordAt(part, from - 2) !== "remind");
  const dated = entities.filter(isDated);
  for (const entity of entities) {
    const { kind, from, to } = entity;
    if (kind === "length" && lengthTerm(part, entity)) use(part, from, to);
    if (kind === "day") part.terms.push(dayTerm(part, entity));
    if (!dated.includes(entity)) continue;
    // "Spring jackets", and "in autumn" beside exact days.
    const isName = kind === "vague" && to === from + 1 && isIn(wordAt(part, from), seasons);
    const isExact = dated.some((one) => one.kind === "period");
    if (isName && isExact) use(part, isIn(wordAt(part, from - 1), "in for this") ? from - 1 : from, to);
    if (isName && isExact) continue;
    if (isName && part.text.scan.tokens[to]?.kind === "word" && part.text.scan.owners[to] === undefined) continue;
    use(part, leadOf(part, from), to);
    // "We have 12 people on it"
    if (kind === "vague" && entity.value === "" && isIn(wordAt(part, to - 1), "people persons colleagues staff"))
      continue;
    if (isRefused(part, entity, dated.length < 2)) continue;
    if (kind === "period" && isOfEvent(part, entity)) {
      const clause = clauseAt(part, from);
      part.terms.push({ kind: "not used", words: wordsOf(part, clause) });
      use(part, clause.from, clause.to);
    } else if (kind === "period") part.terms.push(periodTerm(part, entity));
    else
      part.terms.push((dated.length === 1 ? monthTerm(part, entity, nowMs) : null) ?? vagueTerm(part, entity, nowMs));
    if (kind === "period" && isEither(part, entity))
      part.terms.push({ kind: "said", words: `"${wordsOf(part, entity)}" is read month first.` });
  }
  loneLength(part, entities);
  if (dated.length === 0) readYear(part);
};
