import { isOneOf, words } from "./word-lists.ts";
import type { Token } from "./tokens.ts";
import { valueOf, isOf } from "./lexicon.ts";
import type { Amount, EntityReader, Scan, Words } from "./entity.ts";

const decides = words(
  `
    melde meldet bespreche entscheide entscheidet confirm answer price reply respond revert decide
    decides decision feedback hear sign signs approve approves approval know hold keep block valid
    expire expires freeze call talk speak meet meeting back discuss option open
  `,
);

const orderVerbs = words("book reserve order sign place confirm buy");
const ordered = words("it them this that these those both all one everything");

/** "Book it next week", "remind me on Monday": when somebody does it, and no flight. */
const isOfPerson = (tokens: readonly Token[], from: number, at: number): boolean => {
  const [before, last] = [tokens[from - 1]?.word ?? "", tokens[from - 2]?.word ?? ""];
  const isWeekday = tokens[from]?.word === "on" && valueOf(tokens[at], "weekday") !== undefined;
  const isNear = isOf(tokens[from], "next") || isOf(tokens[at], "tomorrow") || isWeekday;
  const isTold = isOneOf(last, "remind ping call email mail") && isOneOf(before, "me us");
  if (isTold && (last === "remind" || !isOf(tokens[from], "next"))) return true;
  return isNear && ordered.has(before) && orderVerbs.has(last);
};

const aways = words("holiday holidays vacation leave pto");

/** "I'm back in the office in January", "on holiday in February": where its "in" stands; -1 for a flight. */
const awayFrom = (tokens: readonly Token[], at: number): number => {
  const from = isOneOf(tokens[at - 1]?.word ?? "", "in until till from on by during for since") ? at - 1 : at;
  const [place, link, last] = [1, 2, 3].map((back) => tokens[from - back]?.word ?? "");
  const isOffice =
    place === "office" && isOneOf(link ?? "", "the of my our") && isOneOf(last ?? "", "in at to into out");
  const isAway = aways.has(place ?? "") && link === "on";
  const isBack = isOneOf(place ?? "", "back away off") && isOneOf(link ?? "", "i'm im am i'll we're be we'll");
  return isOffice || isAway || isBack ? from : -1;
};

const runs = words("run runs running live from between starting flight impressions imps");
const closing = words("by before until till til through thru on bis hasta ate at than zum am jusqu'au good next");
/** "We need the offer by Friday". */
const awaited = words("offer offers quote quotes quotation quotations proposal proposals");
const awaiting = words("need expect send receive require get have submit want");
const filler = words("the next this coming zum el le o latest no later end of am");

/**
 * "Let me know by Friday", "hold it until Monday": when an answer is wanted, no flight. The place where it begins;
 * -1 for a flight.
 */
export const deadlineFrom = (tokens: readonly Token[], at: number): number => {
  const away = awayFrom(tokens, at);
  if (away >= 0) return away;
  let from = at;
  while (from > 0 && filler.has(tokens[from - 1]?.word ?? "") && tokens[from]?.isFirst !== true) from -= 1;
  const start = tokens[from - 1]?.word === "on" ? from - 1 : from;
  if (isOfPerson(tokens, start, at)) return start;
  if (
    !closing.has(tokens[from - 1]?.word ?? "") &&
    !(from < at && isOneOf(tokens[from]?.word ?? "", "am next")) &&
    valueOf(tokens[at], "weekday") === undefined &&
    !isOf(tokens[at], "tomorrow")
  )
    return -1;
  if (closing.has(tokens[from - 1]?.word ?? "")) from -= 1;
  const ahead = tokens.slice(Math.max(0, from - 8), from).map(({ word }) => word);
  if (ahead.slice(-2).some((word) => awaited.has(word)) && ahead.some((word) => awaiting.has(word))) return from;
  for (let place = from - 1; place >= Math.max(0, from - 10); place -= 1) {
    const token = tokens[place];
    if (token === undefined || isOneOf(token.text, ". ? ! ; :")) return -1;
    const isHeld =
      isOneOf(token.word, "reserve guarantee lock") &&
      isOneOf(tokens[place + 1]?.word ?? "", "it this that these those them both me us");
    if (isHeld || decides.has(token.word)) return from;
    if (runs.has(token.word) || token.isFirst) break;
  }
  const behind = tokens
    .slice(at + 1, at + 6)
    .some(({ word }) => isOneOf(word, "gultig valid else otherwise noon eod cob"));
  return behind || (isOf(tokens[at], "tomorrow") && tokens[at - 1]?.word === "by") ? from : -1;
};

const times = words(
  `
    easter christmas xmas thanksgiving spring summer autumn fall winter holidays asap ostern
    weihnachten ramadan sommer herbst navidad noel natal
  `,
);

