import { bugBody, refusalBody } from "../../../protocol/neutral/refusal-body.ts";
import type { Reading } from "../../talk/gate/read-context.ts";
import type { Numbered } from "../../talk/gate/gate.ts";
import type { Draft } from "../../talk/gate/record.ts";
import type { ProductFinder } from "../../talk/reader/names/product-finder.ts";
import { type Memory, type Row, type Slots, type Topic, withNotes } from "./memory.ts";
import type { Request } from "./requests.ts";

export type Skill = "discovery" | "pricing" | "proposals" | "negotiation" | "deals";

export type SpokenOutcome =
  | "answer"
  | "quoted"
  | "clarify"
  | "refuse"
  | "counter"
  | "accepted"
  | "rejected"
  | "booked"
  | "pending";

/** Data for programs, sentences for people. */
export interface Spoken {
  readonly skill: Skill | null;
  readonly outcome: SpokenOutcome;
  readonly result: unknown;
  readonly text: string;
  /** What may be done next, each shown as an option, which alone can do it. */
  readonly drafts?: readonly Numbered[];
  /** The reply asks about the one option that it shows. */
  readonly asks?: string;
  /** The terms of this answer, where they are not those in force. */
  readonly about?: Slots;
  /** Null removes a term. */
  readonly learnt?: Slots;
  readonly topic?: Topic;
  readonly rows?: readonly Row[];
  /** How many lines of the text have a number of their own. */
  readonly numbered?: number;
  readonly isHandedOver?: boolean;
  /** Offered when what this answer offers is done. */
  readonly next?: readonly Draft[];
  /** A code that says why the request was not done. */
  readonly reason?: string;
  /** Open options of these operations are closed. */
  readonly closes?: readonly string[];
  /** Wanted no more. */
  readonly dropped?: readonly string[];
}

export interface Talk {
  readonly context: Reading;
  readonly finder: ProductFinder;
  readonly memory: Memory;
  readonly request: Request;
  /** What words like "the first one" mean; undefined where the message names what it is about. */
  readonly meant?: Topic;
  /** The products that the request is about. */
  readonly ids: readonly string[];
  /** In force for this request. */
  readonly terms: Slots;
  /** Open options of the conversation. */
  readonly open: readonly Draft[];
}

/** The operation that asks a person. */
export const toPerson = "request_handover";

/** For a person, of one message. */
export const longestWords = 500;

/** What the next booking tells the seller; empty where nothing was noted. */
export const carriedText = ({ memory, request }: Pick<Talk, "memory" | "request">): string => {
  const notes = withNotes(memory.notes, request.said.notes);
  return notes.length === 0 ? "" : ` The booking will carry: ${notes.join("; ")}.`;
};

export const tell = (skill: Skill | null, text: string, more: Partial<Spoken> = {}): Spoken => ({
  skill,
  outcome: "answer",
  result: null,
  text,
  ...more,
});

export const clarify = (skill: Skill | null, text: string, more: Partial<Spoken> = {}): Spoken =>
  tell(skill, text, { outcome: "clarify", ...more });

/** What a reply says; its outcome is an answer, and its result the output, unless it says otherwise. */
export type Worded = Partial<Omit<Spoken, "skill">> & Pick<Spoken, "text">;

type Outcome = Awaited<ReturnType<Reading["call"]>>;

export const saidOfRefusal = (
  skill: Skill | null,
  { refusal, status }: Omit<Extract<Outcome, { readonly kind: "refused" }>, "kind">,
): Spoken => {
  const result: Slots = { ...refusalBody(refusal), status };
  const issue = refusal.issues?.[0]?.msg;
  const text = issue === undefined ? refusal.message : `${refusal.message} ${issue}`;
  return { skill, outcome: "refuse", result, text, reason: String(result["error"]) };
};

/** The answer of an operation that only reads, in the words of `say`; a refusal has its own. */
export const ask = async (
  { context }: Pick<Talk, "context">,
  skill: Skill | null,
  name: string,
  input: Slots,
  say: (output: Slots) => Worded,
): Promise<Spoken> => {
  const outcome = await context.call(name, input);
  if (outcome.kind === "done")
    return { skill, outcome: "answer", result: outcome.output, ...say(outcome.output as Slots) };
  if (outcome.kind === "refused") return saidOfRefusal(skill, outcome);
  const result = bugBody(outcome.requestId);
  return { skill, outcome: "refuse", result, text: "Something went wrong on our side." };
};

/** Nothing is done where a number or a yes may mean several. */
export const whichOf = (drafts: readonly Draft[]): Spoken =>
  clarify("deals", "Nothing was done. Which of these do you mean?", { drafts, reason: "several" });

/** The output of an operation that only reads, or null. */
export const read = async ({ context }: Pick<Talk, "context">, name: string, input: Slots): Promise<Slots | null> => {
  const outcome = await context.call(name, input);
  return outcome.kind === "done" ? (outcome.output as Slots) : null;
};

/** One after the other, so that each sees what those before it did. */
export const inTurn = async <T, R>(all: Iterable<T>, of: (one: T) => Promise<R>): Promise<readonly R[]> => {
  const told: R[] = [];
  for (const one of all) told.push(await of(one));
  return told;
};
