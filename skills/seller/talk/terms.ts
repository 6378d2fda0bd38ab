import { isOneOf } from "../../talk/reader/word-lists.ts";
import { valueOf } from "../../talk/reader/lexicon.ts";
import { isoOf } from "../../talk/reader/moments.ts";
import { ordinalAt } from "../../talk/reader/parts-of-time.ts";
import type { ProductFinder } from "../../talk/reader/names/product-finder.ts";
import {
  flightNames,
  focusOf,
  idsIn,
  lastFlight,
  type Memory,
  pick,
  productIdsOf,
  type Row,
  sizeNames,
  type Slots,
  topicFor,
  withoutRecords,
  costOf,
  inCents,
} from "./memory.ts";
import { type Request, says } from "./requests.ts";
import { rowsMeant } from "./meant.ts";
import { hasTerms, type Said, sureIds } from "./said.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";
import { isStep, resized, resizeIn, shifted, shiftIn, totalSaid } from "./figures.ts";

/** A kind of inventory stands for its products; the one in force stays where it is of that kind. */
const idsOf = (said: Said, memory: Memory, finder: ProductFinder): readonly string[] => {
  const inForce = productIdsOf(memory.terms);
  const sure = sureIds(said);
  // "Homepage display": the kind of what is named says nothing more.
  const ids = said.products
    .filter(
      ({ ids: own, inventoryType }) =>
        inventoryType === null || own.length === 1 || !own.some((id) => sure.includes(id)),
    )
    .flatMap(({ ids: own }) => {
      const kept = own.filter((id) => !said.excluded.includes(id));
      if (kept.length === 1) return kept;
      const narrowed = kept.filter((id) => inForce.includes(id));
      return narrowed.length === 1 && inForce.length === 1 ? narrowed : kept;
    });
  return [...new Set(ids)].filter((id) => finder.get(id) !== null);
};

const movedDay = (day: string, of: unknown): string | null => {
  if (typeof of !== "string") return null;
  const number = Number(day.split(" ")[1]);
  const at = new Date(`${of}T00:00:00Z`);
  const moved = at.setUTCDate(number);
  return at.getUTCDate() === number ? isoOf(moved) : null;
};

/** "The second week": counted from the start; null for the first and the last, which may be several. */
const countedPart = ({ parts, scan: { tokens, owners } }: Request, from: number, until: number): Slots | null => {
  for (const { from: first, to } of parts)
    for (let at = first; at < to; at += 1) {
      const place = ordinalAt(tokens, at);
      const unit = place === null ? undefined : valueOf(tokens[place.to], "unit");
      // "The second fortnight of April" is a whole flight, and no part of that again.
      if (place === null || unit === undefined || place.value < 2 || owners[at]?.kind === "period") continue;
      const start = from + (place.value - 1) * unit * dayMs;
      const end = Math.min(start + (unit - 1) * dayMs, until);
      return start > until ? null : { flight_start: isoOf(start), flight_end: isoOf(end) };
    }
  return null;
};

/** "Only the first two weeks", "second half" of the flight in force. */
export const partOfFlight = (request: Request, flight: Slots): Slots | null => {
  const { flight_start: start, flight_end: end } = flight;
  if (typeof start !== "string" || typeof end !== "string") return null;
  const [from, until] = [Date.parse(start), Date.parse(end)];
  const counted = countedPart(request, from, until);
  if (counted !== null) return counted;
  const isFirst = says(request, "first erste ersten primera primeras premiere premieres");
  if (!isFirst && !says(request, "last second letzte letzten")) return null;
  const days = Math.round((until - from) / dayMs) + 1;
  const unit = request.parts
    .flatMap(({ from: first, to }) => request.scan.tokens.slice(first, to))
    .map((token) => valueOf(token, "unit"))
    // "First day 5 April" is a start.
    .find((value) => value !== undefined && value > 1);
  const length = says(request, "half halfte") ? Math.ceil(days / 2) : (request.said.lengths[0] ?? unit);
  if (length === undefined || length >= days) return null;
  return isFirst
    ? { flight_start: start, flight_end: isoOf(from + (length - 1) * dayMs) }
    : { flight_start: isoOf(until - (length - 1) * dayMs), flight_end: end };
};

/** A day beside the other end of a flight; null where there is none. */
const withLoneDay = (request: Request): Slots | null => {
  const { said } = request;
  const [lone] = said.days;
  const opened = said.flight["flight_end"] === undefined ? said.flight["flight_start"] : undefined;
  const closed = lone !== undefined && opened !== undefined ? movedDay(lone, opened) : null;
  // "From 12 April, out by the 25th".
  if (closed !== null && closed > String(opened)) return { flight_start: opened, flight_end: closed };
  // "Start on the 9th, still ending 21 Feb".
  const ending = said.flight["flight_start"] === undefined ? said.flight["flight_end"] : undefined;
  const from =
    lone !== undefined && says(request, "start starting starts begin begins from") ? movedDay(lone, ending) : null;
  if (from !== null && from < String(ending)) return { flight_start: from, flight_end: ending };
  return null;
};

