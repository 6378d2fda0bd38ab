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

/** Of spans in text order, those that touch none of the others. */
export const outside = <One extends Span>(spans: readonly One[], others: readonly Span[]): readonly One[] => {
  if (others.length === 0) return spans;
  const inOrder = others.toSorted((one, other) => one.start - other.start);
  let at = 0;
  let reached = 0;
  return spans.filter(({ start, end }) => {
    for (let other = inOrder[at]; other !== undefined && other.start < end; other = inOrder[at]) {
      reached = Math.max(reached, other.end);
      at += 1;
    }
    return reached <= start;
  });
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
