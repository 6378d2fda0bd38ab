import { getBookingDelivery } from "../../bookings/contract.ts";
import { answered, called, offered, type Said, type Talk } from "../talk.ts";
import {
  bookedLines,
  bookedWords,
  type BookedLine,
  capital,
  count,
  dropWords,
  exampleOf,
  isCancelled,
  type Job,
  type LineRow,
  nextWords,
  titled,
  usd,
  waitingLines,
} from "./job.ts";

export const sellerOf = (job: Job, url: string): string => {
  const name = job.sellers.find((seller) => seller.url === url)?.name;
  return name == null ? url : `${name} (${url})`;
};

const askSeller = (job: Job, line: BookedLine): string =>
  `ask the seller ${sellerOf(job, line.seller_url)} and name deal ${line.deal_id}`;

const cancellation = (
  { job_id }: Job,
  { deal_id }: BookedLine,
  more: { readonly text?: string; readonly isUnasked?: boolean } = {},
): Said => offered({ operation: "cancel_booked_line", input: { job_id, line_id: deal_id } }, more);

/** Of several none is named: it would be read as the one that is advised. */
export const cancelExample = ([only, other]: readonly BookedLine[]): string =>
  `Say "cancel deal ${other === undefined && only !== undefined ? only.deal_id : "..."}"` +
  `${other === undefined ? "" : " with the id of the deal"}.`;

/** One at a time: each seller decides by itself. */
export const cancelDeal = (job: Job, lines: readonly BookedLine[], isUnasked: boolean): Said => {
  const [line, other] = lines;
  if (line === undefined || other !== undefined) {
    const head = `Which deal of ${titled(job)}? Deals are cancelled one by one.`;
    return { outcome: "clarify", text: [head, ...lines.map(bookedWords)].join("\n") };
  }
  if (line.order_id === null) {
    const why = "its seller keeps no order for it";
    const text = `I cannot cancel ${bookedWords(line)}: ${why}. To have it cancelled, ${askSeller(job, line)}.`;
    return { outcome: "answer", text };
  }
  const state = line.cancellation?.state;
  if (state === "asked" || state === "waiting") {
    const text = `The cancellation of deal ${line.deal_id} is asked for already. ${line.status_text}`;
    return { outcome: "answer", text };
  }
  return cancellation(job, line, { isUnasked });
};

export const outcomeWords = (job: Job, line: BookedLine): string => {
  const words = bookedWords(line);
  switch (line.cancellation?.state) {
    case "done":
      return `Deal ${line.deal_id} is cancelled: ${words}.`;
    case "refused":
      return `${line.status_text} ${capital(askSeller(job, line))}.`;
    case "asked":
    case "waiting":
      return `${line.status_text} It stays booked until then, and the seller is asked again by itself.`;
    default:
      return line.status_text;
  }
};

export const dealIn = (job: Job, id: unknown): BookedLine | undefined =>
  (job.booked_lines ?? []).find((line) => line.deal_id === id);

/** Null where nothing can be asked of its seller. */
export const dealToCancel = (job: Job, id: unknown): BookedLine | null => {
  const line = dealIn(job, id);
  return line === undefined || line.order_id === null || !bookedLines(job).includes(line) ? null : line;
};

const mostAsked = 10;

/** "How did it do?", of days that are still to come. */
export const notBegun = (jobs: readonly Job[], nowMs: number): readonly string[] => {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return jobs.flatMap((job) => {
    const { start_date: start = "" } = job.brief as { readonly start_date?: string };
    const begins = start === today ? "begins only today" : `begins on ${start}`;
    return start < today ? [] : [`${capital(titled(job))} ${begins}, so there is nothing to report yet.`];
  });
};

/** What the sellers say now; they deliver, and only they count what was delivered. */
const deliveredWords = (of: {
  readonly shown: number;
  readonly booked: number;
  readonly spent: number | null;
}): string => `${count(of.shown)} of ${count(of.booked)} impressions${of.spent === null ? "" : `, ${usd(of.spent)}`}`;

export const delivery = async (talk: Talk, job: Job): Promise<Said> => {
  if (bookedLines(job).length === 0) {
    const text = `Nothing of ${titled(job)} is booked, so nothing is delivered. ${nextWords(job)}`;
    return { outcome: "answer", text, understood: { job_id: job.job_id } };
  }
  const asked = await called(talk, getBookingDelivery, { job_id: job.job_id });
  if ("failed" in asked) return asked.failed;
  const { output } = asked;
  const {
    delivered_impressions: shown,
    booked_impressions: booked,
    planned_impressions: plan,
    spent,
    chosen,
  } = output.total;
  const head =
    shown === null
      ? `No delivery of ${titled(job)} is reported yet, so none of its ${usd(chosen)} is counted as spent:`
      : `Delivered of ${titled(job)}: ${deliveredWords({ shown, booked, spent })}, of ${usd(chosen)} booked. ` +
        `An even plan would be at ${count(plan)} by now.`;
  const words = output.lines.slice(0, mostAsked).map((line) => {
    const { delivered_impressions: own, booked_impressions: of, error } = line;
    const told =
      own === null ? (error ?? "nothing is reported") : deliveredWords({ shown: own, booked: of, spent: line.spent });
    return `- ${line.product_name}, ${line.channel}, deal ${line.deal_id}: ${told}`;
  });
  return {
    outcome: "answer",
    text: [...(shown === null ? notBegun([job], talk.context.nowMs) : []), head, ...words].join("\n"),
    understood: { job_id: job.job_id },
    result: output,
  };
};

