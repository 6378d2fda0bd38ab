import { allocateBudget, type ChannelBudget } from "../../../../machines/booking/allocation.ts";
import { microsPerCent } from "../../../../machines/money.ts";
import { channelBounds } from "../channel-limits.ts";
import type { Allocation, Brief } from "../record.ts";

const reasonOf = ({ channel, percentage, isLeast }: ChannelBudget, objectives: readonly string[]): string =>
  isLeast
    ? `${percentage} % of the budget: you asked for ${channel}, though ${objectives.join(", ")} gives it no weight`
    : `${percentage} % of the budget for ${objectives.join(", ")}`;

/** The budget over the channels of the brief. */
export const allocationsOf = (brief: Brief): readonly Allocation[] => {
  const { budget_cents, objectives, channels } = brief;
  const bounds = channelBounds(brief);
  const split = allocateBudget({ budgetMicros: budget_cents * microsPerCent, objectives, channels, bounds });
  return split.map((part) => ({
    channel: part.channel,
    budget_cents: part.budgetMicros / microsPerCent,
    percentage: part.percentage,
    rationale: reasonOf(part, objectives).slice(0, 500),
  }));
};
