import type { z } from "zod";
import { dayMs } from "../../../../machines/inventory/dates.ts";
import { knownChannels, tableChannels } from "../../../../machines/booking/weights.ts";
import type { campaignBrief } from "../../bookings/contract.ts";
import { forWholeSplit, isChannelSum, type ShareTerm, shareOf, sumsPlaced, withLimitsOf } from "./limits.ts";

export type BriefInput = z.input<typeof campaignBrief>;

/** What one part of a message says about a brief. */
export type Term =
  | { readonly kind: "budget"; readonly value: number }
  | { readonly kind: "budget by"; readonly factor: number; readonly more: number }
  | { readonly kind: "days"; readonly start: string | null; readonly end: string | null }
  | { readonly kind: "shift"; readonly start: number; readonly end: number }
  | { readonly kind: "length"; readonly days: number }
  /** A day that is named without its side. */
  | { readonly kind: "loose day"; readonly iso: string; readonly words: string }
  /** The first day of days that keep their length. */
  | { readonly kind: "move"; readonly start: string }
  | { readonly kind: "day"; readonly day: number; readonly side: "start" | "end" }
  | { readonly kind: "year"; readonly value: number }
  | {
      readonly kind: "channels";
      readonly set: readonly string[] | null;
      readonly add: readonly string[];
      readonly drop: readonly string[];
      readonly isOfAll: boolean;
    }
  | { readonly kind: "any channel" }
  | {
      readonly kind: "audience";
      readonly value: string;
      readonly isAdded: boolean;
      readonly isListed: boolean;
      /** Of words that may as well call what is sold: "new cold brew cans". */
      readonly isGuess: boolean;
    }
  | { readonly kind: "ages"; readonly value: string }
  | { readonly kind: "no audience"; readonly words: readonly string[] }
  | { readonly kind: "same audience"; readonly words: string }
  | { readonly kind: "objectives"; readonly names: readonly string[]; readonly isAdded: boolean }
  | { readonly kind: "no objectives"; readonly names: readonly string[] }
  | { readonly kind: "max_cpm" | "target_cpm"; readonly value: number | null }
  | { readonly kind: "channel price"; readonly channel: string; readonly value: number; readonly words: string }
  | ShareTerm
  /** Of the channels of the brief where none are named; even without shares. */
  | { readonly kind: "split"; readonly channels: readonly string[]; readonly shares: readonly number[] }
  | { readonly kind: "no shares" }
  | { readonly kind: "name" | "advertiser"; readonly value: string }
  | { readonly kind: Note; readonly words: string };

const noteKinds = [
  "unclear",
  "excluded",
  "price",
  "unsold",
  "place",
  "kpi",
  "one",
  "not used",
  "doubt",
  "proposed",
  "foreign money",
  "two budgets",
  "said",
] as const;

/** What a brief has no member for, or what is not clear; `lasting` ones stay open until they are settled. */
export type Note = (typeof noteKinds)[number];

/** What a start leaves out: told again wherever one is offered. */
export const unusable: ReadonlySet<Note> = new Set(["excluded", "price", "unsold", "place", "kpi", "one", "not used"]);

/** In the words of a term in other money, before the same figure in USD, which a yes takes. */
export const inUsd = " as ";

const requiredMembers = ["budget", "start_date", "end_date", "target_audience", "objectives"] as const;

export const missingIn = (brief: BriefInput): readonly string[] =>
  requiredMembers.filter((member) => brief[member] === undefined);

const mostTitled = 5;

/** A name that nobody gave changes with the brief. */
export const withName = (brief: BriefInput): BriefInput => {
  const { name, advertiser, channels, start_date: start, end_date: end } = brief;
  if (name === undefined && advertiser != null && advertiser !== "")
    return { ...brief, name: advertiser.slice(0, 100) };
  const isList = channels != null && channels.length > 0 && channels.length <= mostTitled;
  const title = isList ? channels.join(" and ") : "Campaign";
  return { ...brief, name: name ?? `${title} ${start} to ${end}`.slice(0, 100) };
};

export const allChannels: readonly string[] = [...knownChannels.slice(tableChannels.length), "ctv", "mobile_app"];

export const audienceOf = (brief: BriefInput | null): string | null => {
  const { description } = brief?.target_audience ?? {};
  return typeof description === "string" ? description : null;
};

const moved = (iso: string | undefined, days: number): string | undefined =>
  iso === undefined ? undefined : new Date(Date.parse(iso) + days * dayMs).toISOString().slice(0, 10);

const daysTo = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;

