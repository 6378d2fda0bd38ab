import { dayMs } from "../../../machines/inventory/dates.ts";
import { atOf, isoOf } from "./dates/moments.ts";
import type { LoneDay } from "./dates/lone-days.ts";
import { highestCpm } from "./figures/money.ts";
import type { Act } from "./choice/sounds.ts";
import type { Leftover } from "./leftovers.ts";
import type { Heard, Slots } from "./slots.ts";

/** What a message answers. */
export interface Standing {
  readonly terms: Slots;
  readonly asked: Act | null;
  readonly isNegotiating: boolean;
}

type Question = "budget" | "volume" | "price";

const needVolume: ReadonlySet<Act | null> = new Set(["quote", "propose", "book", "offer"]);

const questionOf = ({ terms, asked, isNegotiating }: Standing): Question | null => {
  if (isNegotiating || terms["quote_id"] !== undefined || terms["proposal_id"] !== undefined) return "price";
  const hasVolume = terms["impressions"] !== undefined;
  if (terms["budget"] !== undefined) return null;
  if (asked === "plan") return "budget";
  const isMissing = terms["product_id"] !== undefined && !hasVolume;
  return needVolume.has(asked) && isMissing ? "volume" : null;
};

const withoutLeftover = (heard: Heard, text: string): readonly Leftover[] =>
  heard.leftovers.filter((one) => one.text !== text);

/** The one figure of the message that no word tells the meaning of. */
const openSum = ({
  sums,
  slots,
  barePrice,
  isCounted,
}: Heard): { readonly value: number; readonly text: string } | null => {
  const [sum, other] = sums;
  if (sum !== undefined) return other === undefined ? sum : null;
  const { impressions } = slots;
  if (typeof impressions === "number") return isCounted ? null : { value: impressions, text: "" };
  return barePrice === null ? null : { value: barePrice, text: "" };
};

/** What differs more from what is in force is something else. */
const leastShare = 10;

const asBudget = (heard: Heard): Heard => {
  const sum = openSum(heard);
  if (sum === null || heard.slots["budget"] !== undefined) return heard;
  const { impressions: _volume, ...slots } = heard.slots;
  const left = withoutLeftover(heard, sum.text).filter(({ isBarePrice }) => !isBarePrice);
  return { ...heard, slots: { ...slots, budget: sum.value }, volumes: [], barePrice: null, sums: [], leftovers: left };
};

/** "Make that 12k" of a budget in force. */
const asNewBudget = (heard: Heard, standing: Standing): Heard => {
  const { budget } = standing.terms;
  const value = openSum(heard)?.value ?? 0;
  const isNear = typeof budget === "number" && value <= budget * leastShare && value * leastShare >= budget;
  return isNear ? asBudget(heard) : heard;
};

const asVolume = (heard: Heard): Heard => {
  const [sum, other] = heard.sums;
  if (sum === undefined || other !== undefined || heard.slots["impressions"] !== undefined) return heard;
  const slots = { ...heard.slots, impressions: sum.value };
  return { ...heard, slots, volumes: [sum.value], sums: [], leftovers: withoutLeftover(heard, sum.text) };
};

const plainFigure = /^\d{1,3}(?:[.,]\d{1,2})?$/;

const leastPrice = 3;

const asPrice = (heard: Heard, { isNegotiating }: Standing): Heard => {
  // "10?? That is the same" complains of our price.
  if (heard.barePrice !== null || heard.slots["target_cpm"] !== undefined || heard.words.includes("?")) return heard;
  const [only, other] = heard.leftovers.filter(({ isBinding }) => isBinding);
  const value = Number(only?.text.replace(",", "."));
  if (only === undefined || other !== undefined || !plainFigure.test(only.text) || value >= highestCpm) return heard;
  // "Drop 2" names a line.
  if (!isNegotiating && (value < leastPrice || !heard.words.trimStart().startsWith(only.text))) return heard;
  const leftovers = heard.leftovers.map((one) => (one === only ? { ...one, isBarePrice: true } : one));
  return { ...heard, barePrice: value, leftovers };
};

const searches: ReadonlySet<Act | null> = new Set(["list", "describe", "rank", "price", "about product"]);
const leastVolume = 50_000;

/** "12k", said of a product: as impressions it would be a deal of a few hundred. */
const isTooFew = ({ slots, isCounted, inventory, sums }: Heard, { terms, asked }: Standing): boolean => {
  const volume = slots["impressions"];
  const isAlone = Object.keys(slots).length === 1 && inventory.length === 0 && sums.length === 0;
  const isFirst = searches.has(asked) && terms["product_id"] !== undefined && terms["impressions"] === undefined;
  return isAlone && isFirst && !isCounted && typeof volume === "number" && volume < leastVolume;
};

