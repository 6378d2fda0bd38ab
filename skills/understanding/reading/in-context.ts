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
  if (isNegotiating) return "price";
  if (terms["budget"] !== undefined) return null;
  if (asked === "plan") return "budget";
  const isMissing = terms["product_id"] !== undefined && terms["impressions"] === undefined;
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

const asBudget = (heard: Heard): Heard => {
  const sum = openSum(heard);
  if (sum === null || heard.slots["budget"] !== undefined) return heard;
  const { impressions: _volume, ...slots } = heard.slots;
  const left = withoutLeftover(heard, sum.text).filter(({ isBarePrice }) => !isBarePrice);
  return { ...heard, slots: { ...slots, budget: sum.value }, volumes: [], barePrice: null, sums: [], leftovers: left };
};

const asVolume = (heard: Heard): Heard => {
  const [sum, other] = heard.sums;
  if (sum === undefined || other !== undefined || heard.slots["impressions"] !== undefined) return heard;
  const slots = { ...heard.slots, impressions: sum.value };
  return { ...heard, slots, volumes: [sum.value], sums: [], leftovers: withoutLeftover(heard, sum.text) };
};

const plainFigure = /^\d{1,3}(?:[.,]\d{1,2})?$/;

const asPrice = (heard: Heard): Heard => {
  // "10?? That is the same" complains of our price.
  if (heard.barePrice !== null || heard.slots["target_cpm"] !== undefined || heard.words.includes("?")) return heard;
  const [only, other] = heard.leftovers.filter(({ isBinding }) => isBinding);
  const value = Number(only?.text.replace(",", "."));
  if (only === undefined || other !== undefined || !plainFigure.test(only.text) || value >= highestCpm) return heard;
  const leftovers = heard.leftovers.map((one) => (one === only ? { ...one, isBarePrice: true } : one));
  return { ...heard, barePrice: value, leftovers };
};

/** So much smaller than the volume in force, it is rather money. */
const leastShare = 10;

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

/** "Starts on the 11th instead" is of the month in which the flight in force starts. */
const withDays = (heard: Heard, { terms }: Standing): Heard => {
  const { loneDays, slots, shift } = heard;
  const [first, second, third] = loneDays;
  if (first === undefined || third !== undefined) return heard;
  if (slots["flight_start"] !== undefined || slots["flight_end"] !== undefined) return heard;
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

/** A figure without a unit takes its meaning from the question before it, and from what is in force. */
export const inContext = (heard: Heard, standing: Standing): Heard => {
  const dated = withDays(heard, standing);
  const question = questionOf(standing);
  if (question === "budget" || isMuchLess(dated, standing)) return asBudget(dated);
  if (question === "volume") return asVolume(dated);
  return question === "price" ? asPrice(dated) : dated;
};
