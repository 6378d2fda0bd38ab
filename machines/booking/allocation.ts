import { roundHalfEven, microsPerCent } from "../money.ts";
import {
  channelsOf,
  defaultObjectiveRows,
  knownChannels,
  rowOf,
  tableChannels,
  weighingChannel,
  type ObjectiveRow,
} from "./weights.ts";

/** Micros of whole cents; percent with two decimals. */
export interface ChannelBudget {
  readonly channel: string;
  readonly budgetMicros: number;
  readonly percentage: number;
  /** Named by the brief but without weight in its objectives: gets about a tenth. */
  readonly isLeast: boolean;
}

interface Weighted {
  readonly channel: string;
  readonly weight: number;
  readonly isLeast: boolean;
}

/**
 * The parts are whole cents and sum up to the budget's whole cents; what is finer than a cent is not spent. Equal
 * parts where no channel has weight; channels that get nothing are left out.
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
  return weighted.flatMap(({ channel, weight, isLeast }, index) => {
    const channelCents = cents[index] ?? 0;
    if (channelCents === 0) return [];
    const percentage = roundHalfEven((weight * 100) / total, 2);
    return [{ channel, budgetMicros: channelCents * microsPerCent, percentage, isLeast }];
  });
};

/** Divisible by the number of channels that can share one weight, and by nine. */
const unitsPerWeight = 540;

/**
 * Only proportions matter, so sums stand for means. A requested channel without weight gets a ninth of the others'
 * sum.
 */
const weightsOf = (
  objectives: readonly string[],
  channels: readonly string[] | null,
  rows: readonly ObjectiveRow[],
): readonly Weighted[] => {
  const found = objectives.map((objective) => rowOf(rows, objective)).filter((row) => row !== null);
  const named = channelsOf(channels ?? []);
  const kept = named.length === 0 ? [...tableChannels] : inOrder(named);
  const weights = kept.map((channel) => {
    const family = weighingChannel(channel);
    const sharing = kept.filter((other) => weighingChannel(other) === family).length;
    return Math.round((found.reduce((sum, row) => sum + weightIn(row, family), 0) * unitsPerWeight) / sharing);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return kept.map((channel) => ({ channel, weight: 1, isLeast: false }));
  const least = Math.round(sum / 9);
  return kept.map((channel, index) => {
    const weight = weights[index] ?? 0;
    const isLeast = weight === 0 && named.length > 0;
    return { channel, weight: isLeast ? least : weight, isLeast };
  });
};

/** Channel names come from outside: inherited members must not match. */
const weightIn = (row: ObjectiveRow, channel: string): number =>
  Object.hasOwn(row.weights, channel) ? (row.weights[channel] ?? 0) : 0;

const inOrder = (channels: readonly string[]): readonly string[] => [
  ...knownChannels.filter((channel) => channels.includes(channel)),
  ...channels.filter((channel) => !(knownChannels as readonly string[]).includes(channel)),
];

/** Largest remainder; of equal ones the earlier channel's is rounded up. */
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
