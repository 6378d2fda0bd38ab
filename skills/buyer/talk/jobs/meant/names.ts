import { channelWords } from "../../brief/words/vocabulary.ts";
import { blanked, type Span } from "../../../../understanding/reading/spans.ts";

interface Token extends Span {
  readonly word: string;
}

const tokensOf = (text: string): readonly Token[] =>
  [
    ...text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .matchAll(/[\p{L}\d]+/gu),
  ].map(({ 0: word, index }) => ({ word: word.toLowerCase(), start: index, end: index + word.length }));

/** Parts of a name that every message holds, so that they name nothing. */
const common = new Set(
  (
    "a an the and or of for in on to with my our your this that all new test campaign campaigns job jobs line lines " +
    "deal deals brief booking bookings plan media ads ad advertising brand branding awareness budget online app " +
    "mobile performance money total approve approval book cancel status show start stop launch it is at by from " +
    "january february march april may june july august september october november december q1 q2 q3 q4"
  ).split(" "),
);

const isTelling = (word: string): boolean =>
  word.length > 2 &&
  !common.has(word) &&
  !/^\d+$/.test(word) &&
  !channelWords.some(([name, pattern]) => name === word || new RegExp(`^(?:${pattern.source})$`, "i").test(word));

/** What a message says of a name: the more words of it, the surer. */
export interface Naming<T> {
  readonly named: T;
  readonly isWhole: boolean;
  readonly words: number;
  readonly span: Span;
}

const longestRun = (name: readonly string[], said: readonly Token[]): readonly Token[] => {
  let best: readonly Token[] = [];
  for (let at = 0; at < said.length; at += 1) {
    for (let from = 0; from < name.length; from += 1) {
      let size = 0;
      while (from + size < name.length && said[at + size]?.word === name[from + size]) size += 1;
      if (size > best.length) best = said.slice(at, at + size);
    }
  }
  return best;
};

const namingOf = <T>(named: T, name: string, said: readonly Token[]): Naming<T> | null => {
  const words = tokensOf(name).map(({ word }) => word);
  const run = longestRun(words, said);
  const telling = run.filter(({ word }) => isTelling(word)).length;
  const isWhole = run.length === words.length && (telling > 0 || words.length > 2);
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined || (!isWhole && telling === 0)) return null;
  return { named, isWhole, words: run.length, span: { start: first.start, end: last.end } };
};

const mostNames = 500;
const mostTokens = 400;

/** Those that the message names best: a whole name before a part, and of parts the longest. */
export const namingsIn = <T>(text: string, names: readonly (readonly [T, string])[]): readonly Naming<T>[] => {
  const said = tokensOf(text).slice(0, mostTokens);
  const found = names
    .slice(0, mostNames)
    .map(([named, name]) => namingOf(named, name, said))
    .filter((naming) => naming !== null);
  const rankOf = ({ isWhole, words }: Naming<T>): number => (isWhole ? 1000 : 0) + words;
  const best = Math.max(0, ...found.map(rankOf));
  return found.filter((naming) => rankOf(naming) === best);
};

const before =
  /(?:\b(?:of|for|in|from|on|with|about|to)\s+)?(?:\b(?:the|my|our|this|that)\s+)?(?:\b(?:campaign|job)\s+)?["']?$/i;
const behind = /^["']?(?:\s+(?:campaign|job|one)\b)?/i;

/** The text without a name, and without "of the campaign" beside it. */
export const withoutName = (text: string, { start, end }: Span): string => {
  const from = before.exec(text.slice(0, start))?.index ?? start;
  return blanked(text, [{ start: from, end: end + (behind.exec(text.slice(end))?.[0].length ?? 0) }]);
};
