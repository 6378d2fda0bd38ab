import { isConditional } from "../../../../understanding/reading/clauses.ts";
import { blanked, matchesOf, spansOf } from "../../../../understanding/reading/spans.ts";
import { largestIn } from "../members/amounts.ts";
import { advertiserIn } from "../members/advertiser.ts";
import { audienceOf, bareAudiences, soleAgents } from "../members/audiences.ts";
import { formIn } from "./form.ts";
import { isBinding, isFarReaching, isMeasure, leftIn, withoutLead, type Words } from "../words/leftovers.ts";
import { mentionsIn, quoted } from "../words/mentions.ts";
import { withDaysInFigures } from "../members/day-forms.ts";
import { inCorrectionForm } from "./one-form.ts";
import { type PartRead, partsOf } from "./parts.ts";
import { perChannelIn, type PerChannel, sharedPrice } from "../members/per-channel.ts";
import { exclusionsIn } from "../words/plain-words.ts";
import { type BriefInput, nothingBeside, type ReadBrief } from "../input.ts";
import { channelWords, plainWords } from "../words/vocabulary.ts";

/** Whose it was is known to the conversation alone. */
export const sameAudience = new RegExp(
  "\\b(?:the )?same (?:target )?(?:audience|people|target(?: group| market)?|group|crowd)\\b" +
    "(?: as (?:before|last time|in the (?:last|other|first) one))?",
  "gi",
);

export interface Correction extends ReadBrief {
  /** False: the message names nothing that a brief holds. */
  readonly isFound: boolean;
}

const correcting = new Set([
  ...plainWords,
  ...(
    "make set change put raise lower increase reduce cut switch move shift it's its instead rather better but ok " +
    "okay yes no sorry actually just so then now also too well should shall let's let us say start starting starts " +
    "end ending ends until till through by or go only brand called them those than what say " +
    "can could would meant mean begin beginning part same another less more bitte ab en em name spent fine oh hey " +
    "dollar also usd till is are user client wants they he she guess think maybe hm hmm called possible stay " +
    "stays stayed keep keeps remain remains cap ceiling limit all everything whole " +
    "only max round rounded price prices bring back course right fine wants new how about after looks good wrong " +
    "extend prolong longer shorter nice great lets cut do done erst noch scrap undo works anything think group " +
    "market demographic demographics correction corrections side note read prepare inventory"
  ).split(" "),
]);

const segmentEnds = /[,;.!?](?=\s|$)|\n|\s(?=(?:and|but|und|aber|y|pero|mais)\s)/g;

/** Where each comma's part of a text ends. */
const endsIn = (text: string): readonly number[] => [
  ...matchesOf(text, segmentEnds).map(({ index }) => index),
  text.length,
];

const segmentOf = (ends: readonly number[], at: number): number => ends.findIndex((end) => at <= end);

/** A doubt reaches as far as its comma, and over all where its words measure or deny something. */
const isDoubtful = (part: PartRead, ends: readonly number[], doubts: readonly Words[]): boolean => {
  if (part.unclear.length > 0 || doubts.some(({ text }) => isFarReaching(text))) return true;
  const doubted = new Set(doubts.map(({ start }) => segmentOf(ends, start)));
  for (let at = 0; at < part.before.length; at += 1) {
    if (part.before[at] !== part.left[at] && doubted.has(segmentOf(ends, at))) return true;
  }
  return false;
};

/** What is shared out over the channels and nothing beside it is the budget. */
const sharedBudget = (shares: PerChannel["shares"]): number | undefined => {
  const sums = shares.flatMap(({ sum }) => sum ?? []);
  return sums.length < 2 ? undefined : sums.reduce((total, sum) => total + sum, 0);
};

/** One sum beside a channel, where the brief has others too, is no budget. */
const isPartOf = (open: BriefInput) => {
  const channels = open.channels ?? [];
  return (words: string): boolean => {
    const [named] = mentionsIn(words, channelWords);
    return open.budget !== undefined && named !== undefined && channels.some((name) => name !== named.name);
  };
};
const isWholeBudget = /\b(?:make it|budget|total|whole|instead|only|everything|all in|now)\b/i;

/** What is said of a channel lists it: of a new brief prices too, unless one price stands alone. */
const listedBy = ({ prices, shares }: PerChannel, names: readonly string[], isNew: boolean): readonly string[] => {
  const shared = shares.flatMap(({ channels }) => channels);
  const isListed = names.length + shared.length > 0 || prices.length > 1;
  return isNew && isListed ? [...shared, ...prices.flatMap(({ channels }) => channels)] : shared;
};

const withPerChannel = (brief: BriefInput, per: PerChannel, isNew: boolean) => {
  const names = brief.channels ?? [];
  const listed = isNew || brief.channels != null ? listedBy(per, names, isNew) : [];
  const channels = listed.length > 0 ? [...new Set([...names, ...listed])] : brief.channels;
  const ofAll = sharedPrice(per.prices, channels ?? []);
  const total = isNew && brief.budget === undefined ? sharedBudget(per.shares) : undefined;
  const whole: BriefInput = {
    ...brief,
    ...(total === undefined ? {} : { budget: total }),
    ...(listed.length > 0 ? { channels } : {}),
    ...(ofAll === null ? {} : { kpis: { ...brief.kpis, ...ofAll } }),
  };
  return { brief: whole, isOne: ofAll !== null };
};

