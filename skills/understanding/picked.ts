import { refusalBody } from "../../protocol/neutral/refusal-body.ts";
import type { Context } from "../../protocol/seam/operation.ts";
import type { Desk, Gate, Take, Took } from "../talk/gate/gate.ts";
import { type Picked, picked } from "../talk/gate/pick.ts";
import type { Reading } from "../talk/gate/read-context.ts";
import type { Consent } from "../talk/gate/record.ts";
import { draftsOf } from "./drafts.ts";
import type { Ears } from "./meaning.ts";
import type { Memory } from "./memory.ts";
import type { Slots } from "./reading/slots.ts";
import { clarify, type Spoken } from "./talk/speech.ts";
import { refuse } from "./talk/commit-talk.ts";
import { saidOfTook } from "./talk/taken-talk.ts";
import { answer, orderIn, spokenTurn, type Turn } from "./turn.ts";

export interface Room {
  readonly context: Context;
  readonly read: Reading;
  readonly ears: Ears;
  readonly gate: Gate;
}

interface Message {
  readonly text: string;
  readonly data: Slots;
  readonly memory: Memory;
}

export interface Acted {
  readonly turn: Turn;
  readonly desk: Desk;
  readonly taken: readonly { readonly took: Took; readonly by: Consent }[];
}

interface Choice {
  readonly pick: Picked;
  /** What the message says besides; null: nothing. */
  readonly rest: string | null;
}

const choiceIn = ({ gate, ears, context }: Room, desk: Desk, { text, data, memory }: Message): Choice => {
  const { nowMs } = context;
  const pick = picked(gate, desk, { text, data }, nowMs);
  const part = pick.kind === "none" ? orderIn(ears, { text, given: data, memory }, nowMs) : null;
  if (part?.done == null) return { pick, rest: null };
  const own = picked(gate, desk, { text: part.done, data: {} }, nowMs);
  return own.kind === "take" || own.kind === "ids" ? { pick: own, rest: part.rest } : { pick, rest: null };
};

interface Named {
  readonly takes: readonly Take[];
  readonly refused: readonly Spoken[];
}

/** Null where the order is none that an id alone can name. */
const namedBy = async (
  { gate, context }: Room,
  orders: readonly string[],
  ids: readonly string[],
): Promise<Named | null> => {
  const takes: Take[] = [];
  const refused: Spoken[] = [];
  for (const id of ids) {
    const deed = [...gate.deeds.values()].find((one) => {
      const input = one.byId?.(id) ?? null;
      return input !== null && one.orders(input).some((order) => orders.includes(order));
    });
    const input = deed?.byId?.(id) ?? null;
    if (deed === undefined || input === null) return null;
    const found = await gate.ofId(context, { operation: deed.operation, input });
    if (found.kind === "done") takes.push({ option: found.output, digest: null, by: "id" });
    else
      refused.push({
        ...clarify("deals", found.refusal.message),
        outcome: "refuse",
        result: refusalBody(found.refusal),
      });
  }
  return { takes, refused };
};

const taking = async (
  room: Room,
  { desk, message, input }: { readonly desk: Desk; readonly message: Message; readonly input: object },
  { takes, refused }: Named,
): Promise<Acted> => {
  const { context, read, ears, gate } = room;
  const { desk: after, took } = await gate.take(context, desk, takes, input);
  const turn = await spokenTurn(read, ears, message, async (talk) => {
    const spoken: Spoken[] = [];
    for (const one of took) spoken.push(await saidOfTook(talk, one));
    return [...spoken, ...refused];
  });
  const taken = took.flatMap((one, place) => {
    const by = takes[place]?.by;
    return one.kind === "done" && by !== undefined ? [{ took: one, by }] : [];
  });
  return { turn, desk: after, taken };
};

const openText = ({ row }: Desk): string =>
  row.open.length === 0 ? "" : ` Open: ${row.open.map(({ label }) => label).join("; ")}.`;

const unread = new Set(["option", "options", "digest"]);

const byValues: ReadonlySet<string> = new Set(["proposal", "counter_terms", "price", "buyer_price", "proposed_price"]);
const orderedTypes: ReadonlySet<unknown> = new Set(["proposal", "negotiation", "deal", "deal_generation"]);

/** A program that names the deed and its terms by values has ordered as plainly as by a pick. */
const ordersByValues = (data: Slots): boolean =>
  orderedTypes.has(data["query_type"]) || Object.keys(data).some((name) => byValues.has(name));

const doneByValues = async (
  room: Room,
  of: { readonly desk: Desk; readonly message: Message; readonly input: object },
  turn: Turn,
): Promise<Acted | null> => {
  const { context, gate, ears } = room;
  const { contextId } = of.desk;
  const offers = turn.answers.flatMap((one) => one.offers ?? []);
  const [draft, other] = offers.flatMap((offer) => draftsOf(offer, contextId, ears.finder));
  if (draft === undefined || other !== undefined || draft.operation === "request_quote") return null;
  const found = await gate.ofId(context, draft);
  if (found.kind === "refused") return null;
  const message = { ...of.message, memory: turn.memory };
  const takes = [{ option: found.output, digest: null, by: "id" as const }];
  return taking(room, { ...of, message }, { takes, refused: [] });
};

/** A pick is taken, and anything else is read. */
export const acted = async (room: Room, message: Message, contextId: string | null, input: object): Promise<Acted> => {
  const { context, read, ears, gate } = room;
  const desk = await gate.open(context, contextId);
  const { pick, rest } = choiceIn(room, desk, message);
  const say = (spoken: Spoken): Promise<Turn> => spokenTurn(read, ears, message, async () => [spoken]);
  if (pick.kind === "wrong") {
    const said = { ...clarify("deals", `${pick.why}${openText(desk)}`), again: desk.row.open };
    return { turn: await say(said), desk, taken: [] };
  }
  if (pick.kind === "no") {
    const turn = await spokenTurn(read, ears, message, async (talk) => [refuse(talk, "no")]);
    return { turn, desk: gate.close(desk, () => true), taken: [] };
  }
  const named = pick.kind === "ids" ? await namedBy(room, pick.orders, pick.ids) : null;
  const isOrder = pick.kind === "take" || (named !== null && named.takes.length > 0);
  const done = isOrder
    ? await taking(
        room,
        { desk, message, input },
        named ?? { takes: pick.kind === "take" ? pick.takes : [], refused: [] },
      )
    : { turn: null, desk, taken: [] };
  if (done.turn !== null && (rest === null || rest.trim() === "")) return { ...done, turn: done.turn };
  const given = Object.fromEntries(Object.entries(message.data).filter(([name]) => !unread.has(name)));
  const memory = done.turn?.memory ?? message.memory;
  const turn = await answer(read, ears, { text: rest ?? message.text, given: rest === null ? given : {}, memory });
  if (done.turn === null)
    return (
      (ordersByValues(given) ? await doneByValues(room, { desk, message, input }, turn) : null) ?? { ...done, turn }
    );
  const text = `${done.turn.text}\n${turn.text}`;
  return { ...done, turn: { memory: turn.memory, text, answers: [...done.turn.answers, ...turn.answers] } };
};