/** Of what nobody has delivered nothing can be told, and what is delivered is compared with an even plan alone. */
export const paceTold = async (talk: Talk, job: Job): Promise<Said> => {
  const said = await delivery(talk, job);
  const isReported = said.result !== undefined && !said.text.includes("No delivery of");
  const words = isReported
    ? "I rank no lines, and tell no pace beside those figures."
    : "Nothing is delivered as far as is known, so neither a pace nor a best or worst line can be told.";
  return { ...said, text: `${said.text}\n${words}` };
};

/** What can be done about a deal instead of a change of it. */
const dealCures = (job: Job, deal: BookedLine): readonly string[] => [
  `- its seller changes it: ${askSeller(job, deal)}`,
  `- I cancel it, where the seller agrees: say "cancel deal ${deal.deal_id}"`,
];

/** Sellers are asked for nothing of it. */
export const notPaused =
  "No: I cannot pause a campaign or a deal, nor leave out or choose sites, apps, places, days or hours: sellers are " +
  "not asked for it. Nothing is paused. Whether a seller pauses a deal, ask it.";

/** With each deal that is named, and whom to ask of it. */
export const paused = (job: Job, deals: readonly BookedLine[]): Said =>
  answered([notPaused, ...deals.map((deal) => `- ${bookedWords(deal)}: ${askSeller(job, deal)}`)], {
    understood: { job_id: job.job_id },
    isBeside: true,
  });

const waitingCures = (job: Job, meant: readonly LineRow[]): readonly string[] => [
  waitingLines(job).length > 1
    ? `- book a part of what waits: say for example ${exampleOf("approve", job)}`
    : `- book it as it is: say ${exampleOf("approve", job)}`,
  `- ${dropWords(job, meant)}`,
];

const isStoppable = (job: Job): boolean =>
  bookedLines(job).length === 0 && !isCancelled(job) && job.status !== "failed" && job.status !== "completed";

const mostCured = 3;

interface WantedChange {
  /** Booked deals that are named. */
  readonly deals: readonly BookedLine[];
  /** Lines that wait and are named. */
  readonly lines: readonly LineRow[];
  /** What shall be added. */
  readonly channels: readonly string[];
  /** They answer what was asked for first. */
  readonly words: readonly string[];
  readonly isQuestion: boolean;
}

const nothingWanted: WantedChange = { deals: [], lines: [], channels: [], words: [], isQuestion: false };

const refusalWords = (job: Job, { lines, channels }: WantedChange): string => {
  const [line, other] = lines;
  if (line !== undefined && other === undefined)
    return (
      `line ${line.place} of ${titled(job)} cannot be made smaller, larger or cheaper: it is booked whole, for its ` +
      `${usd(line.cost)}, or dropped.`
    );
  return channels.length > 0
    ? `${channels.join(" and ").replaceAll("_", " ")} cannot be added to ${titled(job)}, as it is started: send ` +
        `a new brief for it.`
    : `${titled(job)} is started, and I cannot change its days, volumes, prices, products or budget.`;
};

/** Terms are fixed by quotes before the booking and by deals after it. */
export const cannotChange = (job: Job, given: Partial<WantedChange> = {}): Said => {
  const wanted = { ...nothingWanted, ...given };
  const waiting = waitingLines(job);
  const isOfWaiting = waiting.length > 0 && wanted.deals.length === 0;
  const deals = isOfWaiting || wanted.deals.length > 0 ? wanted.deals : bookedLines(job);
  const why = refusalWords(job, wanted);
  const lines = [
    wanted.isQuestion ? `No: ${why}` : capital(why),
    ...wanted.words,
    ...deals.map(bookedWords),
    ...(isOfWaiting && (waiting.length === 1 || wanted.lines.length > 0)
      ? (wanted.lines.length > 0 ? wanted.lines : waiting).map((line) => line.words)
      : []),
    "What can be done:",
    ...deals.slice(0, mostCured).flatMap((deal) => dealCures(job, deal)),
    ...(isOfWaiting ? waitingCures(job, wanted.lines) : []),
    isStoppable(job) ? '- other terms: say "cancel", and send a changed brief' : "- other terms: send a new brief",
    "Nothing is changed.",
  ];
  return answered(lines, { understood: { job_id: job.job_id }, isUnasked: true });
};
