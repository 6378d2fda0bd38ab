import { createHash } from "node:crypto";
import type { Offer } from "../../../machines/conversation/machine.ts";
import { bugBody, refusalBody } from "../../../protocol/neutral/refusal-body.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import { mostRead, prepared } from "../../understanding/reading/clauses.ts";
import { type PlainConsent, plainConsent } from "../../understanding/reading/consent.ts";
import { briefProblems } from "../bookings/rules.ts";
import { campaignBrief } from "../bookings/contract.ts";
import { asksApproval, chosenOf, wantedIn } from "./approval-words.ts";
import type { Memory } from "./record.ts";
import { readBrief, type ReadBrief } from "./reading.ts";
import * as words from "./words.ts";

export interface Said {
  readonly outcome: "answer" | "clarify" | "refuse" | "started" | "booked" | "cancelled";
  readonly text: string;
  readonly result?: unknown;
  readonly understood?: Readonly<Record<string, unknown>>;
  readonly notUsed?: readonly string[];
  /** Shown in full, and open for a plain yes. */
  readonly offer?: Offer;
  readonly draft?: string | null;
  /** The offer was taken by a commit of its own. */
  readonly isTaken?: boolean;
}

export interface Talk {
  readonly context: Context;
  readonly contextId: string | null;
  readonly memory: Memory;
  readonly text: string;
}

type Fetched<T> = { readonly output: T } | { readonly failed: Said };

const called = async <T>({ context }: Talk, name: string, input: unknown): Promise<Fetched<T>> => {
  const outcome = await context.call(name, input);
  if (outcome.kind === "done") return { output: outcome.output as T };
  if (outcome.kind === "bug") {
    return {
      failed: { outcome: "refuse", text: "Something went wrong on our side.", result: bugBody(context.requestId) },
    };
  }
  const result = { ...refusalBody(outcome.refusal), status: outcome.status };
  return { failed: { outcome: "refuse", text: outcome.refusal.message, result } };
};

const digestOf = (shown: string): string => createHash("sha256").update(shown).digest("base64url");

const noJob: Said = { outcome: "answer", text: `There is no job yet. ${words.help}` };
const jobIdPattern = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

const jobOf = (talk: Talk, id: string): Promise<Fetched<words.Job>> =>
  called<words.Job>(talk, "get_booking", { job_id: id });

/** The job that the message names, else the newest. */
const jobFor = async (talk: Talk): Promise<Fetched<words.Job>> => {
  const named = jobIdPattern.exec(talk.text)?.[0].toLowerCase();
  if (named !== undefined) return jobOf(talk, named);
  const listed = await called<{ jobs: readonly { job_id: string }[] }>(talk, "list_bookings", { limit: 1 });
  if ("failed" in listed) return listed;
  const [newest] = listed.output.jobs;
  return newest === undefined ? { failed: noJob } : jobOf(talk, newest.job_id);
};

const status = async (talk: Talk): Promise<Said> => {
  const found = await jobFor(talk);
  if ("failed" in found) return found.failed;
  const { output: job } = found;
  return { outcome: "answer", text: words.statusWords(job), understood: { job_id: job.job_id }, result: job };
};

const offered = (offer: Omit<Offer, "digest">, text: string, more: Partial<Said> = {}): Said => ({
  outcome: "clarify",
  text,
  understood: offer.change ?? {},
  ...more,
  offer: { ...offer, digest: digestOf(text) },
});

const approval = (job: words.Job, chosen: readonly words.WaitingLine[]): Said =>
  offered(
    {
      kind: "approval",
      id: job.job_id,
      change: { recommendation_ids: chosen.map(({ recommendationId }) => recommendationId) },
    },
    words.approvalWords(job, chosen),
  );

