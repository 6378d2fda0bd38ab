import type { Token } from "../../../talk/reader/tokens.ts";
import de from "../words/de.json" with { type: "json" };
import en from "../words/en.json" with { type: "json" };
import es from "../words/es.json" with { type: "json" };
import fr from "../words/fr.json" with { type: "json" };
import pt from "../words/pt.json" with { type: "json" };

/**
 * Everything is read in English words: a message in another language is read word by word through that language's file
 * of words. Adding a language is adding such a file.
 */
interface Foreign {
  /** Only these make a message a foreign one: the others are English words too. */
  readonly sure: string;
  readonly words: Readonly<Record<string, string>>;
}

const foreigners: readonly Foreign[] = [de, es, fr, pt].map(({ sure, words }) => ({ sure, words: { ...words } }));
const sureWords = foreigners.map(({ sure }) => new Set(sure.split(" ")));
const mostWords = 3;

const foreignOf = (tokens: readonly Token[]): Foreign | null => {
  // Of two languages with as many words of their own, the one that knows more of the others.
  const known = (at: number): number => tokens.filter(({ word }) => foreigners[at]?.words[word] !== undefined).length;
  const counts = sureWords.map((sure, at) => {
    const own = tokens.filter(({ word }) => sure.has(word)).length;
    return own === 0 ? 0 : own + known(at) / 100;
  });
  const most = Math.max(...counts);
  return most === 0 ? null : (foreigners[counts.indexOf(most)] ?? null);
};

/** Of each token the English words; empty where an earlier token holds them. */
export const englishOf = (
  tokens: readonly Token[],
): { readonly words: readonly string[]; readonly isForeign: boolean } => {
  const foreign = foreignOf(tokens);
  if (foreign === null) return { words: tokens.map(({ word }) => word), isForeign: false };
  const words = tokens.map(({ word }) => word);
  for (let at = 0; at < tokens.length; at += 1) {
    for (let size = mostWords; size > 0; size -= 1) {
      const said = tokens.slice(at, at + size);
      if (said.length < size) continue;
      const english = foreign.words[said.map(({ word }) => word).join(" ")];
      if (english === undefined) continue;
      words.fill("", at, at + size);
      words[at] = english;
      at += size - 1;
      break;
    }
  }
  return { words, isForeign: true };
};

type Table = Readonly<Record<string, string>>;

const listOf = (words: string): readonly string[] => words.split(",").filter((word) => word !== "");

/** Phrases of several words, by what they mean; the longest that fits is taken. */
export interface Phrases {
  at(words: readonly string[], at: number): { readonly name: string; readonly to: number } | null;
}

export const phrasesOf = (table: Table): Phrases => {
  const names = new Map(Object.entries(table).flatMap(([name, words]) => listOf(words).map((word) => [word, name])));
  const longest = Math.max(...[...names.keys()].map((phrase) => phrase.split(" ").length));
  return {
    at: (words, at) => {
      for (let size = longest; size > 0; size -= 1) {
        const name = at + size > words.length ? undefined : names.get(words.slice(at, at + size).join(" "));
        if (name !== undefined && words[at] !== "") return { name, to: at + size };
      }
      return null;
    },
  };
};

export const channels = phrasesOf(en.channels);
export const objectives = phrasesOf(en.objectives);
export const labels = phrasesOf(en.labels);
export const objectiveNames: readonly string[] = Object.keys(en.objectives);
export const doubts = phrasesOf({ doubt: en.doubts });
export const exclusions: ReadonlySet<string> = new Set(listOf(en.exclusions));

export const modes: Readonly<Record<keyof typeof en.modes, ReadonlySet<string>>> = {
  only: new Set(listOf(en.modes.only)),
  gone: new Set(listOf(en.modes.gone)),
  come: new Set(listOf(en.modes.come)),
};

/** Of a list of words with blanks between them. */
export const isIn = (word: string, list: string): boolean => word !== "" && ` ${list} `.includes(` ${word} `);

export const { lists } = en;

/** One of the words stands in the text. */
export const says = (text: string, list: string): boolean => text.split(" ").some((word) => isIn(word, list));

/** One of the phrases, with commas between them, stands in the text. */
export const saysPhrase = (text: string, phrases: string): boolean =>
  listOf(phrases).some((phrase) => ` ${text} `.includes(` ${phrase} `));

/** Without them nobody asks for what comes on top of a price. */
export const feeWords =
  "fee fees commission commissions charge charges charged extra extras top gross net included taxes";
