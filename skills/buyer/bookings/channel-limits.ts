import { type ChannelBounds, splitChannels } from "../../../machines/booking/allocation.ts";
import { channelOf, isKnownChannel, knownChannels } from "../../../machines/booking/weights.ts";
import { largestAmount, microsPerCent } from "../../../machines/money.ts";
import type { ChannelLimit } from "./record.ts";

type Members = { readonly [member in keyof ChannelLimit]?: number | null | undefined };
export type GivenLimits = Readonly<Record<string, Members>>;

const shares = ["min_share", "max_share"] as const;
const amounts = ["min_amount", "max_amount"] as const;
export const limitMembers: readonly string[] = [...shares, ...amounts];

const millionths = 1_000_000;

/** A share of the cents in integers, because 0.29 of 100 is less than 29 in doubles. */
const ofShare = (share: number, cents: number, rounding: "up" | "down"): number => {
  const product = BigInt(Math.round(share * millionths)) * BigInt(cents);
  const spare = rounding === "up" ? BigInt(millionths - 1) : 0n;
  return Number((product + spare) / BigInt(millionths));
};

const centsOf = (amount: number, rounding: "up" | "down"): number => {
  const cents = Math.round(amount * millionths) / microsPerCent;
  return rounding === "up" ? Math.ceil(cents) : Math.floor(cents);
};

/** A share that is least and most at once, as a third is, rarely makes whole cents. */
const boundsOf = (limit: Members, budgetCents: number): ChannelBounds => ({
  least: Math.max(
    ofShare(limit.min_share ?? 0, budgetCents, limit.min_share === limit.max_share ? "down" : "up"),
    centsOf(limit.min_amount ?? 0, "up"),
  ),
  most: Math.min(
    limit.max_share == null ? Infinity : ofShare(limit.max_share, budgetCents, "down"),
    limit.max_amount == null ? Infinity : centsOf(limit.max_amount, "down"),
  ),
});

export const channelBounds = ({
  channel_limits: limits = {},
  budget_cents,
}: {
  readonly channel_limits?: GivenLimits | undefined;
  readonly budget_cents: number;
}): ReadonlyMap<string, ChannelBounds> =>
  new Map(Object.entries(limits).map(([channel, limit]) => [channel, boundsOf(limit, budget_cents)]));

const sizeProblems = (name: string, limit: Members): string[] => {
  const wrong = (member: string, most: number): string =>
    `channel_limits.${name}.${member} must lie between 0 and ${most}`;
  return [
    ...shares.filter((member) => !within(limit[member], 1)).map((member) => wrong(member, 1)),
    ...amounts.filter((member) => !within(limit[member], largestAmount)).map((member) => wrong(member, largestAmount)),
  ];
};

const within = (value: number | null | undefined, most: number): boolean =>
  value == null || (value >= 0 && value <= most);

const nameProblems = (names: readonly string[], split: readonly string[]): string[] =>
  names.flatMap((name, index) => {
    const channel = channelOf(name);
    const at = `channel_limits: ${JSON.stringify(name)}`;
    if (!isKnownChannel(channel)) return [`${at} is not one of ${knownChannels.join(", ")}`];
    if (!split.includes(channel)) {
      return [`${at} is no channel of this brief (${split.join(", ")}); name it in channels, or limit one of these`];
    }
    const other = names.slice(0, index).find((one) => channelOf(one) === channel);
    return other === undefined ? [] : [`${at} and ${JSON.stringify(other)} are the same channel, ${channel}`];
  });

const mostLimits = knownChannels.length;

/** Limits that can be kept at once by a split of these cents. */
export const limitProblems = (
  given: GivenLimits | null | undefined,
  channels: readonly string[] | null,
  budgetCents: number | null,
): readonly string[] => {
  const names = Object.keys(given ?? {});
  if (given == null || names.length === 0) return [];
  if (names.length > mostLimits) return [`channel_limits must name at most ${mostLimits} channels`];
  const split = splitChannels(channels);
  const sizes = names.flatMap((name) => sizeProblems(name, given[name] ?? {}));
  const problems = [...nameProblems(names, split), ...sizes];
  if (problems.length > 0 || budgetCents === null) return problems;
  const bounds = new Map(names.map((name) => [channelOf(name), boundsOf(given[name] ?? {}, budgetCents)]));
  const crossed = [...bounds].filter(([, { least, most }]) => least > most);
  if (crossed.length > 0) return crossed.map(([name]) => `channel_limits.${name}: its least is more than its most`);
  const least = [...bounds.values()].reduce((sum, one) => sum + one.least, 0);
  if (least > budgetCents) return ["channel_limits: the least of all channels is more than the budget"];
  const most = split.reduce((sum, channel) => sum + (bounds.get(channel)?.most ?? Infinity), 0);
  return most < 1 ? ["channel_limits leave no channel to spend in"] : [];
};

/** Under the names of the channels, without what is not said. */
export const readLimits = (given: GivenLimits | null | undefined): Record<string, ChannelLimit> =>
  Object.fromEntries(
    Object.entries(given ?? {}).map(([name, limit]) => [
      channelOf(name),
      Object.fromEntries(limitMembers.flatMap((member) => saidOf(member, limit))),
    ]),
  );

const saidOf = (member: string, limit: Members): (readonly [string, number])[] => {
  const value = limit[member as keyof Members];
  return value == null ? [] : [[member, value]];
};
