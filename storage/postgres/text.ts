const ESCAPE = "\u0001";
// oxlint-disable-next-line no-control-regex -- These three control characters are the ones that must not pass.
const UNSAFE = /[\u0000-\u0002\p{Surrogate}]/gu;
// Nearly every key is plain ASCII, and this test is many times cheaper than the search for what must be escaped.
const PLAIN = /^[ -~]*$/;
const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, "g");

/** What `encodeText` never leaves in a text: it can part a list of encoded texts. */
export const SEPARATOR = "\u0002";

/**
 * Makes any JavaScript string one that PostgreSQL can keep as `text`, without ever giving two strings one form: NUL is
 * refused by the server and a lone surrogate would silently become U+FFFD, so both are written as U+0001 and four hex
 * digits, and so are U+0001 itself and the separator. Nearly every string comes back as it is.
 */
export const encodeText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(UNSAFE, (unit) => `${ESCAPE}${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const decodeText = (text: string): string =>
  text.includes(ESCAPE)
    ? text.replace(ESCAPED, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
