import type { z } from "zod";
import { roundHalfEven } from "../../../../machines/money.ts";
import type { getBooking, listBookings } from "../../bookings/contract.ts";

export type Job = z.output<typeof getBooking.output>;
export type JobSummary = z.output<typeof listBookings.output>["jobs"][number];
export type Line = NonNullable<Job["recommendations"]>[number];
export type BookedLine = NonNullable<Job["booked_lines"]>[number];

/** A line of a campaign in any state. Its number stays while lines before it are booked or rejected. */
export interface LineRow {
  readonly place: number;
  readonly cpm: number;
  readonly cost: number;
  readonly channel: string;
  readonly dealType: string;
  readonly sellerUrl: string;
  readonly recommendationId: string;
  readonly names: readonly string[];
  readonly words: string;
  readonly isWaiting: boolean;
  readonly line: Line;
  readonly booked: BookedLine | null;
}

export const usd = (value: unknown): string =>
  `${Number(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 })} USD`;

export const count = (value: number): string => value.toLocaleString("en-US");

export const linesCounted = (size: number): string => (size === 1 ? "1 line" : `${count(size)} lines`);

const dealTypes: Readonly<Record<string, string>> = {
  PG: "guaranteed deal (PG)",
  PD: "preferred deal (PD)",
  PA: "private auction (PA)",
};

const dealTypeWords = (type: string): string => dealTypes[type] ?? type;

const figuresOf = (line: Line | BookedLine): string =>
  `${line.channel}, ${dealTypeWords(line.deal_type)}, ${count(line.impressions)} impressions, ` +
  `${line.flight_start ?? "?"} to ${line.flight_end ?? "?"}, at ${usd(line.cpm)} CPM, ${usd(line.cost)} in total`;

const lineWords = (line: Line, place: number): string =>
  `${place}. ${line.product_name} (${line.product_id}), ${figuresOf(line)}`;

export const bookedWords = (line: BookedLine): string =>
  `${line.product_name}, deal ${line.deal_id}, ${figuresOf(line)}`;

export const rowsOf = (job: Job): readonly LineRow[] =>
  (job.recommendations ?? []).map((line, index) => {
    const {
      cpm,
      cost,
      channel,
      deal_type: dealType,
      seller_url: sellerUrl,
      recommendation_id: recommendationId,
    } = line;
    const names = [line.product_name, line.product_id, channel, channel.replaceAll("_", " ")];
    const isWaiting = job.status === "awaiting_approval" && line.status === "pending_approval";
    const booked = (job.booked_lines ?? []).find(({ recommendation_id: id }) => id === recommendationId) ?? null;
    const place = index + 1;
    const words = lineWords(line, place);
    const said = { place, cpm, cost, channel, dealType, sellerUrl, recommendationId, words, isWaiting, line, booked };
    return { ...said, names: [...new Set(names)] };
  });

/** None of a job that does not wait. */
export const waitingLines = (job: Job): readonly LineRow[] => rowsOf(job).filter(({ isWaiting }) => isWaiting);

export const placeWords = ({ place, line }: LineRow): string => `${place}. ${line.product_name}`;

export const without = (lines: readonly LineRow[], chosen: readonly LineRow[]): readonly LineRow[] =>
  lines.filter(({ place }) => !chosen.some((line) => line.place === place));

export const bookedLines = (job: Job): readonly BookedLine[] =>
  (job.booked_lines ?? []).filter(({ is_booked }) => is_booked !== false);

export const totalOf = (lines: readonly { readonly cost: number }[]): string =>
  usd(lines.reduce((sum, { cost }) => sum + Math.round(cost * 100), 0) / 100);

export const titled = ({ campaign_name: name, job_id: id }: Pick<Job, "campaign_name" | "job_id">): string =>
  `campaign "${name}" (job ${id})`;

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const isCancelled = ({ is_cancelled: is }: Pick<Job, "is_cancelled">): boolean => is === true;

/** What is or may be booked of it. */
export const linesInForce = (job: Job): readonly Line[] =>
  (job.recommendations ?? []).filter(
    (line) => line.status !== "rejected" && !["failed", "cancelled"].includes(line.booking),
  );

