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
  if (typeof value === "string" || typeof value === "number") {
    return [{ field, value: String(value).slice(0, longestValue) }];
  }
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, field, depth + 1));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${field}.${name}`, depth + 1));
};

/** Free-form wishes only; the sellers evaluate a plan themselves. */
const wishesOf = (brief: Brief): readonly Wish[] => {
  if (plannedAudience(brief.target_audience) !== null) return [];
  return leavesOf(brief.target_audience, "target_audience").slice(0, mostWishes);
};

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
  const declared = job.recommendations.flatMap(declaredBy);
  return wishesOf(job.brief)
    .filter(({ value }) => !declared.some((one) => isMet(value, one)))
    .map(({ field, value }) => ({
      field,
      message: `no recommended product declares ${JSON.stringify(value)}; the lines are not limited to it`,
    }));
};
