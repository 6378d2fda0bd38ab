import { isOneOf, words } from "./word-lists.ts";
import type { Tokens } from "./parts-of-time.ts";
import { valueOf, isOf } from "./lexicon.ts";
import type { EntityReader, Scan, Words } from "./entity.ts";

const decides = words(
  `
    melde meldet bespreche entscheide entscheidet confirm answer price reply respond revert decide
    decides decision feedback hear sign signs approve approves approval know hold keep block valid
    expire expires freeze call talk speak meet meeting back discuss option open
  `,
);

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
export const deadlineFrom = (tokens: Tokens, at: number): number => {
  let from = at;
  while (from > 0 && filler.has(tokens[from - 1]?.word ?? "") && tokens[from]?.isFirst !== true) from -= 1;
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

/** "At 3pm", "um 15 Uhr": when somebody talks, and no figure of a sale. */
export const timeOfDayAt: EntityReader = ({ tokens }, at): Words | null => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.kind !== "number" || !isOneOf(next?.word ?? "", "am pm uhr o'clock")) return null;
  return { kind: "deadline", value: `${token.text} ${next?.text ?? ""}`, from: at, to: at + 2 };
};
