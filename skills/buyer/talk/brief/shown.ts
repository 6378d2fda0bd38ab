import { isDeepStrictEqual } from "node:util";
import { campaignBrief } from "../../bookings/contract.ts";
import { briefProblems } from "../../bookings/rules.ts";
import { offered, type Said } from "../talk.ts";
import { type Applied, type BriefInput, inUsd, unusable, missingIn, type Note, withName } from "./form.ts";
import {
  besideWords,
  changedWords,
  foreignWords,
  fullWords,
  keptWords,
  missingWords,
  problemWords,
  setAsideWords,
} from "./wording.ts";

const isoDay = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** Days that are over are no days of a brief. */
const withoutPast = (
  brief: BriefInput,
  nowMs: number,
): { readonly brief: BriefInput; readonly past: readonly string[] } => {
  const today = isoDay(nowMs);
  const { start_date: start, end_date: end, ...rest } = brief;
  if (end === undefined || end >= today) {
    const isBegun = start !== undefined && start < today;
    return { brief, past: isBegun ? [`The days before ${today} are past and have no inventory.`] : [] };
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

/** Nothing is asked about with a yes while one of them stands. */
const open: ReadonlySet<Note> = new Set(["unclear", "excluded", "doubt", "proposed", "foreign money", "two budgets"]);

/** They stay until they are settled or given up; the others belong to their message. */
const lasting: ReadonlySet<Note> = new Set(["doubt", "two budgets", "foreign money"]);

export interface Beside {
  readonly notes: Applied["notes"];
  /** What earlier messages said of the brief and a start leaves out; absent: it stays, and is not told. */
  readonly left?: Applied["notes"];
  /** What earlier messages left open. */
  readonly stillOpen: readonly string[];
  /** Sentences before the brief: an answer, or what was changed. */
  readonly head: readonly string[];
  /** The brief was only asked about: it is not told again. */
  readonly isAnswer: boolean;
}

const nothingBeside: Beside = { notes: [], stillOpen: [], head: [], isAnswer: false };

/** A whole brief is shown and asked about, another one asked to be completed; one with an open question is kept. */
export const shownBrief = (given: BriefInput, nowMs: number, beside: Partial<Beside> = {}): Said => {
  const { notes: own, stillOpen, head, isAnswer, left: before } = { ...nothingBeside, ...beside };
  const isPast = ({ kind }: { readonly kind: Note }): boolean => kind === "price" && given.kpis?.max_cpm != null;
  // A later price of the same channel takes the place of an earlier one.
  const whatOf = ({ kind, words }: { readonly kind: Note; readonly words: string }): string =>
    kind === "price" ? words.split(" ", 1).join() : words;
  const isOwn = (one: { readonly kind: Note; readonly words: string }): boolean =>
    own.some((note) => note.kind === one.kind && whatOf(note) === whatOf(one));
  const earlier = (before ?? []).filter((note) => !isPast(note) && !isOwn(note));
  const notes = [...earlier, ...own];
  const { isGuessed, brief: kept } = withObjective(given);
  const { brief, past } = withoutPast(kept, nowMs);
  const notUsed = [...stillOpen, ...notes.filter(({ kind }) => kind !== "said").map(({ words }) => words)];
  const mismatch = { error: "currency_mismatch", message: "Budgets and prices are in USD.", status: 422 };
  const result = notes.some(({ kind }) => kind === "foreign money") ? { result: mismatch } : {};
  const doubts = [...stillOpen, ...notes.filter(({ kind }) => lasting.has(kind)).map(({ words }) => words)];
  const said = {
    outcome: "clarify",
    understood: { ...brief },
    notUsed,
    brief: kept,
    doubts: [...new Set(doubts)],
    ...(before === undefined && own.length === 0 ? {} : { left: notes.filter(({ kind }) => unusable.has(kind)) }),
    isAnswer,
    ...result,
  } as const;
  const told = [
    ...besideWords(notes, brief),
    ...stillOpen.map((one) => (one.includes(inUsd) ? foreignWords(one) : `Still open: "${one}".`)),
  ];
  const words = isAnswer ? told : [...told, ...past];
  const missing = missingWords(brief);
  const isOpen = stillOpen.length > 0 || own.some(({ kind }) => open.has(kind));
  if (missing.length > 0 || isOpen) {
    const next = isOpen ? 'Nothing is started. Say it in other words, or "go on without it".' : "Nothing is started.";
    const isTold = isAnswer || (isOpen && head.length > 0 && missing.length === 0);
    const known = isTold ? [] : missing.length > 0 ? [keptWords(brief)] : fullWords(brief);
    const reason = missing.length > 0 ? "incomplete" : "open_question";
    return { ...said, reason, text: head.join("\n"), standing: [...known, ...words, ...missing, next] };
  }
  const named = withName(brief);
  const parsed = campaignBrief.safeParse(named);
  const problems = parsed.success
    ? briefProblems(parsed.data, nowMs)
    : parsed.error.issues.map(({ message }) => message);
  if (problems.length > 0) {
    const { brief: _kept, ...rest } = said;
    const told = isAnswer ? head : [];
    const standing = [`${problems.map((one) => problemWords(one, brief)).join("; ")}. Nothing is started or changed.`];
    return { ...rest, reason: "invalid_brief", text: told.join("\n"), standing };
  }
  const standing = isAnswer ? words : [...(isGuessed ? [guessWords] : []), ...words];
  const draft = { operation: "create_booking", input: { brief: named } };
  // Without the limit that a price of one channel asks for, a yes would not be one to what was said.
  const isUnasked = own.some(({ kind }) => kind === "price");
  return offered(draft, {
    ...said,
    ...(isUnasked ? { isUnasked } : {}),
    text: head.join("\n"),
    standing,
    understood: { brief: named },
  });
};

const membersOf = ["budget", "start_date", "end_date", "channels", "target_audience", "objectives"] as const;
/** Who says so many members of the open brief again means that brief. */
const leastSame = 3;

/** A brief that is sent again as a whole keeps what was said beside: its name, its client and its prices. */
export const newBrief = (
  { brief, notes }: Applied,
  nowMs: number,
  before: BriefInput | null,
  left: Applied["notes"],
): Said => {
  const same = membersOf.filter(
    (member) => brief[member] !== undefined && isDeepStrictEqual(brief[member], before?.[member]),
  );
  const isSecond = before !== null && Object.keys(before).length > 0;
  if (before === null || same.length < leastSame)
    return shownBrief(brief, nowMs, { notes, left: [], head: isSecond ? [setAsideWords(before)] : [] });
  const whole = { ...before, ...brief };
  return shownBrief(whole, nowMs, { notes, left, head: [changedWords(before, whole)] });
};
