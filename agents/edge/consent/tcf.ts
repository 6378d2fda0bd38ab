import { remember } from "../remember.ts";

type Library = Pick<typeof import("@iabtcf/core"), "TCString">;

let library: Library | null = null;

export const loadTcf = async (): Promise<void> => {
  library ??= await import("@iabtcf/core");
};

export interface Tcf {
  readonly purposes: ReadonlySet<number>;
  readonly updatedAtMs: number;
}

const longest = 4_096;
const shortestBits = 230;

const headerChars = 35;
const headerBitsOfNext = 0b111000;
const emptyLists = "AAAAAAAA";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * The header of the first segment with empty vendor lists behind it. The lists come from outside and may spell millions
 * of vendors in a few hundred characters, which the library would all store; the edge never asks for one.
 */
const withoutVendors = (text: string): string | null => {
  const core = text.split(".", 1)[0]?.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") ?? "";
  if (!core.startsWith("C") || core.length * 6 < shortestBits || !/^[\w-]+$/.test(core)) return null;
  const next = alphabet.indexOf(core.charAt(headerChars)) & headerBitsOfNext;
  return core.slice(0, headerChars) + alphabet.charAt(next) + emptyLists;
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

const mostRemembered = 1_000;

const readRemembered = remember(mostRemembered, (header) => (library === null ? null : readHeader(header, library)));

/**
 * Reads a TCF v2 string (base64url or base64); `null` for anything that is not one. The library must be loaded
 * (`loadTcf`).
 */
export const decodeTcf = (text: string): Tcf | null => {
  if (library === null || text.length > longest) return null;
  const header = withoutVendors(text);
  return header === null ? null : readRemembered(header);
};