const approve = async (talk: Talk, text: string): Promise<Said> => {
  const wanted = wantedIn(text.replace(jobIdPattern, " "));
  if (wanted === null) {
    const how = 'Say "approve all", "approve all but 2" or "approve 1 and 3", and nothing else. Nothing is booked.';
    return { outcome: "clarify", text: `I am not sure which lines you mean. ${how}`, notUsed: [talk.text] };
  }
  const found = await jobFor(talk);
  if ("failed" in found) return found.failed;
  const lines = words.waitingLines(found.output);
  if (found.output.status !== "awaiting_approval" || lines.length === 0) {
    return { outcome: "answer", text: `No line waits for approval.\n${words.statusWords(found.output)}` };
  }
  const chosen = chosenOf(wanted, lines);
  if ("problem" in chosen) return { outcome: "clarify", text: `${chosen.problem} Nothing is booked.` };
  if (chosen.lines.length === 0) return { outcome: "clarify", text: "That leaves no line. Nothing is booked." };
  return approval(found.output, chosen.lines);
};

const cancel = async (talk: Talk): Promise<Said> => {
  const found = await jobFor(talk);
  if ("failed" in found) return found.failed;
  const { output: job } = found;
  if (job.status === "completed" || job.status === "failed") {
    const cure = "A job is cancelled before it books; cancel_booked_line cancels a booked line.";
    return {
      outcome: "answer",
      text: `The last job is over: nothing is cancelled. ${cure}\n${words.statusWords(job)}`,
    };
  }
  return offered({ kind: "campaign cancellation", id: job.job_id, change: null }, words.cancellationWords(job));
};

const brief = (read: ReadBrief, text: string): Said => {
  const said = {
    outcome: "clarify",
    understood: { ...read.brief },
    notUsed: [...read.unclear, ...read.notUsed],
  } as const;
  if (read.unclear.length > 0) return { ...said, text: words.unclearWords(read), draft: null };
  if (read.missing.length > 0) {
    const lines = [words.missingWords(read), ...words.notUsedWords(read.notUsed), "Nothing is started."];
    return { ...said, text: lines.join("\n"), draft: text };
  }
  const parsed = campaignBrief.safeParse(read.brief);
  const problems = parsed.success ? briefProblems(parsed.data) : parsed.error.issues.map(({ message }) => message);
  if (problems.length > 0) return { ...said, text: `${problems.join("; ")}. Nothing is started.`, draft: null };
  const full = words.briefWords(read);
  const offer = { kind: "campaign", id: digestOf(full), change: { brief: read.brief } } as const;
  return offered(offer, full, { notUsed: read.notUsed, draft: null });
};

/** What was approved must still read as it was shown. */
const shownAgain = async (talk: Talk, { id, change, digest }: Offer): Promise<Said | null> => {
  const found = await jobOf(talk, id);
  if ("failed" in found) return found.failed;
  const ids = change?.["recommendation_ids"] as readonly string[];
  const lines = words.waitingLines(found.output);
  const chosen = lines.filter(({ recommendationId }) => ids.includes(recommendationId));
  const now = approval(found.output, chosen);
  if (now.offer?.digest === digest) return null;
  const changed = "The job has changed since, so nothing is booked.";
  return chosen.length === 0
    ? { outcome: "answer", text: `${changed}\n${words.statusWords(found.output)}` }
    : { ...approval(found.output, chosen), text: `${changed}\n${words.approvalWords(found.output, chosen)}` };
};

