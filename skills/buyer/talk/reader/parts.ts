import { isConditional } from "../../../talk/reader/cut.ts";
import type { Scan } from "../../../talk/reader/entity.ts";
import { matchesIn, patternsOf } from "../../../talk/reader/patterns.ts";
import type { Term } from "../brief/form.ts";
import type { Asked } from "../brief/questions.ts";
import phrases from "../words/phrases.json" with { type: "json" };
import questionPhrases from "../words/questions.json" with { type: "json" };
import type { Request, Situation } from "./request.ts";
import { termsIn } from "./terms/terms.ts";
import { asWritten, channelsIn, type Place, plainOf, type Text } from "./text.ts";
import { isIn, lists, says, saysPhrase } from "./words.ts";

export type Command = keyof typeof phrases;

const patterns = patternsOf(phrases);
const questions = patternsOf(questionPhrases);

/** A part of a message that asks one thing. */
export interface Part extends Place {
  readonly isQuestion: boolean;
  readonly hasMark: boolean;
}

const joints = ", and but then ; n also";
const fillers = "and also then please but so now just kindly";

/** What follows a comma or an "and" before a word that opens a request is a part of its own. */
export const cut = (text: Text, { from, to, isQuestion, hasMark }: Part): readonly Part[] => {
  const parts: Part[] = [];
  let begin = from;
  for (let at = from + 1; at < to; at += 1) {
    if (!isIn(text.words[at] ?? "", joints) || text.scan.owners[at] !== undefined) continue;
    let next = at + 1;
    while (isIn(text.words[next] ?? "", fillers)) next += 1;
    const opener = text.words[next] ?? "";
    const isSubject = isIn(text.words[at] ?? "", ", ;") && isIn(opener, "i we he she they it's legal") && next + 2 < to;
    const isOpen =
      isSubject ||
      (isIn(opener, lists.openers) &&
        next < to &&
        (!isIn(opener, "is are do does") ||
          isIn(text.words[next + 1] ?? "", "it there that this the they these i we you everything")));
    if (!isOpen || at === begin) continue;
    parts.push({ from: begin, to: at, isQuestion: false, hasMark: false });
    begin = at + 1;
    at = next;
  }
  const last = {
    from: begin,
    to,
    isQuestion: parts.length === 0 ? isQuestion : isQuestion && (hasMark || begins(text, begin)),
    hasMark,
  };
  return [
    ...parts.map((part) => ({
      ...part,
      isQuestion: begins(text, part.from) || (isQuestion && hasMark && parts.length === 0),
    })),
    last,
  ];
};

const firstOf = (text: Text, { from, to }: Place): number => {
  let at = from;
  while (
    at < to &&
    isIn(
      text.words[at] ?? "",
      "and also so ok okay but then hi hello hey , please well great thanks hmm hm yes - sorry now right",
    )
  )
    at += 1;
  return at;
};

export const begins = (text: Text, from: number): boolean => {
  const first = firstOf(text, { from, to: from + 8 });
  const word = (text.words[first] ?? "").split(" ")[0] ?? "";
  return (
    isIn(word, lists.asks) &&
    !(word === "should" && text.words[first + 1] === "be") &&
    !isIn(text.words[first + 1] ?? "", ": =")
  );
};

/** "Could you please book": a polite order. */
export const isPolite = (text: Text, part: Part): boolean => {
  const words = text.words.slice(part.from, part.to).join(" ");
  return (
    /^(?:\W|and |ok |hi )*(?:can|could|would|will|may|shall) (?:you|we|i|the \w+)\b/.test(words) &&
    !words.includes("what if")
  );
};

export const plainNegation = "not don't dont never no cannot can't isn't aren't";

/** A condition, somebody's words, or what is only thought of. */
export const isThought = (text: Text, part: Part): boolean =>
  isConditional(text.scan, part) ||
  saysPhrase(plainOf(text, part), lists.thinks) ||
  text.scan.owners.slice(part.from, part.to).some((owner) => owner?.kind === "quoted" || owner?.kind === "deadline");

export const isDoubt = (text: Text, part: Part): boolean => {
  const words = plainOf(text, part);
  return isThought(text, part) || (says(words, plainNegation) && !saysPhrase(words, lists.harmless));
};

export interface Matched {
  readonly name: Command;
  readonly score: number;
  readonly used: ReadonlySet<number>;
}

/** In a foreign message a token may stand for several English words. */
const matchedBy = (table: typeof patterns, text: Text, { from, to }: Place) => {
  const places: number[] = [];
  const tokens: Scan["tokens"][number][] = [];
  for (let at = from; at < to; at += 1) {
    const token = text.scan.tokens[at];
    const words = (text.words[at] ?? "").split(" ").filter((word) => word !== "" || token?.kind === "mark");
    for (const word of words) {
      if (token === undefined) continue;
      tokens.push({ ...token, word });
      places.push(at);
    }
  }
  const owners = places.map((at) => text.scan.owners[at]);
  const found = matchesIn(table, { ...text.scan, tokens, owners }, { from: 0, to: tokens.length }, (word) => word);
  return found.map(({ command, score, used }) => ({
    command,
    score,
    used: new Set([...used].map((at) => places[at] ?? 0)),
  }));
};

const matched = (text: Text, place: Place): readonly Matched[] =>
  matchedBy(patterns, text, place).map(({ command, ...one }) => ({ name: command as Command, ...one }));

export const questionsIn = (text: Text, part: Part) => (part.isQuestion ? matchedBy(questions, text, part) : []);

/** What a question about an open brief asks. */
export const askedIn = (text: Text, read: Read): Asked => {
  const [best] = questionsIn(text, read);
  const channels = channelsIn(text, read).flatMap(({ inventoryType }) => inventoryType ?? []);
  const isPlacing = read.terms.some(({ kind }) => kind === "place" || kind === "excluded");
  return { about: best?.command ?? null, channels, isPlacing };
};

export const weak: ReadonlySet<Command> = new Set(["thanks", "greet", "keep", "new", "switch", "brief", "statement"]);
export const orders: ReadonlySet<Command> = new Set(["approve", "drop", "cancel"]);

export interface Read extends Part {
  readonly terms: readonly Term[];
  readonly matches: readonly Matched[];
  readonly used: ReadonlySet<number>;
}

export const readPart = (text: Text, given: Part, situation: Situation): Read => {
  const part = { ...given, isQuestion: given.hasMark || (given.isQuestion && begins(text, given.from)) };
  const { terms, used } = termsIn(text, part, situation.memory.brief, situation.nowMs);
  return { ...part, terms, used, matches: matched(text, part) };
};

export const request = (
  text: Text,
  part: Part,
  command: string,
  input: Request["input"],
  isDoubted = isDoubt(text, part),
): Request => ({
  command,
  input,
  evidence: {},
  said: asWritten(text, part.from, part.to),
  isQuestion: part.isQuestion,
  isDoubt: isDoubted,
});

export const real = (terms: readonly Term[]): readonly Term[] =>
  terms.filter(({ kind }) => kind !== "not used" && kind !== "said");

export const topOf = (matches: readonly Matched[], allowed: (name: Command) => boolean): Matched | undefined =>
  matches
    .filter(({ name }) => allowed(name))
    .toSorted(
      (one, other) => other.score - (weak.has(other.name) ? 1.5 : 0) - (one.score - (weak.has(one.name) ? 1.5 : 0)),
    )[0];