/** People who are only named, where the message asks for others or the brief has none. */
const namedPeople = (
  open: BriefInput,
  isNobody: boolean,
  said: string,
  { left, words }: { readonly left: string; readonly words: readonly Words[] },
) => {
  const isMore = /\b(?:also|too|as well|add|plus)\b/i.test(said);
  const isWanted =
    open.target_audience === undefined || isMore || /\b(?:instead|audience|target|only|just)\b/i.test(said);
  const bare = isWanted ? bareAudiences(left, words, isBinding) : [];
  return {
    isMore,
    bare: bare.length === 0 && isNobody && open.target_audience === undefined ? soleAgents(said, words) : bare,
  };
};

/** It repeats, and makes no condition. */
const onceMore = /\bonce (?:more|again)\b/gi;
const andMore = /\s+(?:too|as well|also)\s*$/i;

const withMore = ({ target_audience: audience }: BriefInput, people: string): BriefInput["target_audience"] => {
  const known = audience?.["description"];
  const said = people.replace(andMore, "");
  return { description: andMore.test(people) && typeof known === "string" ? `${known}, ${said}` : said };
};

const ofAdvertiser = (name: string | undefined): BriefInput => (name === undefined ? {} : { advertiser: name });

/** Nothing is lost by reading a new brief in spite of a doubt; its budget must be sure. */
const sureOf = (parts: readonly PartRead[], text: string, doubts: readonly Words[]): readonly PartRead[] => {
  const ends = endsIn(text);
  return parts.filter((part) => !isDoubtful(part, ends, doubts));
};

const sureOfNew = (parts: readonly PartRead[], doubts: readonly Words[]): readonly PartRead[] => {
  const isUnsure = doubts.some(({ text }) => isMeasure(text) || /[$€£¥]/.test(text));
  return parts.filter(({ brief, unclear }) => unclear.length === 0 && !(isUnsure && brief.budget !== undefined));
};

/** What the message says of the open brief; all else of it stays. A new brief is what is said of an empty one. */
export const readTerms = (open: BriefInput, said: string, nowMs: number): Correction => {
  const inFigures = withDaysInFigures(said.replace(onceMore, "again"));
  const isPart = isWholeBudget.test(inFigures) ? () => false : isPartOf(open);
  const per = perChannelIn(inFigures, isPart);
  const isNew = Object.keys(open).length === 0;
  const form = formIn(inCorrectionForm(isNew ? { budget: largestIn(per.left) } : open, per.left));
  const exclusions = exclusionsIn(form.left).filter(
    (span) => mentionsIn(quoted(form.left, span), channelWords).length === 0,
  );
  const advertiser = form.advertiser === null ? advertiserIn(form.left) : null;
  const same = spansOf(form.left, sameAudience);
  const taken = [...exclusions, ...same, ...(advertiser === null ? [] : [advertiser])];
  const text = withoutLead(blanked(form.left, taken));
  const { parts, left } = partsOf(open, text, nowMs);
  const words = leftIn(left, correcting);
  const isNobody = form.audience === null && parts.every((part) => part.brief.target_audience === undefined);
  const { isMore, bare } = namedPeople(open, isNobody, form.left, { left, words });
  const over = words.filter((one) => !bare.some(({ start, end }) => start <= one.start && one.end <= end));
  const doubts = over.filter((one) => isBinding(one.text));
  const isHeld = isConditional(form.left);
  const certain = isNew ? sureOfNew(parts, doubts) : sureOf(parts, text, doubts);
  const sure = isHeld && !isNew ? [] : certain;
  const changes = Object.assign({}, ...sure.map((part) => part.brief)) as BriefInput;
  const known = (isMore ? { ...open, ...changes } : changes).target_audience?.["description"];
  const described =
    bare.length === 0
      ? undefined
      : audienceOf([...(typeof known === "string" ? [known] : []), ...bare.map((one) => one.text)]);
  const ofForm: BriefInput = {
    ...(form.name === null ? {} : { name: form.name }),
    ...ofAdvertiser(form.advertiser ?? advertiser?.name),
    ...(described === undefined ? {} : { target_audience: described }),
    ...(form.audience === null ? {} : { target_audience: withMore(open, form.audience) }),
  };
  const ofChannels = isHeld && !isNew ? { ...per, prices: [], shares: [] } : per;
  const whole = withPerChannel({ ...open, ...changes, ...ofForm }, ofChannels, isNew);
  const { kpis, ...brief } = whole.brief;
  return {
    ...nothingBeside,
    brief: kpis == null || Object.keys(kpis).length === 0 ? brief : { ...brief, kpis },
    isFound:
      parts.some(({ isFound }) => isFound) ||
      per.isWithdrawn ||
      form.unsold.length + form.unused.length > 0 ||
      Object.keys(ofForm).length + per.prices.length + per.shares.length > 0,
    unclear: [
      ...parts.flatMap(({ unclear }) => unclear),
      ...(isHeld ? ["the condition"] : doubts.map((one) => one.text)),
    ],
    excluded: exclusions.map((span) => quoted(form.left, span)),
    prices: whole.isOne ? [] : per.prices.map((one) => one.words),
    shares: per.shares.map((one) => one.words),
    notUsed: [
      ...over.filter((one) => !isBinding(one.text) && /\s/.test(one.text)).map((one) => one.text),
      ...form.unused,
      ...(whole.brief.target_audience === undefined ? same : []).map((span) => quoted(form.left, span)),
    ],
    unsold: form.unsold,
    places: form.places,
    guessed: sure.flatMap(({ guessed }) => guessed),
    notes: sure.flatMap(({ notes }) => notes),
  };
};
