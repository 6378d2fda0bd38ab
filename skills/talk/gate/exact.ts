import consentsDe from "./words/consents.de.json" with { type: "json" };
import consentsEn from "./words/consents.en.json" with { type: "json" };
import consentsEs from "./words/consents.es.json" with { type: "json" };
import consentsFr from "./words/consents.fr.json" with { type: "json" };
import consentsPt from "./words/consents.pt.json" with { type: "json" };
import refusalsDe from "./words/refusals.de.json" with { type: "json" };
import refusalsEn from "./words/refusals.en.json" with { type: "json" };
import refusalsEs from "./words/refusals.es.json" with { type: "json" };
import refusalsFr from "./words/refusals.fr.json" with { type: "json" };
import refusalsPt from "./words/refusals.pt.json" with { type: "json" };

/**
 * A message that is nothing but `[opening] [order] [closing]` out of the lists beside this file. Any other word, a
 * question mark, a quotation, money or a decimal makes it none: nothing is corrected, guessed or left out.
 */
export interface Exact {
  /** Every list that the words stand in: "yes", "no", "wait", or the names of orders; empty: only numbers or ids. */
  readonly deeds: readonly string[];
  readonly ids: readonly string[];
  readonly numbers: readonly number[];
  /** All of the last list, where it has so many: "both", "these". Null: the words mean no list. */
  readonly all: { readonly least: number; readonly most: number } | null;
  /** "under PO 5512": kept with the order. */
  readonly references: readonly string[];
}

type Slot = "opening" | "deed" | "verb" | "object" | "noun" | "number" | "and" | "closing";

interface Entry {
  readonly words: readonly string[];
  readonly slot: Slot;
  readonly value: string;
}

type Lexicon = ReadonlyMap<string, readonly Entry[]>;

/** In characters. */
export const longestExact = 200;

const spaced = (text: string): string[] =>
  text.split(/[\s,;.!:…()*_]+|(?<=\s)[-–—]+(?=\s)/).filter((word) => word !== "");

/** "and? send|give it": each word of a list may be one of several, or left out. */
const wordingsOf = (phrase: string): readonly string[][] =>
  spaced(phrase).reduce<readonly string[][]>(
    (heads, word) => {
      const words = word.replace(/\?$/, "").split("|");
      const withOne = heads.flatMap((head) => words.map((one) => [...head, one]));
      return word.endsWith("?") ? [...heads, ...withOne] : withOne;
    },
    [[]],
  );

const entriesOf = (slot: Slot, value: string, phrases: readonly string[]): Entry[] =>
  phrases.flatMap(wordingsOf).map((words) => ({ words, slot, value }));

/** "go with …" orders nothing before it has its object. */
const needsObject = / …$/;

const orderEntries = (order: string, phrases: readonly string[]): Entry[] => [
  ...entriesOf(
    "deed",
    order,
    phrases.filter((phrase) => !needsObject.test(phrase)),
  ),
  ...entriesOf(
    "verb",
    order,
    phrases.filter((phrase) => needsObject.test(phrase)),
  ),
];

const lexiconOf = (entries: readonly Entry[]): Lexicon => {
  const byFirst = new Map<string, Entry[]>();
  for (const entry of entries) {
    const [first = ""] = entry.words;
    byFirst.set(first, [...(byFirst.get(first) ?? []), entry]);
  }
  return byFirst;
};

const consents = lexiconOf(
  [consentsEn, consentsDe, consentsEs, consentsFr, consentsPt].flatMap((words) => [
    ...entriesOf("opening", "", words.openings),
    ...entriesOf("deed", "yes", words.yes),
    ...Object.entries(words.orders).flatMap(([order, phrases]) => orderEntries(order, phrases)),
    ...Object.entries(words.objects).flatMap(([kind, phrases]) => entriesOf("object", kind, phrases)),
    ...entriesOf("noun", "", words.nouns),
    ...entriesOf("and", "", [...words.and, "&", "+"]),
    ...entriesOf("number", "all", words.all),
    ...entriesOf("number", "several", words.several),
    ...Object.entries(words.counts).flatMap(([phrase, count]) => entriesOf("number", `all ${count}`, [phrase])),
    ...entriesOf("closing", "", words.closings),
  ]),
);

const refusals = lexiconOf(
  [refusalsEn, refusalsDe, refusalsEs, refusalsFr, refusalsPt].flatMap((words) => [
    ...entriesOf("opening", "", words.openings),
    ...entriesOf("deed", "no", words.no),
    ...entriesOf("deed", "wait", words.wait),
    ...entriesOf("closing", "", words.closings),
  ]),
);

/** What may follow what. Between a number and the next one stands "and" or nothing. */
const after: Readonly<Record<Slot | "start", readonly Slot[]>> = {
  start: ["opening", "deed", "verb", "noun", "number"],
  opening: ["opening", "deed", "verb", "noun", "number"],
  deed: ["object", "noun", "number", "closing"],
  verb: ["object", "noun", "number"],
  object: ["noun", "number", "closing"],
  noun: ["noun", "number"],
  number: ["noun", "and", "number", "closing"],
  and: ["noun", "number"],
  closing: ["closing"],
};

