import { type Entity, entitiesOf, type Scan } from "../reader/entity.ts";
import { scanOf } from "../reader/entities.ts";
import type { ProductFinder } from "../reader/names/product-finder.ts";
import { type Token, tokensOf } from "../reader/tokens.ts";
import { isOneOf } from "../reader/word-lists.ts";

/** Where words may stand that say a field: the message, and what the conversation was shown. */
export interface Sources {
  readonly message: Scan;
  /** Read when the message does not say a field. */
  readonly shown: () => readonly Scan[];
  readonly finder: ProductFinder;
  readonly nowMs: number;
}

const edges = `. , ; : ! ? " ' ( )`;

const innerTokens = (text: string): readonly Token[] => {
  const tokens = tokensOf(text);
  const isInner = ({ text: own }: Token): boolean => !isOneOf(own, edges);
  return tokens.slice(tokens.findIndex(isInner), tokens.findLastIndex(isInner) + 1);
};

/** What the scan reads in each place where the words stand, whole tokens only; a quotation is nobody's own word. */
const readAt = ({ tokens, owners }: Scan, words: readonly Token[]): readonly (readonly Entity[])[] => {
  const found: (readonly Entity[])[] = [];
  const [first] = words;
  for (let from = 0; first !== undefined && from <= tokens.length - words.length; from += 1) {
    if (tokens[from]?.word !== first.word || !words.every(({ word }, at) => tokens[from + at]?.word === word)) continue;
    const own = owners.slice(from, from + words.length).filter((owner) => owner !== undefined);
    if (!own.some(({ kind }) => kind === "quoted")) found.push([...new Set(own)]);
  }
  return found;
};

export const occursIn = (scan: Scan, text: string): boolean => readAt(scan, innerTokens(text)).length > 0;

export const entitiesAt = (scan: Scan, text: string): readonly Entity[] => readAt(scan, innerTokens(text)).flat();

type Kinds = ReadonlySet<Entity["kind"]>;

/** Of a figure the sort that its field takes: a volume is no budget. */
const figures: readonly (readonly [RegExp, Kinds])[] = [
  [/price|cpm|rate|bid/, new Set(["price", "number"])],
  [/budget|spend|amount|total|cap/, new Set(["money", "volume", "price"])],
  [/impressions|volume/i, new Set(["volume", "number"])],
  [/days/, new Set(["length", "number"])],
];

const anyFigure: Kinds = new Set(["price", "money", "volume", "percent", "number", "length"]);

const isFigure = (entity: Entity, field: string, value: number): boolean => {
  const kinds = figures.find(([name]) => name.test(field))?.[1] ?? anyFigure;
  if (!kinds.has(entity.kind) || !("isUnsure" in entity)) return false;
  const isOfSort = entity.kind !== "volume" || !kinds.has("money") || entity.isUnsure;
  return (
    isOfSort &&
    (entity.value === value ||
      Math.round(entity.value) === value ||
      (entity.kind === "length" && entity.value === -value))
  );
};

const day = /^\d{4}-\d{2}-\d{2}/;

const isDay = (entity: Entity, field: string, value: string): boolean => {
  if (entity.kind !== "period") return false;
  const own = value.slice(0, 10);
  if (/start|from|since|after/.test(field)) return entity.start === own;
  return entity.end === own || (!/end|to$|until|before/.test(field) && entity.start === own);
};

const isNamed = (entity: Entity, value: string): boolean => {
  if (entity.kind === "product")
    return (
      !entity.isExcluded && (entity.inventoryType === value || (entity.ids.length === 1 && entity.ids[0] === value))
    );
  return (entity.kind === "id" || entity.kind === "dealType") && entity.value.toLowerCase() === value.toLowerCase();
};

const reads = (entity: Entity, field: string, value: unknown): boolean => {
  if (typeof value === "number") return isFigure(entity, field, value);
  if (typeof value !== "string") return false;
  if (field === "currency") return "currency" in entity && entity.currency === value;
  return day.test(value) ? isDay(entity, field, value) : isNamed(entity, value);
};

/** Read alone: only its value counts, as a figure may take its sort from words around it. */
const readsAlone = (entity: Entity, field: string, value: unknown): boolean =>
  typeof value === "number"
    ? isFigure({ ...entity, isUnsure: true } as Entity, "", value)
    : reads(entity, field, value);

/**
 * The words stand in the message, or in what was shown, and are read there and by themselves to the same value by the
 * readers that read every message: a model supplies no id, figure or date of its own.
 */
export const isSaid = (
  { message, shown, finder, nowMs }: Sources,
  field: string,
  value: unknown,
  words: string,
): boolean => {
  const own = innerTokens(words);
  const isIn = (scan: Scan): boolean =>
    readAt(scan, own).some((read) => read.some((entity) => reads(entity, field, value)));
  const isAlone = entitiesOf(scanOf(words, finder, nowMs)).some((entity) => readsAlone(entity, field, value));
  return isAlone && (isIn(message) || shown().some(isIn));
};

/** Ids, figures and days, by what they are. */
export const needsEvidence = (field: string, value: unknown): boolean => {
  if (typeof value === "number") return true;
  if (typeof value !== "string") return false;
  const [token, other] = tokensOf(value);
  return /(?:^|_)ids?$/.test(field) || day.test(value) || (token?.kind === "id" && other === undefined);
};
