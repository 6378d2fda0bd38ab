import { called, type Said, type Talk } from "../talk.ts";
import { compare, extremes, whyDearer } from "./compare.ts";
import { delivery, isItCancelled } from "./deals.ts";
import { jobOf, listedJobs, type Which } from "./which.ts";
import {
  bookedLines,
  bookedWords,
  capital,
  feesOf,
  isCancelled,
  type Job,
  type JobSummary,
  jobsWords,
  moneyWords,
  nextWords,
  stateWords,
  statusWords,
  titled,
  totalOf,
  unfilledWords,
  usd,
  waitingLines,
} from "./wording.ts";

const about = ({ job }: Which, lines: readonly string[], result?: unknown): Said => ({
  outcome: "answer",
  text: lines.join("\n"),
  understood: { job_id: job.job_id },
  ...(result === undefined ? {} : { result }),
});

const status = (which: Which): Said => about(which, [statusWords(which.job)], which.job);

/** Their sums are shown with the newest ones. */
const mostRead = 20;

export const listJobs = async (talk: Talk): Promise<Said> => {
  const listed = await listedJobs(talk);
  if ("failed" in listed) return listed.failed;
  const jobs: (JobSummary & { readonly isCancelled?: boolean })[] = [...listed.output];
  for (const [at, job] of jobs.slice(0, mostRead).entries()) {
    if (job.status !== "failed") continue;
    const read = await jobOf(talk, job.job_id);
    if (!("failed" in read)) jobs[at] = { ...job, isCancelled: isCancelled(read.output) };
  }
  const { brief, job: own } = talk.memory;
  const size = jobs.length === 1 ? "1 campaign" : `${jobs.length} campaigns`;
  const open = brief === null ? [] : [`Not started yet: the brief ${brief.name ?? "of this conversation"}.`];
  const head = jobs.length === 0 ? "You have no campaign yet." : `You have ${size}:\n${jobsWords(jobs, own?.id)}`;
  return { outcome: "answer", text: [head, ...open].join("\n"), result: { jobs: listed.output } };
};

const liveLines = (job: Job) =>
  (job.recommendations ?? []).filter((line) => line.status !== "rejected" && line.booking !== "failed");

const totals = (which: Which): Said => {
  const { job } = which;
  const lines = isCancelled(job) ? [] : liveLines(job);
  const fees = lines.reduce((sum, line) => sum + Math.round(feesOf(line) * 100), 0) / 100;
  const booked = bookedLines(job);
  const waiting = waitingLines(job);
  const feeWords =
    lines.length === 0
      ? []
      : fees === 0
        ? ["No fees come on top: the totals are all that the sellers charge, and I know of no other fees."]
        : [`Fees beside the sellers' prices: ${usd(fees)}, so ${usd(totalWith(lines, fees))} with fees.`];
  return about(which, [
    `${capital(titled(job))}: ${stateWords(job)}`,
    ...lines.map((line) => {
      const fee = feesOf(line) === 0 ? "" : `, fees ${usd(feesOf(line))}`;
      return `- ${line.product_name}: ${usd(line.cost)} at ${usd(line.cpm)} CPM${fee}`;
    }),
    ...(waiting.length === 0 ? [] : [`Waiting for approval in total: ${totalOf(waiting)}.`]),
    ...(booked.length === 0
      ? ["Nothing is booked yet."]
      : [`Booked in total: ${totalOf(booked)}.`, ...booked.map((line) => `- deal ${line.deal_id}: ${usd(line.cost)}`)]),
    ...feeWords,
    moneyWords(job),
  ]);
};

const totalWith = (lines: readonly { readonly cost: number }[], fees: number): number =>
  lines.reduce((sum, { cost }) => sum + Math.round(cost * 100), Math.round(fees * 100)) / 100;

