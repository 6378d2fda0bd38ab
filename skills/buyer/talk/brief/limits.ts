import type { z } from "zod";
import type { campaignBrief } from "../../bookings/contract.ts";

type BriefInput = z.input<typeof campaignBrief>;

/** What a channel gets, at most, at least or both. */
export interface ShareTerm {
  readonly kind: "share";
  readonly channel: string;
  readonly share: number | null;
  readonly amount: number | null;
  readonly side: "max" | "min" | "both";
}

interface Kind {
  readonly kind: string;
}

type PlacedTerm =
  | ShareTerm
  | { readonly kind: "budget"; readonly value: number }
  | {
      readonly kind: "channels";
      readonly set: null;
      readonly add: readonly string[];
      readonly drop: readonly string[];
      readonly isOfAll: false;
    };

const isShare = (term: Kind): term is ShareTerm => term.kind === "share";

const withoutLimits = ({ channel_limits: _gone, ...rest }: BriefInput): BriefInput => rest;

export const shareOf = (brief: BriefInput, { channel, share, amount, side }: ShareTerm): BriefInput => {
  const name = share === null ? "amount" : "share";
  const value = share ?? amount ?? 0;
  const limits = {
    ...(side === "max" ? {} : { [`min_${name}`]: value }),
    ...(side === "min" ? {} : { [`max_${name}`]: value }),
  };
  // Beside a cap of one channel alone the objectives go on choosing the others.
  const limited = Object.keys(brief.channel_limits ?? {});
  const named = brief.channels ?? (side === "max" && limited.length === 0 ? null : limited);
  const channels = named === null ? {} : { channels: [...new Set([...named, channel])] };
  return { ...brief, ...channels, channel_limits: { ...brief.channel_limits, [channel]: limits } };
};

/** "45% video, 55% audio" is the whole split: what other channels had is not meant any more. */
export const forWholeSplit = (brief: BriefInput, terms: readonly Kind[]): BriefInput => {
  const shares = terms.filter((term): term is ShareTerm => isShare(term) && term.side === "both");
  const sum = shares.reduce((all, { share }) => all + (share ?? NaN), 0);
  if (shares.length < 2 || !(Math.abs(sum - 1) < 1e-6)) return brief;
  return { ...withoutLimits(brief), channels: shares.map(({ channel }) => channel) };
};

type Limit = NonNullable<BriefInput["channel_limits"]>[string];

/** What a channel gets, no more and no less; not a number where it may be less. */
const fixedShare = (
  { min_share: least, max_share: most, min_amount: from, max_amount: to }: Limit,
  budget = NaN,
): number => {
  if (least != null && most != null && Math.abs(least - most) < 1e-5) return least;
  return from != null && from === to ? from / budget : NaN;
};

/** Limits of the channels that are left. */
export const withLimitsOf = (brief: BriefInput): BriefInput => {
  const { channels, channel_limits: limits } = brief;
  if (limits == null || channels == null) return brief;
  const kept = Object.entries(limits).filter(([channel]) => channels.includes(channel));
  const sumOf = (all: typeof kept): number => all.reduce((sum, [, one]) => sum + fixedShare(one, brief.budget), 0);
  const whole = sumOf(kept);
  // Of a whole split what a channel had that is dropped goes to the others.
  const isSplit =
    kept.every(([, { min_share: share }]) => share != null) || Math.abs(sumOf(Object.entries(limits)) - 1) < 1e-4;
  const isGrown = isSplit && kept.length < Object.keys(limits).length && kept.length === channels.length && whole > 0;
  const grown = kept.map(([channel, limit]) => {
    const share = (fixedShare(limit, brief.budget) / whole) * 1e6;
    return [
      channel,
      isGrown ? { min_share: Math.floor(share) / 1e6, max_share: Math.ceil(share) / 1e6 } : limit,
    ] as const;
  });
  const isAll = channels.length === 1 && (whole === 1 || isGrown);
  return kept.length === 0 || isAll ? withoutLimits(brief) : { ...brief, channel_limits: Object.fromEntries(grown) };
};

type ChannelSum = ShareTerm & { readonly amount: number };

/** Money of a channel is a part of the budget; it is the budget where no other is said and no other channel named. */
export const sumsPlaced = (brief: BriefInput, sums: readonly ChannelSum[], isTold: boolean): readonly PlacedTerm[] => {
  const { budget, channels } = brief;
  const isOnly = ({ channel }: ChannelSum): boolean => (channels ?? []).every((name) => name === channel);
  const [only, other] = sums;
  const asBudget = (sum: ChannelSum): readonly PlacedTerm[] => [
    { kind: "budget", value: sum.amount },
    { kind: "channels", set: null, add: [sum.channel], drop: [], isOfAll: false },
  ];
  const isAbove = only !== undefined && budget !== undefined && !isTold && only.amount > budget;
  const isWhole = budget === undefined ? !isTold : isAbove || !isTold;
  if (only !== undefined && other === undefined && isWhole && (isAbove || isOnly(only))) return asBudget(only);
  if (budget !== undefined || isTold || sums.some(({ side }) => side === "max")) return sums;
  const value = sums.reduce((sum, { amount }) => sum + amount, 0);
  return other === undefined ? sums : [{ kind: "budget", value }, ...sums];
};

export const isChannelSum = (term: Kind): term is ChannelSum => isShare(term) && term.amount !== null;
