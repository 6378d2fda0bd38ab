import { dayMs } from "../../../../machines/inventory/dates.ts";
import { resized, resizeIn, shiftIn, shifted } from "../../../understanding/reading/figures/changes.ts";
import { isConditional } from "../../../understanding/reading/clauses.ts";
import { periodIn } from "../../../understanding/reading/periods.ts";
import type { Found } from "../../../understanding/reading/figures/numbers.ts";
import { volumesIn } from "../../../understanding/reading/figures/volumes.ts";
import { blanked, type Span, spansOf } from "../../../understanding/reading/spans.ts";
import { channelWords, objectiveWords, plainWords } from "./vocabulary.ts";
import { editedList, editsIn } from "./edits.ts";
import { mentionsIn, namesOf } from "./mentions.ts";
import { formIn, withPriceLines } from "./form.ts";
import { exclusionsIn, objectiveGuesses } from "./plain-words.ts";
import {
  agesIn,
  amountsIn,
  audienceOf,
  audiencesIn,
  bareAudiences,
  type BriefInput,
  isBinding,
  leftIn,
  nameIn,
  quoted,
  type ReadBrief,
  withoutLimitWords,
} from "./reading.ts";

export interface Correction extends ReadBrief {
  /** False: the message names nothing that a brief holds. */
  readonly isFound: boolean;
}

/** "No CTV" leaves CTV out, "no, CTV" does not. */
const leadIn = new RegExp(
  "^\\s*(?:(?:(?:yes|yep|ok(?:ay)?|sorry|well|hmm|actually|wait|oh|please|great|good|fine)\\b|" +
    "(?:no|nope)(?=\\s*[,.;:!-]|\\s+(?:wait|sorry|actually)\\b))[\\s,.;:!-]*)+(?:but\\b)?",
  "i",
);
const withoutLimit = new RegExp(
  "\\b(?:drop|remove|without|no|forget|lift|scrap)\\s+(?:the |any |a |that )?(?:price |cpm )?" +
    "(?:limit|cap|ceiling|max(?:imum)?)\\b(?: (?:price|cpm))?",
  "gi",
);
const alsoAfter = /\s+(?:too|as well|also)$/i;
const audienceTail = /\s+(?:instead|please|rather|now|then|too|as well|also)$/i;
const isCounted = /^\s*(?:imp\w*|views?|people|users|households|contacts|clicks)\b/i;
/** "Not 50k but 60k", "60k instead of 50k". */
const former = /\b(?:not|from|instead of|rather than)\s*(?:[$]\s?)?$/i;
/** "Not end of feb, make it 20 feb" is "until 20 feb". */
const contrasts: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      "\\bnot\\s+(?:the\\s+)?(?:end of|until|till|to)\\s+[^,.;]{2,20}?[\\s,;]+(?:but\\s+|" +
        "make it\\s+|rather\\s+|it'?s\\s+)+(?:until\\s+|till\\s+)?",
      "gi",
    ),
    "until ",
  ],
  [
    new RegExp(
      "\\bnot\\s+(?:the\\s+)?(?:beginning of|start of|from)\\s+[^,.;]{2,20}?[\\s,;]+(?:but\\s+|" +
        "make it\\s+|rather\\s+|it'?s\\s+)+(?:from\\s+)?",
      "gi",
    ),
    "from ",
  ],
];
/** "The end date moved to 20 may" as "until 20 may". */
const movedDay = (side: string): RegExp =>
  new RegExp(
    `\\b(?:(?:move|change|set|push|shift|put|extend)\\s+)?(?:the\\s+)?(?:${side})(?:ing)?(?:\\s+(?:date|day))?\\s+` +
      "(?:(?:is|be|was|should be|must be|has to be|to be)\\s+)?(?:moved|changed|set|pushed|shifted|" +
      "put|extended)?\\s*to\\s+(?=[\\w])",
    "gi",
  );
const movedDays: readonly (readonly [RegExp, string])[] = [
  [movedDay("end|last day|finish"), "until "],
  [movedDay("start|first day|begin"), "from "],
];

