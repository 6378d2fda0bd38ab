import { blanked, type Span } from "../../../../understanding/reading/spans.ts";
import type { Pattern } from "../words/vocabulary.ts";
import { type Mention, mentionsIn } from "../words/mentions.ts";

type Mode = "set" | "only" | "add" | "drop" | "more";

interface Edit extends Mention {
  readonly mode: Mode;
}

/** The last of them before a name says what becomes of it; "for" follows a swap alone. */
const before: readonly (readonly [Mode, RegExp])[] = [
  ["drop", /\b(?:no|not|without|drop(?:ping)?|remov(?:e|ing)|skip(?:ping)?|exclud(?:e|ing)|except(?: for)?|lose)\b/gi],
  ["drop", /\b(?:everything|anything|all|all channels|any channel) but\b|\bthan\b/gi],
  ["drop", /\b(?:nothing (?:on|in|for|with)|neither|no need (?:for|of))\b/gi],
  [
    "drop",
    new RegExp(
      "(?:\\b(?:not|never|cannot)|n't)(?:\\s+(?:want|wish|like|need|require|use|include|buy|buying|have|run|book|see|" +
        "consider|care|interested|looking|planning|going|willing|any|to|for|in|on|be|spend|anything|the))+\\b",
      "gi",
    ),
  ],
  ["drop", /\b(?:leave out|take out|forget(?: about)?|minus|instead of|rather than|replac(?:e|ing)|swap)\b/gi],
  ["drop", /\b(?:omit|scratch|scrap|kill|ditch|delete|get rid of|cancel)\b|\bcut(?= (?:the )?$)/gi],
  ["drop", /\b(?:change|switch)(?= (?:the )?$)/gi],
  [
    "only",
    /\b(?:only|just|solely|(?:everything|it all|all of it|all the money|the whole budget) (?:on|in|into|to))\b/gi,
  ],
  [
    "add",
    /\b(?:add(?:ing)?|also|plus|include|including|as well as|(?:bring|put|take) (?:back|in)|keep(?:ing)?|restore)\b/gi,
  ],
  ["add", /\b(?:what|how) about\b/gi],
  ["add", /\bdo(?: not|n't) forget(?: about| to)?(?: (?:add|include|have|use))?\b/gi],
  ["set", /(?<!\b(?:everything|anything|all|all channels|any channel) )\bbut\b|\b(?:to|make it|prefer)\b/gi],
];
const afterSwap = /\b(?:for|with|by|to)\b/gi;
const may = "(?:(?:can|could|should|must|may|shall|will|has to|have to|needs? to|to|is|are)\\s+){0,2}";
const behind: readonly (readonly [Mode, RegExp])[] = [
  ["only", /^\s*(?:ads? )?(?:only|alone)\b/i],
  [
    "add",
    new RegExp(
      `^\\s*(?:ads? )?(?:in )?(?:too|as well|also|on top|back(?: (?:in|on))?(?! to)|in there|in the mix|` +
        `${may}(?:stays?|remains?|fine|ok|okay|good|(?:be )?(?:kept|added|included)))\\b`,
      "i",
    ),
  ],
  [
    "drop",
    new RegExp(
      `^\\s*(?:ads? )?(?:${may}(?:go(?:es|ne)?|(?:be )?(?:removed|dropped|cut|skipped|left out|taken out|` +
        "excluded|avoided))|(?:is )?(?:out|away|off))" +
        "\\b(?! (?:live|to|on|from|for)\\b)",
      "i",
    ),
  ],
  [
    "drop",
    new RegExp(
      "^\\s*(?:ads? )?(?:(?:is|are|was) not|(?:is|are|was)n't) (?:needed|wanted|required|necessary|desired|good|" +
        "right|" +
        "suitable|useful|what (?:i|we)|for us|part of|an option|relevant)\\b",
      "i",
    ),
  ],
];
/** A message that begins so goes on from the list before it. */
const goesOn = /^\W*(?:and|&|\+)\s+(?:the\s+|some\s+)?$/i;
/** "Not display, audio" is a contrast, "no display, audio" a list. */
const contrast = /\bnot\s+(?:the\s+)?$/i;
const joining = /^\s*(?:(?:and|or|nor|plus|y|the|ads?|[,&/])\s*)*$/i;

/** They bound the cost of a long text. */
const mostNear = 60;
const mostMentions = 40;

interface Operator extends Span {
  readonly mode: Mode;
}

const lastIn = (gap: string, at: number, isSwapped: boolean): Operator | undefined => {
  const words = isSwapped ? [...before, ["add", afterSwap] as const] : before;
  const found = words.flatMap(([mode, pattern]) =>
    [...gap.matchAll(pattern)].map((match) => ({
      mode,
      start: at + match.index,
      end: at + match.index + match[0].length,
    })),
  );
  return found.toSorted((one, other) => one.end - other.end).at(-1);
};

const denial = /\b(?:not|never|cannot|neither|nor)\b|n't\b/i;
const denies = /\b(?:not|never|cannot|neither|nor)\b|n't\b|\bno\b|\bwithout\b/i;
const noDenial = /\bwhy (?:not|do ?n't (?:we|you))\b/gi;
const inverse: Readonly<Record<Mode, Mode>> = { set: "drop", add: "drop", drop: "add", only: "more", more: "more" };

/** "Do not add audio", "don't drop audio", "not only CTV": what stands behind a negation means its contrary. */
const denied = (gap: string, at: number, told: Operator | undefined): Operator | undefined => {
  const upTo = told === undefined ? gap.length : told.start - at;
  const clauseAt = Math.max(
    ...[...gap.slice(0, upTo).matchAll(/[,.;:!?\n]|\bbut\b/gi)].map(({ index }) => index + 1),
    0,
  );
  const clause = gap.slice(clauseAt, upTo).replace(noDenial, (words) => " ".repeat(words.length));
  const match = denial.exec(clause);
  if (told === undefined || match === null || denies.test(gap.slice(upTo, told.end - at))) return told;
  return { mode: inverse[told.mode], start: at + clauseAt + match.index, end: told.end };
};

const swapping = /\b(?:swap|replac\w+|change|switch)\b/i;

/** "+ audio", "- native". */
const modeOfSign = (gap: string): Mode | undefined => {
  if (goesOn.test(gap)) return "add";
  return /^\s*[-−]\s*$/.test(gap) ? "drop" : undefined;
};

/** What is denied in one sentence is not denied in the next. */
const sentenceStart = (text: string, from: number, to: number): number =>
  Math.max(from, ...[...text.slice(from, to).matchAll(/[.!?](?=\s)|\n/g)].map(({ index }) => from + index + 1));

interface Told {
  readonly mode: Mode | undefined;
  readonly isListed: boolean;
}

/** "Put video and audio back": the words behind a list are of each of its names. */
const modeBehind = (read: readonly Told[], place: number): Mode | undefined => {
  const next = read[place + 1];
  return next?.isListed === true ? (next.mode ?? modeBehind(read, place + 1)) : undefined;
};

export interface Edits {
  readonly edits: readonly Edit[];
  /** The text without what was read of it. */
  readonly left: string;
}

/** "No CTV, but audio too": each name that is listed, with what is to become of it. */
export const editsIn = (text: string, patterns: readonly Pattern[]): Edits => {
  const mentions = mentionsIn(text, patterns).slice(0, mostMentions);
  const taken: Span[] = [...mentions];
  const read = mentions.map((mention, place) => {
    const behindLast = mentions[place - 1]?.end ?? 0;
    const from = sentenceStart(text, behindLast, mention.start);
    const gap = text.slice(from, mention.start);
    const isSwapped = place > 0 && swapping.test(text.slice(Math.max(0, behindLast - mostNear), behindLast));
    const told = denied(gap, from, lastIn(gap, from, isSwapped));
    const rest = text.slice(mention.end, mentions[place + 1]?.start);
    const after = behind.flatMap(([mode, pattern]) => {
      const match = pattern.exec(rest);
      return match === null ? [] : [{ mode, start: mention.end, end: mention.end + match[0].length }];
    })[0];
    const isContrast =
      /^\s*,\s*$/.test(gap) && contrast.test(text.slice(0, mentions[place - 1]?.start).slice(-mostNear));
    const operator = told ?? after;
    taken.push(...[told, after].filter((one) => one !== undefined));
    const first = place > 0 ? undefined : modeOfSign(gap);
    return { mention, mode: operator?.mode ?? first, isListed: place > 0 && joining.test(gap) && !isContrast };
  });
  const edits: Edit[] = [];
  for (const [place, { mention, mode, isListed }] of read.entries()) {
    const same = isListed ? edits[place - 1]?.mode : undefined;
    edits.push({ ...mention, mode: mode ?? same ?? modeBehind(read, place) ?? "set" });
  }
  return { edits, left: blanked(text, taken) };
};

/** Names alone replace the list; beside a word that adds or drops one, they join it. */
export const editedList = (list: readonly string[], edits: readonly Edit[]): readonly string[] => {
  const named = (...modes: readonly Mode[]): string[] =>
    edits.filter(({ mode }) => modes.includes(mode)).map(({ name }) => name);
  const only = named("only");
  const isReplaced = only.length > 0 || named("add", "drop", "more").length === 0;
  const kept = isReplaced ? [] : list.filter((name) => !named("drop").includes(name));
  return [...new Set([...kept, ...(only.length > 0 ? only : named("set", "add", "more"))])];
};
