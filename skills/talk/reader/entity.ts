import type { Token } from "./tokens.ts";

interface Span {
  /** The first token, and the one behind the last. */
  readonly from: number;
  readonly to: number;
}

/** `price` is per thousand, `money` a sum; `number` a figure that no word gives a meaning. */
export interface Amount extends Span {
  readonly kind: "price" | "money" | "volume" | "percent" | "number" | "length";
  readonly value: number;
  /** ISO 4217; null where none was said. */
  readonly currency: string | null;
  /** Only its size tells what it is: "50k", "22.50". */
  readonly isUnsure: boolean;
  /** The figure that it corrects: "not 600k, 60k". */
  readonly former?: number;
}

/** ISO dates, both included; one end may be open. */
export interface Period extends Span {
  readonly kind: "period";
  readonly start: string | null;
  readonly end: string | null;
}

/** Products that the words name, best first. */
export interface Named extends Span {
  readonly kind: "product";
  readonly ids: readonly string[];
  /** Set where the words name a kind of inventory and no product. */
  readonly inventoryType: string | null;
  /** The words fit a name letter by letter, or a kind. */
  readonly isExact: boolean;
  readonly isExcluded: boolean;
  /** One word that says something else elsewhere: "premium", "national", "display". */
  readonly isEveryday: boolean;
}

export interface Words extends Span {
  readonly kind:
    | "id"
    | "dealType"
    | "audience"
    | "geo"
    | "size"
    | "spot"
    | "reference"
    | "quoted"
    | "unsold"
    | "cap"
    | "deadline"
    | "day"
    | "vague"
    | "address";
  readonly value: string;
  /** What a booking tells the seller of it: "Advertiser: Acme", "PO 4711". */
  readonly note?: string;
}

export type Entity = Amount | Period | Named | Words;

/** A message as it is read: each token belongs to at most one entity. */
export interface Scan {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly owners: (Entity | undefined)[];
  /** Said without a sum: "a quote in EUR". */
  readonly currency: string | null;
}

export const newScan = (text: string, tokens: readonly Token[]): Scan => ({
  text,
  tokens,
  owners: tokens.map(() => undefined),
  currency: null,
});

export type EntityReader = (scan: Scan, at: number) => Entity | null;

const isFree = ({ owners }: Scan, { from, to }: Span): boolean => {
  for (let at = from; at < to; at += 1) if (owners[at] !== undefined) return false;
  return true;
};

export const take = (scan: Scan, entity: Entity): void => {
  for (let at = entity.from; at < entity.to; at += 1) scan.owners[at] = entity;
};

/** Each reader sees only what those before it left. */
export const readWith = (scan: Scan, read: EntityReader): void => {
  for (let at = 0; at < scan.tokens.length; at += 1) {
    if (scan.owners[at] !== undefined) continue;
    const found = read(scan, at);
    if (found === null || !isFree(scan, found)) continue;
    take(scan, found);
    at = Math.max(at, found.to - 1);
  }
};

export const entitiesOf = ({ owners }: Scan): readonly Entity[] => [
  ...new Set(owners.filter((owner) => owner !== undefined)),
];

/** A name as it was written, with one space between its words. */
export const wordsEntity = (kind: Words["kind"], from: number, to: number, tokens: readonly Token[]): Words => ({
  kind,
  value: tokens
    .slice(from, to)
    .map(({ text, isGlued }, at) => (at === 0 || isGlued ? text : ` ${text}`))
    .join(""),
  from,
  to,
});

/** As it was written. */
export const textOf = ({ text, tokens }: Scan, { from, to }: Span): string =>
  text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);