/** Of 90,000: "70 not 90" as "70k". */
const inThousands = (open: BriefInput, text: string): string =>
  text.replace(
    /\b(?:not (\d{1,3}) but (\d{1,3})|(\d{1,3}),? (?:and )?not (\d{1,3}))\b(?!\s?[k%.,\d])/gi,
    (said, old: string, now: string, next: string, former: string) =>
      Number(old ?? former) * 1000 === open.budget ? `${now ?? next}k` : said,
  );

const correcting = new Set([
  ...plainWords,
  ...(
    "make set change put raise lower increase reduce cut switch move shift it's its instead rather better but ok " +
    "okay yes no sorry actually just so then now also too well should shall let's let us say start starting starts " +
    "end ending ends until till through by or go only brand called them those than what say " +
    "can could would meant mean begin beginning part same another less more bitte ab en em name spent fine oh hey " +
    "dollar also usd till is are user client wants they he she guess think maybe hm hmm called possible"
  ).split(" "),
]);

/** Days without a year are those nearest to the flight that is corrected. */
const daysBefore = 31;
const dayOf = (open: BriefInput, nowMs: number): number =>
  Math.max(nowMs, Date.parse(open.start_date ?? "") - daysBefore * dayMs || nowMs);

type Part = Pick<Correction, "brief" | "isFound" | "unclear"> & { readonly left: string };

const none = (left: string): Part => ({ brief: {}, isFound: false, unclear: [], left });

const days = (open: BriefInput, text: string, nowMs: number): Part => {
  const { start_date: start, end_date: end } = open;
  const shift = start === undefined || end === undefined ? null : shiftIn(text);
  if (shift !== null && start !== undefined && end !== undefined) {
    const moved = shifted({ flight_start: start, flight_end: end }, shift);
    const left = blanked(text, [shift]);
    return { brief: { start_date: moved.flight_start, end_date: moved.flight_end }, isFound: true, unclear: [], left };
  }
  const period = periodIn(text, dayOf(open, nowMs));
  const { flight_start: first, flight_end: last } = period ?? {};
  if (period === null) return none(text);
  const named = { ...(first == null ? {} : { start_date: first }), ...(last == null ? {} : { end_date: last }) };
  return { brief: named, isFound: true, unclear: [], left: blanked(text, period.spans) };
};

const bareBudgets = (text: string): readonly Found[] =>
  volumesIn(text).filter(({ end, value }) => value > 0 && !isCounted.test(text.slice(end)));

const budgetOf = (open: BriefInput, text: string, named: readonly (Span & { readonly value: number })[]) => {
  const old = named.flatMap(({ start, value }) => {
    const from = Math.max(0, start - 20);
    const match = value === open.budget ? former.exec(text.slice(from, start)) : null;
    return match === null ? [] : [{ start: from + match.index, end: start }];
  });
  const others = named.filter(({ start }) => !old.some(({ end }) => end === start));
  const isUnclear = new Set(others.map(({ value }) => value)).size > 1;
  return {
    value: isUnclear ? undefined : others[0]?.value,
    unclear: isUnclear ? others.map((amount) => `${quoted(text, amount)} (which is the budget?)`) : [],
    spans: old,
  };
};

/** A price without "max" is of the kind that the brief has. */
const kpisOf = (
  open: BriefInput,
  kpis: NonNullable<BriefInput["kpis"]>,
  { isUnlimited, isTarget }: { readonly isUnlimited: boolean; readonly isTarget: boolean },
): BriefInput["kpis"] => {
  const { max_cpm: most, target_cpm: target, ...rest } = open.kpis ?? {};
  const isLimit = !isTarget && kpis.max_cpm == null && kpis.target_cpm != null && most != null && target == null;
  const said = isLimit ? { max_cpm: kpis.target_cpm } : kpis;
  const kept = {
    ...rest,
    ...(most == null || isUnlimited ? {} : { max_cpm: most }),
    ...(target == null ? {} : { target_cpm: target }),
  };
  return { ...kept, ...said };
};

