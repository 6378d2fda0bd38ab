import { isDeepStrictEqual } from "node:util";
import { conversationMachine } from "../../../machines/conversation/machine.ts";
import { step } from "../../../machines/step.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import { update } from "../../../protocol/seam/changes.ts";
import { type Context, defineOperation, operationsOf } from "../../../protocol/seam/operation.ts";
import { answer } from "./answers.ts";
import * as contract from "./contract.ts";
import { type Memory, newMemory, remembered, talkId, talkKind, withCampaigns } from "./record.ts";
import { type Said, spokenOf, type Talk } from "./talk.ts";

/** Any answer closes what was shown before, unless it shows anew or only answers a question beside it. */
const lifeAfter = ({ life }: Memory, { offer, isBeside }: Said): Memory["life"] => {
  const closing = { type: isBeside === true ? "PASS" : "VOID" } as const;
  const event = offer === undefined ? closing : ({ type: "SHOW", offers: [offer] } as const);
  return step(conversationMachine, life, event) ?? life;
};

const briefsAfter = (memory: Memory, said: Said): Pick<Memory, "brief" | "before" | "doubts"> => {
  const { brief, before } = memory;
  const doubts = said.brief === null || brief === null ? (said.doubts ?? []) : (said.doubts ?? memory.doubts);
  const isChanged = said.brief !== undefined && !isDeepStrictEqual(said.brief, brief);
  return isChanged ? { brief: said.brief ?? null, before: brief, doubts } : { brief, before, doubts };
};

/**
 * By the parsed input: a commit that loses its race calls the handler again with it, and what was taken is not done
 * again.
 */
const taken = new WeakMap<object, Said>();

const saidOnce = async (input: object, talk: Talk): Promise<Said> => {
  const said = taken.get(input) ?? (await answer(talk));
  if (said.isTaken === true) taken.set(input, said);
  return said;
};

const converse = defineOperation(contract.converse, async (context: Context, input) => {
  const { owner } = context.caller;
  const contextId = input.context_id ?? null;
  const load = () => (contextId === null ? null : context.load(talkKind, talkId(owner, contextId)));
  const before = await load();
  const talk = { context, contextId, memory: { ...newMemory, ...before?.body }, text: input.text };
  const said = await saidOnce(input, talk);
  const { text, outcome, understood = {}, result = null, notUsed = [] } = said;
  const one = { skill: "campaigns" as const, outcome, understood: { ...understood }, result, not_used: [...notUsed] };
  const output = { text, answers: [one] };
  if (contextId === null) return { output };
  // What was taken has moved the row already.
  const loaded = said.isTaken === true ? await load() : before;
  const memory: Memory = { ...newMemory, ...loaded?.body };
  const row = {
    owner,
    context_id: contextId,
    ...briefsAfter(memory, said),
    isOfBrief: said.brief != null,
    job: said.job ?? memory.job,
    campaigns: withCampaigns(memory, spokenOf(said)),
    life: lifeAfter(memory, said),
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
  const isStarted = shown[0]?.kind === "campaign";
  const briefs = isStarted ? { brief: null, before: null, doubts: [] } : {};
  const row = { ...loaded.body, ...briefs, life, updated_at_ms: context.nowMs };
  return { output: { taken: true as const }, changes: [update(talkKind, loaded, row)] };
});

/** They have no door but text, so no list or document shows them. */
export const talkOperations = operationsOf([{ converse, takeTalkOffer }]);
