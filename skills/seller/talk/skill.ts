import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import { refusalBody } from "../../../protocol/neutral/refusal-body.ts";
import { type Context, defineOperation, type Operation } from "../../../protocol/seam/operation.ts";
import { beginsExactly, type Exact, exactly, longestExact } from "../../talk/gate/exact.ts";
import type { Desk, Gate, Numbered, Take, Took } from "../../talk/gate/gate.ts";
import { type Picked, picked } from "../../talk/gate/pick.ts";
import { reading } from "../../talk/gate/read-context.ts";
import type { Consent, Draft } from "../../talk/gate/record.ts";
import { segmentsOf } from "../../talk/reader/cut.ts";
import { asForm } from "../../talk/reader/json-form.ts";
import { converse as contract } from "./contract.ts";
import { conversationIdOf, exchanged } from "./exchanges.ts";
import { isIndependent } from "./independent.ts";
import { requestsOf } from "./requests.ts";
import { scanOfSale } from "./said.ts";
import { sellerPatterns } from "./commands.ts";
import { isOfDeal } from "./drafts.ts";
import { isOfValues, ordersByValues, readGiven } from "./given.ts";
import {
  recordIds,
  conversationId,
  conversationKind,
  isReplaced,
  type Memory,
  memoryOf,
  openTopics,
  remembered,
  type Slots,
} from "./memory.ts";
import { clarify, inTurn, type Spoken, tell, toPerson, whichOf } from "./spoken.ts";
import { clausesOf, stillArmed } from "./still-armed.ts";
import { saidOfTook } from "./taken.ts";
import { answer, type Answered, type Ears, spokenTurn, type Turn } from "./turn.ts";
import {
  type Offering,
  brought,
  subjects,
  textOf,
  partOf,
  optionsOf,
  offerOf,
  takenOf,
  termsDigestIn,
} from "./reply.ts";

interface Room {
  readonly context: Context;
  readonly ears: Ears;
  readonly gate: Gate;
  readonly memory: Memory;
  readonly desk: Desk;
}

interface Message {
  readonly text: string;
  readonly slots: Slots;
}

/** What a person wrote to a buyer that asked for one, and that no message has brought yet. */
const personsAnswer = async (context: Context, { isHandedOver }: Memory): Promise<string | null> => {
  if (!isHandedOver) return null;
  const outcome = await context.call("list_handovers", { limit: 1 }, { readsOnly: true });
  const handovers = outcome.kind === "done" && isMembers(outcome.output) ? outcome.output["handovers"] : [];
  const [own] = Array.isArray(handovers) ? (handovers as readonly unknown[]) : [];
  return isMembers(own) && typeof own["answer"] === "string" ? own["answer"] : null;
};

interface Choice {
  readonly pick: Picked;
  /** What the message says besides; null: nothing. */
  readonly rest: string | null;
}

const isBareYes = ({ deeds, numbers, all }: Exact): boolean =>
  numbers.length === 0 && all === null && deeds.every((deed) => deed === "yes");

/** An exact yes or order that is a sentence ahead of an independent request: "Book it. And what does native cost?" */
const beside = ({ context, ears, gate, memory, desk }: Room, { text }: Message): Choice | null => {
  if (!beginsExactly(text)) return null;
  // A formula is short, so its end and what stands next to it are enough.
  const scan = scanOfSale(text.slice(0, longestExact + 100), ears.finder, context.nowMs);
  const segments = segmentsOf(scan);
  if (segments.length < 2) return null;
  // With the sign that ends it: "Order it?" is no order.
  const at = (place: number): number => {
    let end = segments[place]?.to ?? 0;
    while (isOneOf(scan.tokens[end]?.text ?? "", ". ? ! ; …")) end += 1;
    return scan.tokens[end]?.start ?? text.length;
  };
  for (let place = segments.length - 2; place >= 0; place -= 1) {
    const [done, rest] = [
      text.slice(0, at(place)),
      text.slice(scan.tokens[segments[place + 1]?.from ?? 0]?.start ?? text.length),
    ];
    const exact = exactly(done);
    if (exact === null) continue;
    const pick = picked(gate, desk, { text: done, data: {} }, context.nowMs);
    if ((pick.kind !== "take" && pick.kind !== "ids") || isBareYes(exact)) continue;
    const left = scanOfSale(rest, ears.finder, context.nowMs);
    const requests = requestsOf(left, { patterns: sellerPatterns, finder: ears.finder }, memory);
    const ids = pick.kind === "ids" ? pick.ids : pick.takes.flatMap(({ option: { input } }) => Object.values(input));
    const products = memory.topics
      .filter(({ terms }) => recordIds.some((name) => ids.some((id) => id === terms[name])))
      .map(({ product }) => product);
    // What follows a yes to a person is for that person.
    const isForPerson = pick.kind === "take" && pick.takes.every(({ option: { operation } }) => operation === toPerson);
    const isFree = requests.length > 0 && requests.every((request) => isIndependent(request, { products, ids }));
    return isFree || isForPerson ? { pick, rest } : null;
  }
  return null;
};