const why = (which: Which): Said => {
  const { job } = which;
  const waiting = waitingLines(job);
  const reason =
    waiting.length === 0
      ? []
      : [`I book nothing without your yes: ${totalOf(waiting)} in ${waiting.length} lines wait for it.`];
  return about(which, [
    `${capital(titled(job))}: ${stateWords(job)}`,
    ...reason,
    ...waiting.map(({ words }) => words),
    ...unfilledWords(job),
    nextWords(job),
  ]);
};

/** What became of|how (?:is|was|did|do|are) the budget, channel by channel. */
const whyLittle = (which: Which): Said => {
  const { job } = which;
  const lines = liveLines(job);
  const parts = Object.values(job.budget_allocations ?? {}).map(({ channel, budget, percentage }) => {
    const own = lines.filter((line) => line.channel === channel);
    return `- ${channel}: ${usd(budget)} (${percentage} %) planned, ${totalOf(own)} found`;
  });
  return about(which, [
    `The budget of ${titled(job)} is split over the channels by its objectives, and each part stays in its channel:`,
    ...parts,
    ...unfilledWords(job),
    moneyWords(job),
  ]);
};

const when = (which: Which): Said => {
  const { job } = which;
  const { start_date: start, end_date: end } = job.brief as { start_date?: string; end_date?: string };
  const booked = bookedLines(job);
  return about(which, [
    `${capital(titled(job))} runs from ${start ?? "?"} to ${end ?? "?"}: ${stateWords(job)}`,
    ...waitingLines(job).map(({ words }) => words),
    ...booked.map(bookedWords),
  ]);
};

const negotiated = async (talk: Talk, which: Which): Promise<Said> => {
  const rounds = await called<{ negotiations: readonly Readonly<Record<string, unknown>>[] }>(
    talk,
    "get_negotiation_rounds",
    { job_id: which.job.job_id },
  );
  const talks = "failed" in rounds ? [] : rounds.output.negotiations;
  const lines = talks.map(
    (one) =>
      `- ${String(one["product_name"])}: quoted at ${usd(one["quote_cpm"])} CPM, ` +
      (one["agreed_cpm"] == null
        ? `not agreed (${String(one["outcome"])})`
        : `agreed at ${usd(one["agreed_cpm"])} CPM`),
  );
  const head = lines.length === 0 ? "No price was negotiated for" : "Negotiated for";
  return about(which, [`${head} ${titled(which.job)}.`, ...lines, moneyWords(which.job)]);
};

/** What sellers know of their products and this record does not. */
const unknownTo = new RegExp(
  "\\b(?:viewab\\w*|brand[- ]?safe\\w*|fraud|placements?|which (?:web)?sites|where (?:will|do|does|" +
    "are) (?:my|the|our) ads?|" +
    "frequency|how many people|unique users?|creatives?|formats?|sizes?|specs?|deadlines?|" +
    "targeting|geo|vat|tax(?:es)?|" +
    "invoices?|payment terms|contact|phone|e-?mail|support|who can help)\\b",
  "i",
);

const notKnown = (which: Which): Said => {
  const { job } = which;
  const asked = unknownTo.exec(which.text)?.[0] ?? "that";
  const urls = [...new Set((job.recommendations ?? []).map((line) => line.seller_url))];
  const names = urls.map((url) => {
    const name = job.sellers.find((seller) => seller.url === url)?.name;
    return name == null ? url : `${name} (${url})`;
  });
  const cure = names.length === 0 ? "No seller has offered anything yet." : `Ask the seller: ${names.join(", ")}.`;
  return about(which, [
    `Of "${asked}" I know nothing for ${titled(job)}; I know products, days, impressions and prices. ${cure}`,
    ...waitingLines(job).map(({ words }) => words),
    ...bookedLines(job).map(bookedWords),
  ]);
};

type Answer = (talk: Talk, which: Which) => Said | Promise<Said> | null;