/** Lone days and lengths take their month and start from the flight in force. */
const flightOf = (request: Request, before: Slots): Slots => {
  const { said } = request;
  const { flight_start: start, flight_end: end } = before;
  const shift = shiftIn(request);
  const part = partOfFlight(request, Object.keys(said.flight).length > 0 ? said.flight : before);
  if (part !== null) return part;
  const joined = withLoneDay(request);
  if (joined !== null) return joined;
  if (Object.keys(said.flight).length > 0) return said.flight;
  if (shift !== null && typeof start === "string" && typeof end === "string")
    return { ...shifted({ flight_start: start, flight_end: end }, shift) };
  const [first, second] = said.days;
  if (first !== undefined) {
    const isEnd =
      first.startsWith("end") ||
      (first.startsWith(" ") && second === undefined && says(request, "end ends until till"));
    const from = isEnd ? null : movedDay(first, start);
    const until = isEnd ? movedDay(first, end) : second === undefined ? null : movedDay(second, end);
    return { ...(from === null ? {} : { flight_start: from }), ...(until === null ? {} : { flight_end: until }) };
  }
  const [length] = said.lengths;
  if (
    length !== undefined &&
    typeof start === "string" &&
    says(request, "for only just run over nur solo seulement so apenas")
  )
    return { flight_start: start, flight_end: isoOf(Date.parse(start) + (length - 1) * dayMs) };
  return {};
};

/** The first that is named, changed or sized anew; nothing from before. */
export const termsSaid = (request: Request, memory: Memory, before: Slots): Slots => {
  const { said } = request;
  const { impressions: known } = before;
  const named = idsIn(said);
  // "Double the native", of two that are quoted.
  const topic = named.map((id) => topicFor(memory, id)).find((one) => one !== null) ?? null;
  const isOther = named.length > 0 && topic === null && !named.some((id) => productIdsOf(memory.terms).includes(id));
  // "Add native 500k to this" makes nothing larger.
  const resize = isOther ? null : resizeIn(request);
  const { cpm = null } = topic ?? focusOf(memory) ?? {};
  const knownBudget = before["budget"] ?? costOf(cpm, known);
  // "Add $5,000 more" is money, and no impressions.
  const isOfMoney = resize?.by?.kind === "money";
  const grown =
    resize !== null && !isOfMoney && typeof known === "number"
      ? { impressions: Math.max(1, resized(known, resize)) }
      : {};
  const [volume] = said.volumes;
  const isMoney = said.isVolumeUnsure && meansMoney(request, memory);
  const isNeither = said.isVolumeUnclear && !isMoney;
  const sized =
    isNeither || volume === undefined || (resize !== null && typeof known === "number")
      ? grown
      : isMoney
        ? { budget: volume }
        : { impressions: volume };
  const price = isStep(request) && (said.price ?? 0) < 10 ? null : said.price;
  const dealType = said.dealTypes.find((type) => type !== "");
  return {
    ...sized,
    ...(said.budget === null
      ? {}
      : {
          budget:
            resize === null || resize.by?.kind === "volume" || typeof knownBudget !== "number"
              ? said.budget
              : (totalSaid(request, resize) ?? inCents(knownBudget * resize.factor + resize.add)),
        }),
    ...(price === null ? {} : { target_cpm: price }),
    ...flightOf(request, before),
    ...(dealType === undefined ? {} : { deal_type: dealType }),
    ...(said.audience.length === 0 ? {} : { audience: said.audience.join(", ") }),
    ...(said.geo.length === 0 ? {} : { geo: said.geo.join(", ") }),
  };
};

const moneyWords = `
    budget spend money fund funds dollars usd cash invest investment allocate split spread left net
    gross got total afford value ideas planning
  `;
const moneyPhrases = new RegExp(
  "\\b(?:go over|fits? (?:in|into|within)|get (?:me|us|for)|buys? (?:me|us)|" +
    "(?:what|how many\\b[^.?!]{0,30}) (?:do|can|would|could|will) (?:i|we) (?:get|buy|have)|" +
    "max\\.? ?\\S+ for|we have|have about|to play with)\\b",
  "i",
);

