import { fromMicros } from "../../../../../machines/money.ts";
import type { BookingRow, Offer, Warning } from "../../record.ts";
import { bindsMoney, type Cell } from "../cells.ts";
import { effectiveCpmMicros } from "./rank.ts";

interface Priced {
  readonly name: string;
  readonly micros: number;
  /** A quote may be lower, for its volume or for what was asked. */
  readonly isListed: boolean;
}

const inUsd = (amount: number): string =>
  `${amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USD`;

const usdOf = (cents: number): string => inUsd(cents / 100);

const smallWarnings = (job: BookingRow, { channel, flight, budget_cents }: Cell): readonly Warning[] => {
  const [cheapest] = job.findings
    .flatMap(({ too_small = [] }) => too_small)
    .filter((one) => one.channel === channel && one.flight === flight)
    .toSorted((left, right) => left.least_cents - right.least_cents);
  if (cheapest === undefined) return [];
  const { product_name, least_cents } = cheapest;
  const inFlight = job.brief.flights.length > 1 ? ` in flight ${flight + 1}` : "";
  const least = `the smallest buy, ${product_name}, costs ${usdOf(least_cents)}`;
  const message = `${channel} has ${usdOf(budget_cents)}${inFlight}; ${least}`;
  return [{ field: "budget", message }];
};

const dearWarnings = (job: BookingRow, cell: Cell, offers: readonly Offer[]): readonly Warning[] => {
  const limit = job.brief.max_cpm_micros;
  if (limit === null) return [];
  const listed = job.findings
    .flatMap(({ too_dear }) => too_dear)
    .filter(({ channel }) => channel === cell.channel)
    .map((one): Priced => ({ name: one.product_name, micros: one.cpm_micros, isListed: true }));
  const quoted = offers.map((offer): Priced => ({
    name: offer.product_name,
    micros: effectiveCpmMicros(offer),
    isListed: false,
  }));
  const [cheapest] = [...listed, ...quoted]
    .filter(({ micros }) => micros > limit)
    .toSorted((left, right) => left.micros - right.micros);
  if (cheapest === undefined) return [];
  const usd = inUsd(fromMicros(cheapest.micros));
  const most = inUsd(fromMicros(limit));
  const would = cheapest.isListed ? `would cost ${usd} at the price that its seller shows` : `would cost ${usd}`;
  const message = `nothing for ${cell.channel} costs ${most} or less; ${cheapest.name} ${would}`;
  return [{ field: "kpis.max_cpm", message }];
};

const unsoldWarnings = (job: BookingRow, { channel, flight, budget_cents }: Cell): readonly Warning[] => {
  const answered = job.findings.filter(({ failure }) => failure === null);
  const isSold = answered.some(({ channels }) => channels === undefined || channels.includes(channel));
  if (answered.length === 0 || isSold) return [];
  const asked = answered.length === 1 ? "the seller that answered does not sell" : "no seller that answered sells";
  const inFlight = job.brief.flights.length > 1 ? ` of flight ${flight + 1}` : "";
  const message = `${asked} ${channel}; its ${usdOf(budget_cents)}${inFlight} stays unspent`;
  return [{ field: "channels", message }];
};

/** A replan does not offer again what was rejected or failed. */
const usedWarnings = (job: BookingRow, { channel }: Cell, offers: readonly Offer[]): readonly Warning[] => {
  const isSold = job.findings.some(({ channels = [] }) => channels.includes(channel));
  const isUsed = job.recommendations.some((line) => line.channel === channel && !bindsMoney(line));
  if (offers.length > 0 || !isSold || !isUsed) return [];
  return [
    { field: "channels", message: `all that is sold for ${channel} was offered before, and is not offered again` },
  ];
};

/** Why nothing was found, where a limit of the brief is the reason, and what would be. */
export const missingWarnings = (job: BookingRow, cell: Cell, offers: readonly Offer[]): readonly Warning[] => [
  ...unsoldWarnings(job, cell),
  ...usedWarnings(job, cell, offers),
  ...dearWarnings(job, cell, offers),
  ...smallWarnings(job, cell),
];
