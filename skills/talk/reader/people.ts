import { isOneOf, words } from "./word-lists.ts";
import { type EntityReader, wordsEntity, type Words } from "./entity.ts";
import { isOf } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

const audience = (from: number, to: number, tokens: readonly Token[]): Words =>
  wordsEntity("audience", from, to, tokens);

const isAge = (token: Token | undefined): boolean => token?.kind === "number" && /^[1-9]\d$/.test(token.text);

/** "25-54", "18+", "25 to 44", "over 50"; the place behind it, or null. */
const agesAt = (tokens: readonly Token[], at: number): number | null => {
  const isLimit = isOneOf(tokens[at]?.word ?? "", "over under above below uber unter");
  if (isLimit && isAge(tokens[at + 1])) return at + 2;
  if (!isAge(tokens[at])) return null;
  if (tokens[at + 1]?.text === "+") return at + 2;
  const isJoined = isOneOf(tokens[at + 1]?.word ?? "", "- – — to and bis a et y e");
  return isJoined && isAge(tokens[at + 2]) ? at + 3 : null;
};

const yearsOld = (tokens: readonly Token[], at: number): number => {
  let to = at;
  if (tokens[to]?.text === "-") to += 1;
  if (isOneOf(tokens[to]?.word ?? "", "year years yr yrs yo jahre anos ans")) {
    to += 1;
    if (tokens[to]?.text === "-") to += 1;
    return isOneOf(tokens[to]?.word ?? "", "old olds") ? to + 1 : to;
  }
  return at;
};

const leads = words(
  "target targets targeting targeted reach reaching audience audiences for to at zielgruppe only among :",
);

const isPeople = (token: Token | undefined): boolean => isOf(token, "people");

const followers = words(
  `
    fans lovers enthusiasts intenders buyers viewers owners shoppers gamers goers travelers travellers
    streamers moms parents
  `,
);

/** Who is to be reached: "A18-49", "women 25 to 44", "sports fans", "adults". */
export const audienceAt: EntityReader = ({ tokens }, at) => {
  const token = tokens[at];
  if (token === undefined) return null;
  if (isOneOf(token.word, "a p m w f") && isAge(tokens[at + 1])) {
    const end = agesAt(tokens, at + 1);
    if (end !== null && (tokens[at + 1]?.isGlued === true || isOneOf(token.text, "A P M W F")))
      return audience(at, end, tokens);
  }
  if (isAge(token)) {
    const end = agesAt(tokens, at);
    const old = end === null ? at : yearsOld(tokens, end);
    const isLed = isOneOf(
      tokens[at - 1]?.word ?? "",
      "age ages aged adults demo target targeting reach reaches reaching alter",
    );
    if (end !== null && (old > end || isLed || (tokens[end - 1]?.text === "+" && !isOf(tokens[end], "impressions"))))
      return audience(at, old, tokens);
  }
  if (isPeople(token)) {
    let to = at + 1;
    while (
      isOneOf(tokens[to]?.word ?? "", "aged age ages between de von zwischen entre and & , or und y et") &&
      to < at + 4
    ) {
      if (isOneOf(tokens[to]?.word ?? "", "and & , or und y et") && !isPeople(tokens[to + 1])) break;
      to += isPeople(tokens[to + 1]) ? 2 : 1;
    }
    const end = agesAt(tokens, to);
    if (end !== null) return audience(at, yearsOld(tokens, end), tokens);
    const isLed = leads.has(tokens[at - 1]?.word ?? "") || isPeople(tokens[at - 1]);
    const isCompound =
      followers.has(token.word) && tokens[at - 1]?.kind === "word" && !isOf(tokens[at - 1], "function");
    if (isCompound) return audience(at - 1, at + 1, tokens);
    return isLed && !isOneOf(token.word, "people families households buyers viewers")
      ? audience(at, at + 1, tokens)
      : null;
  }
  return null;
};

/** "Sports fans": the noun is behind its describing word, which is read first. */
export const compoundAudienceAt: EntityReader = ({ tokens, owners }, at) => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.kind !== "word" || next?.kind !== "word" || next.isFirst || owners[at + 1] !== undefined) return null;
  const isDescribing =
    !isOf(token, "function") && !isPeople(token) && !isOneOf(token.word, "target targeting reach media of to");
  return followers.has(next.word) && isDescribing && next.word !== "buyers" ? audience(at, at + 2, tokens) : null;
};

/** "HHI 100k+", "household income over 100k". */
export const incomeAt: EntityReader = ({ tokens }, at) => {
  const isIncome = tokens[at]?.word === "hhi" || tokens[at]?.word === "income";
  if (!isIncome) return null;
  let to = at + 1;
  while (
    to < at + 6 &&
    (tokens[to]?.kind === "number" || isOneOf(tokens[to]?.word ?? "", "of over above k + $ plus more than >"))
  )
    to += 1;
  return to === at + 1 ? null : audience(tokens[at - 1]?.word === "household" ? at - 1 : at, to, tokens);
};
