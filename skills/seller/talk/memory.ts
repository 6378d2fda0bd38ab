import { create, remove, update } from "../../../protocol/seam/changes.ts";
import type { Draft } from "../../talk/gate/record.ts";
import type { Entity } from "../../talk/reader/entity.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { Change, Kind, StoredRow } from "../../../storage/store.ts";
import { conversationIdOf, conversationTerm, keptForMs } from "./exchanges.ts";

/** Terms by the names of the operations' inputs. */
export type Slots = Readonly<Record<string, unknown>>;

export interface Former {
  readonly impressions: number;
  readonly cpm: number;
  readonly quote_id: unknown;
}

/** What is talked about: a product with its terms, and the records that were made of it. */
export interface Topic {
  readonly product: string;
  readonly terms: Slots;
  /** The price told last. */
  readonly cpm: number | null;
  /** The open sale of the same product that it stands for. */
  readonly former?: Former;
  /** The first of them, where there were several. */
  readonly first?: Former;
  /** Booked terms have a deal; dropped ones are wanted no more. */
  readonly isOver: boolean;
}

/** A row of the last answer, in its order, which "the first" and "the cheaper" mean. */
export interface Row {
  readonly product: string | null;
  readonly record: string | null;
  readonly cpm: number | null;
  readonly total: number | null;
}

export interface Memory {
  /** In force, with the ids of the records last made or named. */
  readonly terms: Slots;
  /** The last request, which terms without one of their own repeat. */
  readonly asked: string | null;
  /** The one talked about last is the last. */
  readonly topics: readonly Topic[];
  readonly rows: readonly Row[];
  /** The request that asked which of the rows, by their numbers, it is for. */
  readonly choosing: string | null;
  /** What was wanted, and can be asked for when what the last answer offers is done. */
  readonly next: readonly Draft[];
  readonly isHandedOver: boolean;
  /** The last message, which a person is asked about: "pass that on". */
  readonly words: string;
  /** Of the whole campaign, where one was named. */
  readonly budget: number | null;
  /** Sums of money that were told or named last: "27k" may be one of them. */
  readonly sums: readonly number[];
  /** What the next booking tells the seller: "Advertiser: Acme". */
  readonly notes: readonly string[];
  /** How many options were taken here. */
  readonly agreed: number;
}

export const newMemory: Memory = {
  terms: {},
  asked: null,
  topics: [],
  rows: [],
  choosing: null,
  next: [],
  isHandedOver: false,
  words: "",
  budget: null,
  sums: [],
  notes: [],
  agreed: 0,
};

/** Per caller: another caller's `contextId` of the same name is another row. */
export interface ConversationRow {
  readonly owner: string;
  readonly context_id: string;
  readonly memory: Memory;
  /** What was said and answered since the row was made; missing in older rows. */
  readonly exchanges?: number;
  readonly updated_at_ms: number;
}

const topicOf = (one: unknown): readonly Topic[] => {
  if (!isMembers(one) || typeof one["product"] !== "string" || !isMembers(one["terms"])) return [];
  const { product, terms, cpm, former, first, isOver, isReplaced } = one;
  const price = typeof cpm === "number" ? cpm : null;
  const before = {
    ...(isMembers(former) ? { former: former as unknown as Former } : {}),
    ...(isMembers(first) ? { first: first as unknown as Former } : {}),
  };
  return [{ product, terms, cpm: price, ...before, isOver: isOver === true || isReplaced === true }];
};

/** Rows of earlier builds have other members beside these. */
export const memoryOf = (stored: unknown): Memory => {
  const { terms, asked, topics, rows, choosing, next, isHandedOver, words, agreed, budget, sums, notes, life } =
    isMembers(stored) ? stored : {};
  const taken = isMembers(life) && isMembers(life["context"]) ? life["context"]["taken"] : [];
  return {
    terms: isMembers(terms) ? terms : {},
    asked: typeof asked === "string" ? asked : null,
    topics: Array.isArray(topics) ? (topics as readonly unknown[]).flatMap(topicOf) : [],
    rows: Array.isArray(rows) ? (rows as readonly Row[]) : [],
    choosing: typeof choosing === "string" ? choosing : null,
    next: Array.isArray(next) ? (next as readonly Draft[]) : [],
    isHandedOver: isHandedOver === true,
    words: typeof words === "string" ? words : "",
    budget: typeof budget === "number" ? budget : null,
    sums: Array.isArray(sums) ? sums.filter((one) => typeof one === "number") : [],
    notes: Array.isArray(notes) ? notes.filter((one) => typeof one === "string") : [],
    agreed: typeof agreed === "number" ? agreed : Array.isArray(taken) ? taken.length : 0,
  };
};

