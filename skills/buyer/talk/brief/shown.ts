import { isDeepStrictEqual } from "node:util";
import { campaignBrief } from "../../bookings/contract.ts";
import { briefProblems } from "../../bookings/rules.ts";
import { offered, type Said, type Talk } from "../talk.ts";
import { missingIn, withName } from "./complete.ts";
import { type Beside, type BriefInput, nothingBeside, type ReadBrief } from "./input.ts";
import { isForeignMoney, lasting } from "./turn/doubts.ts";
import { answerOf } from "./turn/questions.ts";
import { besideWords, changedWords, fullWords, keptWords, missingWords } from "./wording.ts";

const isoDay = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** Days that are over are no days of a brief. */
const withoutPast = (
  brief: BriefInput,
  nowMs: number,
): { readonly brief: BriefInput; readonly past: readonly string[] } => {
  const today = isoDay(nowMs);
  const { start_date: start, end_date: end, ...rest } = brief;
  if (end === undefined || end >= today) {
    const past =
      start !== undefined && start < today ? [`The days before ${today} are past and have no inventory.`] : [];
    return { brief, past };
  }
  return { brief: rest, past: [`${start ?? "?"} to ${end} is past: today is ${today}. Name later days.`] };
};

/** Who names no objective wants to be known; the brief shows that it is a guess. */
const withObjective = (brief: BriefInput): { readonly brief: BriefInput; readonly isGuessed: boolean } => {
  const isGuessed = missingIn(brief).join() === "objectives";
  return { brief: isGuessed ? { ...brief, objectives: ["brand_awareness"] } : brief, isGuessed };
};

const guessWords =
  'No objective was said, so brand_awareness is my guess: say for example "the objective is sales" for another.';

/** A whole brief is shown and asked about, another one asked to be completed; one with an open question is kept. */
export const shownBrief = (given: BriefInput, nowMs: number, beside: Beside = nothingBeside, head = ""): Said => {
  const { isGuessed, brief: kept } = withObjective(given);
  const { brief, past } = withoutPast(kept, nowMs);
  const { unclear, proposed, excluded, prices, shares, unsold, places } = beside;
  const doubts = [...beside.stillOpen, ...beside.doubts];
  const notUsed = [...unclear, ...doubts, ...excluded, ...prices, ...shares, ...unsold, ...places, ...beside.notUsed];
  const mismatch = { error: "currency_mismatch", message: "Budgets and prices are in USD.", status: 422 };
  const result = unclear.some(isForeignMoney) ? { result: mismatch } : {};
  const left = [...doubts, ...lasting(unclear)];
  const said = { outcome: "clarify", understood: { ...brief }, notUsed, brief: kept, doubts: left } as const;
  const isOpen = unclear.length + proposed.length + doubts.length + excluded.length + prices.length + shares.length > 0;
  const answers = beside.asked.flatMap((asked) => {
    const answer = answerOf(brief, asked);
    return answer === null && proposed.includes(asked) ? [] : (answer ?? `I have no answer to "${asked}".`);
  });
  const top = [...answers, head];
  const missing = missingWords(brief);
  if (missing.length > 0 || isOpen) {
    const next = isOpen
      ? 'Nothing is started. Say it in other words, or say "show the brief" to go on without it.'
      : "Nothing is started.";
    const known = missing.length > 0 ? [keptWords(brief)] : fullWords(brief);
    const lines = [...known, ...besideWords(beside, brief), ...past, ...missing, next];
    return { ...said, ...result, text: [...top, ...lines].filter((line) => line !== "").join("\n") };
  }
  const named = withName(brief);
  const parsed = campaignBrief.safeParse(named);
  const problems = parsed.success
    ? briefProblems(parsed.data, nowMs)
    : parsed.error.issues.map(({ message }) => message);
  if (problems.length > 0) {
    const { brief: _kept, ...rest } = said;
    return { ...rest, text: `${problems.join("; ")}. Nothing is started or changed.` };
  }
  const unnamed = brief.name === undefined ? 'No name was given: say "call it ..." for another.' : "";
  const notes = [...top, ...past, isGuessed ? guessWords : "", unnamed, ...besideWords(beside, brief)];
  const text = notes.filter((line) => line !== "").join("\n");
  const draft = { operation: "create_booking", input: { brief: named } };
  return offered(draft, { ...said, text, understood: { brief: named } });
};

/** As it stands, with what is open about it. */
export const shownAgain = (talk: Talk, brief: BriefInput, head = "", asked: readonly string[] = []): Said =>
  shownBrief(brief, talk.context.nowMs, { ...nothingBeside, asked, stillOpen: talk.memory.doubts }, head);

/** Whoever goes on in spite of a doubt sees it once more beside the brief. */
export const shownLate = ({ memory: { doubts }, context: { nowMs } }: Talk, brief: BriefInput): Said => {
  const notes = doubts.map((words) => `Left as it is shown: "${words}".`);
  return shownBrief(brief, nowMs, { ...nothingBeside, notes }, "Nothing is started yet. The brief again:");
};

const membersOf = ["budget", "start_date", "end_date", "channels", "target_audience", "objectives"] as const;
/** Who says so many members of the open brief again means that brief. */
const leastSame = 3;

/** A brief that is sent again as a whole keeps what was said beside: its name, its client and its prices. */
export const newBrief = ({ brief, ...beside }: ReadBrief, nowMs: number, open: BriefInput | null = null): Said => {
  const same = membersOf.filter(
    (member) => brief[member] !== undefined && isDeepStrictEqual(brief[member], open?.[member]),
  );
  if (open === null || same.length < leastSame) return shownBrief(brief, nowMs, beside);
  const whole = { ...open, ...brief };
  return shownBrief(whole, nowMs, beside, changedWords(open, whole));
};
