import { isDeepStrictEqual } from "node:util";
import { type Context, defineOperation, type Loaded, type Operation } from "../../../protocol/seam/operation.ts";
import type { BuyerContext, BuyerPorts } from "../ports.ts";
import type { Desk, Gate, Shown, Take } from "../../talk/gate/gate.ts";
import { beginsExactly, exactly, longestExact } from "../../talk/gate/exact.ts";
import { type Picked, picked } from "../../talk/gate/pick.ts";
import { readOnly } from "../../talk/gate/read-context.ts";
import { refused } from "./commands.ts";
import * as contract from "./contract.ts";
import { questionOf, untakenOf } from "./deeds.ts";
import { namesOrder } from "./reader/of-campaign.ts";
import { noPick, type Pick as LinePick } from "./reader/lines.ts";
import { isIn, lists, saysPhrase } from "./reader/words.ts";
import type { Reader, Reading, Request, Situation } from "./reader/request.ts";
import {
  type Memory,
  newMemory,
  remembered,
  talkId,
  talkKind,
  type TalkRow,
  withCampaigns,
  withoutBrief,
} from "./record.ts";
import { shownBrief } from "./brief/shown.ts";
import { notUsedWords } from "./brief/wording.ts";
import { exampleOf, waitingLines } from "./replies/job.ts";
import { stillAsked, withHeldBack } from "./still-asked.ts";
import { saidOfTook } from "./taken.ts";
import { answered, kindOf, offered, type Said, spokenOf, type Talk } from "./talk.ts";
import { after, answersTo, areContrary, beside, isBeside, joined, menuOf, lastPlaceOf, placesOf } from "./turn.ts";
import { jobOf, listedJobs } from "./which.ts";

const briefsAfter = (memory: Memory, said: Said): Pick<Memory, "brief" | "before" | "doubts" | "left"> => {
  const { brief, before } = memory;
  const doubts = said.brief === null || brief === null ? (said.doubts ?? []) : (said.doubts ?? memory.doubts);
  const isChanged = said.brief !== undefined && !isDeepStrictEqual(said.brief, brief);
  const left = said.brief === null ? [] : (said.left ?? memory.left);
  return isChanged ? { brief: said.brief ?? null, before: brief, doubts, left } : { brief, before, doubts, left };
};

interface Message {
  readonly text: string;
  readonly slots: Readonly<Record<string, unknown>>;
}

interface Room {
  readonly context: BuyerContext;
  readonly gate: Gate;
  readonly desk: Desk;
  readonly talk: Talk;
  readonly reader: Reader;
}

interface Choice {
  readonly pick: Picked;
  /** What the message says besides a yes. */
  readonly rest: Reading | null;
  /** It begins with a yes or an order that what follows may change. */
  readonly isHeldBack: boolean;
}

const mostRead = 6000;

const noPickMade = { kind: "none", orders: [] } as const;

/** "Sure", "ok" and "go for it" may be no more than a courtesy before a question. */
const plainYes = /^\s*(?:yes|yep|yeah|ja|sí|si|oui|sim)\b/i;

/** "Yes, and the other one too" of a cancellation is one more cancellation, and no order to book. */
const ofSameDeed = (takes: readonly Take[], reading: Reading): Reading => {
  if (!takes.some(({ option }) => kindOf(option).startsWith("cancel"))) return reading;
  const requests = reading.requests.map((request) =>
    isIn(request.command, "lines approve") && !namesOrder(request.said)
      ? { ...request, command: "cancel" as const }
      : request,
  );
  return { ...reading, requests };
};

