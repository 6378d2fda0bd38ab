import type { Pick } from "../reader/lines.ts";
import type { Said } from "../talk.ts";
import {
  count,
  exampleOf,
  type Job,
  type LineRow,
  rowsOf,
  statusWords,
  titled,
  totalOf,
  usd,
  waitingLines,
} from "./job.ts";

type Cell = string | number | null | undefined;

const row = (cells: readonly Cell[]): string =>
  `| ${cells.map((cell) => String(cell ?? "").replace(/[|\n]/g, " ")).join(" | ")} |`;

export const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): readonly string[] =>
  rows.length === 0 ? [] : [row(head), row(head.map(() => "---")), ...rows.map(row)];

const mostNotChosen = 5;

/** The lines of a job side by side, then what each seller comes to, then the best of what was not chosen. */
const compareWords = (job: Job): string => {
  const lines = job.recommendations ?? [];
  const nameOf = (url: string): string => job.sellers.find((seller) => seller.url === url)?.name ?? url;
  const sellers = [...new Set([...job.sellers.map(({ url }) => url), ...lines.map((line) => line.seller_url)])];
  return [
    `Lines of ${titled(job)}:`,
    ...table(
      ["line", "product", "seller", "channel", "deal", "impressions", "CPM", "with fees", "total", "status"],
      lines.map((line, index) => [
        index + 1,
        `${line.product_name} (${line.product_id})`,
        nameOf(line.seller_url),
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
      ["seller", "address", "answer", "price tier", "lines", "total"],
      sellers.map((url) => {
        const own = lines.filter((line) => line.seller_url === url);
        const asked = job.sellers.find((seller) => seller.url === url);
        const answer =
          asked === undefined ? "" : [asked.status.replace("_", " "), asked.error].filter(Boolean).join(": ");
        return [nameOf(url), url, answer, asked?.tier, own.length, totalOf(own)];
      }),
    ),
    ...(job.not_chosen.length === 0 ? [] : ["Not chosen:"]),
    ...table(
      ["product", "seller", "channel", "CPM", "reason"],
      job.not_chosen
        .slice(0, mostNotChosen)
        .map((one) => [
          `${one.product_name} (${one.product_id})`,
          nameOf(one.seller_url),
          one.channel,
          usd(one.cpm),
          one.reason,
        ]),
    ),
    ...(waitingLines(job).length === 0
      ? []
      : [`Nothing is booked by this. To book, say for example ${exampleOf("approve", job)}.`]),
  ].join("\n");
};

export const compare = (job: Job): Said => {
  const isEmpty = (job.recommendations ?? []).length === 0;
  const text = isEmpty ? `Nothing to compare yet.\n${statusWords(job)}` : compareWords(job);
  return { outcome: "answer", text, understood: { job_id: job.job_id }, result: job };
};

/** "Which is the cheapest?": by total, and by price per thousand where that is another line. */
const extremes = (job: Job, extreme: "cheapest" | "dearest", first: "cost" | "cpm"): Said => {
  const lines = (job.recommendations ?? [])
    .map((line, index) => ({ ...line, place: index + 1 }))
    .filter((line) => line.status !== "rejected");
  if (lines.length === 0) return compare(job);
  const name = extreme === "dearest" ? "The most expensive" : "The cheapest";
  const words = ([first, first === "cpm" ? "cost" : "cpm"] as const).map((measure) => {
    const values = lines.map((line) => line[measure]);
    const best = extreme === "cheapest" ? Math.min(...values) : Math.max(...values);
    const found = lines
      .filter((line) => line[measure] === best)
      .map(
        ({ place, product_name: product, cpm, cost }) =>
          `${place}. ${product} (${usd(cost)} in total, ${usd(cpm)} CPM)`,
      )
      .join(" and ");
    return `${name} by ${measure === "cpm" ? "price per thousand (CPM)" : "total"}: ${found}.`;
  });
  return { outcome: "answer", text: [`Of ${titled(job)}:`, ...words].join("\n"), understood: { job_id: job.job_id } };
};

const sorting = /\b(?:sort|sorted|rank|ranked)\b|\bby (?:cpm|price|total|costs?|sum|size)\b|(?:est|expensive) first\b/;
const rising = /\b(?:cheapest|lowest|smallest|fewest|least|ascending)\b/;
const falling = /\b(?:dearest|highest|biggest|largest|most|descending)\b/;

/** "Sort the lines by CPM", "which gives more impressions for the money?"; null where no order is asked for. */
const sortedLines = (job: Job, said: string): Said | null => {
  const isOfViews = /\b(?:impressions|views)\b/.test(said);
  if (!isOfViews && !sorting.test(said)) return null;
  const measure = isOfViews ? "impressions" : /\b(?:cpm|price|thousand)\b/.test(said) ? "cpm" : "cost";
  const isRising = rising.test(said) ? !isOfViews : measure === "cpm" && !falling.test(said);
  const [first, ...others] = rowsOf(job)
    .filter(({ line }) => line.status !== "rejected")
    .toSorted((one, other) => (one.line[measure] - other.line[measure]) * (isRising ? 1 : -1));
  if (first === undefined) return compare(job);
  const order = { impressions: "most impressions", cpm: `${isRising ? "lowest" : "highest"} price per thousand (CPM)` };
  const name = measure === "cost" ? `${isRising ? "lowest" : "highest"} total` : order[measure];
  const words = [first, ...others].map(
    ({ place, line: { product_name: product, impressions, cpm, cost } }) =>
      `${place}. ${product}: ${count(impressions)} impressions at ${usd(cpm)} CPM, ${usd(cost)} in total`,
  );
  const text = [`Of ${titled(job)}, ${name} first:`, ...words].join("\n");
  return { outcome: "answer", text, understood: { job_id: job.job_id }, lines: [first.place] };
};

/** In the order that is asked for, or the ends of it. */
export const ranked = (job: Job, { lines }: Pick, said: string): Said => {
  const extreme = lines.find((line) => line.by === "extreme");
  const ends = extreme === undefined ? compare(job) : extremes(job, extreme.value, extreme.measure);
  return sortedLines(job, said) ?? ends;
};

/** "Why is the video so much dearer than display?": a seller sets its prices; what is known of them is shown. */
export const whyDearer = (job: Job, named: readonly LineRow[] = [], isAdvice = false): Said => {
  const lines = (named.length > 0 ? named : rowsOf(job)).flatMap(({ line }) =>
    line.status === "rejected" ? [] : [line],
  );
  if (lines.length === 0) return compare(job);
  const text = [
    isAdvice
      ? `I recommend the lines of ${titled(job)}, each with its reason:`
      : `The sellers set the prices, by product and channel. The lines of ${titled(job)}:`,
    ...lines.map((line) => {
      const isListed = line.list_cpm === null || line.list_cpm === line.cpm;
      const list = isListed ? "" : `, list price ${usd(line.list_cpm)} before discounts`;
      const other = line.alternatives[0];
      const next =
        other === undefined
          ? ` There was no other offer for ${line.channel}.`
          : ` Not chosen in its place: ${other.product_name} at ${usd(other.cpm)} CPM (${other.reason}).`;
      return `- ${line.product_name}, ${line.channel}: ${usd(line.cpm)} CPM${list}. ${line.rationale}.${next}`;
    }),
  ].join("\n");
  return { outcome: "answer", text, understood: { job_id: job.job_id } };
};