export const conversationKind: Kind<ConversationRow> = {
  name: "conversation",
  terms: (row) => [conversationTerm(conversationIdOf(row.owner, row.context_id))],
  dueAtMs: (row) => row.updated_at_ms + keptForMs,
  owner: (row) => row.owner,
};

export const conversationId = (owner: string, contextId: string): string => JSON.stringify([owner, contextId]);

export const remembered = (
  loaded: Loaded<ConversationRow> | null,
  of: { readonly owner: string; readonly contextId: string; readonly memory: Memory; readonly nowMs: number },
): Change => {
  const { owner, contextId, memory, nowMs } = of;
  const exchanges = (loaded?.body.exchanges ?? 0) + 1;
  const row = { owner, context_id: contextId, memory, exchanges, updated_at_ms: nowMs };
  const id = conversationId(owner, contextId);
  return loaded === null ? create(conversationKind, id, row) : update(conversationKind, loaded, row);
};

/** Null for rows of other kinds. */
export const forgottenConversation = (row: StoredRow) =>
  row.kind === conversationKind.name
    ? { changes: [remove(conversationKind, row as StoredRow<ConversationRow>)], events: [] }
    : null;

export const recordIds = ["quote_id", "proposal_id", "negotiation_id", "deal_id"] as const;

export const withoutRecords = (terms: Slots): Slots =>
  Object.fromEntries(Object.entries(terms).filter(([name]) => !(recordIds as readonly string[]).includes(name)));

export const flightNames = ["flight_start", "flight_end"] as const;
/** What is sold of a product, and when. */
export const sizeNames = ["impressions", ...flightNames] as const;

export const pick = (terms: Slots, names: readonly string[]): Slots =>
  Object.fromEntries(names.flatMap((name) => (terms[name] == null ? [] : [[name, terms[name]]])));

export const productIdsOf = ({ product_id: id }: Slots): readonly string[] =>
  typeof id === "string" ? [id] : Array.isArray(id) ? id.filter((one) => typeof one === "string") : [];

const mostTopics = 40;
const mostNotes = 8;
const mostSums = 40;

/** Prices per thousand are no sums. */
const sumsIn = (text: string): readonly number[] =>
  [...text.matchAll(/\$([\d,]+(?:\.\d+)?)(?! CPM)(?![\d.,]*\d)/g)].map(([, sum = ""]) =>
    Number(sum.replaceAll(",", "")),
  );

export const withSums = (sums: readonly number[], text: string, said: readonly Entity[]): readonly number[] =>
  [...sums, ...said.flatMap((one) => (one.kind === "money" ? [one.value] : [])), ...sumsIn(text)].slice(-mostSums);

/** A note of the same kind stands for the one before. */
export const withNotes = (notes: readonly string[], said: readonly string[]): readonly string[] => {
  const labelOf = (note: string): string => note.split(":")[0] ?? note;
  const nameOf = (note: string): string => note.slice(labelOf(note).length + 1).trim();
  const kept = notes.filter((one) => !said.some((other) => labelOf(other) === labelOf(one)));
  const all = [...kept, ...said];
  // "Advertiser Acme", and later "for Acme": the advertiser and the client are one.
  const isTwice = (one: string): boolean =>
    labelOf(one) === "Client" && all.some((other) => labelOf(other) === "Advertiser" && nameOf(other) === nameOf(one));
  return all.filter((one) => !isTwice(one)).slice(-mostNotes);
};

const isDeal = ({ terms }: Topic): boolean => terms["deal_id"] != null;

const isOneRecord = ({ terms: left }: Topic, { terms: right }: Topic): boolean =>
  ["deal_id", "quote_id", "proposal_id"].some((name) => left[name] != null && left[name] === right[name]);

const isSame = (one: Topic, other: Topic, isInstead = false): boolean => {
  const [left, right] = [one.terms, other.terms];
  const isBooked = left["deal_id"] != null;
  const isOtherFlight =
    !isInstead &&
    left["quote_id"] != null &&
    left["quote_id"] !== right["quote_id"] &&
    left["flight_start"] != null &&
    right["flight_start"] != null &&
    left["flight_start"] !== right["flight_start"] &&
    left["impressions"] === right["impressions"];
  return one.product === other.product && (isOneRecord(one, other) || (!isBooked && !isOtherFlight));
};