/** An exact yes or order ahead of what cannot change it: "Yes, start it and show me the lines." */
const aheadOf = async (room: Room, input: Message): Promise<Choice | null> => {
  const { context, gate, desk, talk, reader } = room;
  const { text } = input;
  if (!beginsExactly(text)) return null;
  let isHeldBack = false;
  for (let end = 2; end < Math.min(text.length, longestExact); end += 1) {
    const next = text.slice(end);
    if (!/^(?:[.!;]+ |,? (?:and|then) )/i.test(next)) continue;
    const said = text.slice(0, end);
    const found = picked(gate, desk, { text: said, data: {} }, context.nowMs);
    const pick = found.kind === "none" ? ofAskedLines(room, said) : found;
    const isOrder = exactly(said)?.deeds.includes("yes") === false;
    if (pick.kind !== "take" || !(isOrder || plainYes.test(text))) continue;
    // "Yes. And after that the new one": that is what the yes does, and no condition.
    const behind = next.replace(/^[.!,;]* ?(?:and )?(?:(?:after that|then),? )?/i, "");
    const rest = ofSameDeed(pick.takes, await reader.read(behind, beside(talk), input));
    if (rest.requests.length > 0 && rest.requests.every((request) => isBeside(talk, request, rest.unread)))
      return { pick, rest, isHeldBack: false };
    isHeldBack = true;
  }
  return isHeldBack ? { pick: noPickMade, rest: null, isHeldBack } : null;
};

/** "Drop exactly line 1", "drop those", where just that is asked about: the numbers are those of its lines. */
const ofAskedLines = ({ gate, desk: { row }, talk }: Room, text: string): Picked => {
  const exact = exactly(text);
  const option = row.open.find((one) => one.option === row.armed);
  if (exact === null || option === undefined || exact.ids.length > 0) return noPickMade;
  const { deeds, numbers, all, references } = exact;
  const own = gate.deeds.get(option.operation)?.orders(option.input) ?? [];
  const isOrdered = deeds.some((deed) => deed === "yes" || own.includes(deed));
  const places = placesOf(talk, option);
  const isSame =
    all === null
      ? numbers.length > 0 && isDeepStrictEqual(new Set(numbers), new Set(places))
      : // "All" may be more than what is asked about; "those" and "both" are just that.
        all.least > 1 && all.least <= places.length && places.length <= all.most;
  return isOrdered && isSame
    ? { kind: "take", takes: [{ option, digest: null, by: "order", references }] }
    : noPickMade;
};

/** "Approve all" beside an option that drops means lines, and no part of what is listed. */
const isPartly = (pick: Picked, { row }: Desk, text: string): boolean =>
  pick.kind === "take" && pick.takes.length < row.listed.length && exactly(text)?.all != null;

/** Of a line that may be booked or dropped "all" and "3 and 4" choose neither. */
const isBoth = (pick: Picked): boolean => pick.kind === "take" && areContrary(pick.takes.map(({ option }) => option));

const choiceOf = async (room: Room, input: Message): Promise<Choice> => {
  const { text, slots } = input;
  const found = picked(room.gate, room.desk, { text, data: slots }, room.context.nowMs);
  const pick = isPartly(found, room.desk, text) || isBoth(found) ? noPickMade : found;
  const alone = { rest: null, isHeldBack: false };
  if (pick.kind !== "none") return { pick, ...alone };
  const own = ofAskedLines(room, text);
  if (own.kind === "take") return { pick: own, ...alone };
  return (await aheadOf(room, input)) ?? { pick, ...alone };
};

/** By the parsed input: a commit that loses its race calls the handler again with it, and finds taken what it took. */
const choices = new WeakMap<object, Promise<Choice>>();

interface Acted {
  readonly said: Said;
  readonly desk: Desk;
  readonly reading: Reading | null;
  /** As the taking of an option left it. */
  readonly loaded?: Loaded<TalkRow> | null;
}

const rowOf = async (context: Context, contextId: string | null): Promise<Loaded<TalkRow> | null> =>
  contextId === null ? null : context.load(talkKind, talkId(context.caller.owner, contextId));

/** A yes that nothing waits for: what is open is shown again, and asked about. */
const late = (talk: Talk): Said => {
  const { memory } = talk;
  const [held, ...others] = talk.held;
  const why = others.length === 0 ? "as my last message asked for none" : "as several things are open";
  if (held !== undefined && kindOf(held) !== "start")
    return offered(held, { others, text: `Nothing waits for a yes at once, ${why}. Once more:` });
  if (memory.brief === null)
    return answered("Nothing waits for a yes. Nothing is started, booked or cancelled.", {
      outcome: "clarify",
      reason: "nothing_open",
    });
  const notes = memory.doubts.map((words) => ({ kind: "said" as const, words: `Left as it is shown: "${words}".` }));
  return shownBrief(memory.brief, talk.context.nowMs, { notes, left: memory.left, head: ["Nothing is started yet."] });
};