/** In one clause. */
export const stateWords = (job: Job): string => {
  if (isCancelled(job)) return "cancelled by you; nothing of it is booked";
  switch (job.status) {
    case "pending":
      return "accepted, and worked on at once; nothing is booked";
    case "running":
      return `at work, ${Math.round(job.progress * 100)} % done. ${job.status_text}`;
    case "awaiting_approval":
      return `waiting for your approval. ${job.status_text}`;
    case "completed":
      return `nothing waits for you any more. ${job.status_text}`;
    case "failed":
      return bookedLines(job).length === 0 ? "failed; nothing is booked" : "failed; nothing more is booked";
  }
};

/** Money that was planned for a channel in which no line was found. */
export const unfilledOf = (job: Job): readonly { readonly channel: string; readonly budget: number }[] => {
  if (job.status === "pending" || job.status === "running" || isCancelled(job)) return [];
  const filled = new Set((job.recommendations ?? []).map(({ channel }) => channel));
  return Object.values(job.budget_allocations ?? {}).filter(({ channel }) => !filled.has(channel));
};

/** Of sellers that failed or refused every quote: without them a channel may only seem unsold. */
const sellerProblems = (job: Job, unfilled: readonly string[]): readonly string[] => [
  ...(job.errors ?? []).filter((error) => !unfilled.some((channel) => error.includes(`channel ${channel}`))),
  ...job.warnings.filter(({ field }) => field === "sellers").map(({ message }) => message),
];

export const unfilledWords = (job: Job): readonly string[] => {
  const unfilled = unfilledOf(job);
  if (unfilled.length === 0) return [];
  const filled = [...new Set((job.recommendations ?? []).map(({ channel }) => channel))];
  const move = filled.length === 0 ? "" : ` Say "move it to ${filled[0]}" to plan it there as a second campaign.`;
  const problems = sellerProblems(
    job,
    unfilled.map(({ channel }) => channel),
  );
  const limits = job.warnings.filter(({ field }) => field !== "sellers").map(({ message }) => message);
  const isUnpriced = problems.some((problem) => problem.includes("unpriceable_product"));
  const unsold = isUnpriced
    ? "what a seller lists there has no price that it quotes, so it can only be asked for at that seller"
    : problems.length === 0
      ? "no seller offers it"
      : "no seller that answered offers it";
  return [
    ...unfilled.map(({ channel, budget }) => {
      const reason = limits.find((text) => text.includes(channel)) ?? unsold;
      // "Nothing for branding costs 12.00 USD or less", beside a cheaper line of performance.
      const isDear = reason.startsWith("nothing for") && filled.length > 0;
      const others = isDear
        ? ` What is planned for ${filled.join(" or ")} is not counted: a product is planned once.`
        : "";
      return `${usd(budget)} were meant for ${channel}, and nothing is found there: ${reason}.${others}${move}`;
    }),
    ...problems.map((problem) => `Problem: ${problem}`),
  ];
};

export const feesOf = (line: Line): number => {
  if (line.fees === null) return 0;
  const { intermediary_percent: percent, tech_cpm: tech } = line.fees;
  return roundHalfEven((line.cost * percent) / 100 + (line.impressions / 1000) * tech, 2);
};

export const moneyWords = ({ totals }: Job): string =>
  `Budget ${usd(totals.budget)}, recommended ${usd(totals.recommended)}, booked ${usd(totals.booked)}, ` +
  `not booked ${usd(totals.unspent)}.`;

/** A line that waits, for what a buyer could say of it. */
export const exampleOf = (verb: string, job: Job): string => `"${verb} ${waitingLines(job)[0]?.place ?? 1}"`;

/** What a buyer can say next; the two likeliest things. */
export const nextWords = (job: Job): string => {
  if (isCancelled(job)) return "To try again, send a new brief.";
  switch (job.status) {
    case "pending":
    case "running":
      return 'There is nothing to do for you: ask "status" in a moment.';
    case "awaiting_approval":
      return `To book, say for example "approve all" or ${exampleOf("approve", job)}, and then "yes".`;
    case "completed":
      return bookedLines(job).length === 0
        ? "To try again, send a new brief."
        : "The sellers activate the deals, some after an approval; nothing is left to decide here.";
    case "failed":
      return "To try again, send a changed brief.";
  }
};

