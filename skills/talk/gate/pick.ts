import { type Exact, exactly } from "./exact.ts";
import { type Desk, type Gate, isExpired, type Take } from "./gate.ts";
import type { Option } from "./record.ts";

export type Picked =
  | { readonly kind: "take"; readonly takes: readonly Take[] }
  /** An order that names records whose terms stand in them: "book qt-…". */
  | {
      readonly kind: "ids";
      readonly orders: readonly string[];
      readonly ids: readonly string[];
      readonly references: readonly string[];
    }
  | { readonly kind: "no" }
  | { readonly kind: "wait" }
  /** It was a pick, and of nothing that is open here: one sentence. */
  | { readonly kind: "wrong"; readonly why: string }
  /** No pick: the reader's. `orders`: an exact yes or order that nothing shown answers to. */
  | { readonly kind: "none"; readonly orders: readonly string[] };

export interface Message {
  readonly text: string;
  /** Of the data parts beside the text. */
  readonly data: Readonly<Record<string, unknown>>;
}

interface Named {
  readonly option: string;
  readonly digest: string;
}

const isNamed = (value: unknown): value is Named => {
  const { option, digest } = (value ?? {}) as Partial<Record<keyof Named, unknown>>;
  return typeof option === "string" && typeof digest === "string";
};

const namedIn = ({ option, options, digest }: Message["data"]): readonly unknown[] | null => {
  if (Array.isArray(options)) return options;
  return option === undefined ? null : [{ option, digest }];
};

const wrong = (why: string): Picked => ({ kind: "wrong", why });

/** "No", "not yet" and "cancel it" beside an option that books say another thing than the option. */
const agreesWith = (gate: Gate, text: string, options: readonly Option[]): boolean => {
  if (text.trim() === "") return true;
  const exact = exactly(text);
  if (exact === null || exact.deeds.length === 0 || exact.ids.length + exact.numbers.length > 0) return false;
  const orders = exact.deeds.filter((deed) => deed !== "yes");
  return exact.deeds.includes("yes") || options.every((option) => fits(gate, option, orders));
};

const byData = (gate: Gate, { row }: Desk, named: readonly unknown[], text: string): Picked => {
  if (named.length === 0 || named.length > 40 || !named.every(isNamed))
    return wrong('Send {"option", "digest"} as they were shown; nothing was done.');
  if (new Set(named.map(({ option }) => option)).size < named.length)
    return wrong("An option is named twice; nothing was done.");
  const takes = named.map(({ option: id, digest }) => {
    const option = row.open.find((one) => one.option === id);
    return option === undefined ? id : { option, digest, by: "option" as const };
  });
  const picks = takes.filter((one) => typeof one !== "string");
  if (
    !agreesWith(
      gate,
      text,
      picks.map(({ option }) => option),
    )
  )
    return wrong("Send the option without other words; nothing was done.");
  const lost = takes.find((one) => typeof one === "string");
  if (lost === undefined) return { kind: "take", takes: picks };
  return row.taken.some(({ option }) => option === lost)
    ? wrong("That option was taken already; nothing more was done.")
    : wrong("That option is not open in this conversation; nothing was done.");
};

/** "Book" is an order for what may be booked, and a bare number for anything that is listed. */
const fits = (gate: Gate, { operation, input }: Option, deeds: readonly string[]): boolean =>
  deeds.length === 0 || ordersOf(gate, operation, input).some((order) => deeds.includes(order));

const ordersOf = (gate: Gate, operation: string, input: Option["input"]): readonly string[] =>
  gate.deeds.get(operation)?.orders(input) ?? [];

/** Our last price waits for an answer, so that an order to book may mean it or the price before. */
const isCounter = (gate: Gate, { operation, input }: Option): boolean => {
  const orders = ordersOf(gate, operation, input);
  return orders.includes("accept") && !orders.includes("book");
};

/** "All" means all that is open of its kind, so it takes nothing where the last list shows less than that. */
const isWhole = (gate: Gate, { row }: Desk, meant: readonly Option[], orders: readonly string[]): boolean =>
  row.open.filter((option) => fits(gate, option, orders)).every((option) => meant.includes(option));

