import { isDeepStrictEqual } from "node:util";
import { type Context, defineOperation, type Operation } from "../../../protocol/seam/operation.ts";
import type { Desk, Gate, Shown } from "../../talk/gate/gate.ts";
import { type Picked, picked } from "../../talk/gate/pick.ts";
import { readOnly } from "../../talk/gate/read-context.ts";
import { answer, answerRest, yesBeside } from "./answers.ts";
import { dropped } from "./consent.ts";
import * as contract from "./contract.ts";
import { questionOf } from "./deeds.ts";
import { type Memory, newMemory, remembered, talkId, talkKind, withCampaigns } from "./record.ts";
import { saidOfTook } from "./taken.ts";
import { kindOf, type Said, spokenOf, type Talk } from "./talk.ts";
import { after, joined } from "./turn/turn.ts";

const briefsAfter = (memory: Memory, said: Said): Pick<Memory, "brief" | "before" | "doubts"> => {
  const { brief, before } = memory;
  const doubts = said.brief === null || brief === null ? (said.doubts ?? []) : (said.doubts ?? memory.doubts);
  const isChanged = said.brief !== undefined && !isDeepStrictEqual(said.brief, brief);
  return isChanged ? { brief: said.brief ?? null, before: brief, doubts } : { brief, before, doubts };
};

interface Message {
  readonly text: string;
  readonly slots: Readonly<Record<string, unknown>>;
}

interface Room {
  readonly context: Context;
  readonly gate: Gate;
  readonly desk: Desk;
  readonly talk: Talk;
}

interface Choice {
  readonly pick: Picked;
  /** What the message says besides a yes. */
  readonly rest: readonly string[];
}

const choiceOf = async ({ context, gate, desk, talk }: Room, { text, slots }: Message): Promise<Choice> => {
  const { nowMs } = context;
  const pick = picked(gate, desk, { text, data: slots }, nowMs);
  const part = pick.kind === "none" ? await yesBeside(talk) : null;
  const own = part === null ? pick : picked(gate, desk, { text: part.done, data: {} }, nowMs);
  return part !== null && own.kind === "take" ? { pick: own, rest: part.rest } : { pick, rest: [] };
};

/** By the parsed input: a commit that loses its race calls the handler again with it, and finds taken what it took. */
const choices = new WeakMap<object, Promise<Choice>>();

interface Acted {
  readonly said: Said;
  readonly desk: Desk;
}

/** A pick is taken, and anything else is read by what cannot write. */
const acted = async (room: Room, input: Message): Promise<Acted> => {
  const { context, gate, desk, talk } = room;
  const choice = choices.get(input) ?? choiceOf(room, input);
  choices.set(input, choice);
  const { pick, rest } = await choice;
  if (pick.kind === "take") {
    const { desk: left, took } = await gate.take(context, desk, pick.takes, input);
    const done: Said[] = [];
    for (const one of took) done.push(await saidOfTook(talk, one));
    const now = done.reduce(after, { ...talk, asked: null, held: null });
    return { said: joined([...done, ...(await answerRest(now, rest))]), desk: left };
  }
  // Numbers in words are those of a campaign's lines; a data part names nothing but options.
  if (pick.kind === "wrong" && ("option" in input.slots || "options" in input.slots))
    return { said: { outcome: "clarify", text: pick.why, isBeside: true }, desk };
  const said = await answer(talk);
  if (pick.kind !== "no" || desk.row.open.length === 0) return { said, desk };
  return { said: said.draft === undefined ? said : await dropped(talk), desk: gate.close(desk, () => true) };
};

/** One thing is open at a time, and of a brief that has changed nothing is. */
const withoutOlder = (gate: Gate, desk: Desk, { draft, brief }: Said): Desk =>
  gate.close(desk, (one) =>
    draft === undefined ? brief !== undefined && kindOf(one) === "start" : !isDeepStrictEqual(draft.input, one.input),
  );

const textOf = ({ text }: Said, { options, refused, desk }: Shown): string =>
  [
    text,
    ...refused.map(({ refusal }) => `${refusal.message} Nothing is done.`),
    ...options.flatMap((option) =>
      option.option === desk.row.armed ? [option.terms, questionOf(option)] : [option.terms],
    ),
  ]
    .map((words) => words.trim())
    .filter((words) => words !== "")
    .join("\n");

const talkOf = (context: Context, memory: Memory, text: string, { row }: Desk): Talk => {
  const asked = row.open.find(({ option }) => option === row.armed) ?? null;
  const held = asked === null && row.takesOrders ? (row.open.at(-1) ?? null) : null;
  return { context: readOnly(context), memory, text, asked, held };
};

/** Calls the agent's operations for the same caller, so a text can do nothing that the caller could not. */
export const converseWith = (gate: Gate): Operation =>
  defineOperation(contract.converse, async (context: Context, input) => {
    const { owner } = context.caller;
    const contextId = input.context_id ?? null;
    const loaded = contextId === null ? null : await context.load(talkKind, talkId(owner, contextId));
    const memory = { ...newMemory, ...loaded?.body };
    const desk = await gate.open(context, contextId);
    const talk = talkOf(context, memory, input.text, desk);
    const { said, desk: left } = await acted({ context, gate, desk, talk }, input);
    const drafts = said.draft === undefined ? [] : [said.draft];
    const shown = await gate.show(context, withoutOlder(gate, left, said), drafts, {
      arm: contextId !== null,
      isElsewhere: said.isBeside !== true,
      isUnnumbered: true,
    });
    const { outcome, understood = {}, result = null, notUsed = [] } = said;
    const text = textOf(said, shown);
    const { armed } = shown.desk.row;
    const options = shown.options.map((option) => ({ ...option }));
    const reply = { outcome, understood: { ...understood }, result, not_used: [...notUsed], options, armed };
    const output = { text, answers: [{ skill: "campaigns" as const, ...reply }] };
    if (contextId === null) return { output };
    const row = {
      owner,
      context_id: contextId,
      ...briefsAfter(memory, said),
      isOfBrief: said.brief != null,
      job: said.job ?? memory.job,
      campaigns: withCampaigns(memory, spokenOf(said)),
      updated_at_ms: context.nowMs,
    };
    return { output, changes: [remembered(loaded, row), ...gate.changes(shown.desk)] };
  });