/** The same object where it stands for none. */
const withFormer = ({ topics }: Memory, topic: Topic, made: readonly Topic[]): Topic => {
  const before = topics.findLast((one) => !one.isOver && one.product === topic.product);
  const impressions = before?.terms["impressions"];
  if (before === undefined || isDeal(before) || made.includes(before) || typeof impressions !== "number") return topic;
  const isOther =
    before.cpm !== topic.cpm || sizeNames.some((name) => (before.terms[name] ?? null) !== (topic.terms[name] ?? null));
  const former =
    isOther && before.cpm !== null
      ? { impressions, cpm: before.cpm, quote_id: before.terms["quote_id"] }
      : before.former;
  return former === undefined ? topic : { ...topic, former, first: before.first ?? former };
};

/** The newest stands for an older one of the same product, unless that is booked or another `made` by the message. */
export const withTopic = (
  memory: Memory,
  topic: Topic,
  { made = [], isInstead = false }: { readonly made?: readonly Topic[]; readonly isInstead?: boolean } = {},
): Memory => ({
  ...memory,
  // What is asked of a booked sale is no open one beside it.
  topics: memory.topics.some((one) => isDeal(one) && !isDeal(topic) && isOneRecord(one, topic))
    ? memory.topics
    : [
        ...memory.topics.filter(
          (one) =>
            !isSame(one, topic, isInstead) ||
            (made.some((other) => other === one || isOneRecord(other, one)) && !isOneRecord(one, topic)),
        ),
        withFormer(memory, topic, made),
      ].slice(-mostTopics),
});

/** Talked about now: words without a name mean it. */
export const focusedOn = (memory: Memory, topic: Topic): Memory => ({
  ...memory,
  topics: [...memory.topics.filter((one) => one !== topic), topic],
  terms: { ...topic.terms, product_id: topic.product },
});

export const newTopic = (product: string, terms: Slots, cpm: number | null): Topic => ({
  product,
  terms,
  cpm,
  isOver: false,
});

/** Quoted and not booked, and wanted no more. */
export const isDropped = ({ terms, isOver }: Topic): boolean =>
  isOver && terms["quote_id"] != null && terms["deal_id"] == null;

export const focusOf = ({ topics }: Memory): Topic | null => topics.findLast(({ isOver }) => !isOver) ?? null;

export const topicFor = ({ topics }: Memory, product: string): Topic | null =>
  topics.findLast((one) => one.product === product && !one.isOver) ?? null;

/** Quoted, agreed or negotiated, and not booked. */
export const openTopics = ({ topics }: Memory): readonly Topic[] =>
  topics.filter(
    ({ terms, isOver }) =>
      !isOver &&
      terms["deal_id"] == null &&
      (terms["quote_id"] != null || terms["proposal_id"] != null || terms["negotiation_id"] != null),
  );

/** A booking of a quote that is dropped, or that another quote stands for. */
export const isReplaced = ({ topics }: Memory, { operation, input }: Draft): boolean => {
  if (operation !== "book_deal") return false;
  const own = topics.findLast(({ terms }) => terms["quote_id"] === input["quote_id"]);
  return own?.isOver === true || (own === undefined && topics.length > 0);
};

export const dealTopics = ({ topics }: Memory): readonly Topic[] =>
  topics.filter(({ terms }) => terms["deal_id"] != null);

/** Of what was talked about last and has one. */
export const lastFlight = ({ topics }: Memory): Slots =>
  pick(topics.findLast(({ terms }) => terms["flight_start"] != null)?.terms ?? {}, flightNames);

/** Null where there are several, or none. */
export const soleOf = <T>(all: readonly T[]): T | null => (all.length === 1 ? (all[0] ?? null) : null);

/** The rows of a list that an operation answers. */
export const rowsOfList = (output: unknown, member: string): readonly Slots[] =>
  ((output as Slots | null | undefined)?.[member] ?? []) as readonly Slots[];

/** Of a quote or a deal. */
export const productIn = (output: Slots): string => String((output["product"] as Slots)["product_id"]);

export const numberIn = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** Null without a volume, or a price. */
export const costOf = (cpm: number | null, impressions: unknown): number | null =>
  cpm === null || typeof impressions !== "number" ? null : (cpm * impressions) / 1000;

/** Lines are shown to the cent, and their sum is the sum of what is shown. */
export const inCents = (sum: number): number => Math.round(100 * sum) / 100;

/** Our price in the last round of a negotiation. */
export const lastPriceOf = (output: Slots | null): number | null =>
  numberIn((output?.["round"] as Slots | null | undefined)?.["seller_price"]);

/** A product that an answer names, of which nothing is told yet. */
export const rowOfProduct = (product: string, cpm: number | null = null, total: number | null = null): Row => ({
  product,
  record: null,
  cpm,
  total,
});

export const idsIn = ({ products }: { readonly products: readonly { readonly ids: readonly string[] }[] }) =>
  products.flatMap(({ ids }) => ids);
