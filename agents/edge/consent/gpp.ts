import { remember } from "../remember.ts";

type Library = Pick<typeof import("@iabgpp/cmpapi"), "GppModel">;

let library: Library | null = null;

/** Loads the library of section layouts. It is large, and most requests bring no GPP string, so that no start waits. */
export const loadGpp = async (): Promise<void> => {
  library ??= await import("@iabgpp/cmpapi");
};

export interface Gpp {
  readonly sectionIds: readonly number[];
  readonly tcf: string | null;
  readonly sale: "opted_out" | "not_opted_out" | null;
}

const longest = 8_192;
const tcfSection = 2;
const firstStateSection = 7;
const lastStateSection = 23;
const highestSection = 63;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const bitsOf = (text: string): string | null => {
  let bits = "";
  for (const mark of text) {
    const value = alphabet.indexOf(mark);
    if (value < 0) return null;
    bits += value.toString(2).padStart(6, "0");
  }
  return bits;
};

const createFibonacciReader = (bits: string, from: number) => {
  let at = from;
  return {
    bit: (): boolean => bits[at++] === "1",
    integer(): number {
      let value = 0;
      let [weight, next] = [1, 2];
      for (; at < bits.length; at += 1) {
        if (bits[at] === "1") {
          value += weight;
          if (bits[at + 1] === "1") {
            at += 2;
            return value;
          }
        }
        if (weight > highestSection) break;
        [weight, next] = [next, weight + next];
      }
      return 0;
    },
  };
};

/**
 * Section ids of the header. Read here and not by the library: its loop over a range from outside would run as long as
 * the sender likes.
 */
const sectionIdsOf = (header: string): number[] | null => {
  const bits = bitsOf(header.slice(0, 64));
  // Header type 3, version 1, number of ranges (GPP string specification, header section).
  if (bits === null || bits.length < 24 || !bits.startsWith("000011000001")) return null;
  const count = Number.parseInt(bits.slice(12, 24), 2);
  const reader = createFibonacciReader(bits, 24);
  const ids: number[] = [];
  let last = 0;
  for (let item = 0; item < count; item += 1) {
    const isRange = reader.bit();
    const first = last + reader.integer();
    const end = isRange ? first + reader.integer() : first;
    if (first <= last || (isRange && end <= first) || end > highestSection) return null;
    for (let id = first; id <= end; id += 1) ids.push(id);
    last = end;
  }
  return ids;
};

const sale = { 1: "opted_out", 2: "not_opted_out" } as const;

const saleOf = (id: number, section: string): Gpp["sale"] => {
  if (library === null) return null;
  try {
    const model = new library.GppModel();
    model.decodeSectionById(id, section);
    const value: unknown = model.getFieldValueBySectionId(id, "SaleOptOut");
    return value === 1 || value === 2 ? sale[value] : null;
  } catch {
    return null;
  }
};

const readGpp = (text: string): Gpp | null => {
  const [header = "", ...sections] = text.split("~");
  const sectionIds = sectionIdsOf(header);
  if (sectionIds === null || sectionIds.length !== sections.length) return null;
  const sales = sectionIds.map((id, index) =>
    id >= firstStateSection && id <= lastStateSection ? saleOf(id, sections[index] ?? "") : null,
  );
  const optedOut = sales.includes("opted_out") ? "opted_out" : null;
  return {
    sectionIds,
    tcf: sections[sectionIds.indexOf(tcfSection)] ?? null,
    sale: optedOut ?? (sales.includes("not_opted_out") ? "not_opted_out" : null),
  };
};

const mostRemembered = 200;

const readRemembered = remember(mostRemembered, readGpp);

/**
 * Reads a GPP string; `null` for anything that is not one. A section that cannot be read says nothing. The library must
 * be loaded (`loadGpp`).
 */
export const decodeGpp = (text: string): Gpp | null =>
  library === null || text.length > longest ? null : readRemembered(text);
