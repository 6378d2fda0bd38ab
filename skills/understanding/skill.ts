import { type Context, defineOperation, type Operation } from "../../protocol/seam/operation.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import { type Act, actOf, plainText } from "./acts.ts";
import { converse as contract } from "./contract.ts";
import { type PlainConsent, plainConsent } from "./consent.ts";
import { askFirst } from "./commit-talk.ts";
import { consented, lifeAfter } from "./consented.ts";
import { readDeal } from "./deal-talk.ts";
import { heardWith, readGiven } from "./given.ts";
import { availability, describe, list, mediaKit, notSold, packages, targeting } from "./inventory-talk.ts";
import { conversationId, conversationKind, type Memory, newMemory, remembered } from "./memory.ts";
import { offer, propose, readNegotiation, readProposal } from "./offer-talk.ts";
import { discounts, price, quote, rateCard, readQuote } from "./price-talk.ts";
import type { ProductFinder } from "./product-finder.ts";
import { type Heard, hear, type Slots } from "./slots.ts";
import type { Spoken, Talk } from "./speech.ts";
import { inForce } from "./terms.ts";

type Answers = Promise<readonly Spoken[]> | Promise<Spoken> | Spoken;

const help =
  "I can show what is on sale, tell prices and availability, issue quotes, negotiate and book deals. " +
  "For example: price of CTV for 5M impressions in March.";

const said = (outcome: Spoken["outcome"], text: string): Spoken => ({ skill: null, outcome, result: null, text });

const acts: Readonly<Record<Act, (talk: Talk) => Answers>> = {
  price,
  quote,
  "read quote": readQuote,
  list,
  describe,
  availability,
  propose,
  "read proposal": readProposal,
  offer,
  "read negotiation": readNegotiation,
  accept: (talk) => askFirst(talk, "negotiation"),
  reject: (talk) => askFirst(talk, "negotiation"),
  book: (talk) => askFirst(talk, "deals"),
  "read deal": readDeal,
  targeting,
  packages,
  "media kit": mediaKit,
  "rate card": rateCard,
  discounts,
  "not sold": notSold,
  greet: () => said("answer", `Hello. ${help}`),
  withhold: () => said("refuse", `I cannot tell that. ${help}`),
  elsewhere: () => said("refuse", `I keep no accounts and no line items: deals are booked from quotes. ${help}`),
  unknown: () => said("clarify", help),
};

/** What a conversation comes to by one message, and what is said. */
interface Turn {
  readonly memory: Memory;
  readonly answers: readonly (Spoken & { readonly understood: Slots })[];
}

const isPresent = ([, value]: readonly [string, unknown]): boolean => value !== null && value !== undefined;

const learn = (memory: Memory, spoken: Spoken): Memory => ({
  ...memory,
  isNegotiating: spoken.isNegotiating ?? memory.isNegotiating,
  terms: Object.fromEntries(Object.entries({ ...memory.terms, ...spoken.learnt }).filter(isPresent)),
});

const smallTalk: ReadonlySet<Act> = new Set(["greet", "unknown", "withhold", "elsewhere"]);

const recordIds = ["quote_id", "proposal_id", "negotiation_id", "deal_id"];

const isMissing = ({ result }: Spoken): boolean => isMembers(result) && /not_found$/.test(String(result["error"]));

/** The memory without the ids that the message named and that the caller has no record of. */
const withoutMissing = (memory: Memory, heard: Heard, spoken: readonly Spoken[]): Memory => {
  if (!spoken.some(isMissing)) return memory;
  const isKept = ([name]: readonly [string, unknown]): boolean =>
    !recordIds.includes(name) || heard.slots[name] === undefined;
  return { ...memory, terms: Object.fromEntries(Object.entries(memory.terms).filter(isKept)) };
};

/** A program that says by its values what it wants done has ordered it as plainly as words can. */
const consentOf = (text: string, act: Act | null): PlainConsent | null => {
  if (act === null) return plainConsent(text);
  return act === "book" && text.trim() === "" ? { kind: "book", isForAll: false } : null;
};

const answer = async (
  context: Context<unknown>,
  finder: ProductFinder,
  message: { readonly text: string; readonly given: Slots; readonly memory: Memory },
): Promise<Turn> => {
  const { text, memory: before } = message;
  const given = readGiven(message.given);
  const heard = heardWith(hear(text, finder, context.nowMs), given, finder);
  const memory = inForce(before, text, heard, given.terms, finder);
  const { terms } = memory;
  const situation = {
    heard,
    asked: memory.asked,
    isNegotiating: memory.isNegotiating,
    hasQuote: terms["quote_id"] !== undefined,
    hasProposal: terms["proposal_id"] !== undefined,
    hasDeal: terms["deal_id"] !== undefined,
  };
  const consent = consentOf(text, given.act);
  const talk = { context, finder, text, heard, memory };
  const act = given.act ?? (consent === null ? actOf(plainText(heard.words), situation) : "book");
  const { spoken, life } =
    consent === null ? { spoken: [await acts[act](talk)].flat(), life: memory.life } : await consented(talk, consent);
  const learnt = spoken.reduce(learn, { ...memory, asked: smallTalk.has(act) ? memory.asked : act });
  const after = withoutMissing(learnt, heard, spoken);
  return {
    memory: { ...after, life: lifeAfter(life, spoken, before.terms, after.terms) },
    answers: spoken.map((one) => ({ ...one, understood: learn({ ...memory, terms: one.about ?? terms }, one).terms })),
  };
};

/**
 * What was answered to a message, by the parsed input of its call: a commit that loses its race calls the handler again
 * with the same input, and nothing must be asked for a second time.
 */
const turns = new WeakMap<object, Promise<Turn>>();

const once = (input: object, begin: () => Promise<Turn>): Promise<Turn> => {
  const turn = turns.get(input) ?? begin();
  turns.set(input, turn);
  return turn;
};

/**
 * The operation `converse` over an agent's own operations. It calls them for the same caller, so a text can do nothing
 * that the caller could not do by name. What the conversation has come to is remembered under its context and its
 * caller, in the commit of the message's own idempotency record.
 */
export const converseWith = (finder: ProductFinder): Operation<unknown> =>
  defineOperation(contract, async (context, input) => {
    const { owner } = context.caller;
    const contextId = input.context_id ?? null;
    const loaded = contextId === null ? null : await context.load(conversationKind, conversationId(owner, contextId));
    const memory = loaded?.body.memory ?? newMemory;
    const turn = await once(input, () => answer(context, finder, { text: input.text, given: input.slots, memory }));
    const output = {
      text: turn.answers.map(({ text }) => text).join("\n"),
      answers: turn.answers.map(({ skill, understood, outcome, result }) => ({ skill, understood, outcome, result })),
    };
    if (contextId === null) return { output };
    const { nowMs } = context;
    return { output, changes: [remembered(loaded, { owner, contextId, memory: turn.memory, nowMs })] };
  });
