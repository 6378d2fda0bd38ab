/** Control and format characters (bidirectional, zero-width, tags) would make a text look like another. */
const unseen = /(?!\r?\n|\t)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** As people and models may read it: `\\u{202e}` for what would not be seen; line breaks and tabs stay. */
export const seenText = (text: string): string =>
  text.replace(unseen, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`);

/** Within a sentence of ours: on one line, in quotation marks that it cannot end. */
export const quoted = (text: string): string => `“${seenText(text.replace(/\s+/g, " ")).replace(/[“”]/g, '"')}”`;
