import { type Context, defineOperation, type Operation } from "../../protocol/seam/operation.ts";
import { converse as contract } from "./contract.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import { agreedSince, openOffers } from "../../machines/conversation/machine.ts";
import { conversationIdOf, exchanged } from "./record.ts";
import { conversationId, conversationKind, type Memory, newMemory, remembered } from "./memory.ts";
import type { Ears } from "./meaning.ts";
import { answer, type Turn } from "./turn.ts";

/**
 * By the parsed input: a commit that loses its race calls the handler again with it, and nothing may be asked for
 * twice.
 */
const turns = new WeakMap<object, Promise<Turn>>();

const once = (input: object, begin: () => Promise<Turn>): Promise<Turn> => {
  const turn = turns.get(input) ?? begin();
  turns.set(input, turn);
  return turn;
};

/** What a person wrote to a buyer that asked for one, and that no message has brought yet. */
const personsAnswer = async (context: Context<unknown>, { isHandedOver }: Memory): Promise<string | null> => {
  if (!isHandedOver) return null;
  const outcome = await context.call("list_handovers", { limit: 1 });
  const handovers = outcome.kind === "done" && isMembers(outcome.output) ? outcome.output["handovers"] : [];
  const [own] = Array.isArray(handovers) ? (handovers as readonly unknown[]) : [];
  return isMembers(own) && typeof own["answer"] === "string" ? own["answer"] : null;
};

interface Message {
  readonly text: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly memory: Memory;
}

/** Brings a person's answer, and asks for a person where the text does. */
const answerWithPeople = async (
  context: Context<unknown>,
  ears: Ears,
  { memory: stored, ...message }: Message,
  contextId: string | null,
): Promise<Turn> => {
  const brought = await personsAnswer(context, stored);
  const memory = brought === null ? stored : { ...stored, isHandedOver: false };
  const turn = await answer(context, ears, { ...message, memory });
  const wish = turn.events.find(({ event_type: type }) => type === "handover.requested");
  if (wish !== undefined) await context.call("request_handover", { ...wish.payload, context_id: contextId });
  return {
    ...turn,
    text: brought === null ? turn.text : `A person of our team answers you: "${brought}"\n${turn.text}`,
    events: turn.events.filter((event) => event !== wish),
  };
};

/**
 * Calls the agent's operations for the same caller, so a text can do nothing that the caller could not. The memory is
 * committed with the message's idempotency record.
 */
export const converseWith = (ears: Ears): Operation<unknown> =>
  defineOperation(contract, async (context, input) => {
    const { owner } = context.caller;
    const contextId = input.context_id ?? null;
    const loaded = contextId === null ? null : await context.load(conversationKind, conversationId(owner, contextId));
    const memory = { ...newMemory, ...loaded?.body.memory };
    const message = { text: input.text, given: input.slots, memory };
    const turn = await once(input, () => answerWithPeople(context, ears, message, contextId));
    const output = {
      text: turn.text,
      answers: turn.answers.map((one) => ({ ...one, not_used: [...one.not_used] })),
    };
    const { events } = turn;
    if (contextId === null) return { output, events };
    const { nowMs } = context;
    const exchange = {
      owner,
      conversation_id: conversationIdOf(owner, contextId),
      said: input.text,
      answered: turn.text,
      understood: turn.answers.map(({ skill, outcome }) => ({ skill, outcome })),
      shown: openOffers(turn.memory.life),
      agreed: agreedSince(memory.life, turn.memory.life),
      at_ms: nowMs,
    };
    const changes = [
      remembered(loaded, { owner, contextId, memory: turn.memory, nowMs }),
      exchanged(exchange, loaded?.body.exchanges ?? 0),
    ];
    return { output, changes, events };
  });