const leavesOut = /\b(?:not|nothing|none|neither|never|drop|leave|without|skip|reject|only if|unless)\b|n't\b/i;

const denies = /\b(?:not|nothing|none|neither|never|only if|unless)\b|n't\b/i;

/** "Approve 1 and leave the other 600": the line is named, and what is left is only the rest. */
const leavesTheRest = (text: string, requests: readonly Request[]): boolean => {
  const picksOf = ({ input }: Request): LinePick => (input["pick"] as LinePick | undefined) ?? noPick;
  const named = requests.find(({ command }) => command === "approve");
  if (named === undefined || denies.test(text)) return false;
  const { lines, except } = picksOf(named);
  const others = requests.filter((one) => one !== named).flatMap((one) => picksOf(one).lines);
  const isNamed = lines.length > 0 && lines.every(({ by }) => by === "place") && except.length === 0;
  return isNamed && others.every(({ by }) => by === "rest");
};

/** "Leave the pre-roll then", "all of A and nothing of B": words that leave something out offer no line for a yes. */
const withoutLeftOut = async (talk: Talk, text: string, said: Said, requests: readonly Request[]): Promise<Said> => {
  const { draft } = said;
  const ids = draft?.input["recommendation_ids"];
  if (draft === undefined || kindOf(draft) !== "book" || said.isUnasked === true) return said;
  if (!Array.isArray(ids) || !leavesOut.test(text) || leavesTheRest(text, requests)) return said;
  const job = await jobOf(talk, String(draft.input["job_id"]));
  if ("failed" in job || waitingLines(job.output).length > ids.length) return said;
  const why =
    "Your message leaves something out, and this would book all that waits. " +
    `Say which lines: ${exampleOf("approve", job.output)} or ${exampleOf("drop", job.output)}.`;
  return { ...said, text: [said.text, why].join("\n").trim(), isUnasked: true, reason: "doubt" };
};

const read = async (
  { talk, reader }: Room,
  text: string,
  orders: readonly string[],
  attempt: Message,
): Promise<{ readonly said: Said; readonly reading: Reading | null }> => {
  if (text.length > mostRead) {
    const why = `I read at most ${mostRead} characters. Send a shorter message.`;
    return { said: { outcome: "clarify", text: why, notUsed: ["all"], reason: "too_long" }, reading: null };
  }
  const reading = await reader.read(text, talk.situation, orders.length > 0 ? null : attempt);
  const isOnlyYes = reading.requests.every(({ command }) =>
    ["unknown", "thanks", "start", "without", "greet", "approve", "lines"].includes(command),
  );
  const isPlain =
    orders.includes("yes") &&
    !reading.requests.some(
      ({ input }) => ((input["pick"] as { readonly lines?: readonly unknown[] } | undefined)?.lines ?? []).length > 0,
    );
  if (isPlain && isOnlyYes) return { said: late(talk), reading: null };
  const answers = await answersTo(talk, reading);
  const told = joined(answers.length > 0 ? answers : [await menuOf(talk)]);
  const said = stillAsked(talk, text, reading.requests, told);
  return { said: await withoutLeftOut(talk, text, said, reading.requests), reading };
};

const isQuestion = (requests: readonly Request[]): boolean => requests.some((request) => request.isQuestion);

const foreignWords = "I answer in English.";

