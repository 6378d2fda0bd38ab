import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import { type Segment } from "../../talk/reader/cut.ts";
import {
  type Amount,
  type Entity,
  type Named,
  type Period,
  type Scan,
  textOf,
  type Words,
} from "../../talk/reader/entity.ts";
import { scanOf } from "../../talk/reader/entities.ts";
import { campaignNameAt } from "../../talk/reader/titles.ts";
import type { ProductFinder } from "../../talk/reader/names/product-finder.ts";
import type { Slots } from "./memory.ts";
import { withoutAccents } from "../../talk/reader/tokens.ts";

/** What the words of one request name; of each only what they say, nothing from before. */
export interface Said {
  readonly entities: readonly Entity[];
  readonly products: readonly Named[];
  readonly excluded: readonly string[];
  readonly unsold: string | null;
  readonly volumes: readonly number[];
  /** A size that may as well be money: "50k". */
  readonly isVolumeUnsure: boolean;
  /** What a size of the message corrects. */
  readonly former: number | null;
  /** "50k for CTV", "native with 8k": nothing tells impressions from money. */
  readonly isVolumeUnclear: boolean;
  readonly price: number | null;
  readonly budget: number | null;
  /** Of a price or a budget; null where none was said. */
  readonly currency: string | null;
  /** Figures that no word gives a meaning. */
  readonly numbers: readonly number[];
  readonly percents: readonly number[];
  readonly lengths: readonly number[];
  readonly flight: Slots;
  readonly days: readonly string[];
  /** "" for "not guaranteed", which leaves the others open. */
  readonly dealTypes: readonly string[];
  readonly audience: readonly string[];
  readonly geo: readonly string[];
  readonly ids: Slots;
  /** What a booking tells the seller: for whom it is, numbers of the buyer's papers. */
  readonly notes: readonly string[];
  /** In text order, of whatever kind. */
  readonly allIds: readonly string[];
}

const idNames: ReadonlyMap<string, string> = new Map([
  ["qt", "quote_id"],
  ["prop", "proposal_id"],
  ["neg", "negotiation_id"],
  ["demo", "deal_id"],
  ["cr", "cr_id"],
]);

export const idNameOf = (id: string): string => idNames.get(id.toLowerCase().split("-")[0] ?? "") ?? "";

/** Ids are written in small or in capital letters, as they are issued. */
const issued = (id: string, name: string): string =>
  name === "deal_id" || name === "cr_id" ? id.toUpperCase() : id.toLowerCase();

/** "Keep the pre-roll", "leave native" */
export const isKept = ({ tokens }: Scan, from: number): boolean =>
  tokens.slice(Math.max(0, from - 2), from).some(({ word }) => isOneOf(word, "keep leave"));

/** "Cancel the native deal, keep the pre-roll" */
export const withoutKept = (scan: Scan, command: string, entities: readonly Entity[]): readonly Entity[] =>
  command === "cancel" || command === "decline"
    ? entities.filter(({ kind, from }) => kind !== "product" || !isKept(scan, from))
    : entities;

/** Named by themselves, and not by a kind that has several. */
export const sureIds = ({ products }: Pick<Said, "products">): readonly string[] =>
  products.flatMap(({ ids }) => (ids.length === 1 ? ids : []));

const isAmount = (entity: Entity, kind: Amount["kind"]): entity is Amount => entity.kind === kind;

/** "It ends on 20 May now, I want it to end on 3 June": of two ends, or two starts, the one said last. */
const latestSides = (all: readonly Period[]): readonly Period[] => {
  const isSame = (all.every(({ start }) => start === null) || all.every(({ end }) => end === null)) && all.length > 1;
  return isSame ? all.slice(-1) : all;
};

const flightOf = (all: readonly Period[]): Slots => {
  const periods = latestSides(all);
  const start = periods.find((one) => one.start !== null)?.start ?? null;
  const end = periods.find((one) => one.end !== null)?.end ?? null;
  const days = periods
    .filter((one) => one.start === null || one.end === null || one.start === one.end)
    .flatMap((one) => one.start ?? one.end ?? []);
  // "Live by 3 May, down on 30 May".
  if (periods.length === 2 && days.length === 2 && days[0] !== days[1]) {
    const [first = "", last = ""] = days.toSorted();
    return { flight_start: first, flight_end: last };
  }
  // "For this year: 2M in May" means May.
  const [whole] = periods
    .filter((one) => one.start !== null && one.end !== null)
    .toSorted(
      (one, other) =>
        Date.parse(one.end ?? "") -
        Date.parse(one.start ?? "") -
        (Date.parse(other.end ?? "") - Date.parse(other.start ?? "")),
    );
  // "In March, starting on the 10th of March" begins then.
  const isWithin = (day: string | null): boolean =>
    whole === undefined || (day !== null && day >= (whole.start ?? "") && day <= (whole.end ?? ""));
  const opened = periods.find((one) => one.end === null && isWithin(one.start))?.start ?? whole?.start;
  const closed = periods.find((one) => one.start === null && isWithin(one.end))?.end ?? whole?.end;
  const [from, until] = whole === undefined ? [start, end] : [opened ?? null, closed ?? null];
  return { ...(from === null ? {} : { flight_start: from }), ...(until === null ? {} : { flight_end: until }) };
};

