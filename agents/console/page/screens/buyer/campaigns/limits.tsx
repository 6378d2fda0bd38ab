import { amountIn } from "../../../amount.ts";
import { Field } from "../../../parts/field.tsx";
import { channelName } from "./job.ts";

/** What people type, by channel: "40 %" of the budget, or an amount. */
export type TypedLimits = Readonly<Record<string, string>>;

type Limit = { readonly max_share: number } | { readonly max_amount: number };

/** Null: neither a share nor an amount. */
const limitIn = (text: string): Limit | null => {
  const amount = amountIn(text.replace("%", ""));
  if (amount === null) return null;
  if (!text.includes("%")) return { max_amount: amount };
  return amount > 100 ? null : { max_share: amount / 100 };
};

const typedOf = (channels: readonly string[], limits: TypedLimits) =>
  channels.flatMap((channel) => {
    const text = (limits[channel] ?? "").trim();
    return text === "" ? [] : [[channel, limitIn(text)] as const];
  });

export const areReadable = (channels: readonly string[], limits: TypedLimits): boolean =>
  typedOf(channels, limits).every(([, limit]) => limit !== null);

/** As a brief says them; nothing where no channel has one. */
export const limitsOf = (
  channels: readonly string[],
  limits: TypedLimits,
): { readonly channel_limits?: Readonly<Record<string, Limit>> } => {
  const read = typedOf(channels, limits).flatMap(([channel, limit]) => (limit === null ? [] : [[channel, limit]]));
  return read.length === 0 ? {} : { channel_limits: Object.fromEntries(read) as Record<string, Limit> };
};

interface LimitFieldsProps {
  readonly channels: readonly string[];
  readonly limits: TypedLimits;
  readonly set: (limits: TypedLimits) => void;
}

/** One for each channel that is chosen. */
export const LimitFields = ({ channels, limits, set }: LimitFieldsProps) =>
  channels.length === 0 ? null : (
    <div class="rule-fields">
      {channels.map((channel) => (
        <Field
          key={channel}
          label={`${channelName(channel)} at most`}
          placeholder="40 % or 50,000"
          value={limits[channel] ?? ""}
          onInput={(text) => set({ ...limits, [channel]: text })}
          error={areReadable([channel], limits) ? null : "A share as 40 %, or an amount."}
          maxLength={20}
        />
      ))}
    </div>
  );