/** A pick is taken, and anything else is read by what cannot write. */
const acted = async (room: Room, input: Message): Promise<Acted> => {
  const { context, gate, desk, talk } = room;
  const choice = choices.get(input) ?? choiceOf(room, input);
  choices.set(input, choice);
  const { pick, rest, isHeldBack } = await choice;
  if (pick.kind === "take") {
    const { desk: left, took } = await gate.take(context, desk, pick.takes, input, async ({ operation }) => {
      // In between two commits a second yes would find the brief still open, and a crash would leave it so.
      const row = operation === "create_booking" ? await rowOf(context, desk.contextId) : null;
      return row === null ? [] : [withoutBrief(row)];
    });
    const loaded = await rowOf(context, desk.contextId);
    const talking = { ...talk, memory: { ...newMemory, ...loaded?.body } };
    const done: Said[] = [];
    for (const one of took) done.push(await saidOfTook(talking, one, context.ports.settledBooking));
    if (rest === null) return { said: joined(done), desk: left, reading: null, loaded };
    const { memory } = await after(talking, joined(done));
    const now = { ...talking, memory, asked: null, held: [], situation: await situationOf(context, memory, left) };
    return { said: joined([...done, ...(await answersTo(now, rest))]), desk: left, reading: rest, loaded };
  }
  // Numbers in words are those of a campaign's lines; a data part names nothing but options.
  if (pick.kind === "wrong" && ("option" in input.slots || "options" in input.slots))
    return {
      said: { outcome: "clarify", text: pick.why, reason: "wrong_option", isBeside: true },
      desk,
      reading: null,
    };
  if (pick.kind === "no" || pick.kind === "wait")
    return { said: await refused(talk), desk: gate.close(desk, () => true), reading: null };
  const menu = talk.memory.menu[Number(input.text.trim()) - 1];
  const { said: told, reading } = await read(room, menu ?? input.text, pick.kind === "none" ? pick.orders : [], input);
  const said = isHeldBack ? withHeldBack(talk, input.text, told) : told;
  const isBeside =
    said.isBeside ?? (said.draft === undefined && said.outcome === "answer" && isQuestion(reading?.requests ?? []));
  const text = reading?.isForeign === true ? `${said.text}\n${foreignWords}` : said.text;
  const isStart = said.draft !== undefined && kindOf(said.draft) === "start";
  const isOfBrief = isStart || (said.brief != null && said.isAnswer !== true);
  const isNamed = reading !== null && (isOfBrief || reading.by === "model");
  const unread = isNamed ? reading.unread.filter((one) => !said.text.includes(`"${one}"`)) : [];
  // What was not read may be a condition: a yes must not pass over it.
  const noted = (said.left ?? []).flatMap((note) => (note.kind === "not used" ? [note.words] : []));
  // "I only want a proposal" holds anyway: it is not named, and a yes still must not pass over it.
  const toName = [...noted, ...unread].filter((one) => !saysPhrase(one.toLowerCase(), lists.heldAnyway));
  const words = toName.length === 0 ? "" : notUsedWords(toName);
  const standing = said.standing?.filter((line) => !line.startsWith(notUsedWords([]).slice(0, -1))) ?? [];
  const named = unread.length === 0 ? {} : { text: `${text}\n${words}`, standing, isUnasked: true };
  const notUsed = [...new Set([...(said.notUsed ?? []), ...unread])];
  return { said: { ...said, text, isBeside, notUsed, ...named }, desk, reading };
};

/** One thing is open at a time, and of a brief that has changed nothing is. */
const withoutOlder = (gate: Gate, desk: Desk, { draft, others = [], brief }: Said): Desk =>
  gate.close(desk, (one) =>
    draft === undefined
      ? brief !== undefined && kindOf(one) === "start"
      : ![draft, ...others].some(({ input }) => isDeepStrictEqual(input, one.input)),
  );

const untakenList = (options: Shown["options"]): string =>
  areContrary(options)
    ? `Nothing is done yet. Say ${options.map(({ n }) => `"${n}"`).join(" or ")}: not all of it can be done.`
    : `Nothing is done yet. Say "all" to do all of it, or "${options[0]?.n}" for that alone.`;

const textOf = (said: Said, { options, refused: gone, desk }: Shown, told: readonly string[]): string =>
  [
    said.text,
    ...(said.standing ?? []),
    ...gone.map(({ refusal }) => `${refusal.message} Nothing is done.`),
    ...options.flatMap((option) => [
      options.length > 1 ? `Option ${option.n}: ${option.label}.` : "",
      said.isAnswer === true && told.includes(option.terms) ? "" : option.terms,
      option.option === desk.row.armed ? questionOf(option) : untakenOf(option, options.length === 1),
    ]),
    options.length > 1 ? untakenList(options) : "",
  ]
    .map((words) => words.trim())
    .filter((words) => words !== "")
    .join("\n");