export interface Applied {
  readonly brief: BriefInput;
  /** What could not be done, as notes. */
  readonly notes: readonly { readonly kind: Note; readonly words: string }[];
}

type Step = (brief: BriefInput, term: never) => Applied | BriefInput;

const noted = (brief: BriefInput, kind: Note, words: string): Applied => ({ brief, notes: [{ kind, words }] });

const withoutMember = (brief: BriefInput, member: keyof BriefInput): BriefInput => {
  const { [member]: _gone, ...rest } = brief;
  return rest;
};

const ages = /\b\d{2}\s?(?:-|–|to|and|bis|a)\s?\d{2}\b(?: ?-?years?(?:[ -]olds?)?)?|\b\d{2}\+/;

const kpisWith = (brief: BriefInput, member: "max_cpm" | "target_cpm", value: number | null): BriefInput => {
  const { [member]: _old, ...rest } = brief.kpis ?? {};
  const kpis = value === null ? rest : { ...rest, [member]: value };
  return Object.keys(kpis).length === 0 ? withoutMember(brief, "kpis") : { ...brief, kpis };
};

const dayOf = (brief: BriefInput, day: number, side: "start" | "end"): string | null => {
  const near = (side === "end" ? brief.end_date : brief.start_date) ?? brief.start_date ?? brief.end_date;
  if (near === undefined) return null;
  const iso = `${near.slice(0, 8)}${String(day).padStart(2, "0")}`;
  return Number.isNaN(Date.parse(iso)) ? null : iso;
};

const channelsAfter = (brief: BriefInput, term: Extract<Term, { kind: "channels" }>): Applied | BriefInput => {
  const { set, add, drop, isOfAll } = term;
  const given = isOfAll ? allChannels : brief.channels;
  if (set === null && add.length === 0 && given == null && brief.budget === undefined)
    return noted(brief, "unclear", `the brief names no channel to leave out: "${drop.join(", ")}"`);
  const base = set ?? given ?? (add.length > 0 ? [] : allChannels);
  const after = [...new Set([...base, ...add])].filter((name) => !drop.includes(name));
  if (after.length === 0) return noted(brief, "unclear", `no channel would be left without ${drop.join(", ")}`);
  const absent = drop.filter((name) => !base.includes(name));
  const next = { ...brief, channels: after };
  if (given == null && set === null && add.length === 0)
    return noted(next, "said", `All channels but ${drop.join(", ")} are meant.`);
  return absent.length > 0 ? noted(next, "said", `${absent.join(", ")} is not among the channels.`) : next;
};

const splitOf = (brief: BriefInput, { channels, shares }: Extract<Term, { kind: "split" }>): Applied | BriefInput => {
  const names = channels.length > 0 ? channels : (brief.channels ?? []);
  if (names.length === 0) return noted(brief, "unclear", "the split, as no channels are named");
  return names.reduce<BriefInput>(
    (done, channel, at) =>
      shareOf(done, { kind: "share", channel, share: shares[at] ?? 1 / names.length, amount: null, side: "both" }),
    brief,
  );
};

/** They change nothing of the brief. */
const noteStep =
  (kind: Note) =>
  (brief: BriefInput, { words }: { readonly words: string }): Applied =>
    noted(brief, kind, words);
const noteSteps = Object.fromEntries(noteKinds.map((kind) => [kind, noteStep(kind)])) as unknown as Readonly<
  Record<Note, Step>
>;

