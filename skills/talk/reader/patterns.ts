import { type Entity, type Scan } from "./entity.ts";
import type { Segment } from "./cut.ts";

/**
 * How requests are worded: words with blanks between them, in any place of a segment.
 *
 *     how much|many        either word
 *     which * available    up to three words between
 *     price of @           @ product, # amount, ~ dates, ! id, ^ deal type, & who and where
 *     is [note] on         [note] what a booking carries, [size] of a creative, [cap] how often one is shown
 *     can you do #price    an amount of one kind: #price, #money, #volume, #percent, #length
 *
 * A pattern counts the words that it names; of several that fit, the one that names most is meant.
 */
export interface Pattern {
  readonly command: string;
  /** Of each place the words that fit; null for up to three of any. */
  readonly parts: readonly (ReadonlySet<string> | null)[];
  readonly weight: number;
}

const symbols: Readonly<Partial<Record<Entity["kind"], string>>> = {
  product: "@",
  unsold: "@",
  price: "#price",
  money: "#money",
  volume: "#volume",
  percent: "#percent",
  number: "#price",
  length: "#length",
  period: "~",
  deadline: "~",
  vague: "~",
  day: "~",
  id: "!",
  dealType: "^",
  size: "[size]",
  spot: "[size]",
  cap: "[cap]",
  audience: "&",
  geo: "&",
};

const symbol = /^(?:[@~!^&]|#[a-z]*)$/;
const mostBetween = 3;
/** Words that fit by chance weigh no more than those that were chosen. */
const mostNamed = 3.4;

export interface Patterns {
  readonly byFirst: ReadonlyMap<string, readonly Pattern[]>;
  readonly words: ReadonlySet<string>;
  /** Words of several requests: they are words of the trade, and say no term. */
  readonly common: ReadonlySet<string>;
}

const leastCommon = 2;

/** "#" is an amount of any kind. */
const inPlaceOf = (word: string): readonly string[] =>
  word === "#" ? ["#price", "#money", "#volume", "#percent", "#length"] : [word];

const patternOf = (command: string, text: string): Pattern => {
  const [words = "", own] = text.split(" =");
  const places = words.split(" ").map((part) => (part === "*" ? [] : part.split("|")));
  const named = places.reduce((sum, [first]) => sum + (first === undefined ? 0 : symbol.test(first) ? 1 : 2), 0);
  const parts = places.map((all) => (all.length === 0 ? null : new Set(all.flatMap(inPlaceOf))));
  return { command, parts, weight: own === undefined ? Math.min(named, mostNamed) : Number(own) };
};

export const patternsOf = (table: Readonly<Record<string, readonly string[]>>): Patterns => {
  const byFirst = new Map<string, Pattern[]>();
  for (const [command, texts] of Object.entries(table))
    for (const pattern of texts.map((text) => patternOf(command, text)))
      for (const first of pattern.parts[0] ?? []) byFirst.set(first, [...(byFirst.get(first) ?? []), pattern]);
  const commands = new Map<string, Set<string>>();
  for (const { command, parts } of [...byFirst.values()].flat())
    for (const word of parts.flatMap((part) => [...(part ?? [])]))
      commands.set(word, (commands.get(word) ?? new Set()).add(command));
  const common = new Set([...commands].filter(([, of]) => of.size >= leastCommon).map(([word]) => word));
  return { byFirst, words: new Set(commands.keys()), common };
};

/** A word as patterns see it, with the tokens that it covers. */
interface Seen {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

const endings: Readonly<Record<string, string>> = { s: "is", ve: "have", d: "would", ll: "will", m: "am", re: "are" };

/** "What's", "I've", "whats" in full. */
const inFull = (word: string): readonly string[] => {
  if (word === "whats" || word === "hows" || word === "thats") return [word.slice(0, -1), "is"];
  const at = word.indexOf("'");
  const ending = at < 0 ? undefined : endings[word.slice(at + 1)];
  return ending === undefined ? [word] : [word.slice(0, at), ending];
};

/** A reference is a note of a booking, or "DV360". */
const symbolOf = ({ tokens }: Scan, owner: Entity): string | undefined => {
  if (owner.kind !== "reference") return symbols[owner.kind];
  if (owner.note !== undefined) return "[note]";
  return tokens[owner.to - 1]?.text === "360" ? "dv360" : undefined;
};

const seenIn = (
  scan: Scan,
  { from, to }: Pick<Segment, "from" | "to">,
  spelt: (word: string) => string,
): readonly Seen[] => {
  const { tokens, owners } = scan;
  const seen: Seen[] = [];
  for (let at = from; at < to;) {
    const owner = owners[at];
    const token = tokens[at];
    if (token === undefined) break;
    if (owner === undefined) {
      if (token.kind !== "mark")
        for (const word of inFull(token.word)) seen.push({ word: spelt(word), from: at, to: at + 1 });
      at += 1;
      continue;
    }
    const word = symbolOf(scan, owner);
    if (word !== undefined) seen.push({ word, from: at, to: owner.to });
    at = Math.max(at + 1, Math.min(owner.to, to));
  }
  return seen;
};

/** The place behind the match; -1 where the pattern does not fit here. */
const endOf = (seen: readonly Seen[], at: number, parts: Pattern["parts"], part: number): number => {
  if (part === parts.length) return at;
  const words = parts[part];
  if (words !== null && words !== undefined)
    return words.has(seen[at]?.word ?? "") ? endOf(seen, at + 1, parts, part + 1) : -1;
  for (let gap = 0; gap <= mostBetween && at + gap < seen.length; gap += 1) {
    const end = endOf(seen, at + gap, parts, part + 1);
    if (end >= 0) return end;
  }
  return -1;
};

export interface Match {
  readonly command: string;
  readonly score: number;
  /** Tokens that the command's patterns name. */
  readonly used: ReadonlySet<number>;
}

/** Every command whose words the segment has, the likeliest first. */
export const matchesIn = (
  { byFirst, words }: Patterns,
  scan: Scan,
  segment: Pick<Segment, "from" | "to">,
  spelt: (word: string) => string,
): readonly Match[] => {
  // "Campaigns" is a word of requests, and no misspelt "campaign".
  const seen = seenIn(scan, segment, (word) => (words.has(word) ? word : spelt(word)));
  const found = new Map<string, { score: number; used: Set<number> }>();
  for (let at = 0; at < seen.length; at += 1) {
    for (const pattern of byFirst.get(seen[at]?.word ?? "") ?? []) {
      const end = endOf(seen, at + 1, pattern.parts, 1);
      if (end < 0) continue;
      const known = found.get(pattern.command) ?? { score: 0, used: new Set<number>() };
      // The longest counts, and each further one a little.
      known.score = Math.max(known.score, pattern.weight) + (known.score === 0 ? 0 : 0.25);
      for (const one of seen.slice(at, end))
        for (let token = one.from; token < one.to; token += 1) known.used.add(token);
      found.set(pattern.command, known);
    }
  }
  return [...found]
    .map(([command, { score, used }]) => ({ command, score, used }))
    .sort((one, other) => other.score - one.score);
};
