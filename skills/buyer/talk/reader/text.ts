import type { Segment } from "../../../talk/reader/cut.ts";
import { segmentsOf } from "../../../talk/reader/cut.ts";
import { inYearOf, scanOf } from "../../../talk/reader/entities.ts";
import {
  type Entity,
  type EntityReader,
  type Named,
  readWith,
  type Scan,
  take,
  textOf,
} from "../../../talk/reader/entity.ts";
import { amountAt } from "../../../talk/reader/figures.ts";
import { createNameIndex, type NamedProduct } from "../../../talk/reader/names/full-names.ts";
import { namedReader } from "../../../talk/reader/names/named-reader.ts";
import type { ProductFinder } from "../../../talk/reader/names/product-finder.ts";
import { periodReader } from "../../../talk/reader/periods.ts";
import { tokensOf } from "../../../talk/reader/tokens.ts";
import type { Situation } from "./request.ts";
import { readTitles, type Title } from "./titles.ts";
import { channels, englishOf, isIn, lists } from "./words.ts";

/** A message with what its words name: channels, lines and campaigns among them. */
export interface Text {
  readonly scan: Scan;
  /** In English, one for each token; empty where an earlier one holds them. */
  readonly words: readonly string[];
  readonly isForeign: boolean;
  readonly titles: readonly Title[];
  readonly segments: readonly Segment[];
}

const named = (id: string, name: string, type: string): NamedProduct => ({
  product_id: id,
  name,
  inventory_type: type,
  deal_types: [],
});

/** Channels by their words, and the names of lines and campaigns. */
export const finderOf = ({ job, jobs }: Pick<Situation, "job" | "jobs">): ProductFinder => {
  const lines = [...(job?.recommendations ?? []), ...(job?.booked_lines ?? [])];
  const names = [
    ...new Map(
      lines.map((line) => [line.product_name, named(`line ${line.product_name}`, line.product_name, "line")]),
    ).values(),
    ...(job?.sellers ?? []).flatMap(({ url, name }) => (name === null ? [] : [named(`seller ${url}`, name, "seller")])),
    ...jobs.map((one) => named(`job ${one.job_id}`, one.campaign_name, "campaign")),
  ];
  const find = (text: string) => {
    const said = tokensOf(text).filter(({ kind }) => kind !== "mark");
    const { words } = englishOf(said);
    const found = channels.at(words, 0);
    const isWhole = found !== null && found.to === words.length;
    const products = isWhole ? [named(found.name, found.name, found.name)] : [];
    return { products, inventoryType: isWhole ? found.name : null, isNamed: false, isExact: true };
  };
  return {
    find,
    get: () => null,
    first: () => [],
    knows: (word) =>
      channels.at([word], 0) !== null || word === "roll" || word === "rolls"
        ? "name"
        : isIn(word, lists.channelParts)
          ? "part"
          : null,
    spelt: (word) => word,
    namesIn: createNameIndex(names),
  };
};

export const channelOf = (entity: Entity | undefined): string | null =>
  entity?.kind === "product" ? entity.inventoryType : null;

/** Names of lines and campaigns, by their ids. */
export const nameIdOf = (entity: Entity | undefined): string | null =>
  entity?.kind === "product" && entity.inventoryType === null ? (entity.ids[0] ?? null) : null;

const joints = ", / & + and or";
const ofScreens = "ads ad advertising media screen screens poster posters";

/** "Out-of-home", "digital out of home", "outdoor ads", "audio or outdoor"; "outdoor fans" are people. */
const dooh: EntityReader = (scan, at) => {
  const { tokens, owners } = scan;
  const wordAt = (place: number): string => tokens[place]?.word ?? "";
  const from = wordAt(at) === "digital" ? at + 1 : at;
  const isChannel = (place: number): boolean => {
    const owner = owners[place];
    return owner?.kind === "product" && owner.inventoryType !== null;
  };
  const wholeTo = (): number | null => {
    let to = from;
    for (const word of ["out", "of", "home"]) {
      if (to > from && wordAt(to) === "-") to += 1;
      if (wordAt(to) !== word || owners[to] !== undefined) return null;
      to += 1;
    }
    return to;
  };
  const outdoorTo = (): number | null => {
    if (wordAt(from) !== "outdoor" || owners[from] !== undefined) return null;
    if (isIn(wordAt(from + 1), ofScreens)) return from + 2;
    const isBefore = isIn(wordAt(from + 1), joints) && isChannel(from + 2);
    const isBehind = isIn(wordAt(at - 1), joints) && isChannel(at - 2) && (tokens[from + 1]?.kind ?? "mark") === "mark";
    return from > at || isBefore || isBehind ? from + 1 : null;
  };
  const to = wholeTo() ?? outdoorTo();
  return to === null
    ? null
    : {
        kind: "product",
        ids: ["dooh"],
        inventoryType: "dooh",
        isExact: true,
        isExcluded: false,
        isEveryday: false,
        from: at,
        to,
      };
};