interface Acted {
  readonly turn: Turn;
  readonly desk: Desk;
  readonly taken: readonly { readonly took: Took; readonly by: Consent }[];
}

interface NamedTakes {
  readonly takes: readonly Take[];
  readonly refused: readonly Spoken[];
}

/** Null where the order is none that an id alone can name. */
const namedBy = async (
  { gate, context, memory, desk }: Room,
  { orders, ids, references }: Extract<Picked, { readonly kind: "ids" }>,
): Promise<NamedTakes | null> => {
  const takes: Take[] = [];
  const refused: Spoken[] = [];
  for (const id of ids) {
    const [draft] = [...gate.deeds.values()].flatMap((deed) => {
      const input = deed.byId?.(id) ?? null;
      const isMeant = input !== null && deed.orders(input).some((order) => orders.includes(order));
      return isMeant ? [{ operation: deed.operation, input }] : [];
    });
    if (draft === undefined) return null;
    const found = await gate.ofId(context, withKnown(draft, desk.contextId, memory));
    if (found.kind === "done") takes.push({ option: found.output, digest: null, by: "id", references });
    else {
      const result = refusalBody(found.refusal);
      refused.push(tell("deals", found.refusal.message, { outcome: "refuse", result, reason: String(result.error) }));
    }
  }
  return { takes, refused };
};

const taking = async (
  room: Room,
  { takes, refused }: NamedTakes,
  input: object,
  memory = room.memory,
): Promise<Acted> => {
  const { desk: after, took } = await room.gate.take(room.context, room.desk, takes, input);
  const turn = await spokenTurn(reading(room.context), room.ears, memory, async (talk) => [
    ...(await inTurn(took, (one) => saidOfTook(talk, one))),
    ...refused,
  ]);
  const taken = took.flatMap((one, place) => {
    const by = takes[place]?.by;
    return one.kind === "done" && by !== undefined ? [{ took: one, by }] : [];
  });
  return { turn, desk: after, taken };
};

const doneByValues = async (room: Room, turn: Turn, given: Slots, input: object): Promise<Acted | null> => {
  const [draft, other] = turn.answers.flatMap(({ spoken }) => spoken.drafts ?? []);
  const isPlain = turn.answers.every(({ mayArm }) => mayArm);
  if (draft === undefined || other !== undefined || !isPlain || !isOfValues(draft, given)) return null;
  const { n: _n, ...own } = withKnown(draft, room.desk.contextId, turn.memory);
  const found = await room.gate.ofId(room.context, own);
  if (found.kind === "refused") return null;
  return taking(room, { takes: [{ option: found.output, digest: null, by: "id" }], refused: [] }, input, turn.memory);
};

const unread = new Set(["option", "options", "digest"]);
const openDrafts = ({ row }: Desk): readonly Draft[] => row.open.map(({ operation, input }) => ({ operation, input }));

/** A longer list is not told to a model, nor may its words say a term. */
const mostShown = 12;

const saying = async ({ context, ears, memory }: Room, spoken: Spoken, desk: Desk): Promise<Acted> => ({
  turn: await spokenTurn(reading(context), ears, memory, async () => [spoken]),
  desk,
  taken: [],
});

/** A wrong pick, a no and a wait; null for a pick that takes, and for none. */
const leftUndone = async (room: Room, pick: Picked): Promise<Acted | null> => {
  const { gate, desk } = room;
  const drafts = openDrafts(desk).slice(-6);
  // "No, never mind" behind a booking takes nothing back.
  const more = desk.row.taken.length > 0 ? " more" : "";
  const idle = " is booked, sent or changed";
  if (pick.kind === "wrong") return saying(room, clarify("deals", pick.why, { drafts, reason: "wrong_pick" }), desk);
  if (pick.kind === "wait")
    return saying(room, tell("deals", `Nothing${more}${idle}.`, { drafts, reason: "held_back" }), desk);
  if (pick.kind !== "no") return null;
  const done = more !== "" && drafts.length === 0 ? "; what was done stays done" : "";
  const stays = desk.row.open.some(isOfDeal) ? "the deal stays as it is" : `nothing${more}${idle}${done}`;
  const spoken = tell("negotiation", `Understood: ${stays}.`, { outcome: "rejected" });
  return saying(
    room,
    spoken,
    gate.close(desk, () => true),
  );
};

