import { refuse } from "../../../protocol/neutral/refusals.ts";
import type { Deed, Rendered } from "../../talk/gate/gate.ts";
import type { Found } from "../../talk/gate/read-context.ts";
import type { Draft } from "../../talk/gate/record.ts";
import { getBooking } from "../bookings/contract.ts";
import type { BriefInput } from "./brief/form.ts";
import { fullWords } from "./brief/wording.ts";
import { dealToCancel, sellerOf } from "./replies/deals.ts";
import {
  approvalWords,
  bookedLines,
  bookedWords,
  type Job,
  keptWords,
  linesCounted,
  titled,
  totalOf,
  usd,
  type LineRow,
  waitingLines,
  without,
} from "./replies/job.ts";
import { type DraftKind, kindOf } from "./talk.ts";

type Input = Draft["input"];

const gone = (message: string): Found<never> => ({ kind: "refused", refusal: refuse("invalid_status", { message }) });

const done = (label: string, terms: readonly string[], revisions: readonly unknown[]): Found<Rendered> => ({
  kind: "done",
  output: { label, terms: terms.filter((line) => line !== "").join("\n"), revisions },
});

const ofJob =
  (of: (job: Job, input: Input) => Found<Rendered>): Deed["render"] =>
  async (context, input) => {
    const found = await context.call(getBooking, { job_id: String(input["job_id"]) });
    return found.kind === "refused" ? found : of(found.output, input);
  };

const start: Deed["render"] = async (_context, input) => {
  const brief = input["brief"] as BriefInput;
  const { name = "", budget, start_date: from, end_date: until } = brief;
  const label = `Start campaign "${name}": ${usd(budget)}, ${from} to ${until}`;
  return done(label, fullWords(brief), []);
};

/** Null where one of them does not wait any more. */
const linesOf = (job: Job, ids: unknown): readonly LineRow[] | null => {
  const named = Array.isArray(ids) ? (ids as readonly unknown[]) : [];
  const lines = waitingLines(job).filter(({ recommendationId }) => named.includes(recommendationId));
  return lines.length > 0 && lines.length === named.length ? lines : null;
};

const otherLines = (job: Job): Found<never> => gone(`Not all of these lines of ${titled(job)} wait any more.`);

const words = (lines: readonly LineRow[]): readonly string[] => lines.map((line) => line.words);

const named = (job: Job): string => `campaign "${job.campaign_name}"`;

const ofLines = (job: Job, { recommendation_ids: ids, keep_rest: isRestKept }: Input): Found<Rendered> => {
  const chosen = linesOf(job, ids);
  if (chosen === null) return otherLines(job);
  const dropped = isRestKept === true ? [] : without(waitingLines(job), chosen);
  const label = `Book ${linesCounted(chosen.length)} of ${named(job)}: ${totalOf(chosen)}`;
  return done(label, approvalWords(job, chosen, dropped), [job.status]);
};

/** Nothing in it changes while another deed of the same message is done first. */
const dropped = (job: Job, lines: readonly LineRow[], search: string): Found<Rendered> =>
  done(
    `Drop ${linesCounted(lines.length)} of ${named(job)}`,
    [`To drop from ${titled(job)}:`, ...words(lines), search],
    [job.status],
  );

const approve = ofJob((job, input) => {
  if (kindOf({ operation: "approve_booking", input }) === "book") return ofLines(job, input);
  const lines = waitingLines(job);
  if (lines.length === 0) return gone(`No line of ${titled(job)} waits any more.`);
  return dropped(
    job,
    lines,
    `No line waits then: ${totalOf(lines)} stay unbooked, and nothing else is searched for. ${keptWords(job)}`.trim(),
  );
});

const replan = ofJob((job, { reject }) => {
  const lines = linesOf(job, reject);
  if (lines === null) return otherLines(job);
  const search = "are then offered anew in the same channel, and what is found waits for your approval.";
  return dropped(job, lines, `Their ${totalOf(lines)} ${search}`);
});

const cancelCampaign = ofJob((job) => {
  const isOver = job.status === "failed" || job.status === "completed" || bookedLines(job).length > 0;
  if (isOver) return gone(`${titled(job)} cannot be cancelled as a whole any more.`);
  const waiting = waitingLines(job).length;
  const lines = waiting === 0 ? "" : ` ${linesCounted(waiting)} that wait${waiting === 1 ? "s is" : " are"} dropped.`;
  const terms = `To cancel: ${titled(job)}, budget ${usd(job.budget)}.${lines} Nothing of it is booked.`;
  return done(`Cancel ${named(job)}`, [terms], [job.status]);
});

const cancelDeal = ofJob((job, input) => {
  const line = dealToCancel(job, input["line_id"]);
  if (line === null) return gone(`There is no such deal of ${titled(job)} any more.`);
  const state = line.cancellation?.state ?? null;
  const label = `Ask to cancel deal ${line.deal_id}`;
  const what = "It decides, and may have to review it first; until then the deal stays booked.";
  const seller = `The seller is ${sellerOf(job, line.seller_url)}. ${what}`;
  return done(label, [`${label}, ${titled(job)}:`, bookedWords(line), seller], [state, line.booking_status]);
});

const orders: Readonly<Record<DraftKind, readonly string[]>> = {
  start: ["start", "send"],
  book: ["approve", "book", "accept"],
  drop: ["drop"],
  "cancel campaign": ["cancel"],
  "cancel deal": ["cancel", "send"],
};

const deed = (operation: string, render: Deed["render"]): Deed => ({
  operation,
  orders: (input) => orders[kindOf({ operation, input })],
  render,
});

/** What a conversation with the buyer may do, each with the words that order it. */
export const buyerDeeds: readonly Deed[] = [
  deed("create_booking", start),
  deed("approve_booking", approve),
  deed("replan_booking", replan),
  deed("cancel_booking", cancelCampaign),
  deed("cancel_booked_line", cancelDeal),
];

const questions: Readonly<Record<DraftKind, string>> = {
  start:
    "Shall I start it? Sellers are asked for prices, and nothing is booked without your approval. To change " +
    "something, say what.",
  book: "Shall I book exactly this? A booked deal ends only where its seller agrees to cancel it.",
  drop: "Shall I drop exactly this?",
  "cancel campaign": "Shall I cancel it?",
  "cancel deal": "Shall I ask the seller?",
};

export const questionOf = (draft: Draft): string => questions[kindOf(draft)];

/** What takes it, where nothing is asked; a start alone books nothing, so its words are told. */
export const untakenOf = (draft: Draft, isAlone: boolean): string => {
  const kind = kindOf(draft);
  if (kind === "start")
    return (
      'Nothing is started. Say "start" alone to start it: sellers are asked for prices, and nothing is booked ' +
      "before you approve lines."
    );
  return kind.startsWith("cancel") && isAlone ? 'Nothing of it is done yet: say "cancel it" alone for it.' : "";
};