/** A longer list is not told to a model, nor may its words say a term. */
const mostToModel = 12;

const situationOf = async (context: Context, memory: Memory, { row }: Desk): Promise<Situation> => {
  const seen = { context: readOnly(context) };
  const listed = await listedJobs(seen);
  // An open brief is more of this conversation than a campaign that was only named.
  const isSpokenOf = memory.job?.isOwn === true || memory.brief === null || !memory.isOfBrief;
  const kept = isSpokenOf ? memory.job : null;
  const job = kept === null ? null : await jobOf(seen, kept.id);
  const asked = row.open.find(({ option }) => option === row.armed);
  return {
    nowMs: context.nowMs,
    memory,
    jobs: "failed" in listed ? [] : listed.output,
    job: job === null || "failed" in job ? null : job.output,
    shown: row.open.slice(-mostToModel),
    asked: asked?.operation ?? null,
  };
};

const talkOf = (context: Context, memory: Memory, situation: Situation, { row }: Desk): Talk => {
  const asked = row.open.find(({ option }) => option === row.armed) ?? null;
  const listed = row.open.filter(({ option }) => row.listed.includes(option));
  const open = listed.length > 1 ? listed : row.open.slice(-1);
  const held = asked === null && row.takesOrders ? open : [];
  return { context: readOnly(context), memory, situation, asked, held, open: row.open };
};

/** Calls the agent's operations for the same caller, so a text can do nothing that the caller could not. */
export const converseWith = (gate: Gate, reader: Reader): Operation<BuyerPorts> =>
  defineOperation(contract.converse, async (context: BuyerContext, input) => {
    const { owner } = context.caller;
    const contextId = input.context_id ?? null;
    const before = await rowOf(context, contextId);
    const heard = { ...newMemory, ...before?.body };
    const desk = await gate.open(context, contextId);
    const talk = talkOf(context, heard, await situationOf(context, heard, desk), desk);
    const room = { context, gate, desk, talk, reader };
    const { said, desk: left, reading, loaded = before } = await acted(room, input);
    const memory = { ...newMemory, ...loaded?.body };
    const drafts = said.draft === undefined ? [] : [said.draft, ...(said.others ?? [])];
    const shown = await gate.show(context, withoutOlder(gate, left, said), drafts, {
      arm: contextId !== null && said.isUnasked !== true,
      isElsewhere: said.draft === undefined && said.isBeside !== true,
      // The numbers of lines stay theirs: options are numbered only where there are several, and behind the lines.
      isUnnumbered: drafts.length < 2,
      after: drafts.length < 2 ? 0 : await lastPlaceOf(talk, drafts),
    });
    const { outcome, understood = {}, result = null, notUsed = [], reason, menu = [], lines = [] } = said;
    const told = desk.row.open.map(({ terms }) => terms);
    const options = shown.options.map((option) => ({ ...option }));
    const reply = {
      outcome,
      understood: { ...understood },
      result: menu.length > 0 ? { menu: menu.map((say, at) => ({ n: at + 1, say })) } : result,
      not_used: [...notUsed],
      options,
      armed: shown.desk.row.armed,
      read_by: reading?.by ?? "grammar",
      ...(reason === undefined ? {} : { reason }),
    };
    const output = { text: textOf(said, shown, told), answers: [{ skill: "campaigns" as const, ...reply }] };
    if (contextId === null) return { output };
    const row = {
      owner,
      context_id: contextId,
      ...briefsAfter(memory, said),
      // A campaign that is spoken of puts the brief aside, until that is spoken of again.
      isOfBrief: said.brief != null || (memory.isOfBrief && spokenOf(said).length === 0),
      job: said.job ?? memory.job,
      campaigns: withCampaigns(memory, spokenOf(said)),
      menu,
      topic: said.topic ?? null,
      lines,
      updated_at_ms: context.nowMs,
    };
    return { output, changes: [remembered(loaded, row), ...gate.changes(shown.desk)] };
  });
