import { randomBytes } from "node:crypto";

const bytesEach = 16;
const lengthEach = 36;

/** Small, because an id that is kept long keeps the text of its whole batch. */
const batch = 64;

/** Where in its text the two digits of each byte stand; hyphens fill the gaps. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const digits = Buffer.from("0123456789abcdef");

/** A byte with the mark of version 4 or of the variant where it carries one (RFC 9562, 5.4). */
const marked = (byte: number, place: number): number => {
  if (place === 6) return (byte & 0x0f) | 0x40;
  return place === 8 ? (byte & 0x3f) | 0x80 : byte;
};

const writtenBatch = (): string => {
  const random = randomBytes(batch * bytesEach);
  const text = Buffer.alloc(batch * lengthEach, "-");
  for (let at = 0; at < random.length; at += 1) {
    const place = at % bytesEach;
    const byte = marked(random[at] as number, place);
    const to = ((at - place) / bytesEach) * lengthEach + (places[place] as number);
    text[to] = digits[byte >> 4] as number;
    text[to + 1] = digits[byte & 15] as number;
  }
  return text.toString("latin1");
};

let written = "";
let used = 0;

/**
 * A version 4 UUID from the system's randomness. Many are written at once as one flat text: Node puts each together of
 * its digits, which whoever reads it first must then copy into one piece.
 */
export const newUuid = (): string => {
  if (used === written.length) {
    written = writtenBatch();
    used = 0;
  }
  used += lengthEach;
  return written.slice(used - lengthEach, used);
};
