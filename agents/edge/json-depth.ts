const QUOTE = '"'.charCodeAt(0);
const BRACE = "{".charCodeAt(0);
const BRACKET = "[".charCodeAt(0);
/** A closing brace or bracket is the next character but one. */
const TO_CLOSING = 2;

/**
 * True when brackets in a JSON text nest deeper than `most`. Reading deep JSON is cheap, but writing it again uses up
 * the stack, so whatever comes from outside and goes on to somebody else is looked at before it is parsed.
 */
export const isNestedDeeper = (text: string, most: number): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === BRACE || code === BRACKET) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === BRACE + TO_CLOSING || code === BRACKET + TO_CLOSING) depth -= 1;
  }
  return false;
};

/** Offset of the quote that ends the string which starts at `from`. */
const stringEnd = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
};
