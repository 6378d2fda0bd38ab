/** One candidate of a `srcset`: the address and what follows it up to the comma. */
export interface SrcsetCandidate {
  readonly address: string;
  readonly descriptor: string;
}

const isBlank = (mark: string | undefined): boolean => mark !== undefined && "\t\n\f\r ".includes(mark);

const withoutFinalCommas = (written: string): string => {
  let end = written.length;
  while (written[end - 1] === ",") end -= 1;
  return written.slice(0, end);
};

const descriptorEnd = (text: string, from: number): number => {
  let isInParentheses = false;
  for (let at = from; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === "(") isInParentheses = true;
    else if (mark === ")") isInParentheses = false;
    else if (mark === "," && !isInParentheses) return at;
  }
  return text.length;
};

/**
 * Splits a `srcset` as a browser does (HTML standard, parsing a srcset attribute): an address runs to the next blank,
 * so the commas of a `data:` address belong to it; only commas at its end separate.
 */
export const parseSrcset = (text: string): SrcsetCandidate[] => {
  const candidates: SrcsetCandidate[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && (isBlank(text[at]) || text[at] === ",")) at += 1;
    if (at >= text.length) return candidates;
    const start = at;
    while (at < text.length && !isBlank(text[at])) at += 1;
    const written = text.slice(start, at);
    const address = withoutFinalCommas(written);
    if (address !== written) {
      candidates.push({ address, descriptor: "" });
      continue;
    }
    const end = descriptorEnd(text, at);
    candidates.push({ address, descriptor: text.slice(at, end).trim() });
    at = end;
  }
};

export const rewriteSrcset = (text: string, rewrite: (address: string) => string | null): string | null => {
  let isChanged = false;
  const parts = parseSrcset(text).map(({ address, descriptor }) => {
    const next = rewrite(address);
    isChanged ||= next !== null;
    // An address that ended in a comma would be cut there when it is read again.
    const safe = (next ?? address).replace(/,$/, "%2C");
    return descriptor === "" ? safe : `${safe} ${descriptor}`;
  });
  return isChanged ? parts.join(", ") : null;
};
