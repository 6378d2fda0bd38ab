import { resized, resizeIn } from "../../../../understanding/reading/figures/changes.ts";
import type { Found } from "../../../../understanding/reading/figures/numbers.ts";
import { volumesIn } from "../../../../understanding/reading/figures/volumes.ts";
import { blanked, type Span, spansOf } from "../../../../understanding/reading/spans.ts";
import { ageRange, agesIn, audiencesIn, peopleOf } from "../members/audiences.ts";
import { correctedDays, monthFirst } from "../members/days.ts";
import { editedList, editsIn } from "../members/edits.ts";
import { withoutLimitWords } from "../words/leftovers.ts";
import { mentionsIn, namesOf, quoted } from "../words/mentions.ts";
import { nameIn, titleIn } from "../members/names.ts";
import { isAudience, objectiveGuesses } from "../words/plain-words.ts";
import type { BriefInput } from "../input.ts";
import { amountsIn, soleBudget } from "../members/amounts.ts";
import { channelWords, objectiveWords } from "../words/vocabulary.ts";

/** What a message says of one member of a brief. */
export interface Part {
  readonly brief: BriefInput;
  readonly isFound: boolean;
  readonly unclear: readonly string[];
  readonly notes: readonly string[];
  /** Words that were taken for an objective. */
  readonly guessed: readonly string[];
  /** The text without what was read of it, at its places. */
  readonly left: string;
}

const none = (left: string): Part => ({ brief: {}, isFound: false, unclear: [], notes: [], guessed: [], left });

const found = (part: Partial<Part> & Pick<Part, "brief" | "left">): Part => ({
  isFound: true,
  unclear: [],
  notes: [],
  guessed: [],
  ...part,
});

export interface PartRead extends Part {
  /** The text that it was read from. */
  readonly before: string;
}

const days = (open: BriefInput, text: string, nowMs: number): Part => {
  const read = correctedDays(open, text, nowMs);
  return read === null
    ? none(text)
    : found({ brief: read.brief, notes: monthFirst(text, read.spans), left: blanked(text, read.spans) });
};

const withoutLimit = new RegExp(
  "\\b(?:drop|remove|without|no|forget|lift|scrap)\\s+(?:the |any |a |that )?(?:price |cpm )?" +
    "(?:limit|cap|ceiling|max(?:imum)?)\\b(?: (?:price|cpm))?|" +
    "\\b(?:max(?:imum)? )?(?:cpm|price)(?: (?:cap|limit))?\\s*[:=]\\s*(?:none|no limit|n/a|unlimited|open)\\b",
  "gi",
);
const withoutTarget = new RegExp(
  "\\b(?:drop|remove|without|no|forget|lift|scrap)\\s+(?:the |any |a |that )?(?:target(?: (?:price|cpm))?|" +
    "(?:price|cpm) target)\\b",
  "gi",
);
const alsoAfter = /\s+(?:too|as well|also)$/i;
const alsoBefore = /\b(?:also|add|plus|and)\s+(?:for\s+)?$/i;
const audienceTail = /\s+(?:instead|please|rather|now|then|too|as well|also)$/i;
const isCounted = /^\s*(?:imp\w*|views?|people|users|households|contacts|clicks)\b/i;
/** "Not 50k but 60k", "60k instead of 50k". */
const former = /\b(?:not|from|instead of|rather than)\s*(?:[$]\s?)?$/i;
const bareBudgets = (text: string): readonly Found[] =>
  volumesIn(text).filter(({ end, value }) => value > 0 && !isCounted.test(text.slice(end)));

/** A budget that falls to less than this is more likely another figure. */
const likelyPart = 1 / 100;

const budgetOf = (open: BriefInput, text: string, named: readonly (Span & { readonly value: number })[]) => {
  const old = named.flatMap(({ start, value }) => {
    const from = Math.max(0, start - 20);
    const match = value === open.budget ? former.exec(text.slice(from, start)) : null;
    return match === null ? [] : [{ start: from + match.index, end: start }];
  });
  const others = named.filter(({ start }) => !old.some(({ end }) => end === start));
  const { budget = 0 } = open;
  const isTiny = others.some(({ value }) => value > 0 && value < budget * likelyPart);
  const isUnclear = isTiny || new Set(others.map(({ value }) => value)).size > 1;
  const figures = [...others.map((amount) => quoted(text, amount)), ...(isTiny ? [`${budget} USD`] : [])];
  return {
    value: isUnclear ? undefined : others[0]?.value,
    unclear: isUnclear ? figures.map((figure) => `${figure} (which is the budget?)`) : [],
    spans: old,
  };
};

type Prices = NonNullable<BriefInput["kpis"]>;

/** A price without "max" is of the kind that the brief has. */
const kpisOf = (before: Prices, said: Prices, isTarget: boolean): Prices => {
  const { max_cpm: most, target_cpm: target } = before;
  const isLimit = !isTarget && said.max_cpm == null && said.target_cpm != null && most != null && target == null;
  return { ...before, ...(isLimit ? { max_cpm: said.target_cpm } : said) };
};