const groups = /(?<![\d.,])(\d{1,3}) (?=\d{3}(?![\d.,]))/g;
/** Between terms, and not between figures: "75k usd / display / gamers". */
const slashes = /(?<!\d) [/|] | [/|] (?!\d)/g;
const abbreviations = /\b(max|min|approx|ca|incl)\.(?= ?[\d$€£])/gi;

/** A cap that speaks of no people is one of prices, and "campaign: 4000" no number of a paper. */
const withAmounts = (scan: Scan, nowMs: number): void => {
  for (const entity of new Set(scan.owners)) {
    const said = scan.tokens.slice(entity?.from ?? 0, entity?.to ?? 0).map(({ word }) => word);
    const isTerms =
      entity?.kind === "reference" &&
      isIn(said[0] ?? "", "campaign job order advertiser brand client objective kpi kpis");
    // "CTV not above 28, video not above 14" corrects nothing.
    const isOfNext =
      entity?.kind === "reference" && entity.value === "" && scan.owners[entity.to + 1]?.kind === "product";
    if (entity === undefined || (entity.kind !== "cap" && !isTerms && !isOfNext)) continue;
    if (entity.kind === "cap" && said.some((word) => isIn(word, "freq frequency fcap per each a user times x")))
      continue;
    for (let at = entity.from; at < entity.to; at += 1) scan.owners[at] = undefined;
  }
  readWith(scan, periodReader(nowMs));
  readWith(scan, amountAt);
};

/** What is said about each channel counts, also where another follows: "not display, audio". */
const withChannels = (scan: Scan, finder: ProductFinder): void => {
  for (const entity of new Set(scan.owners)) {
    const isTaken =
      entity?.kind === "reference" &&
      entity.value === "" &&
      finder.knows(scan.tokens[entity.from]?.word ?? "") !== null;
    if (entity === undefined || !isTaken) continue;
    for (let at = entity.from; at < entity.to; at += 1) scan.owners[at] = undefined;
  }
  readWith(scan, namedReader(finder));
  readWith(scan, dooh);
};

export const readText = (
  said: string,
  situation: Pick<Situation, "job" | "jobs" | "nowMs"> & Partial<Pick<Situation, "memory">>,
): Text => {
  // "Mil" is a thousand in two of the languages, and a million in English.
  const isOther = englishOf(tokensOf(said)).isForeign;
  const plain = isOther ? said.replaceAll(" mil ", " k ") : said;
  const message = plain.replace(groups, "$1").replace(abbreviations, "$1 ").replace(slashes, ", ");
  const finder = finderOf(situation);
  const scan = scanOf(message, finder, situation.nowMs);
  inYearOf(scan, [situation.memory?.brief?.start_date ?? []].flat(), situation.nowMs);
  withChannels(scan, finder);
  withAmounts(scan, situation.nowMs);
  const { words, isForeign } = englishOf(scan.tokens);
  const titles = readTitles(scan, words, isForeign);
  for (const { from, to, value } of titles) take(scan, { kind: "reference", value, from, to });
  return { scan, words, isForeign, titles, segments: segmentsOf(scan) };
};

export const asWritten = ({ scan }: Text, from: number, to: number): string => textOf(scan, { from, to });

export type Place = Pick<Segment, "from" | "to">;

/** Without what is quoted or a name: its words in a line. */
export const plainOf = ({ words, scan }: Text, { from, to }: Place): string =>
  words
    .slice(from, to)
    .filter(
      (word, at) =>
        word !== "" && scan.owners[from + at]?.kind !== "quoted" && scan.owners[from + at]?.kind !== "reference",
    )
    .join(" ");

export const channelsIn = ({ scan }: Text, { from, to }: Place): readonly Named[] => [
  ...new Set(
    scan.owners.slice(from, to).filter((one): one is Named => one?.kind === "product" && one.inventoryType !== null),
  ),
];

const tag = new RegExp(
  "^, (?:is|are|was|do|does|did|will|would|can|could|should|shall|have|has|isn't|aren't|won't|can't|shouldn't|don't) " +
    "(?:it|we|they|i|that|there)(?: [?!.])*$",
);

/** "We won't go to 15k, will we?" */
export const isTag = ({ words }: Text, joint: number, to: number): boolean =>
  to - joint < 6 && tag.test(words.slice(joint, to).join(" "));

const longestCondition = 12;

/** With its words, where it is no longer than a sentence. */
export const conditionWords = (text: Text, { from, to }: Place): string =>
  to - from > longestCondition ? "the condition" : `the condition ("${asWritten(text, from, to)}")`;
