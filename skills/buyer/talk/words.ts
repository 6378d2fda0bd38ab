import type { z } from "zod";
import type { getBooking } from "../bookings/contract.ts";
import { type BriefInput, missingIn, withName } from "./reading.ts";

export type Job = z.output<typeof getBooking.output>;
type Line = NonNullable<Job["recommendations"]>[number];

/** Its number stays while lines before it are booked or rejected. */
export interface WaitingLine {
  readonly place: number;
  readonly cpm: number;
  readonly cost: number;
  readonly recommendationId: string;
  readonly names: readonly string[];
  readonly words: string;
}

export const usd = (value: unknown): string =>
  `${Number(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 })} USD`;

const count = (value: number): string => value.toLocaleString("en-US");

const lineWords = (line: Line, place: number): string =>
  `${place}. ${line.product_name} (${line.product_id}), ${line.channel}, ${line.deal_type}, ` +
  `${count(line.impressions)} impressions, ${line.flight_start ?? "?"} to ${line.flight_end ?? "?"}, ` +
  `at ${usd(line.cpm)} CPM, ${usd(line.cost)} in total`;

export const waitingLines = (job: Job): readonly WaitingLine[] =>
  (job.recommendations ?? []).flatMap((line, index) => {
    if (line.status !== "pending_approval") return [];
    const { cpm, cost, channel, recommendation_id: recommendationId } = line;
    const names = [line.product_name, line.product_id, channel, channel.replaceAll("_", " ")];
    const words = lineWords(line, index + 1);
    return [{ place: index + 1, cpm, cost, recommendationId, names: [...new Set(names)], words }];
  });

const totalOf = (lines: readonly { readonly cost: number }[]): string =>
  usd(lines.reduce((sum, { cost }) => sum + Math.round(cost * 100), 0) / 100);

const titled = ({ campaign_name: name, job_id: id }: Job): string => `campaign "${name}" (job ${id})`;

export const statusWords = (job: Job): string => {
  const waiting = waitingLines(job);
  const booked = job.booked_lines ?? [];
  return [
    `Last job: ${titled(job)}, ${job.status.replace("_", " ")}. ${job.status_text}`,
    ...(waiting.length === 0 ? [] : ["Waiting for approval:", ...waiting.map(({ words }) => words)]),
    ...(booked.length === 0 ? [] : ["Booked:"]),
    ...booked.map(
      (line) =>
        `${line.product_name}, deal ${line.deal_id}, ${line.channel}, ${count(line.impressions)} impressions, ` +
        `at ${usd(line.cpm)} CPM, ${usd(line.cost)} in total`,
    ),
    ...(job.errors ?? []).map((error) => `Error: ${error}`),
    `Budget ${usd(job.totals.budget)}, recommended ${usd(job.totals.recommended)}, booked ${usd(job.totals.booked)}, ` +
      `unspent ${usd(job.totals.unspent)}.`,
    ...(waiting.length === 0 ? [] : ['To book, say for example "approve all" or "approve 1".']),
  ].join("\n");
};

const listed = (words: readonly string[]): string => words.map((one) => `"${one}"`).join(", ");

export const notUsedWords = (words: readonly string[]): readonly string[] =>
  words.length === 0 ? [] : [`Not understood and not used: ${listed(words)}.`];

const questions: Readonly<Record<string, string>> = {
  budget: 'the budget ("50k USD")',
  start_date: 'the first day ("from 2027-03-01")',
  end_date: 'the last day ("until 2027-03-31")',
  target_audience: 'whom to reach ("for sports fans")',
  objectives: 'the objective ("brand awareness", "conversions", "traffic")',
};

export const missingWords = (brief: BriefInput): string =>
  `The brief still lacks ${missingIn(brief)
    .map((member) => questions[member] ?? member)
    .join(", ")}.`;

const takes =
  "A brief takes one budget and prices in USD, days, channels, an audience and objectives, without conditions or " +
  "exclusions.";

export const unclearWords = (unclear: readonly string[]): string =>
  `What does ${listed(unclear)} mean? ${takes} Nothing is started: send the whole brief again.`;

export const unclearChangeWords = (unclear: readonly string[]): string =>
  `What does ${listed(unclear)} mean? The brief is not changed and nothing is started. Say the change in other ` +
  'words, for example "make it 60k", "only CTV" or "start a week later", or "show the brief".';