const steps: Readonly<Record<Term["kind"], Step>> = {
  budget: (brief, { value }: Extract<Term, { kind: "budget" }>) =>
    value > 0 ? { ...brief, budget: value } : noted(brief, "unclear", "budget must be greater than 0"),
  "budget by": (brief, { factor, more }: Extract<Term, { kind: "budget by" }>) => {
    const { budget } = brief;
    if (budget === undefined) return more > 0 ? { ...brief, budget: more } : noted(brief, "unclear", "of which budget");
    return { ...brief, budget: Math.round((budget * factor + more) * 100) / 100 };
  },
  days: (brief, { start, end }: Extract<Term, { kind: "days" }>) => {
    const days = { start_date: start ?? brief.start_date, end_date: end ?? brief.end_date };
    const isOpen = start === null || end === null;
    if (isOpen && days.start_date !== undefined && days.end_date !== undefined && days.end_date < days.start_date)
      return noted(brief, "unclear", `end_date ${days.end_date} must not precede start_date ${days.start_date}`);
    return { ...brief, ...Object.fromEntries(Object.entries(days).filter(([, day]) => day !== undefined)) };
  },
  shift: (brief, { start, end }: Extract<Term, { kind: "shift" }>) => {
    if (brief.start_date === undefined || brief.end_date === undefined)
      return noted(brief, "unclear", "from which days on");
    const [first, last] = [moved(brief.start_date, start) ?? "", moved(brief.end_date, end) ?? ""];
    return last < first
      ? noted(brief, "unclear", `end_date ${last} must not precede start_date ${first}`)
      : { ...brief, start_date: first, end_date: last };
  },
  move: (brief, { start }: Extract<Term, { kind: "move" }>) => {
    const { start_date: first = start, end_date: last } = brief;
    return {
      ...brief,
      start_date: start,
      ...(last === undefined ? {} : { end_date: moved(last, daysTo(first, start)) }),
    };
  },
  "loose day": (brief, { iso, words }: Extract<Term, { kind: "loose day" }>) => {
    const { start_date: start, end_date: end } = brief;
    const near = end !== undefined && iso > end ? `${end.slice(0, 4)}${iso.slice(4)}` : iso;
    if (start === undefined && end !== undefined && near <= end) return { ...brief, start_date: near };
    if (end === undefined && start !== undefined && iso >= start) return { ...brief, end_date: iso };
    return noted(brief, "unclear", words);
  },
  length: (brief, { days }: Extract<Term, { kind: "length" }>) =>
    brief.start_date === undefined
      ? noted(brief, "unclear", "the length, as no first day is named")
      : { ...brief, end_date: moved(brief.start_date, days - 1) ?? "" },
  day: (brief, { day, side }: Extract<Term, { kind: "day" }>) => {
    const iso = dayOf(brief, day, side);
    if (iso === null) return noted(brief, "unclear", `the ${day}`);
    return side === "end" ? { ...brief, end_date: iso } : { ...brief, start_date: iso };
  },
  year: (brief, { value }: Extract<Term, { kind: "year" }>) => {
    const of = (iso: string | undefined) => (iso === undefined ? undefined : `${value}${iso.slice(4)}`);
    const { start_date: start, end_date: end } = brief;
    if (start === undefined || end === undefined) return noted(brief, "unclear", String(value));
    return { ...brief, start_date: of(start) ?? "", end_date: of(end) ?? "" };
  },
  channels: channelsAfter,
  "any channel": (brief) => withoutMember(brief, "channels"),
  audience: (brief, { value, isAdded }: Extract<Term, { kind: "audience" }>) => {
    const before = audienceOf(brief);
    const description = isAdded && before !== null && !before.includes(value) ? `${before}, ${value}` : value;
    return { ...brief, target_audience: { ...(isAdded ? brief.target_audience : {}), description } };
  },
  ages: (brief, { value }: Extract<Term, { kind: "ages" }>) => {
    const before = audienceOf(brief);
    const years = ages.exec(value)?.[0].replace(/ ?-?years?$/, "") ?? value;
    if (before === null || ages.exec(before)?.[0] === before)
      return { ...brief, target_audience: { description: value } };
    const description = ages.test(before) ? before.replace(ages, years) : `${before}, ${years}`;
    return { ...brief, target_audience: { ...brief.target_audience, description } };
  },
  "no audience": (brief, { words }: Extract<Term, { kind: "no audience" }>) => {
    const parts = (audienceOf(brief) ?? "").split(", ");
    const kept = parts.filter((part) => !words.some((word) => part.toLowerCase().split(" ").includes(word)));
    if (kept.length === parts.length || kept.length === 0) return noted(brief, "excluded", words.join(" "));
    return { ...brief, target_audience: { ...brief.target_audience, description: kept.join(", ") } };
  },
  "same audience": (brief) => brief,
  objectives: (brief, { names, isAdded }: Extract<Term, { kind: "objectives" }>) => ({
    ...brief,
    objectives: isAdded ? [...new Set([...(brief.objectives ?? []), ...names])] : [...names],
  }),
  "no objectives": (brief, { names }: Extract<Term, { kind: "no objectives" }>) => {
    const objectives = (brief.objectives ?? []).filter((name) => !names.includes(name));
    return objectives.length === 0 ? withoutMember(brief, "objectives") : { ...brief, objectives };
  },
  max_cpm: (brief, { value }: { readonly value: number | null }) => kpisWith(brief, "max_cpm", value),
  target_cpm: (brief, { value }: { readonly value: number | null }) => kpisWith(brief, "target_cpm", value),
  "channel price": (brief, { channel, value, words }: Extract<Term, { kind: "channel price" }>) =>
    brief.channels?.length === 1 && brief.channels[0] === channel
      ? kpisWith(brief, "max_cpm", value)
      : noted(brief, "price", words),
  share: (brief, term: Extract<Term, { kind: "share" }>) => shareOf(brief, term),
  split: splitOf,
  "no shares": (brief) => withoutMember(brief, "channel_limits"),
  name: (brief, { value }: { readonly value: string }) => ({ ...brief, name: value }),
  advertiser: (brief, { value }: { readonly value: string }) => ({ ...brief, advertiser: value }),
  ...noteSteps,
};