const isMuchLess = (heard: Heard, { terms }: Standing): boolean => {
  const volume = terms["impressions"];
  const [sum] = heard.sums;
  return typeof volume === "number" && sum !== undefined && sum.value * leastShare <= volume;
};

const dayIn = (ofDay: unknown, { day }: LoneDay): string | null => {
  if (typeof ofDay !== "string") return null;
  const at = new Date(`${ofDay}T00:00:00Z`);
  const atMs = atOf(at.getUTCFullYear(), at.getUTCMonth() + 1, day);
  return atMs === null ? null : isoOf(atMs);
};

/** "Only the first two weeks" of the flight in force. */
const withPart = (heard: Heard, { terms }: Standing): Heard => {
  const { flightPart: part, slots } = heard;
  const { flight_start: start, flight_end: end } = terms;
  if (part === null || typeof start !== "string" || typeof end !== "string") return heard;
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  const days = part.days ?? Math.ceil((endMs - startMs + dayMs) / dayMs / 2);
  const lengthMs = (days - 1) * dayMs;
  if (lengthMs > endMs - startMs) return heard;
  const flight = part.isFirst ? [startMs, startMs + lengthMs] : [endMs - lengthMs, endMs];
  const [flight_start, flight_end] = flight.map(isoOf);
  const leftovers = heard.leftovers.filter(({ text }) => !part.text.includes(text));
  return { ...heard, slots: { ...slots, flight_start, flight_end }, leftovers };
};

/** "Starts on the 11th instead" is of the month in which the flight in force starts. */
const withDays = (heard: Heard, standing: Standing): Heard => {
  const { terms } = standing;
  const { loneDays, slots, shift } = heard;
  const [first, second, third] = loneDays;
  if (slots["flight_start"] !== undefined || slots["flight_end"] !== undefined) return heard;
  if (first === undefined) return withPart(heard, standing);
  if (third !== undefined) return heard;
  const moved = shift === null || shift.moves === "both" ? "start" : shift.moves;
  const side = first.side ?? (shift === null ? null : moved);
  const isFlight = second !== undefined && first.side !== "end" && second.side === "end";
  if (!isFlight && (second !== undefined || side === null)) return heard;
  const startsAt = isFlight || side === "start" ? dayIn(terms["flight_start"], first) : null;
  const endsAt = isFlight || side === "end" ? dayIn(terms["flight_end"], second ?? first) : null;
  if ((isFlight && (startsAt === null || endsAt === null)) || (startsAt ?? endsAt) === null) return heard;
  const texts = loneDays.map(({ text }) => text);
  return {
    ...heard,
    slots: {
      ...slots,
      ...(startsAt === null ? {} : { flight_start: startsAt }),
      ...(endsAt === null ? {} : { flight_end: endsAt }),
    },
    leftovers: heard.leftovers.filter(({ text }) => !texts.includes(text)),
  };
};

const changes = /\b(?:make|change|reduce|raise|lower) (?:it|that|this)\b/i;
const nearShare = 3;

/** "Make it 320" of 370,000 that are booked. */
const asScaled = (heard: Heard, { terms, isNegotiating }: Standing): Heard => {
  const { slots, words } = heard;
  const { impressions, deal_id: dealId } = terms;
  const [only, other] = heard.leftovers.filter(({ isBinding }) => isBinding);
  if (only === undefined || other !== undefined || !/^\d{2,3}$/.test(only.text)) return heard;
  if (isNegotiating || typeof dealId !== "string") return heard;
  if (typeof impressions !== "number" || slots["impressions"] !== undefined || !changes.test(words)) return heard;
  const value = Number(only.text) * 1000;
  if (value > impressions * nearShare || value * nearShare < impressions) return heard;
  const left = withoutLeftover(heard, only.text);
  return { ...heard, slots: { ...slots, impressions: value }, volumes: [value], barePrice: null, leftovers: left };
};

/** A figure without a unit takes its meaning from the question before it, and from what is in force. */
export const inContext = (heard: Heard, standing: Standing): Heard => {
  const dated = asScaled(withDays(heard, standing), standing);
  const ofBudget = standing.terms["impressions"] === undefined ? asNewBudget(dated, standing) : dated;
  if (ofBudget !== dated) return ofBudget;
  const question = questionOf(standing);
  if (question === "budget" || isMuchLess(dated, standing) || isTooFew(dated, standing)) return asBudget(dated);
  if (question === "volume") return asVolume(dated);
  return question === "price" ? asPrice(dated, standing) : dated;
};