export const bookedStatusWords = (line: BookedLine): string => `- ${bookedWords(line)}: ${line.status_text}`;

export const endedWords = (job: Job): readonly string[] => {
  const booked = bookedLines(job);
  const ended = (job.booked_lines ?? []).filter((line) => !booked.includes(line));
  return ended.length === 0 ? [] : ["No longer booked:", ...ended.map(bookedStatusWords)];
};

/** `lead`: what stands ahead of the state. */
export const statusWords = (job: Job, lead = `${capital(titled(job))}: ${stateWords(job)}`): string => {
  const waiting = waitingLines(job);
  const booked = bookedLines(job);
  const dropped = rowsOf(job).filter(({ line }) => line.status === "rejected");
  const errors = isCancelled(job) || unfilledOf(job).length > 0 ? [] : (job.errors ?? []);
  return [
    lead,
    ...(waiting.length === 0 ? [] : ["Waiting for approval:", ...waiting.map(({ words }) => words)]),
    ...(booked.length === 0 ? [] : ["Booked:", ...booked.map(bookedStatusWords)]),
    ...endedWords(job),
    ...(dropped.length === 0 || isCancelled(job) ? [] : [`Dropped: ${dropped.map(placeWords).join(", ")}.`]),
    ...unfilledWords(job),
    ...errors.map((error) => `Problem: ${error}`),
    ...(isCancelled(job) ? [] : [moneyWords(job)]),
    nextWords(job),
  ].join("\n");
};

export const shortStates: Readonly<Record<JobSummary["status"], string>> = {
  pending: "accepted",
  running: "at work",
  awaiting_approval: "waits for your approval",
  completed: "nothing waits for you",
  failed: "ended without more bookings",
};

const mostShown = 20;

export const jobsWords = (jobs: readonly JobSummary[], ownId: string | null | undefined, most = mostShown): string =>
  [
    ...jobs.slice(0, most).map((job) => {
      const state = isCancelled(job) ? "cancelled by you" : shortStates[job.status];
      const own = job.job_id === ownId ? ", the one of this conversation" : "";
      const money = `budget ${usd(job.budget)}, booked ${usd(job.spent ?? 0)}`;
      return `- "${job.campaign_name}"${own}: ${state}; ${money}; job ${job.job_id}`;
    }),
    ...(jobs.length > most ? [`and ${count(jobs.length - most)} older ones.`] : []),
  ].join("\n");

/** With lines that the same yes drops. */
export const approvalWords = (
  job: Job,
  chosen: readonly LineRow[],
  dropped: readonly LineRow[] = [],
): readonly string[] => {
  const rest = without(waitingLines(job), [...chosen, ...dropped]);
  const left = rest.map(({ place, names }) => `${place}. ${names[0] ?? ""}`).join(", ");
  return [
    `To book for ${titled(job)}:`,
    ...chosen.map(({ words }) => words),
    `Total: ${totalOf(chosen)}.${rest.length === 0 ? "" : ` Not booked, and still waiting: ${left}.`}`,
    ...(dropped.length === 0
      ? []
      : ["To drop with it (nothing else is searched for):", ...dropped.map(({ words }) => words)]),
  ];
};

/** Of several lines one is dropped only with a new search for its money; all that wait are dropped without one. */
export const dropWords = (job: Job, [meant]: readonly LineRow[] = []): string => {
  const [only, other] = waitingLines(job);
  const example = meant === undefined ? exampleOf("drop", job) : `"drop ${meant.place}"`;
  return only === undefined || other !== undefined
    ? `drop a line, and its money is offered anew in its channel: say for example ${example}`
    : `drop it, and its money stays unbooked: say "drop ${only.place}"; "drop ${only.place} for another offer" ` +
        "has it offered anew in its channel";
};

/** What a drop of lines that wait leaves as it is. */
export const keptWords = (job: Job): string => {
  const booked = bookedLines(job).map((line) => `${line.product_name} (deal ${line.deal_id})`);
  return booked.length === 0 ? "" : `What is booked stays booked: ${booked.join(", ")}.`;
};
