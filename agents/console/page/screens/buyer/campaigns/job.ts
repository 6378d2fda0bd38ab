import type { OutputOf } from "../../../agent/api.ts";
import type * as buyer from "../../../agent/buyer.generated.ts";

export type Job = OutputOf<typeof buyer.getBooking>;
export type Line = NonNullable<Job["recommendations"]>[number];
export type BookedLine = NonNullable<Job["booked_lines"]>[number];

/** Money of this screen: a campaign is planned in USD. */
export const currency = "USD";

const cents = (amount: number): number => Math.round(amount * 100);

/** To the cent: sums of units would drift. */
export const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + cents(amount), 0) / 100;

export const linesOf = (job: Job): readonly Line[] => job.recommendations ?? [];

export const waitingLines = (job: Job): readonly Line[] =>
  job.status === "awaiting_approval" ? linesOf(job).filter(({ status }) => status === "pending_approval") : [];

export const isBooked = ({ is_booked }: BookedLine): boolean => is_booked !== false;

export const waitsForSeller = (job: Job): boolean =>
  (job.booked_lines ?? []).some(
    (line) => isBooked(line) && (line.booking_status === "proposed" || line.cancellation?.state === "waiting"),
  );

/** What counts as planned or bought. */
export const isLive = ({ status, booking }: Line): boolean =>
  status !== "rejected" && booking !== "failed" && booking !== "cancelled";

const channelWords = {
  branding: "Display and native",
  performance: "Performance",
  ctv: "Connected TV",
  mobile_app: "Mobile app",
  display: "Display",
  video: "Video",
  native: "Native",
  linear_tv: "Linear TV",
  dooh: "Out of home",
  audio: "Audio",
} as const;

/** Those that a brief can name. */
export const channels = Object.keys(channelWords) as readonly (keyof typeof channelWords)[];

export const channelName = (channel: string): string => {
  const known = channels.find((one) => one === channel);
  return known === undefined
    ? channel.charAt(0).toUpperCase() + channel.slice(1).replaceAll("_", " ")
    : channelWords[known];
};
