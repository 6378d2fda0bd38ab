import { hash } from "node:crypto";

const ESCAPE = "\u0001";
// oxlint-disable-next-line no-control-regex -- These three control characters are the ones that must not pass.
const UNSAFE = /[\u0000-\u0002\p{Surrogate}]/gu;
// Nearly every key is ASCII, and this test is far cheaper than the search.
const PLAIN = /^[ -~]*$/;
const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, "g");

/** Never in an encoded text: separates lists of them. */
export const SEPARATOR = "\u0002";

/**
 * PostgreSQL refuses NUL, and a lone surrogate would silently become U+FFFD: both are written as U+0001 and four hex
 * digits, as are U+0001 and the separator. One-to-one.
 */
export const encodeText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(UNSAFE, (unit) => `${ESCAPE}${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const decodeText = (text: string): string =>
  text.includes(ESCAPE)
    ? text.replace(ESCAPED, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

/** An index key of PostgreSQL holds at most 2,704 bytes: a kind with an id, or with a term and a place. */
export const maxKeyBytes = 1_250;

export const fitsKey = (encoded: string): boolean =>
  encoded.length * 3 <= maxKeyBytes || Buffer.byteLength(encoded) <= maxKeyBytes;

/** What stands in the place of a term that is too long for an index. */
export const longTerm = (encoded: string): string => `${ESCAPE}sha256=${hash("sha256", encoded, "hex")}`;

const LONG_TERM = new RegExp(`^${ESCAPE}sha256=[0-9a-f]{64}$`);

export const isLongTerm = (term: string): boolean => LONG_TERM.test(term);

/** A term as an index holds it that is shared with PostgreSQL. */
export const indexedTerm = (term: string): string => {
  if (term.length * 3 <= maxKeyBytes) return term;
  const encoded = encodeText(term);
  return fitsKey(encoded) ? term : longTerm(encoded);
};

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