const money = (open: BriefInput, text: string): Part => {
  const limits = spansOf(text, withoutLimit);
  const unlimited = blanked(text, limits);
  const resize = open.budget === undefined ? null : resizeIn(unlimited, "budget");
  const sized = resize === null ? unlimited : blanked(unlimited, [resize]);
  const { kpis, budgets, unclear, spans } = amountsIn(sized);
  const bare = bareBudgets(blanked(sized, spans));
  const budget = budgetOf(open, sized, [...budgets, ...bare]);
  const value = resize === null || open.budget === undefined ? budget.value : resized(open.budget, resize);
  const isPriced = Object.keys(kpis).length > 0 || limits.length > 0;
  const prices = isPriced
    ? kpisOf(open, kpis, { isUnlimited: limits.length > 0, isTarget: /\btarget\b/i.test(text) })
    : undefined;
  const isTwice = resize !== null && budgets.length + bare.length > 0;
  return {
    brief: { ...(value === undefined ? {} : { budget: value }), ...(prices === undefined ? {} : { kpis: prices }) },
    isFound: isPriced || budgets.length + bare.length > 0 || resize !== null || spans.length > 0,
    unclear: [...unclear, ...budget.unclear, ...(isTwice ? [resize.words] : [])],
    left: withoutLimitWords(blanked(sized, [...spans, ...bare, ...budget.spans])),
  };
};

const objectives = (open: BriefInput, text: string): Part => {
  const { edits, left } = editsIn(text, objectiveWords);
  if (edits.length === 0) {
    const guesses = open.objectives === undefined ? mentionsIn(text, objectiveGuesses) : [];
    if (guesses.length === 0) return none(text);
    return { brief: { objectives: namesOf(guesses) }, isFound: true, unclear: [], left: blanked(text, guesses) };
  }
  const list = editedList(open.objectives ?? [], edits);
  const unclear = list.length === 0 ? ["no objective would be left"] : [];
  return { brief: { objectives: [...list] }, isFound: true, unclear, left };
};

const channels = (open: BriefInput, text: string): Part => {
  const { edits, left } = editsIn(text, channelWords);
  if (edits.length === 0) return none(text);
  const list = editedList(open.channels ?? [], edits);
  const isOpen = open.channels == null && edits.some(({ mode }) => mode === "drop");
  const unclear = [
    ...(isOpen ? ["which channels instead, as the brief names none"] : []),
    ...(list.length === 0 && !isOpen ? ["no channel would be left"] : []),
  ];
  return { brief: { channels: [...list] }, isFound: true, unclear, left };
};

const audience = (open: BriefInput, text: string): Part => {
  const ages = agesIn(text);
  const found = audiencesIn(blanked(text, ages));
  if (found.length + ages.length === 0) return none(text);
  const said = [
    ...found.map((one) => one.text.replace(audienceTail, "")),
    ...ages.map((span) => quoted(text, span)),
  ].join(", ");
  const known: unknown = open.target_audience?.["description"];
  const isMore = found.some((one) => alsoAfter.test(one.text)) && typeof known === "string";
  const description = isMore ? `${known}, ${said}` : said;
  const left = blanked(text, [...found, ...ages]);
  return { brief: { target_audience: { description } }, isFound: true, unclear: [], left };
};

const name = (text: string): Part => {
  const named = nameIn(text);
  if (named === null) return none(text);
  return { brief: { name: named.name }, isFound: true, unclear: [], left: blanked(text, [named]) };
};

const inOneForm = (open: BriefInput, said: string): string =>
  [...contrasts, ...movedDays].reduce(
    (text, [pattern, words]) => text.replace(pattern, words),
    inThousands(open, withPriceLines(said)),
  );

