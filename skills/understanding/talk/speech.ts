import type { Reading } from "../../talk/gate/read-context.ts";
import { bugBody, refusalBody } from "../../../protocol/neutral/refusal-body.ts";
import type { Draft } from "../../talk/gate/record.ts";
import type { Offer } from "../../../machines/conversation/machine.ts";
import type { Memory, Topic } from "../memory.ts";
import type { Act } from "../reading/choice/acts.ts";
import type { ProductFinder } from "../reading/product-finder.ts";
import type { Heard, Slots } from "../reading/slots.ts";

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

/** Data for programs, the sentence for people. */
export interface Spoken {
  readonly skill: Skill | null;
  readonly outcome: SpokenOutcome;
  readonly result: unknown;
  readonly text: string;
  /** The terms of this answer, where they are not those in force. */
  readonly about?: Slots;
  /** Null removes a term. */
  readonly learnt?: Slots;
  readonly isNegotiating?: boolean;
  readonly isHandedOver?: true;
  /** Wanted no more. */
  readonly dropped?: readonly Topic[];
  /** Each is shown as an option, which alone can do it. */
  readonly offers?: readonly Offer[];
  /** Options shown again, with the terms of now. */
  readonly again?: readonly Draft[];
}

export interface Talk {
  readonly context: Reading;
  readonly finder: ProductFinder;
  readonly text: string;
  readonly heard: Heard;
  /** Values beside the text: a program has said them as plainly as can be. */
  readonly given: Slots;
  readonly memory: Memory;
  /** What the message may ask for, the likeliest first. */
  readonly likely: readonly Act[];
}

export const clarify = (skill: Skill, text: string): Spoken => ({ skill, outcome: "clarify", result: null, text });

type Outcome = Awaited<ReturnType<Reading["call"]>>;

export const settled = (skill: Skill, outcome: Outcome, say: (output: Slots) => Omit<Spoken, "skill">): Spoken => {
  if (outcome.kind === "done") return { skill, ...say(outcome.output as Slots) };
  if (outcome.kind === "bug") {
    const result = bugBody(outcome.requestId);
    return { skill, outcome: "refuse", result, text: "Something went wrong on our side." };
  }
  const result = { ...refusalBody(outcome.refusal), status: outcome.status };
  const issue = outcome.refusal.issues?.[0]?.msg;
  const text = issue === undefined ? outcome.refusal.message : `${outcome.refusal.message} ${issue}`;
  return { skill, outcome: "refuse", result, text };
};

export const ask = async (
  { context }: Talk,
  skill: Skill,
  call: { readonly name: string; readonly input: Slots },
  say: (output: Slots) => Omit<Spoken, "skill">,
): Promise<Spoken> => settled(skill, await context.call(call.name, call.input), say);

/** Without a code it is one of the seller's own lists, which are in USD. */
export const money = (value: unknown, currency: unknown = "USD"): string =>
  Number(value).toLocaleString("en-US", { style: "currency", currency: String(currency) });

export const usd = (value: unknown): string => money(value);

export const count = (value: unknown): string => Number(value).toLocaleString("en-US");

/** Of a timestamp, to the minute. */
export const moment = (at: unknown): string => `${String(at).slice(0, 10)}, ${String(at).slice(11, 16)} UTC`;

/** The first names what the others are. */
export const asLines = (title: string, lines: readonly string[]): string =>
  [title, ...lines.map((line) => `- ${line}`)].join("\n");

export const pick = (terms: Slots, names: readonly string[]): Slots =>
  Object.fromEntries(names.flatMap((name) => (terms[name] === undefined ? [] : [[name, terms[name]]])));

const mostNamed = 6;

export const productQuestion = ({ heard, finder, memory }: Talk): string => {
  const named = heard.inventory.flatMap((one) => one.products);
  const type = memory.terms["inventory_type"];
  const products =
    named.length > 1 || typeof type !== "string" ? named : finder.find(type.replaceAll("_", " ")).products;
  if (products.length < 2) return "Which product do you mean? Give its name or id.";
  const names = products.slice(0, mostNamed).map((product) => product.name);
  return `Which product do you mean: ${names.join(", ")}?`;
};
