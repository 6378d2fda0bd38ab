import {
  bookedLines,
  type BookedLine,
  count,
  type Job,
  moneyWords,
  titled,
  totalOf,
  usd,
  waitingLines,
} from "./job.ts";

const dealWords = (job: Job, line: BookedLine): string => {
  const seller = job.sellers.find(({ url }) => url === line.seller_url)?.name ?? line.seller_url;
  return (
    `- ${line.product_name} of ${seller}, deal ${line.deal_id}, ${line.channel}, ${line.deal_type}; ` +
    `${line.flight_start ?? "?"} to ${line.flight_end ?? "?"}; ${count(line.impressions)} impressions at ` +
    `${usd(line.cpm)} CPM; ${usd(line.cost)}. ${line.status_text}`
  );
};

/** Whole in itself, for somebody who has not read the talk. */
export const statement = (job: Job): readonly string[] => {
  const { start_date: start, end_date: end } = job.brief as {
    readonly start_date?: string;
    readonly end_date?: string;
  };
  const booked = bookedLines(job);
  const ended = (job.booked_lines ?? []).filter((line) => !booked.includes(line));
  const waiting = waitingLines(job);
  return [
    `Summary of ${titled(job)}, ${start ?? "?"} to ${end ?? "?"}:`,
    ...(booked.length === 0
      ? ["Nothing is booked."]
      : [`Booked for it, ${totalOf(booked)} in total:`, ...booked.map((line) => dealWords(job, line))]),
    ...(ended.length === 0 ? [] : ["No longer booked:", ...ended.map((line) => `${dealWords(job, line)}`)]),
    ...(waiting.length === 0
      ? []
      : [`Not booked, and waiting for approval, ${totalOf(waiting)} in total:`, ...waiting.map(({ words }) => words)]),
    moneyWords(job),
  ];
};
