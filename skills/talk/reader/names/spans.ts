/** `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Offsets stay, and what was read once is not read as something else. */
export const blanked = (text: string, spans: readonly Span[]): string => {
  let left = "";
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start > left.length) left += text.slice(left.length, start);
    left += " ".repeat(Math.max(0, end - left.length));
  }
  return left + text.slice(left.length);
};

/** The pattern must be global. `matchAll` copies it for each text, which takes longer than most searches. */
export const matchesOf = (text: string, pattern: RegExp): readonly RegExpExecArray[] => {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push(match);
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return found;
};

export const spansOf = (text: string, pattern: RegExp): readonly Span[] =>
  matchesOf(text, pattern).map((match) => ({ start: match.index, end: match.index + match[0].length }));