export const briefWords = (given: BriefInput, notUsed: readonly string[]): string => {
  const brief = withName(given);
  const { target_cpm: target, max_cpm: most } = brief.kpis ?? {};
  const { channels, target_audience: audience } = brief;
  return [
    `Campaign brief "${brief.name ?? ""}":`,
    `Budget: at most ${usd(brief.budget)}`,
    `Days: ${brief.start_date ?? ""} to ${brief.end_date ?? ""}`,
    `Channels: ${channels == null ? "chosen by the objectives" : channels.join(", ")}`,
    `Audience: ${String(audience?.["description"])}`,
    `Objectives: ${(brief.objectives ?? []).join(", ")}`,
    ...(most == null ? [] : [`Highest price: ${usd(most)} CPM`]),
    ...(target == null ? [] : [`Price asked for: ${usd(target)} CPM`]),
    ...notUsedWords(notUsed),
    "Shall I start it? Sellers are asked for prices, and nothing is booked without your approval. " +
      "Only a plain yes as your next message starts it; to change something, say what.",
  ].join("\n");
};

type Cell = string | number | null | undefined;

const row = (cells: readonly Cell[]): string =>
  `| ${cells.map((cell) => String(cell ?? "").replace(/[|\n]/g, " ")).join(" | ")} |`;

const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): readonly string[] =>
  rows.length === 0 ? [] : [row(head), row(head.map(() => "---")), ...rows.map(row)];

const mostNotChosen = 5;

/** The lines of a job side by side, then what each seller comes to, then the best of what was not chosen. */
export const compareWords = (job: Job): string => {
  const lines = job.recommendations ?? [];
  const sellers = [...new Set([...job.sellers.map(({ url }) => url), ...lines.map((line) => line.seller_url)])];
  return [
    `Lines of ${titled(job)}:`,
    ...table(
      ["line", "product", "seller", "channel", "deal", "impressions", "CPM", "with fees", "total", "status"],
      lines.map((line, index) => [
        index + 1,
        `${line.product_name} (${line.product_id})`,
        line.seller_url,
        line.channel,
        line.deal_type,
        count(line.impressions),
        usd(line.cpm),
        usd(line.effective_cpm),
        usd(line.cost),
        line.status.replaceAll("_", " "),
      ]),
    ),
    "Sellers:",
    ...table(
      ["seller", "answer", "tier", "lines", "total"],
      sellers.map((url) => {
        const own = lines.filter((line) => line.seller_url === url);
        const asked = job.sellers.find((seller) => seller.url === url);
        const answer =
          asked === undefined ? "" : [asked.status.replace("_", " "), asked.error].filter(Boolean).join(": ");
        return [asked?.name ?? url, answer, asked?.tier, own.length, totalOf(own)];
      }),
    ),
    ...(job.not_chosen.length === 0 ? [] : ["Not chosen:"]),
    ...table(
      ["product", "seller", "channel", "CPM", "reason"],
      job.not_chosen
        .slice(0, mostNotChosen)
        .map((one) => [
          `${one.product_name} (${one.product_id})`,
          one.seller_url,
          one.channel,
          usd(one.cpm),
          one.reason,
        ]),
    ),
    ...(waitingLines(job).length === 0 ? [] : ['Nothing is booked by this. To book, say for example "approve 1".']),
  ].join("\n");
};

export const approvalWords = (job: Job, chosen: readonly WaitingLine[]): string => {
  const rest = waitingLines(job).length - chosen.length;
  return [
    `To book for ${titled(job)}:`,
    ...chosen.map(({ words }) => words),
    `Total: ${totalOf(chosen)}.${rest === 0 ? "" : ` Not booked, and still waiting: ${rest} of the lines.`}`,
    "Shall I book exactly this? It cannot be undone. Only a plain yes as your next message books it.",
  ].join("\n");
};

export const cancellationWords = (job: Job): string =>
  `Shall I cancel ${titled(job)}, budget ${usd(job.budget)}? ${waitingLines(job).length} waiting lines are dropped. ` +
  "Only a plain yes as your next message cancels it.";

export const help = [
  "I read a campaign brief in words, for example: spend 50k on display and CTV in March 2027 for sports fans, brand",
  'awareness, max 25 CPM. Correct it with "make it 60k", "only CTV", "start a week later". Then: "status", "compare",',
  '"approve all", "approve all but the most expensive", "approve 1 and 3", "cancel".',
  "Nothing is done without your plain yes to what was shown.",
].join(" ");

export const inEnglishOnly = "I answer in English.";