const sumWords = words("for with reach would");

const isUnclear = (scan: Scan | null, volumes: readonly Amount[]): boolean => {
  const [only, other] = volumes;
  if (
    scan === null ||
    only === undefined ||
    other !== undefined ||
    !only.isUnsure ||
    only.value >= 200_000 ||
    only.value < 1000
  )
    return false;
  const [before, after] = [scan.tokens[only.from - 1]?.word ?? "", scan.tokens[only.to]?.word ?? ""];
  return sumWords.has(after) || before === "with" || after === "enough";
};

const notesIn = (entities: readonly Entity[], scan: Scan | null): readonly string[] =>
  entities.flatMap((one) => {
    if (one.kind !== "reference") return [];
    if (one.note !== undefined) return [one.note];
    return one.value === "" || scan === null ? [] : [textOf(scan, one)];
  });

export const saidBy = (entities: readonly Entity[], scan: Scan | null = null): Said => {
  const of = (kind: Amount["kind"]): readonly Amount[] => entities.filter((one) => isAmount(one, kind));
  const words = (kind: Words["kind"]): readonly string[] =>
    entities.filter((one): one is Words => one.kind === kind).map(({ value }) => value);
  const named = entities.filter((one) => one.kind === "product");
  const volumes = of("volume");
  // "Your $22.50 is beyond us: USD 21.75": the one said last.
  const price = of("price").at(-1);
  const [budget] = of("money");
  const allIds = words("id");
  const ids = Object.fromEntries(
    allIds.toReversed().flatMap((id) => {
      const name = idNameOf(id);
      return name === "" ? [] : [[name, issued(id, name)]];
    }),
  );
  return {
    entities,
    products: named.filter(({ isExcluded }) => !isExcluded),
    excluded: named.filter(({ isExcluded }) => isExcluded).flatMap((one) => one.ids),
    unsold: words("unsold")[0] ?? null,
    volumes: volumes.map(({ value }) => Math.round(value)),
    isVolumeUnsure: volumes.length === 1 && volumes[0]?.isUnsure === true && volumes[0].value < 500_000,
    former: volumes.find(({ former }) => former !== undefined)?.former ?? null,
    isVolumeUnclear: isUnclear(scan, volumes),
    price: price?.value ?? null,
    budget: budget?.value ?? null,
    currency: price?.currency ?? budget?.currency ?? scan?.currency ?? null,
    // "Sofa Spring 2027": a year alone is no size and no price.
    numbers: of("number").flatMap(({ value }) => (value >= 1900 && value < 2100 ? [] : [value])),
    percents: of("percent").map(({ value }) => value),
    lengths: of("length").map(({ value }) => value),
    flight: flightOf(entities.filter((one) => one.kind === "period")),
    days: words("day"),
    dealTypes: [...new Set(words("dealType"))],
    audience: words("audience").map(withoutAccents),
    geo: words("geo").map(withoutAccents),
    ids,
    notes: notesIn(entities, scan),
    allIds: allIds.map((id) => issued(id, idNameOf(id))),
  };
};

/** With the names of campaigns, which a booking carries. */
export const scanOfSale = (text: string, finder: ProductFinder, nowMs: number): Scan =>
  scanOf(text, finder, nowMs, campaignNameAt);

export const entitiesWithin = ({ owners }: Scan, parts: readonly Pick<Segment, "from" | "to">[]): readonly Entity[] => [
  ...new Set(parts.flatMap(({ from, to }) => owners.slice(from, to).filter((owner) => owner !== undefined))),
];

/** Terms of a sale: what a quote or a price is asked for. */
export const hasTerms = ({ volumes, budget, flight, dealTypes, days }: Said): boolean =>
  volumes.length > 0 || budget !== null || Object.keys(flight).length > 0 || dealTypes.length > 0 || days.length > 0;
