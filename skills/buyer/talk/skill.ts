import { conversationMachine } from "../../../machines/conversation/machine.ts";
import { step } from "../../../machines/step.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import { update } from "../../../protocol/seam/changes.ts";
import { type Context, defineOperation, operationsOf } from "../../../protocol/seam/operation.ts";
import { answer, type Said } from "./answers.ts";
import * as contract from "./contract.ts";
import { type Memory, newMemory, remembered, talkId, talkKind } from "./record.ts";

/** Any answer closes what was shown before, unless it shows anew. */
const lifeAfter = ({ life }: Memory, { offer }: Said): Memory["life"] => {
  const event = offer === undefined ? ({ type: "VOID" } as const) : ({ type: "SHOW", offers: [offer] } as const);
  return step(conversationMachine, life, event) ?? life;
};

const converse = defineOperation(contract.converse, async (context: Context, input) => {
  const { owner } = context.caller;
  const contextId = input.context_id ?? null;
  const loaded = contextId === null ? null : await context.load(talkKind, talkId(owner, contextId));
  const memory: Memory = { ...newMemory, ...loaded?.body };
  const said = await answer({ context, contextId, memory, text: input.text });
  const { text, outcome, understood = {}, result = null, notUsed = [] } = said;
  const one = { skill: "campaigns" as const, outcome, understood: { ...understood }, result, not_used: [...notUsed] };
  const output = { text, answers: [one] };
  if (contextId === null || said.isTaken === true) return { output };
  const life = lifeAfter(memory, said);
  const row = {
    owner,
    context_id: contextId,
    brief: said.brief === undefined ? memory.brief : said.brief,
    life,
    updated_at_ms: context.nowMs,
  };
  return { output, changes: [remembered(loaded, row)] };
});

const takeTalkOffer = defineOperation(contract.takeTalkOffer, async (context: Context, input) => {
  const loaded = await context.load(talkKind, talkId(context.caller.owner, input.context_id));
  const shown = loaded?.body.life.context.shown ?? [];
  const isShown = shown.length === 1 && shown[0]?.digest === input.digest;
  const taking = { type: "TAKE", by: "yes", nowMs: context.nowMs } as const;
  const life = loaded === null || !isShown ? null : step(conversationMachine, loaded.body.life, taking);
  if (loaded === null || life === null) {
    return refuse("invalid_status", { message: "What was shown is answered already. Ask for the status." });
  }
  const row = { ...loaded.body, life, brief: null, updated_at_ms: context.nowMs };
  return { output: { taken: true as const }, changes: [update(talkKind, loaded, row)] };
});

/** They have no door but text, so no list or document shows them. */
export const talkOperations = operationsOf([{ converse, takeTalkOffer }]);
