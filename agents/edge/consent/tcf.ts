import { remember } from "../remember.ts";

type Library = Pick<typeof import("@iabtcf/core"), "TCString">;

let library: Library | null = null;

export const loadTcf = async (): Promise<void> => {
  library ??= await import("@iabtcf/core");
};

export type Tcf = {
  readonly purposes: ReadonlySet<number>;
  readonly updatedAtMs: number;
};

const LONGEST = 4_096;
const SHORTEST_BITS = 230;

const HEADER_CHARS = 35;
const HEADER_BITS_OF_NEXT = 0b111000;
const EMPTY_LISTS = "AAAAAAAA";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * The header of the first segment with empty vendor lists behind it. The lists come from outside and may spell millions
 * of vendors in a few hundred characters, which the library would all store; the edge never asks for one.
 */
const withoutVendors = (text: string): string | null => {
  const core = text.split(".", 1)[0]?.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") ?? "";
  if (!core.startsWith("C") || core.length * 6 < SHORTEST_BITS || !/^[\w-]+$/.test(core)) return null;
  const next = ALPHABET.indexOf(core.charAt(HEADER_CHARS)) & HEADER_BITS_OF_NEXT;
  return core.slice(0, HEADER_CHARS) + ALPHABET.charAt(next) + EMPTY_LISTS;
};

const readHeader = (header: string, { TCString }: Library): Tcf | null => {
  try {
    const model = TCString.decode(header);
    const purposes = new Set<number>();
    for (let purpose = 1; purpose <= 24; purpose += 1) if (model.purposeConsents.has(purpose)) purposes.add(purpose);
    const updatedAtMs = model.lastUpdated.getTime();
    return Number.isFinite(updatedAtMs) ? { purposes, updatedAtMs } : null;
  } catch {
    return null;
  }
};

const MOST_REMEMBERED = 1_000;

const readRemembered = remember(MOST_REMEMBERED, (header) => (library === null ? null : readHeader(header, library)));

/**
 * Reads a TCF v2 string (base64url or base64); `null` for anything that is not one. The library must be loaded
 * (`loadTcf`).
 */
export const decodeTcf = (text: string): Tcf | null => {
  if (library === null || text.length > LONGEST) return null;
  const header = withoutVendors(text);
  return header === null ? null : readRemembered(header);
};
