import { isMembers } from "../../protocol/neutral/json-input.ts";
import { type Context, defineOperation, type Operation } from "../../protocol/seam/operation.ts";
import { type OfferKind, openOffers, type Taken } from "../../machines/conversation/machine.ts";
import type { Gate, Numbered, Shown, Took } from "../talk/gate/gate.ts";
import { reading } from "../talk/gate/read-context.ts";
import type { Consent, Draft } from "../talk/gate/record.ts";
import { converse as contract } from "./contract.ts";
import { draftsOf } from "./drafts.ts";
import type { Ears } from "./meaning.ts";
import { conversationId, conversationKind, type Memory, newMemory, remembered } from "./memory.ts";
import { acted, type Acted } from "./picked.ts";
import { conversationIdOf, exchanged } from "./record.ts";
import type { Turn } from "./turn.ts";

/** What a person wrote to a buyer that asked for one, and that no message has brought yet. */
const personsAnswer = async (context: Context, { isHandedOver }: Memory): Promise<string | null> => {
  if (!isHandedOver) return null;
  const outcome = await context.call("list_handovers", { limit: 1 }, { readsOnly: true });
  const handovers = outcome.kind === "done" && isMembers(outcome.output) ? outcome.output["handovers"] : [];
  const [own] = Array.isArray(handovers) ? (handovers as readonly unknown[]) : [];
  return isMembers(own) && typeof own["answer"] === "string" ? own["answer"] : null;
};

/** No yes can mean what was shown beside such words. */
const doubt = new RegExp(
  "\\b(?:not yet|should (?:we|i)|unless|maybe|perhaps|wait|hold on|let me|before (?:i|we)|waiting for)\\b|" +
    "\\b(?:do not|don't|not(?: be)?|never) (?:book|reserve|cancel|accept|send|confirm)|[\"“”„«>]",
  "i",
);

const asks = /\b(?:Shall (?:I|we)|Do you want)\b[^?\n]*\?/;
const question = / ?\b(?:Shall (?:I|we)|Do you want)\b[^?\n]*\?/g;