const ofSeason = words("campaign campaigns sale sales collection promo promotion launch line push range");

/** "Our spring campaign", "spring is just the campaign name": whose campaign it is, and no time. */
const isCampaignAt = ({ tokens }: Scan, at: number): boolean =>
  ofSeason.has(tokens[at + 1]?.word ?? "") ||
  (ofSeason.has(tokens[at + 2]?.word ?? "") && tokens[at + 1]?.kind === "word" && !isOf(tokens[at + 1], "function")) ||
  (isOneOf(tokens[at + 1]?.word ?? "", "is was") && tokens.slice(at + 2, at + 8).some(({ word }) => word === "name"));

/** "Nordwind Winter 30", "Alpine Spring": capitals within a sentence are a name. */
const isNameAt = ({ tokens }: Scan, at: number): boolean =>
  tokens
    .slice(Math.max(0, at - 1), at + 1)
    .every((token) => !token.isFirst && token.text !== token.word && !isOf(token, "function")) && at > 0;

/** Times without days: they are named, and asked about where they matter. */
export const seasonAt: EntityReader = (scan, at): Words | null => {
  const [word, next] = [scan.tokens[at]?.word ?? "", scan.tokens[at + 1]?.word ?? ""];
  const isPair = (word === "super" && next === "bowl") || (word === "further" && next === "notice");
  if (isPair) return { kind: "vague", value: `${word} ${next}`, from: at, to: at + 2 };
  if (!times.has(word) || isNameAt(scan, at)) return null;
  if (isCampaignAt(scan, at)) return { kind: "reference", value: "", from: at, to: at + 1 };
  return { kind: "vague", value: word, from: at, to: at + 1 };
};

const rivals = words("someone somebody else others competitor competitors competition rival rivals");
const dealt = words("pays offer offers offered charge charges charged quoted asks asked wants sell sells gives gave");
const meetings = words("meeting meetings lunch leaves leaving departs lands train plane dentist boarding");
const mostAhead = 8;
const mostBehind = 4;

const pasts = words("was were had did gave paid got cost spent ran booked bought took quoted sold charged saw said");
const past = words("last once previously previous former ago back");
const spans = words(
  "year years time month week quarter season spring summer autumn fall winter order campaign deal flight",
);

/** "Someone else offers 7", "last year we had 40k", "in a meeting until 4": a figure of others, and no term. */
export const ofOthers = (tokens: readonly Token[], figure: Amount | Words | null): Amount | Words | null =>
  figure !== null && isOneOf(figure.kind, "price number volume money percent") && isOfOthers(tokens, figure)
    ? { kind: "deadline", value: tokens[figure.from]?.text ?? "", from: figure.from, to: figure.to }
    : figure;

const isOfOthers = (tokens: readonly Token[], { kind, from: at, to }: Amount | Words): boolean => {
  const isStop = (place: number): boolean => isOneOf(tokens[place]?.text ?? "", ". , ? ! ; :");
  const isOpen = (place: number): boolean =>
    tokens[place]?.isFirst !== true && tokens[place - 1]?.kind !== "number" && !isStop(place - 1);
  let from = at;
  while (from > 0 && at - from < mostAhead && isOpen(from)) from -= 1;
  let end = to;
  while (end < tokens.length && end - to < mostBehind && tokens[end]?.isFirst !== true && !isStop(end)) end += 1;
  const ahead = tokens.slice(from, at).map(({ word }) => word);
  const behind = tokens.slice(to, end).map(({ word }) => word);
  const has = (list: ReadonlySet<string>): boolean => ahead.some((word) => list.has(word));
  // "We had 40k last year", "last time you gave us 9".
  const around = [...ahead, ...behind];
  const isLast = around.some(
    (word, place) => past.has(word) && (word !== "last" || spans.has(around[place + 1] ?? "")),
  );
  if (isLast && has(pasts)) return true;
  if (!isOneOf(kind, "price number")) return false;
  if (isOneOf(ahead.at(-1) ?? "", "until till at by from around about") && has(meetings)) return true;
  const isRival = around.some((word) => rivals.has(word));
  return (isRival && has(dealt)) || ahead.slice(-3).includes("paid");
};

/** "At 3pm", "um 15 Uhr": when somebody talks, and no figure of a sale. */
export const timeOfDayAt: EntityReader = ({ tokens }, at): Words | null => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.kind !== "number" || !isOneOf(next?.word ?? "", "am pm uhr o'clock")) return null;
  return { kind: "deadline", value: `${token.text} ${next?.text ?? ""}`, from: at, to: at + 2 };
};
