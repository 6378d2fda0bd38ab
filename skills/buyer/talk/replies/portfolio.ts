import { getBookingDelivery } from "../../bookings/contract.ts";
import { isLost, listDeals } from "../../seller-deals/contract.ts";
import type { BriefInput } from "../brief/form.ts";
import type { CampaignFigure, Over } from "../reader/request.ts";
import { answered, called, type Said, type Talk } from "../talk.ts";
import { figuresTopic } from "../reader/over.ts";
import { jobOf } from "../which.ts";
import { table } from "./compare.ts";
import { notBegun, sellerOf } from "./deals.ts";
import { averageOf, channelWords, leftWords } from "./figures.ts";
import {
  type BookedLine,
  bookedLines,
  bookedStatusWords,
  bookedWords,
  capital,
  count,
  isCancelled,
  shortStates,
  type Job,
  type Line,
  titled,
  totalOf,
  usd,
  waitingLines,
} from "./job.ts";

const compared: readonly CampaignFigure[] = ["budget", "dates", "booked", "waiting", "average"];
const mostRead = 20;
const mostAsked = 5;

const summed = (values: readonly number[]): number => values.reduce((all, one) => all + Math.round(one * 100), 0) / 100;
const pricedLines = (job: Job): readonly (BookedLine | Line)[] => {
  const booked = bookedLines(job);
  return booked.length > 0 ? booked : waitingLines(job).map(({ line }) => line);
};

const meanPrice = (job: Job, channels: readonly string[] = []): number | null =>
  averageOf(pricedLines(job).filter(({ channel }) => channels.length === 0 || channels.includes(channel)));

const sellersTold = (job: Job): string =>
  [...new Set(pricedLines(job).map(({ seller_url: url }) => sellerOf(job, url)))].join(", ") || "none";

export const reported = async (talk: Talk, jobs: readonly Job[]): Promise<string> => {
  const booked = jobs.filter((job) => bookedLines(job).length > 0);
  const ends = "Sellers bill their deals themselves; no invoice is known here.";
  if (booked.length === 0) return `Nothing is booked, so nothing is delivered, spent or billed.`;
  if (booked.length > mostAsked) return `Spent and delivered: ask "delivery" of one campaign by its name. ${ends}`;
  const asked = await Promise.all(booked.map(({ job_id }) => called(talk, getBookingDelivery, { job_id })));
  const found = asked.flatMap((one) => ("failed" in one ? [] : [one.output.total]));
  const shown = found.flatMap(({ delivered_impressions: one }) => one ?? []);
  if (shown.length === 0)
    return [
      `Spent and delivered: nothing is reported by the sellers yet. ${ends}`,
      ...notBegun(booked, talk.context.nowMs),
    ].join("\n");
  const impressions = count(shown.reduce((all, one) => all + one, 0));
  const cost = usd(summed(found.map(({ spent }) => spent ?? 0)));
  return `Delivered: ${impressions} impressions, ${cost} of the booked. ${ends}`;
};

interface FigureColumn {
  readonly head: string;
  readonly cell: (job: Job) => string;
  /** Of one campaign in USD; left out of what has no total. */
  readonly sum?: (job: Job) => number;
  /** A total that is no money. */
  readonly total?: (sum: number) => string;
}

const moneyColumn = (head: string, sum: (job: Job) => number): FigureColumn => ({
  head,
  cell: (job) => usd(sum(job)),
  sum,
});

const impressionsOf = (job: Job): number => bookedLines(job).reduce((all, line) => all + (line.impressions ?? 0), 0);

const figureColumns: Readonly<Record<Exclude<CampaignFigure, "spent" | "channels">, FigureColumn>> = {
  client: { head: "client", cell: ({ brief }) => (brief as BriefInput).advertiser ?? "none was named" },
  state: { head: "state", cell: (job) => (isCancelled(job) ? "cancelled by you" : shortStates[job.status]) },
  budget: moneyColumn("budget", ({ budget }) => budget),
  dates: {
    head: "days",
    cell: ({ brief }) => {
      const { start_date: start = "?", end_date: end = "?" } = brief as { start_date?: string; end_date?: string };
      return `${start} to ${end}`;
    },
  },
  booked: moneyColumn("booked", (job) => summed(bookedLines(job).map(({ cost }) => cost))),
  waiting: moneyColumn("waiting for approval", (job) => summed(waitingLines(job).map(({ cost }) => cost))),
  // Nothing of a cancelled campaign is left to be booked.
  left: moneyColumn("left of the budget", (job) => (isCancelled(job) ? 0 : job.totals.unspent)),
  impressions: {
    head: "impressions booked",
    cell: (job) => count(impressionsOf(job)),
    sum: impressionsOf,
    total: count,
  },
  average: {
    head: "average CPM",
    cell: (job) => {
      const price = meanPrice(job);
      return price === null ? "none" : `${usd(price)}${bookedLines(job).length === 0 ? " (waiting)" : ""}`;
    },
  },
  sellers: { head: "seller", cell: sellersTold },
};