/** Days are lengthened and moved after they are set, and prices of one channel come after the channels. */
const order: readonly Term["kind"][] = ["days", "day", "year", "channels", "any channel", "budget"];

const rank = ({ kind }: Term): number => (order.includes(kind) ? 0 : kind === "channel price" ? 2 : 1);

/** A start with a length, and days that are named beside a move of them: the named day wins. */
const settled = (said: readonly Term[]): readonly Term[] => {
  const isSure = said.some((term) => term.kind === "audience" && !term.isGuess);
  // "It stays brand awareness, I didn't ask for sales": what is named instead says it all.
  const isNamed = said.some(({ kind }) => kind === "objectives");
  const told = said.filter(({ kind }) => !(isNamed && kind === "no objectives"));
  const given = told.map((term): Term =>
    isSure && term.kind === "audience" && term.isGuess ? { kind: "not used", words: term.value } : term,
  );
  const isGiven = given.some((term) => term.kind === "audience" && !term.isListed);
  const isDated = given.some(({ kind }) => kind === "days" || kind === "loose day");
  const terms = given.filter(
    (term) =>
      !(isGiven && term.kind === "audience" && term.isListed) &&
      !(isDated && term.kind === "unclear" && term.words.toLowerCase() === "asap"),
  );
  const shift = terms.find((term) => term.kind === "shift");
  const loose = terms.find((term) => term.kind === "loose day");
  const days =
    terms.find((term) => term.kind === "days") ??
    (shift === undefined || loose === undefined
      ? undefined
      : shift.start === 0
        ? ({ kind: "days", start: null, end: loose.iso } as const)
        : ({ kind: "days", start: loose.iso, end: null } as const));
  if (days?.kind !== "days") return terms;
  const others = terms.filter(({ kind }) => kind !== "days" && kind !== "shift");
  if (shift !== undefined) {
    const isMove = shift.start !== 0 && shift.end !== 0 && days.start !== null && days.end === null;
    const named: Term = isMove ? { kind: "move", start: days.start } : days;
    return [named, ...others.filter(({ kind }) => kind !== "loose day")];
  }
  // A day beside the whole days of the campaign is another one, as the one of an event.
  const isDay = (iso: string): boolean => iso === days.start || iso === days.end;
  if (days.start !== null && days.end !== null)
    return terms.map((term) =>
      term.kind === "loose day" && !isDay(term.iso)
        ? { kind: "said", words: `"${term.words}" changes no day of the campaign.` }
        : term,
    );
  const length = terms.find((term) => term.kind === "length");
  if (length?.kind !== "length" || days.start === null) return terms;
  const both = { ...days, end: moved(days.start, length.days - 1) ?? null };
  return terms.flatMap((term) => (term === days ? [both] : term === length ? [] : [term]));
};

const run = (start: Applied, terms: readonly Term[]): Applied =>
  terms
    .toSorted((one, other) => rank(one) - rank(other))
    .reduce<Applied>((done, term) => {
      const step = steps[term.kind](done.brief, term as never);
      return "notes" in step && Array.isArray(step.notes)
        ? { brief: step.brief as BriefInput, notes: [...done.notes, ...(step.notes as Applied["notes"])] }
        : { ...done, brief: step as BriefInput };
    }, start);

const appliedTo = (brief: BriefInput, given: readonly Term[]): Applied => {
  const terms = settled(given);
  const isTold = terms.some(({ kind }) => kind === "budget" || kind === "foreign money" || kind === "two budgets");
  const sums = terms.filter(isChannelSum);
  const first = run(
    { brief, notes: [] },
    terms.filter((term) => rank(term) === 0),
  );
  const whole = { ...first, brief: forWholeSplit(first.brief, terms) };
  return run(whole, [
    ...sumsPlaced(first.brief, sums, isTold),
    ...terms.filter((term) => rank(term) > 0 && !isChannelSum(term)),
  ]);
};

export const applied = (brief: BriefInput, terms: readonly Term[]): Applied => {
  const done = appliedTo(brief, terms);
  return { ...done, brief: withLimitsOf(done.brief) };
};
