import { defineOperation, type Operation } from "../../protocol/seam/operation.ts";
import { converse as contract } from "./contract.ts";
import { conversationId, conversationKind, newMemory, remembered } from "./memory.ts";
import { answer, type Ears, type Turn } from "./turn.ts";

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
    const turn = await once(input, () => answer(context, ears, { text: input.text, given: input.slots, memory }));
    const output = {
      text: turn.text,
      answers: turn.answers.map((one) => ({ ...one, not_used: [...one.not_used] })),
    };
    const { events } = turn;
    if (contextId === null) return { output, events };
    const { nowMs } = context;
    return { output, changes: [remembered(loaded, { owner, contextId, memory: turn.memory, nowMs })], events };
  });