type ShownFigures = readonly (keyof typeof figureColumns)[];

const totalsWords = (jobs: readonly Job[], figures: ShownFigures): string => {
  const live = jobs.filter((job) => !isCancelled(job));
  const words = figures.flatMap((figure) => {
    const { head, sum, total = usd } = figureColumns[figure];
    return sum === undefined ? [] : [`${head} ${total(summed(live.map(sum)))}`];
  });
  const without = jobs.length === live.length ? "" : ` (without ${jobs.length - live.length} cancelled)`;
  const size = live.length === 1 ? "1 campaign" : `${live.length} campaigns`;
  return `Over ${size}${without}: ${words.join("; ")}.`;
};

const rowsWords = (jobs: readonly Job[], figures: ShownFigures): readonly string[] =>
  table(
    ["campaign", ...figures.map((figure) => figureColumns[figure].head)],
    jobs.map((job) => [
      `${job.campaign_name}${isCancelled(job) ? " (cancelled)" : ""}`,
      ...figures.map((figure) => figureColumns[figure].cell(job)),
    ]),
  );

/** "Is the display of A cheaper than that of B?" */
const pricesWords = (jobs: readonly Job[], channels: readonly string[]): readonly string[] => {
  const priced = jobs
    .map((job) => ({ job, price: meanPrice(job, channels) }))
    .toSorted((one, other) => (one.price ?? Infinity) - (other.price ?? Infinity));
  const [first, second] = priced.map(({ price }) => price);
  const what = capital(channels.join(" and ").replaceAll("_", " "));
  const best =
    first === second
      ? `${what}: the same price per thousand in both.`
      : `${what} is cheapest per thousand in "${priced[0]?.job.campaign_name ?? ""}".`;
  const words = priced.map(
    ({ job, price }) => `- ${job.campaign_name}: ${price === null ? "no such line" : `${usd(price)} CPM`}`,
  );
  return first == null ? words : [best, ...words];
};

const dealsWords = (jobs: readonly Job[], { start, end }: NonNullable<Over["span"]>): readonly string[] => {
  const runs = (line: { readonly flight_start?: string | null; readonly flight_end?: string | null }): boolean =>
    (line.flight_start ?? start) <= end && (line.flight_end ?? end) >= start;
  return jobs.flatMap((job) => {
    const lines = bookedLines(job).filter(runs);
    if (lines.length === 0) return [`No deal of ${titled(job)} runs from ${start} to ${end}.`];
    const size = lines.length === 1 ? "1 deal runs" : `${count(lines.length)} deals run`;
    const head = `Of ${titled(job)} ${size} from ${start} to ${end}, ${totalOf(lines)} together:`;
    return [head, ...lines.map((line) => `- ${bookedWords(line)}`)];
  });
};

const rankWords = (jobs: readonly Job[], rank: NonNullable<Over["rank"]>): readonly string[] => {
  const priced = jobs
    .flatMap((job) => {
      const price = bookedLines(job).length === 0 ? null : meanPrice(job);
      return price === null ? [] : [{ job, price }];
    })
    .toSorted((one, other) => (rank === "highest" ? other.price - one.price : one.price - other.price));
  const [first] = priced;
  return first === undefined || priced.length < 2
    ? []
    : [`Of what is booked, "${first.job.campaign_name}" has the ${rank} average CPM: ${usd(first.price)}.`];
};

const dealsOfEach = (jobs: readonly Job[]): readonly string[] =>
  jobs.flatMap((job) => {
    const lines = bookedLines(job);
    return lines.length === 0 ? [] : [`Booked for ${titled(job)}:`, ...lines.map(bookedStatusWords)];
  });

const sellersWords = (jobs: readonly Job[]): readonly string[] => {
  const sums = new Map<string, number>();
  for (const job of jobs)
    for (const line of bookedLines(job)) {
      const name = sellerOf(job, line.seller_url);
      sums.set(name, summed([sums.get(name) ?? 0, line.cost]));
    }
  return [...sums].map(([name, sum]) => `Booked at ${name}: ${usd(sum)}.`);
};

