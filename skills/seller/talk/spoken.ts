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

/** What the next booking tells the seller; empty where nothing was noted. */
export const carriedText = ({ memory, request }: Pick<Talk, "memory" | "request">): string => {
  const notes = withNotes(memory.notes, request.said.notes);
  return notes.length === 0 ? "" : ` The booking will carry: ${notes.join("; ")}.`;
};

export const clarify = (skill: Skill | null, text: string, more: Partial<Spoken> = {}): Spoken => ({
  skill,
  outcome: "clarify",
  result: null,
  text,
  ...more,
});

export const tell = (skill: Skill | null, text: string, more: Partial<Spoken> = {}): Spoken => ({
  skill,
  outcome: "answer",
  result: null,
  text,
  ...more,
});

type Outcome = Awaited<ReturnType<Reading["call"]>>;

export const settled = (
  skill: Skill | null,
  outcome: Outcome,
  say: (output: Slots) => Omit<Spoken, "skill">,
): Spoken => {
  if (outcome.kind === "done") return { skill, ...say(outcome.output as Slots) };
  if (outcome.kind === "bug") {
    const result = bugBody(outcome.requestId);
    return { skill, outcome: "refuse", result, text: "Something went wrong on our side." };
  }
  const result: Slots = { ...refusalBody(outcome.refusal), status: outcome.status };
  const issue = outcome.refusal.issues?.[0]?.msg;
  const text = issue === undefined ? outcome.refusal.message : `${outcome.refusal.message} ${issue}`;
  return { skill, outcome: "refuse", result, text, reason: String(result["error"]) };
};

export const ask = async (
  { context }: Pick<Talk, "context">,
  skill: Skill,
  call: { readonly name: string; readonly input: Slots },
  say: (output: Slots) => Omit<Spoken, "skill">,
): Promise<Spoken> => settled(skill, await context.call(call.name, call.input), say);

/** The output of an operation that only reads, or null. */
export const read = async ({ context }: Pick<Talk, "context">, name: string, input: Slots): Promise<Slots | null> => {
  const outcome = await context.call(name, input);
  return outcome.kind === "done" ? (outcome.output as Slots) : null;
};