/** A reply that arms nothing asks nothing; it says how to take what it shows. */
const unasked = (text: string, { options }: Shown): string => {
  const bare = text.replace(question, "");
  if (bare === text || options.length === 0 || /\bSay "/.test(bare)) return bare;
  const [only] = options.length === 1 ? options : [];
  return only === undefined ? `${bare} Say "all" to have it done.` : `${bare} Say "1": ${only.label}.`;
};

interface Offering {
  readonly drafts: readonly (readonly Numbered[])[];
  readonly shown: Shown;
  readonly text: string;
}

const listText = (text: string, { options }: Shown): string => {
  const isNumbered = options.every(({ n, input }) =>
    Object.values(input).some((id) => typeof id === "string" && text.includes(`${n}. `) && text.includes(id)),
  );
  return options.length < 2 || isNumbered
    ? text
    : [text, ...options.map(({ n, label }) => `${n}. ${label}`)].join("\n");
};

const subjects = ["deal_id", "negotiation_id", "quote_id", "proposal_id", "cr_id", "product_id"];

/** A new offer for the same thing stands for the one before. */
const isOfSame = (left: Draft, right: Draft): boolean => {
  const subject = subjects.find((name) => left.input[name] !== undefined);
  return left.operation === right.operation && subject !== undefined && left.input[subject] === right.input[subject];
};

const isReplaced = ({ topics = [] }: Memory, { operation, input }: Draft): boolean =>
  operation === "book_deal" &&
  topics.some(({ terms, isReplaced: isOver }) => isOver && terms["quote_id"] === input["quote_id"]);

/** What the turn offers, as options of the gate. */
const offered = async (context: Context, gate: Gate, { finder }: Ears, { turn, desk }: Acted, said: string) => {
  const { contextId } = desk;
  const { lines = [] } = turn.memory;
  const drafts = turn.answers.map(({ offers = [], again = [] }): readonly Numbered[] =>
    contextId === null ? [] : [...offers.flatMap((offer) => draftsOf(offer, contextId, finder)), ...again],
  );
  const isOfLines = drafts.flat().every(({ input }) => lines.includes(String(input["quote_id"])));
  const numbered = (draft: Numbered): Numbered =>
    isOfLines ? { ...draft, n: lines.indexOf(String(draft.input["quote_id"])) + 1 } : draft;
  const all = drafts.flat();
  const open = gate.close(
    desk,
    (one) => isReplaced(turn.memory, one) || all.some((draft) => isOfSame(draft, one) && draft !== one),
  );
  const arm = asks.test(turn.text) && !doubt.test(said);
  const isElsewhere = turn.memory.life.value === "idle";
  const shown = await gate.show(context, open, all.map(numbered), { arm, isElsewhere });
  const isArmed = shown.desk.row.armed !== null || all.length === 0;
  const text = listText(isArmed ? turn.text : unasked(turn.text, shown), shown);
  return { drafts, shown, text };
};

const answersOf = ({ answers }: Turn, { drafts, shown }: Offering) =>
  answers.map(({ offers: _offers, again: _again, ...one }, place) => {
    const options = shown.options.filter(({ input }) => drafts[place]?.some((draft) => draft.input === input) === true);
    const armed = options.find(({ option }) => option === shown.desk.row.armed)?.option ?? null;
    return { ...one, not_used: [...one.not_used], options: options.map((option) => ({ ...option })), armed };
  });

const kinds: Readonly<Record<string, OfferKind>> = {
  book_deal: "quote",
  generate_deal: "proposal",
  submit_proposal: "submission",
  cancel_deal: "cancellation",
  withdraw_proposal: "withdrawal",
  withdraw_change_request: "take back",
  request_handover: "hand over",
  request_quote: "request",
};

const kindOf = ({ operation, input: { action } }: Draft): OfferKind => {
  if (operation !== "negotiate") return kinds[operation] ?? "change";
  return action === "accept" ? "counter" : action === "reject" ? "rejection" : "bid";
};

/** For the conversation's record, which operators read: with the record's own digest, where it has one. */
const offerOf = (took: Took, by: Consent, atMs: number): Taken => {
  const { option } = took;
  const { input } = option;
  const [id] = subjects.flatMap((name) => (typeof input[name] === "string" ? [input[name]] : []));
  const own = took.kind === "done" && isMembers(took.output) ? took.output["terms_digest"] : null;
  const digest = typeof own === "string" ? own : option.digest;
  return { kind: kindOf(option), id: id ?? option.option, digest, change: { ...input }, by, atMs };
};

const brought = (answer: string | null, text: string): string =>
  answer === null ? text : `A person of our team answers you: "${answer}"\n${text}`;

/**
 * Calls the agent's operations for the same caller, so a text can do nothing that the caller could not. The memory is
 * committed with the message's idempotency record.
 */
export const converseWith = (ears: Ears, gate: Gate): Operation<unknown> =>
  defineOperation(contract, async (context, input) => {
    const { caller, nowMs } = context;
    const { owner } = caller;
    const contextId = input.context_id ?? null;
    const loaded = contextId === null ? null : await context.load(conversationKind, conversationId(owner, contextId));
    const stored = { ...newMemory, ...loaded?.body.memory };
    const person = await personsAnswer(context, stored);
    const memory = person === null ? stored : { ...stored, isHandedOver: false };
    const message = { text: input.text, data: input.slots, memory };
    const done = await acted({ context, read: reading(context), ears, gate }, message, contextId, input);
    const offering = await offered(context, gate, ears, done, input.text);
    const text = brought(person, offering.text);
    const output = { text, answers: answersOf(done.turn, offering) };
    if (contextId === null) return { output };
    const agreed = done.taken.map(({ took, by }) => offerOf(took, by, nowMs));
    const { life } = done.turn.memory;
    const taken = [...life.context.taken, ...agreed];
    const exchange = {
      owner,
      conversation_id: conversationIdOf(owner, contextId),
      said: input.text,
      answered: text,
      understood: done.turn.answers.map(({ skill, outcome }) => ({ skill, outcome })),
      shown: openOffers(life),
      agreed,
      at_ms: nowMs,
    };
    const kept = { ...done.turn.memory, life: { ...life, context: { ...life.context, taken } } };
    const changes = [
      remembered(loaded, { owner, contextId, memory: kept, nowMs }),
      exchanged(exchange, loaded?.body.exchanges ?? 0),
      ...gate.changes(offering.shown.desk),
    ];
    return { output, changes };
  });