/** A size without a unit that is too small for a volume beside what is in force, or stands beside words of money. */
export const meansMoney = (request: Request, memory: Memory): boolean => {
  const [volume = 0] = request.said.volumes;
  const { budget } = memory.terms;
  const impressions = memory.terms["impressions"] ?? focusOf(memory)?.terms["impressions"];
  // "What's the smallest order?" "OK, 10k then": the minimum is one of impressions.
  if (
    memory.words
      .toLowerCase()
      .split(/[^a-z]+/)
      .some((word) => isOneOf(word, "minimum min smallest least"))
  )
    return false;
  // "Not 600k, 60k" is of the same kind as what it corrects.
  if (request.said.former !== null && [impressions, budget].includes(request.said.former))
    return request.said.former === budget;
  // "300k pre-roll if the total is under 12k": another figure is the sum.
  if (request.scan.owners.some((one) => one?.kind === "money" && one.value * 10 <= volume)) return false;
  const isFar =
    (typeof impressions === "number" && volume * 10 <= impressions) ||
    (typeof budget === "number" &&
      memory.terms["impressions"] === undefined &&
      volume * 10 > budget &&
      volume < budget * 10);
  // Nothing is sold in so few, and what is compared or asked for ideas is asked with a sum.
  const isSmall =
    (volume < 10_000 && request.said.products.length > 0) ||
    (volume < 50_000 && isOneOf(request.command, "compare rank advice"));
  const isFirst =
    impressions === undefined &&
    volume < 50_000 &&
    request.said.products.length === 0 &&
    productIdsOf(memory.terms).length > 0 &&
    isOneOf(memory.asked ?? "", "price list describe rank");
  return (
    says(request, moneyWords) ||
    moneyPhrases.test(request.text) ||
    (memory.asked === "plan" && request.said.products.length === 0) ||
    request.command === "plan" ||
    isFar ||
    isSmall ||
    isFirst
  );
};

interface InForce {
  readonly ids: readonly string[];
  readonly terms: Slots;
}

const carriedNames = ({ terms }: Memory, isOne: boolean): readonly string[] =>
  isOne ? [...shared, ...(terms["impressions"] == null ? ["budget"] : [])] : [...shared, "deal_type", "budget"];

const sameFlight = /\bsame (?:dates?|days|flight|period|time|month)\b/i;

/** What a sale keeps when another product is asked for in its place. */
const sharedByMoney = [...flightNames, "audience", "geo"];
const shared = ["impressions", ...sharedByMoney];

/**
 * What holds for this request: what it says, and what still holds from before where it names the same product or none,
 * goes on with the last request, or answers a question.
 */
export const inForce = (
  request: Request,
  memory: Memory,
  finder: ProductFinder,
  rows: readonly Row[] | null = request.said.products.length > 0 ? null : rowsMeant(request, memory),
): InForce => {
  const { said } = request;
  const named = rows === null ? idsOf(said, memory, finder) : rows.flatMap(({ product }) => product ?? []);
  const current = productIdsOf(memory.terms);
  const ids = named.length > 0 ? [...new Set(named)] : current;
  const [only] = ids;
  const isSame = named.length === 0 || (ids.length === 1 && current.length === 1 && only === current[0]);
  const topic = ids.length === 1 && only !== undefined ? topicFor(memory, only) : null;
  const own = !isSame && topic !== null ? topic.terms : isSame ? memory.terms : {};
  const replaced = said.excluded.flatMap((id) => topicFor(memory, id) ?? [])[0];
  const isOpenQuestion = current.length !== 1 && memory.asked !== null;
  const goesOn = request.isFollowUp || isOpenQuestion;
  const kept =
    isSame || topic !== null
      ? own
      : replaced !== undefined && ids.length === 1
        ? pick(replaced.terms, replaced.terms["budget"] == null ? shared : [...sharedByMoney, "budget"])
        : goesOn
          ? pick(memory.terms, carriedNames(memory, current.length === 1))
          : pick(memory.terms, ["audience", "geo"]);
  const isSameFlight = kept["flight_start"] == null && sameFlight.test(request.text);
  const asBefore = isSameFlight ? lastFlight(memory) : {};
  const said0 = { ...asBefore, ...termsSaid(request, memory, kept) };
  const cleared =
    "impressions" in said0 ? without(kept, "budget") : "budget" in said0 ? without(kept, "impressions") : kept;
  const dealType = said0["deal_type"] ?? cleared["deal_type"];
  const isSold =
    typeof dealType !== "string" ||
    said0["deal_type"] !== undefined ||
    ids.length !== 1 ||
    finder.get(only ?? "")?.deal_types.includes(dealType) === true;
  const base = isSold ? cleared : without(cleared, "deal_type");
  const type = said.products.find(({ inventoryType }) => inventoryType !== null)?.inventoryType ?? null;
  const terms = {
    ...base,
    ...said0,
    ...said.ids,
    ...(ids.length === 0 ? {} : { product_id: ids.length > 1 ? ids : only }),
    ...(type === null || ids.length === 1 ? {} : { inventory_type: type }),
  };
  const final = named.length > 0 && type === null ? without(terms, "inventory_type") : terms;
  const isOther = !isSame && topic === null;
  return { ids, terms: isOther ? withoutRecords(final) : final };
};

export const without = (slots: Slots, ...names: readonly string[]): Slots =>
  Object.fromEntries(Object.entries(slots).filter(([name]) => !names.includes(name)));

/** Terms of the message that are not those in force before. */
export const changesTerms = (request: Request, memory: Memory, terms: Slots): boolean =>
  [...sizeNames, "deal_type", "budget"].some((name) => terms[name] != null && terms[name] !== memory.terms[name]) &&
  (hasTerms(request.said) ||
    resizeIn(request) !== null ||
    shiftIn(request) !== null ||
    Object.keys(flightOf(request, memory.terms)).length > 0);
