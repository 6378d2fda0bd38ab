import { blanked, type Span, spansOf } from "../../../../understanding/reading/spans.ts";
import type { Pattern } from "./vocabulary.ts";

export interface Mention extends Span {
  readonly name: string;
}

/** In the order of the text; what one pattern has taken no later one sees. */
export const mentionsIn = (text: string, patterns: readonly Pattern[]): readonly Mention[] => {
  let left = text;
  const mentions: Mention[] = [];
  for (const [name, pattern] of patterns) {
    const found = spansOf(left, pattern);
    mentions.push(...found.map((span) => ({ ...span, name })));
    left = blanked(left, found);
  }
  return mentions.toSorted((one, other) => one.start - other.start);
};

export const namesOf = (mentions: readonly Mention[]): string[] => [...new Set(mentions.map(({ name }) => name))];

/** In one line. */
export const quoted = (text: string, { start, end }: Span): string =>
  text.slice(start, end).trim().replace(/\s+/g, " ");
