import { createHash } from "node:crypto";
import type { Offer } from "../../../machines/conversation/machine.ts";
import { bugBody, refusalBody } from "../../../protocol/neutral/refusal-body.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import { isConditional, isForeign, mostRead, prepared } from "../../understanding/reading/clauses.ts";
import { type PlainConsent, plainConsent } from "../../understanding/reading/consent.ts";
import { briefProblems } from "../bookings/rules.ts";
import { campaignBrief } from "../bookings/contract.ts";
import { asksApproval, chosenOf, wantedIn, withPlaces } from "./approval-words.ts";
import { inEnglish } from "./brief-words.ts";
import { correctedBrief } from "./corrections.ts";
import type { Memory } from "./record.ts";
import { type BriefInput, missingIn, readBrief, withName } from "./reading.ts";
import * as words from "./words.ts";

export interface Said {
  readonly outcome: "answer" | "clarify" | "refuse" | "started" | "booked" | "cancelled";
  readonly text: string;
  readonly result?: unknown;
  readonly understood?: Readonly<Record<string, unknown>>;
  readonly notUsed?: readonly string[];
  /** Shown in full, and open for a plain yes. */
  readonly offer?: Offer;
  /** Left out: the open brief stays as it is. */
  readonly brief?: BriefInput | null;
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
  const found = await jobFor(talk);
  if ("failed" in found) return found.failed;
  const lines = words.waitingLines(found.output);
  if (found.output.status !== "awaiting_approval" || lines.length === 0) {
    return { outcome: "answer", text: `No line waits for approval.\n${words.statusWords(found.output)}` };
  }
  const wanted = wantedIn(withPlaces(text.replace(jobIdPattern, " "), lines));
  if (wanted === null) {
    const how = 'Say "approve all", "approve all but 2" or "approve 1 and 3", and nothing else. Nothing is booked.';
    return { outcome: "clarify", text: `I am not sure which lines you mean. ${how}`, notUsed: [talk.text] };
  }
  const chosen = chosenOf(wanted, lines);
  if ("problem" in chosen) return { outcome: "clarify", text: `${chosen.problem} Nothing is booked.` };
  if (chosen.lines.length === 0) return { outcome: "clarify", text: "That leaves no line. Nothing is booked." };
  return approval(found.output, chosen.lines);
};

