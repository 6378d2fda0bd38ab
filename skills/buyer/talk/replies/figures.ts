import { bookedLines, count, isCancelled, type Job, linesInForce, titled, totalOf, usd, waitingLines } from "./job.ts";

interface Bought {
  readonly impressions: number;
  readonly cost: number;
}

const roundedTo = (value: number, digits: number): number => Number(value.toFixed(digits));

const boughtIn = (lines: readonly Bought[]): Bought => ({
  impressions: lines.reduce((sum, line) => sum + line.impressions, 0),
  cost: roundedTo(lines.reduce((sum, line) => sum + Math.round(line.cost * 100), 0) / 100, 2),
});

/** Per thousand, in USD; null without impressions. */
export const averageOf = (lines: readonly Bought[]): number | null => {
  const { impressions, cost } = boughtIn(lines);
  return impressions === 0 ? null : roundedTo((cost / impressions) * 1000, 2);
};

const averageIn = (what: string, lines: readonly Bought[]): readonly string[] => {
  const { impressions, cost } = boughtIn(lines);
  const price = averageOf(lines);
  return price === null
    ? []
    : [`${what}: ${usd(price)} CPM on average (${usd(cost)} for ${count(impressions)} impressions).`];
};

const partIn = (what: string, lines: readonly Bought[]): readonly string[] => {
  const { impressions, cost } = boughtIn(lines);
  const price = averageOf(lines);
  const at = price === null ? "" : ` at ${usd(price)} CPM on average`;
  return lines.length === 0 ? [] : [`${usd(cost)} ${what} (${count(impressions)} impressions${at})`];
};

interface OfChannel extends Bought {
  readonly channel: string;
  readonly product_name: string;
}

/** Banners that are bought for branding are planned in that channel. */
const isOfChannel = (channel: string, line: OfChannel): boolean =>
  line.channel === channel || line.product_name.toLowerCase().includes(channel.replaceAll("_", " "));

/** What each channel comes to, of one campaign or of several; `named`: only these, where there are lines of them. */
export const channelWords = (jobs: readonly Job[], named: readonly string[]): readonly string[] => {
  const live = jobs.filter((job) => !isCancelled(job));
  const booked: readonly OfChannel[] = live.flatMap(bookedLines);
  const waiting: readonly OfChannel[] = live.flatMap((job) => waitingLines(job).map(({ line }) => line));
  const lines = [...booked, ...waiting];
  const told = (what: string, isOf: (line: OfChannel) => boolean): string => {
    const parts = [
      ...partIn("booked", booked.filter(isOf)),
      ...partIn("waiting for your approval", waiting.filter(isOf)),
    ];
    return `${what}: ${parts.join("; ")}.`;
  };
  const unknown = named.filter((channel) => !lines.some((line) => isOfChannel(channel, line)));
  const isAll = named.length === 0 || unknown.length > 0;
  const channels = isAll ? [...new Set(lines.map(({ channel }) => channel))] : named;
  const isOf = (channel: string, line: OfChannel): boolean =>
    isAll ? line.channel === channel : isOfChannel(channel, line);
  const row = (channel: string): string => {
    const own = (line: OfChannel): boolean => isOf(channel, line);
    const products = [...new Set(lines.filter(own).map(({ product_name: name }) => name))].join(", ");
    return `- ${told(`${channel} (${products})`, own)}`;
  };
  const [only, other] = live;
  const of = only !== undefined && other === undefined ? titled(only) : `${live.length} campaigns`;
  if (lines.length === 0) return [`Nothing of ${of} is booked, and nothing waits for your approval.`];
  return [
    ...(unknown.length === 0 ? [] : [`No line is of ${unknown.join(", ")}.`]),
    `Of ${of}, by channel:`,
    ...channels.map(row),
    ...(channels.length > 1 ? [told("Together", (line) => channels.some((channel) => isOf(channel, line)))] : []),
  ];
};

/** A line has one price and one volume for all its days. */
export const monthWords = (job: Job): readonly string[] => [
  `No month or week of ${titled(job)} has a share of its own: a line has one volume for all its days, and its seller ` +
    "spreads it over them.",
  ...linesInForce(job).map(
    ({ product_name: name, flight_start: start, flight_end: end, cost }) =>
      `- ${name}: ${start ?? "?"} to ${end ?? "?"}, ${usd(cost)}`,
  ),
];

export const averageWords = (job: Job): readonly string[] => {
  const waiting = linesInForce(job).filter(({ status }) => status === "pending_approval");
  const words = [
    ...averageIn("What waits for your approval", waiting),
    ...averageIn("What is booked", bookedLines(job)),
  ];
  return words.length === 0
    ? [`${titled(job)} has no lines yet, so there is no average.`]
    : [`Of ${titled(job)}:`, ...words];
};

export const leftWords = (job: Job): readonly string[] => {
  if (isCancelled(job))
    return [`Nothing of ${titled(job)} is committed: it is cancelled, and nothing of it is booked.`];
  const waiting = waitingLines(job);
  const { unspent, budget } = job.totals;
  const after = (Math.round(unspent * 100) - waiting.reduce((sum, { cost }) => sum + Math.round(cost * 100), 0)) / 100;
  return [
    `Left of the budget of ${titled(job)}: ${usd(unspent)} of ${usd(budget)} are not booked.`,
    ...(waiting.length === 0
      ? []
      : [`${totalOf(waiting)} of it wait for your approval; were all of that booked, ${usd(after)} would be left.`]),
  ];
};

/** The lines above or below a price. */
export const thresholdWords = (
  job: Job,
  { value, isAbove, measure }: { readonly value: number; readonly isAbove: boolean; readonly measure: "cost" | "cpm" },
): readonly string[] => {
  const found = linesInForce(job)
    .map((line, at) => ({ ...line, place: at + 1 }))
    .filter((line) => (isAbove ? line[measure] > value : line[measure] < value));
  const limit = `${isAbove ? "above" : "below"} ${usd(value)}${measure === "cpm" ? " CPM" : " in total"}`;
  const words = found.map(
    ({ place, product_name: name, channel, cpm, cost }) =>
      `${place}. ${name}, ${channel}: ${usd(cpm)} CPM, ${usd(cost)} in total`,
  );
  const head = found.length === 0 ? `No line of ${titled(job)} is ${limit}.` : `Of ${titled(job)} ${limit}:`;
  return [head, ...words];
};