const ofOne = (job: Job, figures: ShownFigures, isListed: boolean): readonly string[] => {
  if (isCancelled(job)) return leftWords(job);
  const words = figures.map((figure) => `${figureColumns[figure].head} ${figureColumns[figure].cell(job)}`);
  const deals = isListed && figures.includes("booked") ? bookedLines(job) : [];
  return [`${capital(titled(job))}: ${words.join("; ")}.`, ...deals.map(bookedStatusWords)];
};

/** What is booked of all campaigns, against a sum that no record holds. */
const overallWords = (jobs: readonly Job[], limit: number): string => {
  const booked = summed(jobs.flatMap(bookedLines).map(({ cost }) => cost));
  const left = summed([limit, -booked]);
  return left < 0
    ? `${usd(booked)} are booked over all campaigns, ${usd(-left)} more than ${usd(limit)}.`
    : `Of ${usd(limit)}, ${usd(left)} are left: ${usd(booked)} are booked over all campaigns.`;
};

const figuresWords = (jobs: readonly Job[], over: Over, figures: readonly CampaignFigure[]): readonly string[] => {
  const [only, other] = jobs;
  const shown = figures.filter((figure) => figure !== "spent" && figure !== "channels");
  if (figures.includes("channels")) return channelWords(jobs, over.channels);
  if (over.span !== null) return dealsWords(jobs, over.span);
  if (only === undefined || shown.length === 0) return [];
  if (over.channels.length > 0) return pricesWords(jobs, over.channels);
  if (other === undefined) return ofOne(only, shown, over.isListed);
  const summable = shown.filter((figure) => figureColumns[figure].sum !== undefined);
  const isSummed = over.scope === "all" && summable.length > 0;
  const isOnly = isSummed && over.isTotal && summable.length === shown.length;
  const perSeller = shown.includes("sellers") && shown.includes("booked") ? sellersWords(jobs) : [];
  return [
    ...(over.limit === null ? [] : [overallWords(jobs, over.limit)]),
    ...(over.rank !== null && shown.includes("average") ? rankWords(jobs, over.rank) : []),
    ...(isSummed ? [totalsWords(jobs, shown)] : []),
    ...perSeller,
    ...(isOnly ? [] : rowsWords(jobs, shown)),
    ...(over.isOfDeals && shown.includes("booked") ? dealsOfEach(jobs) : []),
  ];
};

/** Deals that were booked beside all campaigns. */
const directWords = async (talk: Talk): Promise<readonly string[]> => {
  const listed = await called(talk, listDeals, { limit: 500 });
  const direct = ("failed" in listed ? [] : listed.output.deals).filter(
    ({ deal_id: id, job_id: job, status, seller_status: said, currency }) =>
      id !== null && job == null && !isLost(said ?? status) && currency === "USD",
  );
  const size = direct.length === 1 ? "1 deal is" : `${direct.length} deals are`;
  const sum = usd(summed(direct.map(({ value }) => value ?? 0)));
  return direct.length === 0 ? [] : [`Beside the campaigns ${size} booked directly: ${sum}.`];
};

/** Figures of all campaigns, of some side by side, or several of one in a line. */
export const figuresOver = async (talk: Talk, over: Over): Promise<Said> => {
  const { jobs: listed } = talk.situation;
  const ids = over.scope === "all" ? listed.map(({ job_id: id }) => id) : over.scope;
  const jobs: Job[] = [];
  for (const id of ids.slice(0, mostRead)) {
    const read = await jobOf(talk, id);
    if ("failed" in read) return read.failed;
    jobs.push(read.output);
  }
  const figures = over.figures.length > 0 ? over.figures : compared;
  const more =
    ids.length > mostRead ? [`Only the ${mostRead} newest of ${count(ids.length)} campaigns are counted.`] : [];
  const spent = figures.includes("spent") ? [await reported(talk, jobs)] : [];
  const direct = over.scope === "all" && figures.includes("booked") ? await directWords(talk) : [];
  const [only, other] = jobs;
  return answered([...figuresWords(jobs, over, figures), ...direct, ...spent, ...more], {
    about: jobs.map(({ job_id: id }) => id),
    understood: { job_ids: ids.slice(0, mostRead) },
    topic: figuresTopic(over.scope, figures),
    isBeside: true,
    ...(only !== undefined && other === undefined && talk.memory.job?.isOwn !== true
      ? { job: { id: only.job_id, isOwn: false } }
      : {}),
  });
};
