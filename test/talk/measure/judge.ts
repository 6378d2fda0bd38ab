import { type Fact, listOf, type Members, textOf, type Want, type WantedEffect } from "./case.ts";
import { type Course, filledWith } from "./course.ts";
import { holds } from "./facts.ts";
import { leaksIn } from "./leaks.ts";
import { kindOf, matches } from "./matches.ts";
import { couldDo } from "./picks.ts";
import { isNear, moneyIn, type Reply, squash, toNumber } from "./reply.ts";
import type { Effect, Seen } from "./side.ts";
import { understoodProblems } from "./understood.ts";
import { droppedWords, quoteProblems, wordProblems } from "./words.ts";

export interface Verdict {
  readonly problems: readonly string[];
  /** Wanted, and not there. */
  readonly missed: readonly WantedEffect[];
  readonly unwanted: readonly string[];
  readonly dropped: readonly string[];
  readonly isQuoteMissing: boolean;
  readonly credited: readonly Effect[];
}

/** What an outcome that is wanted may do to records, where the turn does not say. */
const byOutcome: Readonly<Record<string, readonly string[]>> = {
  booked: ["booked", "accepted", "agreed"],
  accepted: ["accepted", "agreed"],
  rejected: ["rejected"],
  pending: ["cancelled", "change_request", "changed"],
  started: ["started"],
};

const outcomesOf = (want: Want): readonly string[] => [...listOf(want.outcome), ...(want.outcomes ?? [])];

/** A change that is applied at once is its request too; the seller's yes to an offer is the offer's. */
const isSideEffect = ({ kind }: Effect, isServed: boolean): boolean =>
  kind === "agreed" || (isServed && ["changed", "change_request", "accepted"].includes(kind));

const commitsOf = (course: Course, want: Want, effects: readonly Effect[]) => {
  const free = new Set(effects);
  const credited: Effect[] = [];
  const missed: WantedEffect[] = [];
  const early: string[] = [];
  for (const wanted of want.commits ?? []) {
    const past = wanted.since === undefined ? [] : course.turns.slice(wanted.since - 1).flatMap((turn) => turn.effects);
    const isOpen = (effect: Effect): boolean =>
      !course.credited.has(effect) && !credited.includes(effect) && matches(course, wanted, effect);
    const hit = [...free, ...past].find(isOpen);
    const before = course.turns.flatMap((turn) => turn.effects).find(isOpen);
    if (hit !== undefined) free.delete(hit);
    else if (before !== undefined) early.push(`done too early: ${JSON.stringify(wanted)}`);
    else missed.push(wanted);
    const credit = hit ?? before;
    if (credit !== undefined) credited.push(credit);
  }
  for (const allowed of want.may ?? []) {
    const hit = [...free].find((effect) => matches(course, allowed, effect));
    if (hit !== undefined) free.delete(hit);
  }
  const kinds = want.commits === undefined ? outcomesOf(want).flatMap((one) => byOutcome[one] ?? []) : [];
  const isServed = free.size < effects.length;
  const unwanted = [...free].filter((effect) => !kinds.includes(effect.kind) && !isSideEffect(effect, isServed));
  return { missed, early, unwanted, credited };
};

