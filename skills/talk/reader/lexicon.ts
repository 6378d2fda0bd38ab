import de from "./words/de.json" with { type: "json" };
import en from "./words/en.json" with { type: "json" };
import es from "./words/es.json" with { type: "json" };
import fr from "./words/fr.json" with { type: "json" };
import pt from "./words/pt.json" with { type: "json" };
import type { Token } from "./tokens.ts";

/**
 * What single words mean, in every language that is read: one file of words a language. Adding a language is adding
 * such a file; a word that means two things stands in both lists.
 */
interface Language {
  readonly month: Values;
  readonly weekday: Values;
  readonly number: Values;
  readonly scale: Values;
  readonly unit: Values;
  readonly ordinal: Values;
  readonly span: Values;
  readonly currency: Values;
  readonly people: string;
  readonly words: Readonly<Record<string, string>>;
}

/** The words of each value, with blanks between them. */
type Values = Readonly<Record<string, string>>;

export type Valued = "month" | "weekday" | "number" | "scale" | "unit" | "ordinal";
export type Named = "span" | "currency";

const languages: Readonly<Record<string, Language>> = { en, de, es, fr, pt };

const listOf = (words: string): readonly string[] => words.split(" ").filter((word) => word !== "");

const valuesOf = (name: Valued | Named): ReadonlyMap<string, string> =>
  // Of a word that several languages have the first one counts: "mil" is a million in English.
  new Map(
    Object.values(languages)
      .toReversed()
      .flatMap((language) =>
        Object.entries(language[name]).flatMap(([value, words]) => listOf(words).map((word) => [word, value] as const)),
      ),
  );

const numbersOf = (name: Valued): ReadonlyMap<string, number> =>
  new Map([...valuesOf(name)].map(([word, value]) => [word, Number(value)]));

const values: Readonly<Record<Valued, ReadonlyMap<string, number>>> = {
  month: numbersOf("month"),
  weekday: numbersOf("weekday"),
  number: numbersOf("number"),
  scale: numbersOf("scale"),
  unit: numbersOf("unit"),
  ordinal: numbersOf("ordinal"),
};

const names: Readonly<Record<Named, ReadonlyMap<string, string>>> = {
  span: valuesOf("span"),
  currency: valuesOf("currency"),
};

const classes = new Map<string, Set<string>>();
for (const { words, people } of Object.values(languages))
  for (const [name, list] of [...Object.entries(words), ["people", people] as const])
    classes.set(name, new Set([...(classes.get(name) ?? []), ...listOf(list)]));

export const valueOf = (token: Token | undefined, name: Valued): number | undefined =>
  token === undefined ? undefined : values[name].get(token.word);

export const nameOf = (token: Token | undefined, name: Named): string | undefined =>
  token === undefined ? undefined : names[name].get(token.word);

export const isOf = (token: Token | undefined, name: string): boolean =>
  token !== undefined && classes.get(name)?.has(token.word) === true;

const signs: Readonly<Record<string, string>> = { $: "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR" };

export const currencyOf = (token: Token | undefined): string | undefined =>
  token === undefined ? undefined : (signs[token.text] ?? nameOf(token, "currency"));

const everyWord: ReadonlySet<string> = new Set([
  ...[...classes.values()].flatMap((words) => [...words]),
  ...Object.values(values).flatMap((words) => [...words.keys()]),
  ...Object.values(names).flatMap((words) => [...words.keys()]),
]);

/** A word of any list is spelt right. */
export const isKnown = (word: string): boolean => everyWord.has(word);