const money = (open: BriefInput, text: string): Part => {
  const limits = spansOf(text, withoutLimit);
  const targets = open.kpis?.target_cpm == null ? [] : spansOf(text, withoutTarget);
  const unlimited = blanked(text, [...limits, ...targets]);
  const resize = open.budget === undefined ? null : resizeIn(unlimited, "budget");
  const sized = resize === null ? unlimited : blanked(unlimited, [resize]);
  const { kpis, budgets, unclear, spans } = amountsIn(sized);
  const rest = blanked(sized, spans);
  const isNew = Object.keys(open).length === 0;
  const ofNew = budgets.length > 0 ? [] : soleBudget(rest);
  const bare = isNew ? ofNew : bareBudgets(rest);
  const budget = budgetOf(open, sized, [...budgets, ...bare]);
  const value = resize === null || open.budget === undefined ? budget.value : resized(open.budget, resize);
  const isPriced = Object.keys(kpis).length + limits.length + targets.length > 0;
  const { max_cpm: most, target_cpm: target, ...others } = open.kpis ?? {};
  const before = {
    ...others,
    ...(most == null || limits.length > 0 ? {} : { max_cpm: most }),
    ...(target == null || targets.length > 0 ? {} : { target_cpm: target }),
  };
  const prices = isPriced ? kpisOf(before, kpis, /\b(?:target|aim|goal)\b/i.test(text)) : undefined;
  const isTwice = resize !== null && budgets.length + bare.length > 0;
  return found({
    brief: { ...(value === undefined ? {} : { budget: value }), ...(prices === undefined ? {} : { kpis: prices }) },
    isFound: isPriced || budgets.length + bare.length > 0 || resize !== null || spans.length > 0,
    unclear: [...unclear, ...budget.unclear, ...(isTwice ? [resize.words] : [])],
    left: withoutLimitWords(blanked(sized, [...spans, ...bare, ...budget.spans])),
  });
};

const objectives = (open: BriefInput, text: string): Part => {
  const { edits, left } = editsIn(text, objectiveWords);
  if (edits.length === 0) {
    const guesses = mentionsIn(text, objectiveGuesses);
    if (guesses.length === 0) return none(text);
    const guessed = guesses.map((span) => quoted(text, span));
    return found({ brief: { objectives: namesOf(guesses) }, guessed, left: blanked(text, guesses) });
  }
  const list = editedList(open.objectives ?? [], edits);
  return found({
    brief: { objectives: [...list] },
    unclear: list.length === 0 ? ["no objective would be left"] : [],
    left,
  });
};

/** The objectives choose the channels where the planner names none; a figure beside it is of a price or a share. */
const anyChannels = new RegExp(
  "(?:(?<=^|[.;!?\\n])|(?<=,\\s?)(?<!\\d[^.;!?\\n]*))" +
    "(?![^.;!?\\n]*(?:\\d|\\b(?:cap|limit|price|split|evenly|equally)\\b))[^.,;!?\\n]*?" +
    "\\b(?:(?:all|any|every)(?: of)?(?: (?:the|your|possible|available|kinds? of))* channels?(?! (?:but|except|" +
    "apart))|" +
    "you (?:can |may |should |shall |please )?(?:choose|decide|pick|select)" +
    "(?: (?:the |your )?(?:best|channels?|ones?))*)\\b",
  "gi",
);

const allBut = /\ball (?:(?:of |the |your )*channels? )?(?:but|except|apart from)\b/i;
const soldChannels = channelWords.map(([name]) => name);

/** Of a campaign that names none, what is left out leaves all the others. */
const channels = (open: BriefInput, text: string, whole: string, isCampaign: boolean): Part => {
  const any = open.channels == null ? [] : spansOf(whole, anyChannels);
  const { edits, left } = editsIn(blanked(text, any), channelWords);
  const isWider = edits.length > 0 && edits.every(({ mode }) => mode === "more");
  if (isWider || (any.length > 0 && edits.length === 0)) return found({ brief: { channels: null }, left });
  if (edits.length === 0) return none(text);
  const dropsOnly = open.channels == null && edits.every(({ mode }) => mode === "drop");
  const isRest = allBut.test(whole) || (isCampaign && dropsOnly);
  const before = isRest ? soldChannels : (open.channels ?? []);
  const dropped = edits.filter(({ mode }) => mode === "drop").map(({ name }) => name);
  const wanted = edits.filter(({ mode, name }) => mode !== "drop" && !dropped.includes(name));
  const list = editedList(before, before.length === 0 ? wanted : edits).filter((name) => !dropped.includes(name));
  const isOpen = before.length === 0 && wanted.length === 0;
  const absent = isOpen ? [] : dropped.filter((name) => !before.includes(name));
  const unclear = [
    ...(isOpen ? ["the brief names no channel to leave out"] : []),
    ...(list.length === 0 && !isOpen ? ["no channel would be left"] : []),
  ];
  return found({
    brief: isOpen ? {} : { channels: [...list] },
    unclear,
    notes: [
      ...absent.map((name) => `${name} is not among the channels.`),
      ...(isRest ? [`All channels but ${dropped.join(" and ")}: say for example "only display and ctv".`] : []),
    ],
    left,
  });
};

