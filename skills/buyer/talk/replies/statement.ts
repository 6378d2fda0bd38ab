import {
  bookedLines,
  type BookedLine,
  capital,
  count,
  type Job,
  linesCounted,
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

const isShort = /\b(?:short|shorter|brief|concise|(?:one|two|1|2|three|3)[- ](?:lines?|sentences?|liner))\b/i;

const shortWords = (job: Job, days: string): readonly string[] => {
  const booked = bookedLines(job);
  const waiting = waitingLines(job);
  const deals = booked.length === 1 ? "1 deal" : `${booked.length} deals`;
  return [
    `${capital(titled(job))}, ${days}, budget ${usd(job.totals.budget)}:`,
    `${booked.length === 0 ? "nothing is booked" : `${totalOf(booked)} are booked in ${deals}`}; ` +
      (waiting.length === 0
        ? "nothing waits for approval."
        : `${totalOf(waiting)} in ${linesCounted(waiting.length)} wait for approval.`),
  ];
};

/** Whole in itself, for somebody who has not read the talk. */
export const statement = (job: Job, said: string): readonly string[] => {
  const { start_date: start, end_date: end } = job.brief as {
    readonly start_date?: string;
    readonly end_date?: string;
  };
  if (isShort.test(said)) return shortWords(job, `${start ?? "?"} to ${end ?? "?"}`);
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
