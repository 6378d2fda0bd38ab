import { sumsText } from "./deal-lines.ts";
import { titleOfList } from "./price-list-talk.ts";
import { bookQuestion, quoteTerms } from "./shown-terms.ts";
import type { Spoken } from "./speech.ts";
import type { Slots } from "../reading/slots.ts";

/** A list with prices says what a list without them says. */
export const withoutRepeated = (texts: readonly string[]): readonly string[] =>
  texts.some((text) => text.startsWith(titleOfList)) ? texts.filter((text) => !text.startsWith("On sale:")) : texts;

/** Several quotes are one table with their sum and one question; anything else stays as it is. */
export const inOneTable = (
  texts: readonly string[],
  answers: readonly Pick<Spoken, "outcome" | "result">[],
): readonly string[] => {
  const quoted = answers.filter(({ outcome }) => outcome === "quoted");
  const isAskedForAll = texts.some((text) => text.includes('"book all"'));
  if (quoted.length < 2) return texts;
  const lines = texts.map((text) => text.replaceAll(` ${bookQuestion}`, ""));
  const sum = sumsText(quoted.map(({ result }) => quoteTerms(result as Slots)));
  const together = sum === "" ? [] : [`Together that is ${sum}.`];
  return isAskedForAll ? lines : [...lines, [...together, 'Say "book all", or name the one to book.'].join(" ")];
};