const notAges = /^\s*(?:[a-z]{0,2}\d|%|k\b|cpm|usd|dollars?|[$€]|days?|weeks?|months?|pm\b|am\b|h\b|uhr)/i;

const years = /^\s*(?:years?(?: old)?|yrs?|y\/?o)\b/i;

/** Other ages of the same people, or ages beside people without any. */
const withAges = (known: string, said: string): string => {
  const range = ageRange.exec(said);
  if (
    known
      .replace(ageRange, "")
      .replace(/\bage[ds]?\b/i, "")
      .trim() === ""
  )
    return said;
  if (range === null || !ageRange.test(known)) return `${known}, ${said}`;
  return known.replace(ageRange, `${range[1]}-${range[2]}`);
};

/** "Should be 30-54". */
const agesAlone = (known: unknown, text: string): Part => {
  const range = ageRange.exec(text);
  const isAges = range !== null && Number(range[1]) >= 13 && Number(range[1]) < Number(range[2]);
  if (!isAges || typeof known !== "string") return none(text);
  const end = range.index + range[0].length;
  const behind = text.slice(end);
  if (notAges.test(behind) && !years.test(behind)) return none(text);
  const span = { start: range.index, end: end + (years.exec(behind)?.[0].length ?? 0) };
  const description = withAges(known, `${range[1]}-${range[2]}`);
  return found({ brief: { target_audience: { description } }, left: blanked(text, [span]) });
};

const dropping =
  /\b(?:remove|drop|without|no|not|forget|skip|leave out|take out)\s+(?:the\s+|any\s+)?([\p{L}][\p{L}' -]{2,40})/iu;

/** "Remove the parents" of an audience that names others too. */
const withoutPeople = (known: unknown, text: string): Part | null => {
  const match = dropping.exec(text);
  if (match === null || typeof known !== "string") return null;
  const words = (match[1] ?? "").replace(audienceTail, "").trim().toLowerCase();
  const pieces = known.split(", ");
  const kept = pieces.filter((one) => !one.toLowerCase().startsWith(words));
  if (kept.length === 0 || kept.length === pieces.length) return null;
  const left = blanked(text, [{ start: match.index, end: match.index + match[0].length }]);
  return found({ brief: { target_audience: { description: kept.join(", ") } }, left });
};

const audience = (open: BriefInput, text: string): Part => {
  const ages = agesIn(text);
  const known: unknown = open.target_audience?.["description"];
  const people = audiencesIn(blanked(text, ages)).filter(
    (one) => known === undefined || !/^for\b/i.test(text.slice(one.start)) || isAudience(one.text),
  );
  if (people.length + ages.length === 0) return withoutPeople(known, text) ?? agesAlone(known, text);
  const said = [
    ...peopleOf(people).map((one) => one.replace(audienceTail, "")),
    ...ages.map((span) => quoted(text, span)),
  ].join(", ");
  if (people.length === 0 && typeof known === "string" && !isAudience(said)) {
    const description = withAges(known, said);
    return found({ brief: { target_audience: { description } }, left: blanked(text, ages) });
  }
  const isMore = people.some(
    ({ start, text: words }) => alsoAfter.test(words) || alsoBefore.test(text.slice(0, start)),
  );
  const description = isMore && typeof known === "string" ? `${known}, ${said}` : said;
  return found({ brief: { target_audience: { description } }, left: blanked(text, [...people, ...ages]) });
};

const name = (open: BriefInput, text: string): Part => {
  const named = nameIn(text) ?? (open.name === undefined ? titleIn(text) : null);
  return named === null ? none(text) : found({ brief: { name: named.name }, left: blanked(text, [named]) });
};

/** In turn: what one has taken no later one sees. */
export const partsOf = (
  open: BriefInput,
  text: string,
  nowMs: number,
): { readonly parts: readonly PartRead[]; readonly left: string } => {
  const parts: PartRead[] = [];
  let left = text;
  for (const read of [
    (rest: string) => name(open, rest),
    (rest: string) => days(open, rest, nowMs),
    (rest: string) => money(open, rest),
    (rest: string) => audience(open, rest),
    (rest: string) => objectives(open, rest),
    (rest: string) => {
      const { budget, start_date: start }: BriefInput = Object.assign({}, open, ...parts.map(({ brief }) => brief));
      return channels(open, rest, text, budget !== undefined && start !== undefined);
    },
  ]) {
    const part = read(left);
    parts.push({ ...part, before: left });
    left = part.left;
  }
  return { parts, left };
};