/** The objects of each order: "cancel the request" ends no deal, and "lock in the price" books nothing. */
const objectsOf: Readonly<Record<string, readonly string[]>> = {
  yes: ["it", "deal"],
  book: ["it", "quote", "deal", "offer", "proposal"],
  accept: ["it", "quote", "deal", "offer", "proposal"],
  agree: ["it", "offer", "price"],
  cancel: ["it", "deal", "campaign"],
  withdraw: ["it", "offer", "proposal", "request", "cancellation", "change"],
  decline: ["it", "quote", "deal", "offer", "price", "proposal", "negotiation"],
  send: ["it", "offer", "price", "proposal"],
  change: ["it", "deal", "request", "change"],
  quote: ["it"],
  "hand over": ["it"],
  start: ["it", "campaign"],
  approve: ["it", "deal", "quote", "offer", "proposal"],
  activate: ["it", "deal"],
  drop: ["it", "deal"],
};

const idWord = /^(?:[a-z]{2,8}-[0-9a-f]{8,16}|[a-z]{3,6}-[0-9a-f]{12})$/;

const valuesAt = (lexicon: Lexicon, words: readonly string[], at: number): readonly Entry[] => {
  const word = words[at] ?? "";
  const listed = (lexicon.get(word) ?? []).filter((entry) =>
    entry.words.every((one, place) => words[at + place] === one),
  );
  const figure = /^#?([1-9]\d?)$/.exec(word)?.[1];
  if (lexicon === refusals || (figure === undefined && !idWord.test(word))) return listed;
  return [...listed, { words: [word], slot: "number", value: figure ?? word }];
};

interface Reached {
  readonly slot: Slot | "start";
  /** The order, or a number without one; null: neither yet. */
  readonly order: string | null;
  readonly path: readonly Entry[];
}

const orderAfter = (before: Reached, { slot, value }: Entry): string | null =>
  slot === "deed" || slot === "verb" ? value : (before.order ?? (slot === "number" ? "" : null));

const follows = ({ slot, order }: Reached, entry: Entry): boolean =>
  after[slot].includes(entry.slot) && (entry.slot !== "object" || (objectsOf[order ?? ""] ?? []).includes(entry.value));

const ending: ReadonlySet<Slot | "start"> = new Set(["deed", "object", "number", "closing"]);

/** All ways to read the words, as the places that can be reached: a message of n words is read in n steps. */
const readings = (lexicon: Lexicon, words: readonly string[]): readonly (readonly Entry[])[] => {
  const reached = Array.from({ length: words.length + 1 }, () => new Map<string, Reached>());
  reached[0]?.set("", { slot: "start", order: null, path: [] });
  for (const [at, places] of reached.entries()) {
    for (const before of at < words.length ? places.values() : []) {
      for (const entry of valuesAt(lexicon, words, at).filter((one) => follows(before, one))) {
        const order = orderAfter(before, entry);
        const here = reached[at + entry.words.length];
        const key = `${entry.slot} ${order ?? "-"}`;
        if (here?.has(key) === false) here.set(key, { slot: entry.slot, order, path: [...before.path, entry] });
      }
    }
  }
  const whole = [...(reached.at(-1)?.values() ?? [])].filter(({ slot, order }) => order !== null && ending.has(slot));
  return whole.map(({ path }) => path);
};

const reference = new RegExp(
  String.raw`(?:\b(?:under|with|on|against|for|per|unter|bajo|con|sous|avec|sob|com) )?(?:(?:our|your|the) )?` +
    String.raw`\b(po|io|case|ticket|ref|reference|purchase order|insertion order|job)(?: (?:number|no|nr|id))?` +
    String.raw`[ #.:]{0,3}([a-z]{0,4}[-/]?\d[\w/-]{0,30})`,
  "g",
);

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/\s+/g, " ")
    .trim();

const allOf = (value: string): NonNullable<Exact["all"]> => {
  const count = Number(value.split(" ")[1] ?? Number.NaN);
  if (Number.isNaN(count)) return { least: value === "several" ? 2 : 1, most: Number.POSITIVE_INFINITY };
  return { least: count, most: count };
};

const merged = (paths: readonly (readonly Entry[])[], references: readonly string[]): Exact | null => {
  const [first] = paths;
  if (first === undefined) return null;
  const values = first.filter(({ slot }) => slot === "number").map(({ value }) => value);
  const deeds = paths.flatMap((path) =>
    path.filter(({ slot }) => slot === "deed" || slot === "verb").map(({ value }) => value),
  );
  const figures = values.filter((value) => /^\d+$/.test(value)).map(Number);
  const whole = values.find((value) => /^(?:all|several)/.test(value));
  const ids = values.filter((value) => idWord.test(value));
  const counted = whole === undefined ? null : allOf(whole);
  // "1 and 2, both"
  const isCount = counted !== null && figures.length === counted.most && figures.length === values.length - 1;
  if (values.length !== new Set(values).size || (whole !== undefined && values.length > 1 && !isCount)) return null;
  if (ids.length > 0 && figures.length > 0) return null;
  const all = isCount ? null : counted;
  return { deeds: [...new Set(deeds)], ids, numbers: figures, all, references };
};

/** Whether a message may begin with a formula: what begins with another word is not cut to look for one. */
export const beginsExactly = (text: string): boolean => {
  const bare = plain(text.slice(0, longestExact)).replace(reference, " ");
  return valuesAt(consents, spaced(bare), 0).length > 0;
};

export const exactly = (text: string): Exact | null => {
  if (text.length > longestExact || /[?¿"“”„«»<>%$€£=@|[\]{}]|\d[.,]\d/.test(text)) return null;
  const references: string[] = [];
  const bare = plain(text).replace(reference, (whole: string, label: string, value: string) => {
    if (idWord.test(value)) return whole;
    references.push(`${label}${value.startsWith("-") ? "" : " "}${value}`.toUpperCase());
    return " ";
  });
  const words = spaced(bare);
  const none = merged(readings(refusals, words), references);
  return none ?? merged(readings(consents, words), references);
};