const byNumbers = (gate: Gate, desk: Desk, { numbers, deeds, all, references }: Exact): Picked => {
  const { row } = desk;
  const none: Picked = { kind: "none", orders: deeds };
  const listed = row.listed.flatMap((id) => row.open.find(({ option }) => option === id) ?? []);
  const many = row.listed.length;
  const orders = deeds.filter((deed) => deed !== "yes");
  // "2" after another question is its answer.
  if (many === 0 || (deeds.length === 0 && !row.isListNew)) return none;
  // The list is not what the last reply was about.
  if (all !== null && !row.takesOrders && !row.isListNew) return none;
  const named = numbers.map((number) => listed.find(({ n }) => n === number));
  const beyond = numbers.find((_, place) => named[place] === undefined);
  // "21" beside one option is a price.
  if (beyond !== undefined && (orders.length === 0 || many === 1)) return none;
  if (beyond !== undefined) return wrong(`The last list has no ${beyond} that is open. Nothing was done.`);
  const chosen = all === null ? named.filter((option) => option !== undefined) : listed;
  const meant = all === null ? chosen : chosen.filter((option) => fits(gate, option, orders));
  if (all !== null && (meant.length < all.least || meant.length > all.most)) return none;
  if (!meant.every((option) => fits(gate, option, orders)))
    return wrong("That is not what these numbers offer now; nothing was done.");
  // A number that the last reply showed; "book 1" and "all" may mean what is open from before.
  const isPlain = row.isListNew && row.armed === null && all === null && orders.length === 0;
  if (meant.length === 0 || (many === 1 && !isPlain && !isWhole(gate, desk, meant, orders))) return none;
  return { kind: "take", takes: meant.map((option) => ({ option, digest: null, by: "number" as const, references })) };
};

const taken = (option: Option, by: "yes" | "order", references: readonly string[]): Picked => ({
  kind: "take",
  takes: [{ option, digest: null, by, references }],
});

/** A yes is for what the last reply asked alone; an order also for the one thing of its kind that is open. */
const byWords = (gate: Gate, { row }: Desk, { deeds, references }: Exact, nowMs: number): Picked => {
  const armed = row.open.find(({ option }) => option === row.armed);
  const orders = deeds.filter((deed) => deed !== "yes");
  if (armed !== undefined && fits(gate, armed, orders) && orders.length > 0) return taken(armed, "order", references);
  if (armed !== undefined)
    return deeds.includes("yes") ? taken(armed, "yes", references) : { kind: "none", orders: deeds };
  const open = row.open.filter((option) => !isExpired(option, nowMs));
  // Its own verb: "deal" is no "book it" where nothing asked for it.
  const isNamed = ({ operation, input }: Option): boolean =>
    ordersOf(gate, operation, input)
      .slice(0, 1)
      .some((order) => orders.includes(order));
  const [only, other] = orders.length === 0 || !row.takesOrders ? [] : open.filter(isNamed);
  const isCountered = orders.includes("book") && open.some((option) => isCounter(gate, option));
  // The last reply asked about something else.
  const isOther = row.isListNew && only !== undefined && !row.listed.includes(only.option);
  if (only === undefined || other !== undefined || isCountered || isOther) return { kind: "none", orders: deeds };
  return taken(only, "order", references);
};

export const picked = (gate: Gate, desk: Desk, { text, data }: Message, nowMs: number): Picked => {
  const named = namedIn(data);
  if (named !== null) return byData(gate, desk, named, text);
  const exact = exactly(text);
  if (exact === null) return { kind: "none", orders: [] };
  const { deeds, ids, numbers, references } = exact;
  if (deeds.includes("no")) return { kind: "no" };
  if (deeds.includes("wait")) return { kind: "wait" };
  if (ids.length > 0) return { kind: "ids", orders: deeds, ids, references };
  if (exact.all !== null || numbers.length > 0) return byNumbers(gate, desk, exact);
  return byWords(gate, desk, exact, nowMs);
};
