import type { z } from "zod";
import { refusalBody } from "../../../protocol/neutral/refusal-body.ts";
import type { Readable, ReadContext } from "../../talk/gate/read-context.ts";
import type { Draft } from "../../talk/gate/record.ts";
import type { BriefInput } from "./brief/form.ts";
import type { Situation } from "./reader/request.ts";
import type { Memory } from "./record.ts";

export interface Said {
  readonly outcome: "answer" | "clarify" | "refuse" | "started" | "booked" | "cancelled";
  /** Without the terms of the draft, which the gate adds as it renders them. */
  readonly text: string;
  /** How the brief stands: told once, behind the answers to all parts of the message. */
  readonly standing?: readonly string[];
  readonly result?: unknown;
  readonly understood?: Readonly<Record<string, unknown>>;
  readonly notUsed?: readonly string[];
  /** Why what was asked for was not done, as a code. */
  readonly reason?: string;
  /** To be shown as an option, which a yes takes unless it `isUnasked`. */
  readonly draft?: Draft;
  /** Of other parts of the message: options beside the draft, none of which a yes takes. */
  readonly others?: readonly Draft[];
  readonly isUnasked?: boolean;
  /** Terms that were shown before and are the same need not be told again beside it. */
  readonly isAnswer?: boolean;
  /** It only answers: an order without a name still means what was shown before. */
  readonly isBeside?: boolean;
  /** Left out: the open brief stays as it is. */
  readonly brief?: BriefInput | null;
  /** What stays open about the brief; left out as the brief is. */
  readonly doubts?: readonly string[];
  /** What was said of the brief and a start leaves out; left out as the brief is. */
  readonly left?: Memory["left"];
  /** What words without a name mean from now on. */
  readonly job?: Memory["job"];
  /** Ids of the campaigns that it speaks of. */
  readonly about?: readonly string[];
  /** What may be said next, by its number. */
  readonly menu?: readonly string[];
  /** What a short message after it may go on with. */
  readonly topic?: string;
  /** Numbers of the lines that it speaks of. */
  readonly lines?: readonly number[];
}

export interface Talk {
  readonly context: ReadContext;
  readonly memory: Memory;
  readonly situation: Situation;
  /** What the last reply asked about. */
  readonly asked: Draft | null;
  /** Shown before the last question; several of the last reply. */
  readonly held: readonly Draft[];
  /** All that was shown and is not taken, the newest last. */
  readonly open: readonly Draft[];
}

export type Fetched<T> = { readonly output: T } | { readonly failed: Said };

export const called = async <I extends z.ZodType, O extends z.ZodType>(
  { context }: Pick<Talk, "context">,
  contract: Readable<I, O>,
  input: z.input<I>,
): Promise<Fetched<z.output<O>>> => {
  const found = await context.call(contract, input);
  if (found.kind === "done") return { output: found.output };
  const { refusal, status } = found;
  const result = { ...refusalBody(refusal), ...(status === undefined ? {} : { status }) };
  return { failed: { outcome: "refuse", text: refusal.message, result } };
};

export const spokenOf = ({ job, about = [] }: Said): readonly string[] => [...about, ...(job == null ? [] : [job.id])];

export const offered = (draft: Draft, more: Partial<Said> = {}): Said => ({
  outcome: "clarify",
  text: "",
  understood: draft.input,
  ...more,
  draft,
});

export const answered = (text: string | readonly string[], more: Partial<Said> = {}): Said => ({
  outcome: "answer",
  text: typeof text === "string" ? text : text.join("\n"),
  ...more,
});

export type DraftKind = "start" | "book" | "drop" | "cancel campaign" | "cancel deal";

/** An approval of no line drops all that wait. */
export const kindOf = ({ operation, input }: Draft): DraftKind => {
  const { recommendation_ids: ids } = input;
  switch (operation) {
    case "create_booking":
      return "start";
    case "approve_booking":
      return Array.isArray(ids) && ids.length > 0 ? "book" : "drop";
    case "replan_booking":
      return "drop";
    case "cancel_booking":
      return "cancel campaign";
    default:
      return "cancel deal";
  }
};
