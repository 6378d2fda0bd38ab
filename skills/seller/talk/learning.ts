import { entitiesOf } from "../../talk/reader/entity.ts";
import { isOneOf } from "../../talk/reader/word-lists.ts";
import { commands } from "./commands.ts";
import {
  flightNames,
  focusedOn,
  focusOf,
  idsIn,
  type Memory,
  numberIn,
  openTopics,
  pick,
  type Slots,
  soleOf,
  type Topic,
  topicFor,
  withNotes,
  withSums,
  withTopic,
} from "./memory.ts";
import type { Spoken, Talk } from "./spoken.ts";
import { recordOf } from "./meant.ts";

const isPresent = ([, value]: readonly [string, unknown]): boolean => value !== null && value !== undefined;
export const compact = (slots: Slots): Slots => Object.fromEntries(Object.entries(slots).filter(isPresent));

const asides = "greet thanks unknown unanswered wait hand_over withhold policy validity status answered";

const withDropped = (memory: Memory, dropped: readonly string[]): Memory => {
  if (dropped.length === 0) return memory;
  const topics = memory.topics.map((one) =>
    (dropped.includes(one.product) || dropped.includes(recordOf(one.terms) ?? "")) && one.terms["deal_id"] == null
      ? { ...one, isOver: true }
      : one,
  );
  return { ...memory, topics };
};

/** "Where do we stand on the pre-roll?": "improve it" after the answer means that. */
const focusedAside = (memory: Memory, { request: { command, said } }: Talk): Memory => {
  const id = soleOf(idsIn(said));
  const isAsked = id !== null && isOneOf(command, "status summary validity negotiations");
  const topic = isAsked ? topicFor(memory, id) : null;
  return topic === null ? memory : focusedOn(memory, topic);
};

/** "Sorry, April, not March" means no second flight. */
const corrects = /\b(?:sorry|instead|actually|rather|no wait|i mean|i meant|make (?:it|that))\b/i;

/** "Book it for the second week" orders other days of what is open, and no second flight. */
const isInstead = ({ command, said, text }: Talk["request"]): boolean =>
  corrects.test(text) || (command === "book" && said.products.length === 0);

/** The one open sale whose price or availability is asked. */
const onlyAsked = (memory: Memory, { request: { command }, ids }: Talk): Topic | null => {
  const only = isOneOf(command, "price availability") ? soleOf(ids) : null;
  return openTopics(memory).findLast(({ product }) => product === only) ?? null;
};

const swaps = /\b(?:swap|replace|exchange|switch) (?:it|that|this|them)\b/i;
const swapping = /\b(?:swap|replace|exchange|switch|instead of)\b/i;

/** "NBC is too dear. Swap it for Telemundo.": what another stands for is offered no more. */
const swapped = (memory: Memory, { request: { scan, parts, text, said } }: Talk, spoken: Spoken): readonly string[] => {
  if (spoken.outcome !== "quoted") return [];
  if (!swaps.test(text)) return swapping.test(text) ? said.excluded : [];
  const named = entitiesOf(scan).flatMap((one) =>
    one.kind === "product" && one.from < (parts[0]?.from ?? 0) ? one.ids.slice(0, 1) : [],
  );
  const before = named.at(-1) ?? memory.terms["product_id"];
  return typeof before === "string" && before !== spoken.topic?.product ? [before] : [];
};

/** What the answer leaves in force. */
export const learnt = (memory: Memory, talk: Talk, spoken: Spoken, made: readonly Topic[] = []): Memory => {
  const { command } = talk.request;
  const isAside = commands[command]?.isAside === true;
  const focus = focusOf(memory);
  // What is only asked about changes nothing of what is open: "what would 5M cost?"
  const askedAbout = onlyAsked(memory, talk);
  // Terms asked about beside a question about something else are kept for the next request, records are not.
  const kept = isAside
    ? {
        ...memory.terms,
        ...pick(
          talk.terms,
          spoken.about === undefined ? [] : ["product_id", "inventory_type", ...flightNames, "impressions", "budget"],
        ),
      }
    : talk.terms;
  const isOpen = focus !== null && openTopics(memory).includes(focus);
  const asked =
    isAside && focus !== null && spoken.learnt === undefined
      ? { ...memory.terms, ...(isOpen ? {} : pick(spoken.about ?? {}, [...flightNames, "impressions"])) }
      : { ...kept, ...compact(spoken.about ?? {}) };
  const base = askedAbout === null ? asked : askedAbout === focus ? memory.terms : focusedOn(memory, askedAbout).terms;
  const after: Memory = {
    ...memory,
    // The limit of a question never becomes the price of a later quote.
    terms: compact({
      ...(isOneOf(command, "offer propose quote plan taken")
        ? base
        : { ...base, target_cpm: memory.terms["target_cpm"] }),
      ...spoken.learnt,
    }),
    asked: isOneOf(command, asides) ? memory.asked : command,
    rows: spoken.rows ?? memory.rows,
    choosing: (spoken.numbered ?? 0) > 0 ? command : null,
    next: spoken.next ?? [],
    budget: (command === "plan" ? numberIn(spoken.learnt?.["budget"]) : null) ?? memory.budget,
    sums: withSums(memory.sums, spoken.text, talk.request.said.entities),
    isHandedOver: spoken.isHandedOver ?? memory.isHandedOver,
    notes: withNotes(memory.notes, talk.request.said.notes),
  };
  const topical =
    spoken.topic === undefined
      ? focusedAside(after, talk)
      : withTopic(after, spoken.topic, { made, isInstead: isInstead(talk.request) });
  return withDropped(topical, [...(spoken.dropped ?? []), ...swapped(memory, talk, spoken)]);
};
