import { isOneOf, words } from "./word-lists.ts";
import { readCorrections } from "./corrections.ts";
import { dealTypeAt, capAt, idAt, phoneAt, readQuoted, readSalutation, readShares, referenceAt } from "./marks.ts";
import { readTitles } from "./titles.ts";
import { amountAt, readUnclear } from "./figures.ts";
import {
  type Entity,
  entitiesOf,
  type EntityReader,
  type Named,
  newScan,
  type Period,
  readWith,
  type Scan,
  take,
} from "./entity.ts";
import { currencyOf, isOf, valueOf } from "./lexicon.ts";
import { namedReader, productIdReader, readNames, unsoldAt, withOwnVolume } from "./names/named-reader.ts";
import type { ProductFinder } from "./names/product-finder.ts";
import { isoOf } from "./moments.ts";
import { audienceAt, compoundAudienceAt, incomeAt } from "./people.ts";
import { loneDayAt, periodReader } from "./periods.ts";
import { leftOutReader } from "./left-out.ts";
import { seasonAt, timeOfDayAt } from "./deadlines.ts";
import { placeAt } from "./places.ts";
import { tokensOf } from "./tokens.ts";

const mostExcluded = 5;

/** "No NBC", "without", "instead of X" reach five words. */
const isExcludedAt = ({ tokens, owners }: Scan, from: number): boolean => {
  for (let at = from - 1; at >= Math.max(0, from - mostExcluded); at -= 1) {
    const token = tokens[at];
    if (token === undefined || isOneOf(token.text, ". , ; : ! ?") || token.isFirst) {
      if (token?.isFirst !== true) return false;
    }
    const { word } = token;
    const next = tokens[at + 1]?.word ?? "";
    if (isOneOf(word, "but please then") && !isOneOf(tokens[at - 1]?.word ?? "", "anything everything all"))
      return false;
    if (isOneOf(word, "of than") && isOneOf(tokens[at - 1]?.word ?? "", "instead rather other")) return true;
    if (word === "but" && isOneOf(tokens[at - 1]?.word ?? "", "anything everything all")) return true;
    if (isOf(token, "exclude")) {
      const isOther = isOneOf(
        next,
        `
          more less sure later earlier only just problem rush matter longer yet thanks wait sorry
          actually make it's i we you it that question questions above below over under
        `,
      );
      return !isOther;
    }
    // "The client doesn't want native any more"
    if (isOneOf(word, "want need like use") && isOneOf(tokens[at - 1]?.word ?? "", "don't dont doesn't doesnt not"))
      return true;
    if (owners[at] !== undefined && owners[at]?.kind !== "product") return false;
  }
  return false;
};

/** "Native please, forget the pre-roll", "swap native for pre-roll": dropped beside another that is wanted. */
const isDroppedAt = (scan: Scan, { from, to }: Named): boolean => {
  const before = scan.tokens.slice(Math.max(0, from - 3), from).map(({ word }) => word);
  const [next, last] = scan.tokens.slice(to, to + 2).map(({ word }) => word);
  const isDropped =
    // "Telemundo it is, NBC is out."
    (before.some((word) => isOneOf(word, "take leave")) && next === "out") ||
    (isOneOf(next ?? "", "is are") && isOneOf(last ?? "", "out off gone")) ||
    before.some((word) => isOneOf(word, "forget drop scrap skip ditch remove")) ||
    (before.includes("leave") && before.includes("out")) ||
    (before.some((word) => isOneOf(word, "swap replace exchange substitute switch")) &&
      scan.tokens.slice(to, to + 4).some(({ word }) => isOneOf(word, "for with by to against")));
  return (
    isDropped &&
    entitiesOf(scan).some((one) => one.kind === "product" && one.from !== from && Math.abs(one.from - from) < 12)
  );
};

const withExclusions = (scan: Scan): void => {
  let excluded: Named | null = null;
  for (const entity of entitiesOf(scan)) {
    if (entity.kind !== "product") continue;
    if (isDroppedAt(scan, entity)) {
      take(scan, { ...entity, isExcluded: true });
      continue;
    }
    // "No CTV or native": what is left out goes on over a list.
    const gap: number = excluded === null ? 99 : entity.from - excluded.to;
    const isListed =
      gap <= 2 &&
      scan.tokens
        .slice(entity.from - gap, entity.from)
        .every((token) => token.text === "," || isOneOf(token.word, "or nor and oder"));
    const isExcluded: boolean = (isListed && excluded !== null) || isExcludedAt(scan, entity.from);
    if (!isExcluded) {
      excluded = null;
      continue;
    }
    excluded = { ...entity, isExcluded: true };
    take(scan, excluded);
  }
};