/** In this order: the first that fits answers. */
const questions: readonly (readonly [RegExp, Answer])[] = [
  [/\b(?:is|are|was|were|did|has|have|been)\b.*\bcancell?ed\b|\bcancell?ation\b.*\?/i, isItCancelled],
  [
    new RegExp(
      "\\b(?:deliver\\w*|pacing|report(?:s|ing)?|impressions (?:served|so far)|clicks|how (?:is|" +
        "are) (?:it|they) performing)\\b",
      "i",
    ),
    delivery,
  ],
  [unknownTo, (_talk, which) => notKnown(which)],
  [/\b(?:negotiat\w*|bargain\w*|haggl\w*|discounts?)\b/i, negotiated],
  [
    /\b(?:most expensive|priciest|dearest|cheapest|least expensive|(?:highest|lowest)[- ](?:cpm|priced?|total))\b/i,
    (_talk, which) => extremes(which),
  ],
  [
    /\bwhy\b.*\b(?:pricier|dearer|costlier|expensive|more|cheaper|pricey|dear|cost)\b/i,
    (_talk, which) => whyDearer(which),
  ],
  [
    new RegExp(
      "\\bwhy (?:is there |are there |do we have )?(?:no|nothing|none|isn't|aren't)\\b|" +
        "\\b(?:what happened|where (?:is|are|did|does|has)|what (?:about|" +
        "became of))\\b.*\\b(?:money|budget|share|part)\\b|\\bsplit\\b|" +
        "\\bwhy\\b.*\\b(?:little|less|low|few|small|whole|rest|unspent|remaining)\\b|\\b(?:unspent|" +
        "left over|remaining (?:money|budget))\\b|\\b(?:not|n't)\\b.*\\b(?:whole|full|" +
        "all (?:of )?(?:the|my)) budget\\b",
      "i",
    ),
    (_talk, which) => whyLittle(which),
  ],
  [
    new RegExp(
      "\\bwhy\\b|\\bwhat\\b.*\\b(?:must|should|shall|need|have to|do i|can i|else)\\b.*\\b(?:do|now|" +
        "next)\\b|\\bnext steps?\\b|\\bwhat(?:'s| is|s)? (?:now|next)\\b|\\bwhat happens\\b|\\bto decide\\b|" +
        "\\b(?:waiting|waits?) for\\b",
      "i",
    ),
    (_talk, which) => why(which),
  ],
  [
    new RegExp(
      "\\b(?:compar\\w+|side by side|cheaper|better value|versus|vs|differ\\w*|which is better|" +
        "recommend|advi[sc]e|which (?:one )?(?:should|would)|" +
        "alternatives?|not chosen|on offer|sellers?|sells?|sold by|publishers?)\\b",
      "i",
    ),
    (_talk, which) => compare(which),
  ],
  [
    /\b(?:totals?|costs?|how much|prices?|priced|cpms?|fees?|spen[dt]|pay|budget|damage|bill|charge[ds]?|net|gross)\b/i,
    (_talk, which) => totals(which),
  ],
  [/\bwhen\b|\bdates?\b|\bwhich days\b|\bhow long\b/i, (_talk, which) => when(which)],
  [
    new RegExp(
      "\\b(?:status|found|find|show|list|lines?|recommendations?|progress|results?|booked|where (?:are|do) we|" +
        "how far|(?:how|hows|how's)\\b.*\\b(?:going|doing|look\\w*)|any news|news|update|ready|done|finished|" +
        "so far|buy|bought|get|got|situation|ordered|purchased?|estado|etat|wie weit|stand|rest|others?|campaign|job|" +
        "offers?|proposals?|inventory|" +
        "what do (?:you|we|i) have)\\b",
      "i",
    ),
    (_talk, which) => status(which),
  ],
];

export const isAboutJob = (text: string): boolean =>
  bareQuestion.test(text) || questions.some(([words]) => words.test(text));

/** "So?" */
const bareQuestion = /^\W*(?:(?:so|and|well|und|then|now|hello|anything)\W*)+\?+\s*$/i;

export const answered = async (talk: Talk, which: Which): Promise<Said | null> => {
  for (const [words, say] of questions) {
    const said = words.test(which.text) ? await say(talk, which) : null;
    if (said !== null) return said;
  }
  return which.isNamed || bareQuestion.test(which.text) ? status(which) : null;
};