const takesOf = async (room: Room, pick: Picked): Promise<NamedTakes | null> => {
  if (pick.kind === "take") return { takes: pick.takes, refused: [] };
  const named = pick.kind === "ids" ? await namedBy(room, pick) : null;
  return named !== null && named.takes.length + named.refused.length > 0 ? named : null;
};

/** A pick is taken, and anything else is read by what cannot write. */
const acted = async (room: Room, message: Message, input: object): Promise<Acted> => {
  const { context, ears, gate, desk, memory } = room;
  const whole: Choice = {
    pick: picked(gate, desk, { text: message.text, data: message.slots }, context.nowMs),
    rest: null,
  };
  const { pick, rest } = whole.pick.kind === "none" ? (beside(room, message) ?? whole) : whole;
  const undone = await leftUndone(room, pick);
  if (undone !== null) return undone;
  const takes = await takesOf(room, pick);
  const done = takes === null ? null : await taking(room, takes, input);
  if (done !== null && (rest === null || rest.trim() === "")) return done;
  const isEmptyYes = done === null && pick.kind === "none" && pick.orders.length > 0;
  const given = readGiven(
    rest === null ? Object.fromEntries(Object.entries(message.slots).filter(([name]) => !unread.has(name))) : {},
  );
  const now = done?.desk ?? desk;
  const open = openDrafts(now);
  // "Fine, 30" names a price, and "thanks, all good" agrees to nothing.
  const isYesAlone = exactly(message.text)?.numbers.length === 0 && !/\b(?:thanks|thank you)\b/i.test(message.text);
  const command = isEmptyYes && given.command === null && isYesAlone ? emptyYes(pick.orders, now) : null;
  if (command !== null) return saying(room, command, desk);
  const turn = await answer(reading(context), ears, {
    text: asForm(rest ?? message.text),
    given,
    memory: done?.turn.memory ?? memory,
    open,
    shown: now.row.open.slice(-mostShown),
    message: input,
  });
  if (done === null) {
    const byValues = ordersByValues(message.slots) ? await doneByValues(room, turn, given.terms, input) : null;
    const [still = null] = (desk.row.open.length === 0 ? [] : clausesOf(message.text)).flatMap((text) => {
      const exact = exactly(text);
      return exact === null ? [] : (stillArmed(gate, desk, { ...exact, text }, turn) ?? []);
    });
    const isPlace = /^\s*\d{1,2}\W/.test(message.text);
    const kept =
      still !== null && isPlace ? turn.answers.filter(({ spoken }) => spoken.outcome !== "rejected") : turn.answers;
    const said = still === null ? [] : (await saying(room, still, desk)).turn.answers;
    return byValues ?? { turn: { ...turn, answers: [...kept, ...said] }, desk, taken: [] };
  }
  return {
    ...done,
    turn: {
      memory: turn.memory,
      answers: [...done.turn.answers, ...turn.answers],
      notes: turn.notes,
      isOrdered: false,
    },
  };
};

/** An exact yes that nothing waits for; null where the reader knows better what an order without an object means. */
const emptyYes = (orders: readonly string[], { row }: Desk): Spoken | null => {
  if (!orders.includes("yes")) return null;
  const last = row.listed.flatMap(
    (id) => row.open.find(({ option, operation }) => option === id && operation !== toPerson) ?? [],
  );
  const open: readonly Draft[] = last.length > 0 ? last : row.open;
  if (open.length === 0)
    return clarify(
      "deals",
      "Nothing is open that a yes could mean. Name a quote, or ask for one: a product, a volume and dates, please.",
      { reason: "nothing_open" },
    );
  const which = whichOf(open.slice(-6));
  // Whoever says yes three times to a doubt has not read what is open: a number takes it.
  return open.length > 1 ? which : { ...which, text: "Nothing was done. Open is this; its number takes it:" };
};

const staying = words("thanks greet wait validity status summary policy price deal_types");

/** "It" in the next order may be what this answer is about. */
const isAboutOther = ({ command, understood: { product_id: id } }: Answered, memory: Memory): boolean =>
  !staying.has(command) || (typeof id === "string" && openTopics(memory).every(({ product }) => product !== id));

/** What was said last about it are other terms than those that are open: "book it" may mean either. */
const isOtherwise = (memory: Memory): boolean => {
  const topic = openTopics(memory).findLast(({ product }) => product === memory.terms["product_id"]);
  return (
    topic !== undefined &&
    ["impressions", "flight_start", "flight_end"].some(
      (name) => memory.terms[name] != null && topic.terms[name] != null && memory.terms[name] !== topic.terms[name],
    )
  );
};

