import { roundHalfEven } from "../money.ts";
import { channelsOf, defaultObjectiveRows, rowOf, tableChannels, type ObjectiveRow } from "./weights.ts";

/** What a channel gets: micros of whole cents, and its share of the weights in percent with two decimals. */
export interface ChannelBudget {
  readonly channel: string;
  readonly budgetMicros: number;
  readonly percentage: number;
}

interface Weighted {
  readonly channel: string;
  readonly weight: number;
}

const microsPerCent = 10_000;

/**
 * Spreads a budget over channels by the objectives of a brief (buyer's wire contract 3.4): the mean of the objectives'
 * rows, kept to the channels that the brief names (null or none: all of the table), equal where none of those has
 * weight. The parts are whole cents and sum up to the budget's whole cents; what is finer than a cent is not spent.
 * Channels that get nothing are left out.
 */
export const allocateBudget = (
  brief: {
    readonly budgetMicros: number;
    readonly objectives: readonly string[];
    readonly channels: readonly string[] | null;
  },
  rows: readonly ObjectiveRow[] = defaultObjectiveRows,
): readonly ChannelBudget[] => {
  const weighted = weightsOf(brief.objectives, brief.channels, rows);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const cents = shareCents(Math.floor(brief.budgetMicros / microsPerCent), weighted, total);
  return weighted.flatMap(({ channel, weight }, index) => {
    const channelCents = cents[index] ?? 0;
    if (channelCents === 0) return [];
    const percentage = roundHalfEven((weight * 100) / total, 2);
    return [{ channel, budgetMicros: channelCents * microsPerCent, percentage }];
  });
};

/** Sums of weights stand for their mean: only their proportions count. */
const weightsOf = (
  objectives: readonly string[],
  channels: readonly string[] | null,
  rows: readonly ObjectiveRow[],
): readonly Weighted[] => {
  const found = objectives.map((objective) => rowOf(rows, objective)).filter((row) => row !== null);
  const named = channelsOf(channels ?? []);
  const kept = named.length === 0 ? [...tableChannels] : inTableOrder(named);
  const weighted = kept.map((channel) => ({
    channel,
    weight: found.reduce((sum, row) => sum + weightIn(row, channel), 0),
  }));
  return weighted.every(({ weight }) => weight === 0) ? weighted.map((one) => ({ ...one, weight: 1 })) : weighted;
};

/** Channel names come from outside: only the row's own members count. */
const weightIn = (row: ObjectiveRow, channel: string): number =>
  Object.hasOwn(row.weights, channel) ? (row.weights[channel] ?? 0) : 0;

const inTableOrder = (channels: readonly string[]): readonly string[] => [
  ...tableChannels.filter((channel) => channels.includes(channel)),
  ...channels.filter((channel) => !(tableChannels as readonly string[]).includes(channel)),
];

/** Whole cents by the largest remainder; of equal remainders the earlier channel's is rounded up. */
const shareCents = (budgetCents: number, weighted: readonly Weighted[], total: number): readonly number[] => {
  const exact = weighted.map(({ weight }, index) => {
    const product = BigInt(budgetCents) * BigInt(weight);
    return { index, cents: Number(product / BigInt(total)), rest: product % BigInt(total) };
  });
  const given = exact.reduce((sum, { cents }) => sum + cents, 0);
  const byRest = [...exact].sort((one, other) => (other.rest > one.rest ? 1 : other.rest < one.rest ? -1 : 0));
  const lucky = new Set(byRest.slice(0, budgetCents - given).map(({ index }) => index));
  return exact.map(({ cents, index }) => cents + (lucky.has(index) ? 1 : 0));
};