const compare = async (talk: Talk): Promise<Said> => {
  const found = await jobFor(talk);
  if ("failed" in found) return found.failed;
  const { output: job } = found;
  const isEmpty = (job.recommendations ?? []).length === 0;
  const text = isEmpty ? `Nothing to compare yet.\n${words.statusWords(job)}` : words.compareWords(job);
  return { outcome: "answer", text, understood: { job_id: job.job_id }, result: job };
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

/** A whole brief is shown and asked about, another one asked to be completed. */
const shownBrief = (brief: BriefInput, notUsed: readonly string[] = []): Said => {
  const said = { outcome: "clarify", understood: { ...brief }, notUsed } as const;
  if (missingIn(brief).length > 0) {
    const lines = [words.missingWords(brief), ...words.notUsedWords(notUsed), "Nothing is started."];
    return { ...said, text: lines.join("\n"), brief };
  }
  const named = withName(brief);
  const parsed = campaignBrief.safeParse(named);
  const problems = parsed.success ? briefProblems(parsed.data) : parsed.error.issues.map(({ message }) => message);
  if (problems.length > 0) return { ...said, text: `${problems.join("; ")}. Nothing is started.` };
  const full = words.briefWords(brief, notUsed);
  const offer = { kind: "campaign", id: digestOf(full), change: { brief: named } } as const;
  return offered(offer, full, { notUsed, brief });
};

const newBrief = ({ brief, unclear, notUsed }: ReturnType<typeof readBrief>): Said =>
  unclear.length === 0
    ? shownBrief(brief, notUsed)
    : {
        outcome: "clarify",
        text: words.unclearWords(unclear),
        understood: { ...brief },
        notUsed: [...unclear, ...notUsed],
        brief: null,
      };

/** Null where the message is about something else. */
const correction = (open: BriefInput, text: string, nowMs: number): Said | null => {
  const { brief, isFound, unclear, notUsed } = correctedBrief(open, text, nowMs);
  if (!isFound) return null;
  if (unclear.length === 0) return shownBrief(brief, notUsed);
  const all = [...unclear, ...notUsed];
  return { outcome: "clarify", text: words.unclearChangeWords(unclear), understood: { ...open }, notUsed: all };
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

const asksStatus = new RegExp(
  "\\b(?:status|found|find|show|list|lines?|recommendations?|progress|results?|totals?|booked|where (?:are|do) we|" +
    "how far|how is it going|any news|update|ready yet|done yet|estado|etat|wie weit)\\b",
  "i",
);
const asksCompare = /\b(?:compar\w+|vergleich\w*|side by side|cheaper|cheapest|better value|versus|vs)\b/i;
const asksCancel = /\b(?:cancel|call off|abort)\b|\b(?:stop|end) (?:the|this|that|my|our) (?:job|campaign|booking)\b/i;
const asksBrief = /\bbrief\b/i;
const isQuestion = /^\s*(?:what|which|how|when|who|whom|why|where|is|are|was|were|do|does|did)\b/i;
const isHeldBack = /\?|\b(?:not|never|no)\b|n't\b/i;
const help: Said = { outcome: "answer", text: words.help };

/** It says by itself what a campaign is: another one than the open one. */
const isWhole = (brief: BriefInput, open: BriefInput | null): boolean => {
  if (brief.budget === undefined || (brief.start_date === undefined && brief.channels === undefined)) return false;
  return open === null || (brief.target_audience !== undefined && brief.start_date !== undefined);
};

const aboutJob = async (talk: Talk, text: string): Promise<Said | null> => {
  if (asksCancel.test(text)) return isHeldBack.test(text) ? dropped : cancel(talk);
  return asksApproval(text) ? approve(talk, text) : null;
};

/** "No, only line 1" about the lines that were just shown. */
const otherChoice = (talk: Talk, text: string): Promise<Said> | null => {
  const isOpen = talk.memory.life.context.shown[0]?.kind === "approval";
  const choice = text.replace(/^\s*(?:(?:yes|ok|okay|no|sorry|actually)\b[\s,.;:!-]*)+(?:but\b)?/i, "");
  return isOpen && /\b(?:only|just)\b|^\s*(?:all )?(?:but|except)\b/i.test(choice) ? approve(talk, choice) : null;
};

/** A message that follows the brief which was just shown, or completes one. */
const aboutBrief = (talk: Talk, text: string): Said | null => {
  const { brief: open, life } = talk.memory;
  if (open === null) return null;
  const isAsked = life.context.shown[0]?.kind === "campaign";
  const isAbout = isAsked || missingIn(open).length > 0 || !(asksStatus.test(text) || asksCompare.test(text));
  const isPlain = !isQuestion.test(text) || isConditional(text);
  const corrected = isAbout && isPlain ? correction(open, text, talk.context.nowMs) : null;
  return corrected ?? (asksBrief.test(text) || (isAsked && isQuestion.test(text)) ? shownBrief(open) : null);
};

const heard = async (talk: Talk, text: string): Promise<Said> => {
  const { brief: open, life } = talk.memory;
  const read = readBrief(text, talk.context.nowMs);
  if (isWhole(read.brief, open)) return newBrief(read);
  const isAsked = life.context.shown[0]?.kind === "campaign";
  const first = isAsked ? (aboutBrief(talk, text) ?? (await aboutJob(talk, text))) : await aboutJob(talk, text);
  const said = first ?? (await otherChoice(talk, text)) ?? aboutBrief(talk, text);
  if (said !== null) return said;
  if (asksCompare.test(text)) return compare(talk);
  if (asksStatus.test(text)) return status(talk);
  const found = Object.keys(read.brief).length;
  if (open === null && (read.brief.budget !== undefined || found > 1)) return newBrief(read);
  return open === null ? help : { ...help, outcome: "clarify" };
};

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
  const plain = prepared(talk.text);
  const text = inEnglish(plain);
  const said = await heard(talk, text);
  return text !== plain || isForeign(talk.text) ? { ...said, text: `${said.text}\n${words.inEnglishOnly}` } : said;
};