const isPeriod = (one: Entity): one is Period => one.kind === "period";
/** The end of "four weeks in July" is open: which ones they are is said elsewhere, or nowhere. */
const lastDay = ({ tokens }: Scan, { from, to, start, end }: Period): string => {
  if (start === null || !tokens.slice(from, to).some((token) => valueOf(token, "unit") === 7)) return end ?? "";
  const month = new Date(`${start.slice(0, 8)}01T00:00:00Z`);
  return isoOf(month.setUTCMonth(month.getUTCMonth() + 1, 0));
};

const yearIn = (scan: Scan, { from, to }: Period): string | undefined =>
  scan.tokens.slice(from, to).find(({ text }) => /^20\d\d$/.test(text))?.text;

/** More than this is a table, whose lines have their own years; each is held against each other. */
const mostPeriods = 12;

/** "January 2028, 10 to 31 Jan": days of that January, and one flight. A past January is a remark. */
const withYears = (scan: Scan, nowMs: number): void => {
  const all = entitiesOf(scan).filter(isPeriod);
  if (all.length > mostPeriods) return;
  const today = isoOf(nowMs);
  for (const month of all) {
    const year = yearIn(scan, month);
    if (year === undefined || month.start === null || month.end === null) continue;
    const found = all.flatMap((one): readonly Period[] => {
      if (one === month || yearIn(scan, one) !== undefined || one.start === null || one.end === null) return [];
      const [start, end] = [`${year}${one.start.slice(4)}`, `${year}${one.end.slice(4)}`];
      const isInside = today <= start && (month.start ?? "") <= start && start <= end && end <= lastDay(scan, month);
      return isInside ? [{ ...one, start, end }] : [];
    });
    for (const one of found) take(scan, one);
    const [only, other] = found;
    if (only !== undefined && other === undefined) take(scan, { ...month, start: only.start, end: only.end });
  }
};

const nearTimes = words("next this coming today tonight tomorrow now week weeks weekend days year rest later");

/**
 * "Make it december", of a flight in November 2027: the year that is talked about, and not the nearest one. Words that
 * name their year read the same whatever year it is.
 */
export const inYearOf = (scan: Scan, flightStarts: readonly unknown[], nowMs: number): void => {
  const thatYear = Date.UTC(Math.min(...flightStarts.map((start) => Number(String(start).slice(0, 4)))), 0);
  if (!(thatYear > nowMs)) return;
  const read = periodReader(thatYear);
  for (const one of entitiesOf(scan).filter(isPeriod)) {
    const isNear = scan.tokens.slice(one.from, one.to).some(({ word }) => nearTimes.has(word));
    const again = isNear ? null : read(scan, one.from);
    if (again !== null && isPeriod(again) && again.to === one.to && again.start !== one.start) take(scan, again);
  }
};

const loneCurrency = ({ tokens, owners }: Scan): string | null => {
  const at = tokens.findIndex(
    (token, place) =>
      owners[place] === undefined &&
      token.kind === "word" &&
      isOneOf(tokens[place - 1]?.word ?? "", "in en em") &&
      currencyOf(token) !== undefined,
  );
  return at < 0 ? null : (currencyOf(tokens[at]) ?? null);
};

/**
 * Each word belongs to what it names: quotations and ids first, then whole names, days, people, figures and kinds, so
 * that "March Madness :30" is no month and 18-49 no price. `first` reads what an agent knows by more than that.
 */
export const scanOf = (text: string, finder: ProductFinder, nowMs: number, first?: EntityReader): Scan => {
  const scan = newScan(text, tokensOf(text));
  readQuoted(scan);
  readTitles(scan, namedReader(finder));
  if (first !== undefined) readWith(scan, first);
  readSalutation(scan);
  readWith(scan, productIdReader(finder));
  readWith(scan, idAt);
  readNames(scan, finder, (entity) => {
    if (scan.owners.slice(entity.from, entity.to).every((owner) => owner === undefined)) take(scan, entity);
  });
  const period = periodReader(nowMs);
  const leftOut = leftOutReader(period);
  const days = (own: Scan, at: number): Entity | null =>
    phoneAt(own, at) ??
    audienceAt(own, at) ??
    incomeAt(own, at) ??
    referenceAt(own, at) ??
    capAt(own, at) ??
    leftOut(own, at) ??
    period(own, at);
  readWith(scan, days);
  withYears(scan, nowMs);
  readWith(scan, loneDayAt);
  readWith(scan, seasonAt);
  readWith(scan, timeOfDayAt);
  readShares(scan);
  readWith(scan, amountAt);
  readUnclear(scan);
  readWith(scan, dealTypeAt);
  readWith(scan, namedReader(finder));
  readWith(scan, compoundAudienceAt);
  readWith(scan, placeAt);
  readWith(scan, unsoldAt);
  withOwnVolume(scan);
  readCorrections(scan);
  withExclusions(scan);
  return { ...scan, currency: loneCurrency(scan) };
};