const done = async (talk: Talk, offer: Offer): Promise<Said> => {
  if (offer.kind === "campaign") {
    const started = await called<{ job_id: string }>(talk, "create_booking", offer.change);
    if ("failed" in started) return started.failed;
    const text = `Started as job ${started.output.job_id}. Ask "status" to see what is found; nothing is booked yet.`;
    return { outcome: "started", text, result: started.output };
  }
  if (offer.kind === "campaign cancellation") {
    const cancelled = await called(talk, "cancel_booking", { job_id: offer.id });
    if ("failed" in cancelled) return cancelled.failed;
    return {
      outcome: "cancelled",
      text: `Job ${offer.id} is cancelled. Nothing was booked by this message.`,
      result: cancelled.output,
    };
  }
  const input = { job_id: offer.id, ...offer.change, keep_rest: true };
  const booked = await called<{ booked: number; total_cost: number; approved_count: number }>(
    talk,
    "approve_booking",
    input,
  );
  if ("failed" in booked) return booked.failed;
  const { booked: lines, approved_count: asked, total_cost: cost } = booked.output;
  const text = `Booked: ${lines} of ${asked} approved lines, ${words.usd(cost)} in total. Ask "status" for the deals.`;
  return { outcome: lines === 0 ? "refuse" : "booked", text, result: booked.output };
};

const take = async (talk: Talk, offer: Offer): Promise<Said> => {
  const again = offer.kind === "approval" ? await shownAgain(talk, offer) : null;
  if (again !== null) return again;
  const taken = await called(talk, "take_talk_offer", { context_id: talk.contextId, digest: offer.digest });
  return "failed" in taken ? taken.failed : { ...(await done(talk, offer)), isTaken: true };
};

/** "yes, book them" is a yes; "book them" alone is none. */
const isYes = (text: string, { kind }: PlainConsent, offer: Offer): boolean => {
  if (kind === "yes") return true;
  if (!/^\s*(?:yes|yep|yeah|yup)\b/i.test(text)) return false;
  return offer.kind === "approval"
    ? kind === "book" || kind === "accept"
    : offer.kind !== "campaign" && kind === "cancel";
};

const dropped: Said = { outcome: "answer", text: "Nothing is started, booked or cancelled." };
const nothingOpen: Said = { outcome: "clarify", text: `Nothing waits for a yes. ${words.help}` };

const consented = async (talk: Talk, consent: PlainConsent): Promise<Said | null> => {
  const { life } = talk.memory;
  const offer = life.value === "asked" ? life.context.shown[0] : undefined;
  const refuses = ["no", "reject", "cancel"].includes(consent.kind);
  if (offer === undefined) return consent.kind === "yes" ? nothingOpen : consent.kind === "no" ? dropped : null;
  if (isYes(talk.text, consent, offer)) return take(talk, offer);
  return refuses && offer.kind !== "campaign cancellation" ? dropped : null;
};

const asksStatus =
  /\b(?:status|found|find|show|list|compare|lines?|recommendations?|progress|results?|totals?|booked|where are we)\b/i;
const asksCancel = /\b(?:cancel|call off|abort)\b/i;
const isHeldBack = /\?|\b(?:not|never|no)\b|n't\b/i;
const help: Said = { outcome: "answer", text: words.help };

const isWhole = ({ found }: ReadBrief): boolean =>
  found.includes("budget") && (found.includes("start_date") || found.includes("channels"));

export const answer = async (talk: Talk): Promise<Said> => {
  const consent = plainConsent(talk.text);
  const agreed = consent === null ? null : await consented(talk, consent);
  if (agreed !== null) return agreed;
  if (talk.text.length > mostRead) {
    return {
      outcome: "clarify",
      text: `I read at most ${mostRead} characters. Send a shorter message.`,
      notUsed: ["all"],
    };
  }
  const text = prepared(talk.text);
  const read = readBrief(text, talk.context.nowMs);
  if (isWhole(read)) return brief(read, text);
  if (asksCancel.test(text)) return isHeldBack.test(text) ? dropped : cancel(talk);
  if (asksApproval(text)) return approve(talk, text);
  const { draft } = talk.memory;
  if (draft !== null && read.found.length > 0) {
    const joined = `${draft}\n${text}`;
    return brief(readBrief(joined, talk.context.nowMs), joined);
  }
  if (asksStatus.test(text)) return status(talk);
  if (read.found.includes("budget") || read.found.length > 1) return brief(read, text);
  return draft === null ? help : { ...help, outcome: "clarify", draft };
};