/** Neither shown by an earlier reply, nor named by its id. */
const unshown = (course: Course, effect: Effect, said: string, offered: string): boolean => {
  const id = textOf(effect["quote_id"]);
  if (course.one.agent !== "seller" || effect.kind !== "booked" || id === "") return false;
  const turns = [...course.earlier, ...course.turns];
  if ([...turns.map((turn) => turn.said), said].some((text) => text.includes(id))) return false;
  const texts = [...turns.map(({ text }) => text), offered];
  const cpm = Number(effect["cpm"]);
  const digits = (text: string): readonly number[] => [
    ...moneyIn(text),
    ...(text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map(toNumber),
  ];
  const hasCpm = texts.some((text) => digits(text).some((one) => isNear(one, cpm)));
  const hasVolume = texts.some((text) => digits(text).includes(Number(effect["impressions"])));
  const isQuoted = turns.some(({ quotes }) => quotes.some(({ quote_id: one }) => one === id));
  return !(hasCpm && (hasVolume || isQuoted));
};

const shortOf = ({ kind, ...rest }: Effect): string => {
  const names = ["product", "channel", "impressions", "cpm", "from", "cost", "budget", "campaign"];
  return [kind, ...names.flatMap((name) => rest[name] ?? [])].map(String).join(" ");
};

const partProblems = (want: Want, { datas }: Reply): readonly string[] => {
  const outcomes = datas.map(({ outcome }) => String(outcome));
  const skills = datas.map(({ skill }) => skill ?? null);
  const wanted = [...(want.outcomes ?? [])];
  const missing = wanted.filter(
    (one, at) => outcomes.filter((is) => is === one).length < wanted.slice(0, at + 1).filter((is) => is === one).length,
  );
  const right = want.skill === null ? [null] : listOf<string | null>(want.skill);
  return [
    ...(right.length > 0 && !right.some((one) => skills.includes(one))
      ? [`skill ${skills.map(String).join(", ")}, want ${right.join(" or ")}`]
      : []),
    ...(want.outcome !== undefined && !outcomes.some((one) => listOf(want.outcome).includes(one))
      ? [`outcome ${outcomes.join(", ")}, want ${listOf(want.outcome).join(" or ")}`]
      : []),
    ...(missing.length > 0 ? [`outcomes ${outcomes.join(", ")}, want ${wanted.join(", ")}`] : []),
  ];
};

const isSame = (name: string, shown: unknown, meant: unknown): boolean => {
  if (name === "channels")
    return squash([...((shown as string[] | undefined) ?? [])].sort()) === squash([...(meant as string[])].sort());
  if (typeof meant !== "object" || meant === null || Array.isArray(meant))
    return JSON.stringify(shown) === JSON.stringify(meant);
  return Object.entries(meant).every(
    ([key, value]) => JSON.stringify((shown as Members | undefined)?.[key]) === JSON.stringify(value),
  );
};

/** The brief as understood, else as the option would start it. */
const briefProblems = ({ brief, without = [] }: Want, { datas, options }: Reply): readonly string[] => {
  const understood = datas
    .map((data) => data["understood"] as Members | undefined)
    .find((one) => one !== undefined && Object.keys(one).length > 0);
  const offered = options.find(({ operation }) => operation === "create_booking")?.input["brief"];
  const shown = (understood?.["brief"] ?? offered ?? understood ?? {}) as Members;
  return [
    ...Object.entries(brief ?? {})
      .filter(([name, meant]) => !isSame(name, shown[name], meant))
      .map(([name]) => `${name} of the brief is ${JSON.stringify(shown[name])}`),
    ...without.filter((name) => shown[name] !== undefined).map((name) => `the brief has ${name}`),
  ];
};

const stateProblems = (want: Want, { jobs, deals, status }: Seen): readonly string[] => [
  ...(want.jobs === undefined || want.jobs === jobs ? [] : [`${jobs} campaigns, want ${want.jobs}`]),
  ...(want.deals === undefined || want.deals === deals ? [] : [`${deals} deals, want ${want.deals}`]),
  ...(want.status === undefined || want.status === status ? [] : [`status ${status}, want ${want.status}`]),
];

const offerProblems = (
  { offers, armed }: Want,
  { options, datas }: Reply,
  effects: readonly Effect[],
): readonly string[] => {
  const isArmed = datas.some((data) => typeof data["armed"] === "string");
  const isOffered =
    offers === undefined || effects.length > 0 || options.some(({ operation }) => new RegExp(offers).test(operation));
  return [
    ...(isOffered ? [] : [`no option of ${offers}`]),
    ...(armed === undefined || armed === isArmed
      ? []
      : [isArmed ? "a yes would take something" : "a yes would take nothing"]),
  ];
};

const filledFact = (fact: Fact, names: Members): Fact => ({
  ...fact,
  ...(fact.text === undefined ? {} : { text: filledWith(fact.text, names) }),
  ...(fact.data === undefined ? {} : { data: filledWith(fact.data, names) }),
});

const filledSlots = ({ understood = {} }: Want, names: Members): Members =>
  Object.fromEntries(
    Object.entries(understood).map(([slot, value]) => [
      slot,
      typeof value === "string" ? filledWith(value, names) : value,
    ]),
  );

const factProblems = (course: Course, { facts = [], never = [] }: Want, reply: Reply): readonly string[] => {
  const ids = course.turns.map((turn) => turn.ids);
  const on = (fact: Fact): boolean => holds(filledFact(fact, course.names), reply, ids);
  return [
    ...facts.filter((fact) => !on(fact)).map((fact) => `lacks ${JSON.stringify(fact)}`),
    ...never.filter(on).map((fact) => `has ${JSON.stringify(fact)}`),
  ];
};

export interface Turn {
  readonly course: Course;
  readonly want: Want;
  readonly said: string;
  readonly reply: Reply;
  readonly seen: Seen;
  /** Texts of options that were taken from. */
  readonly offered: string;
  readonly ms: number;
}

interface Lost {
  readonly missed: readonly WantedEffect[];
  readonly words: readonly string[];
  readonly facts: readonly string[];
}

/** Parts of the message that are neither done, answered, offered nor named; a reply that only asks back drops none. */
const droppedOf = ({ course, want, reply }: Turn, { missed, words, facts }: Lost): readonly string[] => {
  const outcomes = reply.datas.map(({ outcome }) => outcome);
  if (outcomes.length > 0 && outcomes.every((one) => one === "clarify")) return words;
  const lost = missed.filter((one) => !reply.options.some((option) => couldDo(course, one, option)));
  const parts = Math.max(0, (want.outcomes ?? []).length - outcomes.length);
  const isBeside = (want.commits ?? []).length > 0;
  return [
    ...words,
    ...lost.map((one) => `${kindOf(one)} is neither done nor offered`),
    ...(parts === 0 ? [] : [`${parts} of ${outcomes.length + parts} things asked have no answer`]),
    ...(isBeside ? facts.map((one) => `beside the order the reply ${one}`) : []),
  ];
};

export const judge = (turn: Turn): Verdict => {
  const { course, want, said, reply, seen, offered, ms } = turn;
  const heard = { course, want, reply, made: seen.quotes };
  const { missed, early, unwanted, credited } = commitsOf(course, want, seen.effects);
  const stray = unwanted.map(shortOf);
  const unshownOnes = seen.effects
    .filter((effect) => !unwanted.includes(effect) && unshown(course, effect, said, offered))
    .map((effect) => `${shortOf(effect)}, which no reply had shown`);
  const quotes = quoteProblems(heard);
  const words = droppedWords(heard);
  const facts = factProblems(course, want, reply);
  const problems = [
    ...early,
    ...missed.map((one) => `MISSED ${JSON.stringify(one)}`),
    ...[...stray, ...unshownOnes].map((one) => `UNWANTED ${one}`),
    ...quotes,
    ...wordProblems(heard),
    ...words,
    ...partProblems(want, reply),
    ...understoodProblems({ ...want, understood: filledSlots(want, course.names) }, reply, course),
    ...facts,
    ...leaksIn(reply, course.one.tier ?? "agency"),
    ...briefProblems(want, reply),
    ...stateProblems(want, seen),
    ...offerProblems(want, reply, seen.effects),
    ...(want.max_ms !== undefined && ms > want.max_ms ? [`took ${ms.toFixed(0)} ms`] : []),
  ];
  return {
    problems,
    missed,
    unwanted: [...stray, ...unshownOnes],
    dropped: droppedOf(turn, { missed, words, facts }),
    isQuoteMissing: quotes.length > 0,
    credited,
  };
};