const partsOf = (
  open: BriefInput,
  text: string,
  nowMs: number,
): { readonly parts: readonly Part[]; readonly left: string } => {
  const parts: Part[] = [];
  let left = text;
  for (const read of [
    name,
    (rest: string) => days(open, rest, nowMs),
    (rest: string) => money(open, rest),
    (rest: string) => objectives(open, rest),
    (rest: string) => audience(open, rest),
    (rest: string) => channels(open, rest),
  ]) {
    const part = read(left);
    parts.push(part);
    left = part.left;
  }
  return { parts, left };
};

/** What the message changes about the open brief; all else of it stays. */
const correctedOnce = (open: BriefInput, said: string, nowMs: number): Correction => {
  const form = formIn(inOneForm(open, said));
  const exclusions = exclusionsIn(form.left).filter(
    (span) => mentionsIn(quoted(form.left, span), channelWords).length === 0,
  );
  const text = blanked(form.left, exclusions).replace(leadIn, (words) => " ".repeat(words.length));
  const { parts, left } = partsOf(open, text, nowMs);
  const words = leftIn(left, correcting);
  const isMore = /\b(?:also|too|as well|add|plus)\b/i.test(said);
  const isWanted = open.target_audience === undefined || isMore || /\binstead\b/i.test(said);
  const bare = isWanted ? bareAudiences(words) : [];
  const over = words.filter((one) => !bare.includes(one));
  const isBare = bare.length > 0;
  const people = Object.assign({}, ...parts.map((part) => part.brief)) as BriefInput;
  const known = (isMore ? { ...open, ...people } : people).target_audience?.["description"];
  const described = audienceOf([...(typeof known === "string" ? [known] : []), ...bare]);
  const ofForm: BriefInput = {
    ...(form.name === null ? {} : { name: form.name }),
    ...(isBare && described !== undefined ? { target_audience: described } : {}),
    ...(form.audience === null ? {} : { target_audience: { description: form.audience } }),
  };
  const { kpis = {}, ...brief } = Object.assign({ ...open }, ...parts.map((part) => part.brief), ofForm) as BriefInput;
  return {
    brief: kpis === null || Object.keys(kpis).length === 0 ? brief : { ...brief, kpis },
    isFound: parts.some(({ isFound }) => isFound) || Object.keys(ofForm).length > 0,
    unclear: [
      ...parts.flatMap(({ unclear }) => unclear),
      ...over.filter(isBinding),
      ...(isConditional(said) ? ["the condition"] : []),
    ],
    excluded: exclusions.map((span) => quoted(form.left, span)),
    notUsed: over.filter((words) => !isBinding(words)),
    places: form.places,
    guessed: [],
  };
};

const mostPieces = 12;
const sentenceEnds = new RegExp(
  "(?<=[.!?;])\\s+|\\n+|,?\\s+(?:and|but|aber|pero|mais)\\s+(?=(?:not|no|don't|never|please|" +
    "make|add|start|end|only|call|name)\\b)",
  "gi",
);

/** Where a part of the message is not understood, the other sentences still count. */
export const correctedBrief = (open: BriefInput, said: string, nowMs: number): Correction => {
  const whole = correctedOnce(open, said, nowMs);
  const pieces = whole.unclear.length === 0 ? [] : said.split(sentenceEnds).filter((piece) => /[\p{L}\d]/u.test(piece));
  if (pieces.length < 2 || pieces.length > mostPieces) {
    return whole.unclear.length === 0 ? whole : { ...whole, brief: open };
  }
  return pieces.reduce<Correction>(
    (sum, piece) => {
      const one = correctedOnce(sum.brief, piece, nowMs);
      return {
        brief: one.unclear.length === 0 ? one.brief : sum.brief,
        isFound: sum.isFound || one.isFound,
        unclear: [...sum.unclear, ...(one.unclear.length === 0 ? [] : one.unclear)],
        excluded: [...sum.excluded, ...one.excluded],
        notUsed: [...sum.notUsed, ...one.notUsed],
        places: [...sum.places, ...one.places],
        guessed: [],
      };
    },
    { brief: open, isFound: false, unclear: [], excluded: [], notUsed: [], places: [], guessed: [] },
  );
};
