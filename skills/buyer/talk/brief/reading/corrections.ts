import { isDeepStrictEqual } from "node:util";
import { isConditional } from "../../../../understanding/reading/clauses.ts";
import { blanked, matchesOf } from "../../../../understanding/reading/spans.ts";
import { advertiserIn } from "../members/advertiser.ts";
import { audienceOf, bareAudiences } from "../members/audiences.ts";
import { formIn } from "./form.ts";
import { isBinding, isFarReaching, leftIn, withoutLead, type Words } from "../words/leftovers.ts";
import { mentionsIn } from "../words/mentions.ts";
import { withDaysInFigures } from "../members/day-forms.ts";
import { inCorrectionForm } from "./one-form.ts";
import { type Part, partsOf } from "./parts.ts";
import { perChannelIn, type PerChannel, sharedPrice } from "../members/per-channel.ts";
import { exclusionsIn } from "../words/plain-words.ts";
import { type BriefInput, nothingBeside, type ReadBrief } from "../input.ts";
import { quoted } from "./reading.ts";
import { turnIn } from "../turn/sentences.ts";
import { channelWords, plainWords } from "../words/vocabulary.ts";

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
    "extend prolong longer shorter nice great lets cut do done erst noch scrap undo works anything think"
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
const isDoubtful = (
  part: Part & { readonly before: string },
  ends: readonly number[],
  doubts: readonly Words[],
): boolean => {
  if (part.unclear.length > 0 || doubts.some(({ text }) => isFarReaching(text))) return true;
  const doubted = new Set(doubts.map(({ start }) => segmentOf(ends, start)));
  for (let at = 0; at < part.before.length; at += 1) {
    if (part.before[at] !== part.left[at] && doubted.has(segmentOf(ends, at))) return true;
  }
  return false;
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

const withPerChannel = (
  brief: BriefInput,
  { prices, shares }: PerChannel,
): { readonly brief: BriefInput; readonly isOne: boolean } => {
  const named = shares.flatMap(({ channels }) => channels);
  const isListed = brief.channels != null && named.length > 0;
  const channels = isListed ? [...new Set([...(brief.channels ?? []), ...named])] : brief.channels;
  const ofAll = sharedPrice(prices, channels ?? []);
  return {
    brief: {
      ...brief,
      ...(isListed ? { channels } : {}),
      ...(ofAll === null ? {} : { kpis: { ...brief.kpis, ...ofAll } }),
    },
    isOne: ofAll !== null,
  };
};

/** People who are only named, where the message asks for others or the brief has none. */
const namedPeople = (open: BriefInput, said: string, left: string, words: readonly Words[]) => {
  const isMore = /\b(?:also|too|as well|add|plus)\b/i.test(said);
  const isWanted =
    open.target_audience === undefined || isMore || /\b(?:instead|audience|target|only|just)\b/i.test(said);
  return { isMore, bare: isWanted ? bareAudiences(left, words, isBinding) : [] };
};

const andMore = /\s+(?:too|as well|also)\s*$/i;

const withMore = ({ target_audience: audience }: BriefInput, people: string): BriefInput["target_audience"] => {
  const known = audience?.["description"];
  const said = people.replace(andMore, "");
  return { description: andMore.test(people) && typeof known === "string" ? `${known}, ${said}` : said };
};

const ofAdvertiser = (name: string | undefined): BriefInput => (name === undefined ? {} : { advertiser: name });

/** What the message changes about the open brief; all else of it stays. */
const correctedOnce = (open: BriefInput, said: string, nowMs: number): Correction => {
  const inFigures = withDaysInFigures(said);
  const isPart = isWholeBudget.test(inFigures) ? () => false : isPartOf(open);
  const per = perChannelIn(inFigures, isPart);
  const form = formIn(inCorrectionForm(open, per.left));
  const exclusions = exclusionsIn(form.left).filter(
    (span) => mentionsIn(quoted(form.left, span), channelWords).length === 0,
  );
  const advertiser = form.advertiser === null ? advertiserIn(form.left) : null;
  const taken = advertiser === null ? exclusions : [...exclusions, advertiser];
  const text = withoutLead(blanked(form.left, taken));
  const { parts, left } = partsOf(open, text, nowMs);
  const words = leftIn(left, correcting);
  const { isMore, bare } = namedPeople(open, said, left, words);
  const over = words.filter((one) => !bare.some(({ start, end }) => start <= one.start && one.end <= end));
  const doubts = over.filter((one) => isBinding(one.text));
  const isHeld = isConditional(form.left);
  const ends = endsIn(text);
  const sure = isHeld ? [] : parts.filter((part) => !isDoubtful(part, ends, doubts));
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
  const whole = withPerChannel({ ...open, ...changes, ...ofForm }, isHeld ? { ...per, prices: [], shares: [] } : per);
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
    notUsed: [...over.filter((one) => !isBinding(one.text)).map((one) => one.text), ...form.unused],
    unsold: form.unsold,
    places: form.places,
    notes: sure.flatMap(({ notes }) => notes),
  };
};

const mostPieces = 12;
const sentenceEnds = new RegExp(
  "(?<=[.!?;])\\s+|\\n+|,?\\s+(?:and|but|aber|pero|mais)\\s+(?=(?:not|no|don't|never|please|" +
    "make|add|start|end|only|call|name)\\b)",
  "gi",
);

const nothing: Omit<Correction, "brief"> = { isFound: false, ...nothingBeside };

/** Where a part of the message is not understood, the other sentences still count. */
const correctedByTerms = (open: BriefInput, said: string, nowMs: number): Correction => {
  const whole = correctedOnce(open, said, nowMs);
  const pieces = whole.unclear.length === 0 ? [] : said.split(sentenceEnds).filter((piece) => /[\p{L}\d]/u.test(piece));
  if (pieces.length < 2 || pieces.length > mostPieces) return whole;
  return pieces.reduce<Correction>(
    (sum, piece) => {
      const { brief, isFound, ...one } = correctedOnce(sum.brief, piece, nowMs);
      const { brief: _before, isFound: wasFound, ...beside } = sum;
      const both = Object.entries(beside).map(([name, words]) => [name, [...words, ...one[name as keyof typeof one]]]);
      return { brief, isFound: wasFound || isFound, ...(Object.fromEntries(both) as typeof beside) };
    },
    { brief: open, ...nothing },
  );
};

const asksWhy = /\b(?:why|which|who)\b/i;
const supposing = /\b(?:what )?if\b/gi;

/** Questions, doubts and courtesies change nothing. */
export const correctedBrief = (open: BriefInput, said: string, nowMs: number): Correction => {
  const { terms, requests, asked: questions, doubts } = turnIn(said);
  const read: Correction = terms.trim() === "" ? { brief: open, ...nothing } : correctedByTerms(open, terms, nowMs);
  const isRead = read.isFound || read.places.length + read.excluded.length > 0;
  const asked = isRead ? questions : [...questions, ...requests];
  const changes = (one: string): boolean =>
    !asksWhy.test(one) && !isDeepStrictEqual(correctedOnce(open, one.replace(supposing, " "), nowMs).brief, open);
  return { ...read, asked, proposed: questions.filter(changes), doubts };
};