/** A new offer for the same thing stands for the one before; of two for a person, a yes would mean either. */
const isOfSame = (left: Draft, right: Draft): boolean => {
  const subject = subjects.find((name) => left.input[name] !== undefined);
  const isSame = subject !== undefined && left.input[subject] === right.input[subject];
  return left.operation === right.operation && (isSame || left.operation === toPerson);
};

/** With what the conversation knows: itself for a person, and what a booking is to carry. */
const withKnown = (draft: Numbered, contextId: string | null, { notes, topics }: Memory): Numbered => {
  if (draft.operation === toPerson) return { ...draft, input: { ...draft.input, context_id: contextId } };
  // A quote of another conversation may be for another client.
  const isOwn = topics.some(({ terms }) => terms["quote_id"] === draft.input["quote_id"]);
  const isCarried = draft.operation === "book_deal" && notes.length > 0 && isOwn;
  return isCarried ? { ...draft, input: { ...draft.input, notes: notes.join("; ") } } : draft;
};

/** What the turn offers, as options of the gate: one that the reply asks about is armed. */
const offered = async (context: Context, gate: Gate, { turn, desk }: Acted): Promise<Offering> => {
  const { contextId } = desk;
  const asking = turn.answers.filter(({ spoken }) => spoken.asks !== undefined && (spoken.drafts ?? []).length > 0);
  const arm = asking.length === 1 && turn.answers.every(({ mayArm }) => mayArm);
  // A person beside what is asked about is had by asking for one, so that a yes means one thing.
  const isShown = ({ operation }: Draft, one: Answered): boolean =>
    !arm || operation !== toPerson || asking.includes(one);
  const drafts = turn.answers.map((one): readonly Numbered[] =>
    contextId === null
      ? []
      : (one.spoken.drafts ?? [])
          .filter((draft) => isShown(draft, one))
          .map((draft) => withKnown(draft, contextId, turn.memory)),
  );
  const all: readonly Numbered[] = drafts.flat();
  const closed = new Set(turn.answers.flatMap(({ spoken: { closes = [] } }) => closes));
  const open = gate.close(
    desk,
    (one) =>
      isReplaced(turn.memory, one) ||
      closed.has(one.operation) ||
      all.some((draft) => isOfSame(draft, one) && draft !== one),
  );
  const isElsewhere =
    isOtherwise(turn.memory) ||
    turn.answers.some(
      ({ mayOrder, mayArm, notUsed, spoken, command }) =>
        !mayOrder || command === "unknown" || (!mayArm && notUsed.length > 0 && (spoken.drafts ?? []).length > 0),
    ) ||
    (all.length === 0 && turn.answers.some((one) => isAboutOther(one, turn.memory)));
  const after = Math.max(0, ...turn.answers.map(({ spoken: { numbered = 0 } }) => numbered));
  return { shown: await gate.show(context, open, all, { arm, isElsewhere, after }), drafts };
};

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
    const stored = memoryOf(loaded?.body.memory);
    const person = await personsAnswer(context, stored);
    const memory = person === null ? stored : { ...stored, isHandedOver: false };
    const desk = await gate.open(context, contextId);
    const done = await acted({ context, ears, gate, memory, desk }, { text: input.text, slots: input.slots }, input);
    const offering = await offered(context, gate, done);
    const text = brought(person, textOf(done.turn, offering));
    const { armed } = offering.shown.desk.row;
    const output = {
      text,
      answers: done.turn.answers.map((one, place) => partOf(one, optionsOf(offering, place), armed)),
    };
    if (contextId === null) return { output };
    const exchange = {
      owner,
      conversation_id: conversationIdOf(owner, contextId),
      said: input.text,
      answered: text,
      understood: done.turn.answers.map(({ spoken: { skill, outcome } }) => ({ skill, outcome })),
      shown: offering.shown.options.map((option) => offerOf(option, termsDigestIn(option, done.turn.answers))),
      agreed: done.taken.map(({ took, by }) => takenOf(took, by, nowMs)),
      at_ms: nowMs,
    };
    const changes = [
      remembered(loaded, {
        owner,
        contextId,
        memory: { ...done.turn.memory, agreed: memory.agreed + done.taken.length },
        nowMs,
      }),
      exchanged(exchange, loaded?.body.exchanges ?? 0),
      ...gate.changes(offering.shown.desk),
    ];
    return { output, changes };
  });
