import type { Members } from "./case.ts";

export interface Shown {
  readonly option: string;
  readonly digest: string;
  readonly label: string;
  readonly operation: string;
  readonly input: Members;
}

export interface Reply {
  readonly text: string;
  readonly datas: readonly Members[];
  readonly options: readonly Shown[];
  /** What is only offered is no answer. */
  readonly leaves: readonly (readonly [string, unknown])[];
  readonly numbers: readonly number[];
  readonly json: string;
  readonly notUsed: readonly string[];
}

const leftOut = /^(?:not_used|unused|excluded?s?|exclusions?|left_out|without|skipped)$/i;

const leavesOf = (value: unknown, key = ""): readonly (readonly [string, unknown])[] => {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, key));
  if (typeof value !== "object" || value === null) return [[key, value]];
  return Object.entries(value).flatMap(([name, one]) => (leftOut.test(name) ? [] : leavesOf(one, name)));
};

const figure = /\d(?:[\d,.' \u202f\u00a0]*\d)?(?:\s?(?:k|mm|mio|m|millions?|thousand|bn|billion)\b)?/giu;

const scaleOf = (text: string): number => {
  if (/(?:mm|m|mio|millions?)$/i.test(text)) return 1e6;
  if (/(?:k|thousand)$/i.test(text)) return 1e3;
  return /(?:bn|billion)$/i.test(text) ? 1e9 : 1;
};

const readings = (raw: string): readonly string[] => [
  raw.replaceAll(",", ""),
  ...(/,\d{1,2}$/.test(raw) ? [raw.replaceAll(".", "").replace(",", ".")] : []),
  ...(/^\d{1,3}(?:\.\d{3})+$/.test(raw) ? [raw.replaceAll(".", "")] : []),
];

/** Every number that a reader sees, also with its scale. */
export const numbersIn = (text: string): readonly number[] =>
  [...text.matchAll(figure)].flatMap(([found]) => {
    const raw = found.replaceAll(/[a-z\s\u202f\u00a0']+/giu, "");
    const read = readings(raw).filter((one) => /^\d+(?:\.\d+)?$/.test(one));
    const scale = scaleOf(found);
    return read.flatMap((one) => (scale === 1 ? [Number(one)] : [Number(one), Number(one) * scale]));
  });

const money =
  /(?:[$€£]|usd|us\$|eur)\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:[$€£]|usd|dollars?|cpm\b|eur\b)/giu;

export const moneyIn = (text: string): readonly number[] =>
  [...text.matchAll(money)].map(([, before, after]) => Number((before ?? after ?? "").replaceAll(",", "")));

export const toNumber = (value: unknown): number => {
  if (typeof value === "number") return value;
  const isFigure = typeof value === "string" && /^[\s$€]*-?[\d,_ ]*\.?\d+\s*$/.test(value);
  return isFigure ? Number(value.replaceAll(/[$€,_\s]/g, "")) : Number.NaN;
};

export const isNear = (one: number, other: number, by = 0.0051): boolean => Math.abs(one - other) <= by;

export const squash = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9]/g, "");

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const readReply = (parts: readonly Members[]): Reply => {
  const text = parts.flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : [])).join("\n");
  const datas = parts.flatMap(({ data }) => (typeof data === "object" && data !== null ? [data as Members] : []));
  const body = datas.map(({ understood: _understood, options: _options, ...rest }) => rest);
  return {
    text,
    datas,
    options: datas.flatMap((data) => listed(data["options"]) as readonly Shown[]),
    leaves: leavesOf(body),
    numbers: numbersIn(text),
    json: JSON.stringify(parts),
    notUsed: datas.flatMap((data) =>
      listed(data["not_used"]).map((one) => (typeof one === "string" ? one : JSON.stringify(one))),
    ),
  };
};

/** A reply and what was answered to the options taken from it are one. */
export const joined = (first: readonly Members[], more: readonly Members[]): readonly Members[] => [...first, ...more];

const isTableLine = /^\s*(?:[\d|-]|\*\s)/;

export const wordsIn = (text: string): number =>
  text
    .split("\n")
    .filter((line) => !isTableLine.test(line))
    .join(" ")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

export const isMenu = ({ datas }: Reply): boolean => datas.length > 0 && datas.every(({ reason }) => reason === "menu");
