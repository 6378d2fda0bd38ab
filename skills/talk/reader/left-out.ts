import { dayNumberAt, isOrdinalAt } from "./days.ts";
import type { EntityReader, Scan } from "./entity.ts";
import { figureAt } from "./figures.ts";
import { isOf, valueOf } from "./lexicon.ts";
import { isOneOf } from "./word-lists.ts";

interface Time {
  /** Exclusive. */
  readonly to: number;
  /** ISO days; null where it has none of its own. */
  readonly days: readonly [string, string] | null;
}

const weekdays = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^week(?:ends?|days?)$|^holidays?$/;

const timeAt = (scan: Scan, start: number, period: EntityReader): Time | null => {
  const { tokens } = scan;
  let at = start;
  while (isOneOf(tokens[at]?.word ?? "", "the on in for any of during over bank public") && at < start + 3) at += 1;
  if (weekdays.test(tokens[at]?.word ?? "")) return { to: at + 1, days: null };
  const read = period(scan, at);
  if (read !== null)
    return { to: read.to, days: read.kind === "period" && read.start && read.end ? [read.start, read.end] : null };
  if (valueOf(tokens[at], "ordinal") !== undefined) {
    const unit = figureAt(tokens, at + 1)?.to ?? at + 1;
    const isPart = tokens[unit]?.word === "half" || valueOf(tokens[unit], "unit") !== undefined;
    return isPart ? { to: unit + 1, days: null } : null;
  }
  const day = dayNumberAt(tokens, at);
  return day !== null && isOrdinalAt(tokens, at) ? { to: day.to, days: null } : null;
};

/** "June, not on the 15th", "April to June except May", "no weekends": a flight has no gaps, so it is named. */
export const leftOutReader =
  (period: EntityReader): EntityReader =>
  (scan, at) => {
    const { tokens, owners } = scan;
    if (!isOf(tokens[at], "exclude") || isOneOf(tokens[at + 1]?.word ?? "", "before after until earlier later"))
      return null;
    const first = timeAt(scan, at + 1, period);
    // "No, in June" and "no June then" answer a question.
    if (first === null || (tokens[at]?.word === "no" && !weekdays.test(tokens[first.to - 1]?.word ?? ""))) return null;
    let { to } = first;
    while (isOneOf(tokens[to]?.word ?? "", "and or nor to - – through")) {
      const next = timeAt(scan, to + 1, period);
      if (next === null) break;
      ({ to } = next);
    }
    // "Not April, May": the second takes its place.
    const isReplaced =
      isOneOf(tokens[to]?.word ?? "", "but sondern just only ,") && period(scan, to + 1)?.kind === "period";
    const before = owners.slice(Math.max(0, at - 3), at).findLast((owner) => owner !== undefined);
    // "I meant April, not March": what stands behind the "not" is what was said before.
    const isOther =
      before?.kind === "period" &&
      (before.start === before.end ||
        (first.days !== null && (first.days[0] > (before.end ?? "") || first.days[1] < (before.start ?? ""))));
    const value = tokens
      .slice(at, to)
      .map(({ text }) => text)
      .join(" ");
    return isOther || isReplaced
      ? { kind: "reference", value: "", from: at, to }
      : { kind: "vague", value, from: at, to };
  };
