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

/** In whole cents, of the whole budget. */
export interface ChannelBounds {
  readonly least: number;
  /** Infinity without a limit. */
  readonly most: number;
}

const unbounded: ChannelBounds = { least: 0, most: Infinity };

interface Weighted {
  readonly channel: string;
  readonly weight: number;
  readonly isLeast: boolean;
}

/**
 * The parts are whole cents and sum up to the budget's whole cents, or to less where no channel may take the rest;
 * what is finer than a cent is not spent. Equal parts where no channel has weight; channels that get nothing are left
 * out.
 */
export const allocateBudget = (
  brief: {
    readonly budgetMicros: number;
    readonly objectives: readonly string[];
    readonly channels: readonly string[] | null;
    readonly bounds?: ReadonlyMap<string, ChannelBounds>;
  },
  rows: readonly ObjectiveRow[] = defaultObjectiveRows,
): readonly ChannelBudget[] => {
  const weighted = weightsOf(brief.objectives, brief.channels, rows);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const budget = Math.floor(brief.budgetMicros / microsPerCent);
  const bounds = brief.bounds ?? new Map<string, ChannelBounds>();
  const cents = boundedCents(budget, weighted, bounds);
  return weighted.flatMap(({ channel, weight, isLeast }, index) => {
    const channelCents = cents[index] ?? 0;
    if (channelCents === 0) return [];
    const part = bounds.size === 0 ? weight / total : channelCents / budget;
    return [{ channel, budgetMicros: channelCents * microsPerCent, percentage: roundHalfEven(part * 100, 2), isLeast }];
  });
};

/** The channels among which a budget is split, those without weight too. */
export const splitChannels = (channels: readonly string[] | null): readonly string[] => {
  const named = channelsOf(channels ?? []);
  return named.length === 0 ? [...tableChannels] : inOrder(named);
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
  const kept = splitChannels(channels);
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

/**
 * By weight within the bounds. Where parts lie outside, those on the side that is further off are settled at their
 * bound and the rest is split anew (the flexible lengths of CSS Flexbox, 9.7).
 */
const boundedCents = (
  budgetCents: number,
  weighted: readonly Weighted[],
  bounds: ReadonlyMap<string, ChannelBounds>,
): readonly number[] => {
  const boundsAt = weighted.map(({ channel }) => bounds.get(channel) ?? unbounded);
  const settled = new Map<number, number>();
  for (;;) {
    const open = weighted.map((one, index) => (settled.has(index) ? { ...one, weight: 0 } : one));
    const total = open.reduce((sum, { weight }) => sum + weight, 0);
    const rest = Math.max(0, budgetCents - [...settled.values()].reduce((sum, cents) => sum + cents, 0));
    const parts = total === 0 ? open.map(() => 0) : shareCents(rest, open, total);
    const cents = parts.map((part, index) => settled.get(index) ?? part);
    const above = cents.map((part, index) => Math.max(0, part - (boundsAt[index]?.most ?? Infinity)));
    const below = cents.map((part, index) => Math.max(0, (boundsAt[index]?.least ?? 0) - part));
    const [over, under] = [above, below].map((parts) => parts.reduce((sum, part) => sum + part, 0)) as [number, number];
    if (over === 0 && under === 0) return cents;
    const isOver = over >= under;
    (isOver ? above : below).forEach((excess, index) => {
      const bound = boundsAt[index];
      if (excess > 0 && bound !== undefined) settled.set(index, isOver ? bound.most : bound.least);
    });
  }
};

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
