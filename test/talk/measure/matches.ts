import { isOneOf, type Members, type WantedEffect } from "./case.ts";
import type { Course } from "./course.ts";
import { isNear } from "./reply.ts";
import type { Effect, Terms } from "./side.ts";

export const kindOf = (wanted: WantedEffect): string => Object.keys(wanted).find((name) => name !== "since") ?? "";

export const termsOf = (wanted: WantedEffect): Members => wanted[kindOf(wanted)] as Members;

/** A cancellation is asked for by a change request; a price is agreed by either side's yes. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  changed: ["changed", "cancelled", "change_request"],
  accepted: ["accepted", "agreed"],
};

const isQuote = (quote: Terms, effect: Effect): boolean =>
  quote.quote_id === effect["quote_id"]
    ? quote.impressions === effect["impressions"]
    : (["product", "impressions", "deal_type", "from", "to"] as const).every((name) => quote[name] === effect[name]) &&
      isNear(quote.cpm, Number(effect["cpm"]));

/** The quotes of that turn; of several, those that it was asked for. */
const quotesAt = ({ turns }: Course, turn: number): readonly Terms[] => {
  const { quotes = [], want } = turns[turn - 1] ?? {};
  const asked = want?.quoted;
  const isAsked = (one: Terms): boolean =>
    asked === undefined ||
    (one.product === asked.product &&
      one.impressions === asked.impressions &&
      (asked.deal_type === undefined || one.deal_type === asked.deal_type));
  return quotes.filter(isAsked);
};

const dealOf = (course: Course, named: unknown): unknown =>
  typeof named === "number"
    ? course.turns[named - 1]?.effects.find(({ kind }) => kind === "booked")?.["deal_id"]
    : course.names[String(named)];

const isPartOf = (wanted: unknown, is: unknown): boolean => {
  if (Array.isArray(wanted) && Array.isArray(is))
    return JSON.stringify(wanted.map(String).toSorted()) === JSON.stringify(is.map(String).toSorted());
  if (typeof wanted !== "object" || wanted === null) return wanted === is;
  return Object.entries(wanted).every(([name, value]) => isPartOf(value, (is as Members | undefined)?.[name]));
};

const termFits = (course: Course, effect: Effect, name: string, wanted: unknown): boolean => {
  switch (name) {
    case "quote":
      return quotesAt(course, Number(wanted)).some((one) => isQuote(one, effect));
    case "quote_id": {
      const quote = course.side.quoteOf(course.names[String(wanted)]);
      return quote !== undefined && isQuote(quote, effect);
    }
    case "deal":
      return effect["deal_id"] === undefined || effect["deal_id"] === dealOf(course, wanted);
    case "max_cpm":
      return effect["cpm"] === undefined || Number(effect["cpm"]) <= Number(wanted) + 0.0051;
    case "month":
      return Number(String(effect["from"]).slice(5, 7)) === wanted;
    case "brief":
      return isPartOf(wanted, effect["brief"]);
    default:
      return isOneOf(effect[name], wanted);
  }
};

export const matches = (course: Course, wanted: WantedEffect, effect: Effect): boolean => {
  const kind = kindOf(wanted);
  if (!(kinds[kind] ?? [kind]).includes(effect.kind)) return false;
  return Object.entries(termsOf(wanted)).every(([name, value]) => termFits(course, effect, name, value));
};
