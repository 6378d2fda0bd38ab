import type { BookingRow, Brief, Offer, Warning } from "../../record.ts";
import { plannedAudience } from "../../audience.ts";

interface Wish {
  readonly field: string;
  readonly value: string;
}

const mostWishes = 50;
const longestValue = 100;

const leavesOf = (value: unknown, field: string, depth = 0): Wish[] => {
  if (depth > 5) return [];
  if (value === true) return [{ field, value: field.slice(field.lastIndexOf(".") + 1).slice(0, longestValue) }];
  if (typeof value === "string" || typeof value === "number") {
    return [{ field, value: String(value).slice(0, longestValue) }];
  }
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, field, depth + 1));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${field}.${name}`, depth + 1));
};

/** Free-form wishes only; the sellers evaluate a plan themselves. `{any: true}` wishes for nobody in particular. */
const allWishes = (brief: Brief): readonly Wish[] => {
  if (plannedAudience(brief.target_audience) !== null) return [];
  return leavesOf(brief.target_audience, "target_audience").filter(({ field }) => field !== "target_audience.any");
};

const wishesOf = (brief: Brief): readonly Wish[] => allWishes(brief).slice(0, mostWishes);

/** 18-24, A25-54 or 65+; null for anything else. */
const agesOf = (text: string): readonly [number, number] | null => {
  const [, from, to] = /^[A-Z]?\s*(\d{1,2})\s*(?:-|–|to)\s*(\d{1,3})$/i.exec(text.trim()) ?? [];
  if (from !== undefined && to !== undefined) return [Number(from), Number(to)];
  const open = /^[A-Z]?\s*(\d{1,2})\s*\+$/i.exec(text.trim())?.[1];
  return open === undefined ? null : [Number(open), 200];
};

const isMet = (wished: string, declared: string): boolean => {
  const ages = agesOf(wished);
  const offered = agesOf(declared);
  if (ages !== null && offered !== null) return ages[0] <= offered[1] && offered[0] <= ages[1];
  return wished.trim().toLowerCase() === declared.trim().toLowerCase();
};

const declaredBy = (offer: Pick<Offer, "targeting">): readonly string[] =>
  leavesOf(offer.targeting, "").map(({ value }) => value);

export const audienceFit = (brief: Brief): ((offer: Pick<Offer, "targeting">) => number) => {
  const wishes = wishesOf(brief);
  if (wishes.length === 0) return () => 0;
  return (offer) => {
    const declared = declaredBy(offer);
    return wishes.filter(({ value }) => declared.some((one) => isMet(value, one))).length / wishes.length;
  };
};

/** The lines are not limited to these. */
export const audienceWarnings = (job: BookingRow): readonly Warning[] => {
  const lines = job.recommendations.map(declaredBy);
  const told = wishesOf(job.brief).flatMap(({ field, value }) => {
    const met = lines.filter((declared) => declared.some((one) => isMet(value, one))).length;
    if (met === lines.length) return [];
    const wish = JSON.stringify(value);
    return met === 0
      ? [{ field, message: `no recommended product declares ${wish}; the lines are not limited to it` }]
      : [{ field, message: `${met} of ${lines.length} lines declare ${wish}; the others are not limited to it` }];
  });
  const more = allWishes(job.brief).length - mostWishes;
  const rest = `${more} more wishes are not used: at most ${mostWishes} are compared with products`;
  return more > 0 ? [...told, { field: "target_audience", message: rest }] : told;
};
