import { isConditional } from "../../../talk/reader/cut.ts";
import { isOf } from "../../../talk/reader/lexicon.ts";
import type { Scan } from "../../../talk/reader/entity.ts";
import { matchesIn, patternsOf } from "../../../talk/reader/patterns.ts";
import type { Term } from "../brief/form.ts";
import type { Asked } from "../brief/questions.ts";
import figurePhrases from "../words/figures.json" with { type: "json" };
import phrases from "../words/phrases.json" with { type: "json" };
import questionPhrases from "../words/questions.json" with { type: "json" };
import { type Campaign, campaignIn } from "./campaign.ts";
import { isRefusedAt, pickIn } from "./lines.ts";
import type { CampaignFigure, Request, Situation } from "./request.ts";
import { termsIn } from "./terms/terms.ts";
import { asWritten, channelsIn, isTag, type Place, plainOf, type Text } from "./text.ts";
import { isIn, lists, says, saysPhrase } from "./words.ts";

export type Command = keyof typeof phrases;

const patterns = patternsOf(phrases);
const questions = patternsOf(questionPhrases);
const figureWords = patternsOf(figurePhrases);

/** A part of a message that asks one thing. */
export interface Part extends Place {
  readonly isQuestion: boolean;
  readonly hasMark: boolean;
}

const joints = ", and but then ; n also plus & or";
const fillers = "and also then please but so now just kindly plus or";

/** What follows a comma or an "and" before a word that opens a request. */
const isOpening = (text: Text, at: number, next: number, to: number): boolean => {
  const [joint = "", opener = "", second = ""] = [text.words[at], text.words[next], text.words[next + 1]];
  if (next >= to || joint === "or" || joint === "&") return false;
  const isSubject = isIn(joint, ", ;") && isIn(opener, "i we he she they it's legal") && next + 2 < to;
  const isTold = joint !== "," && ledBy(text, next) !== next;
  const isVague = isIn(opener, "is are do does did");
  return (
    isSubject ||
    isTold ||
    (isIn(opener, lists.openers) &&
      (!isVague || isIn(second, "it there that this the they these i we you everything") || second === "any"))
  );
};

/** "Show me all CTV and video products": one thing is asked for. */
const isPair = ({ words, scan }: Text, joint: number): boolean =>
  isIn(words[joint] ?? "", "and &") &&
  [joint - 1, joint + 1].every((at) => scan.owners[at]?.kind === "product" || scan.owners[at]?.kind === "unsold");

const freshAfter = new RegExp(
  String.raw`^(?:(?:a|the) )?new (?:brief|campaign|one) (?::|,|for|with)|^(?:set|plan|make) it (?:up )?again\b|` +
    String.raw`^(?:set up|plan|make|start|open|send|book) (?:a |another )?(?:new|fresh|another) ` +
    String.raw`(?:brief|campaign|one|deal|plan|line)\b`,
);

/** "Cancel Alpha, and new brief: 8,000 USD, ...", "cancel the deal and set up a new one: ...". */
const isFreshAfterCancel = ({ words }: Text, { from, to }: Place, next: number): boolean =>
  says(words.slice(from, to).join(" "), "cancel stop scrap drop") &&
  freshAfter.test(words.slice(next, next + 6).join(" "));

/** A message is cut where a word opens a request, and where another one begins with words of its own. */
export const cut = (text: Text, { from, to, isQuestion, hasMark }: Part): readonly Part[] => {
  // "Cancel the deal please - does that cost anything?"
  const isDash = (place: number): boolean =>
    text.words[place] === "-" && text.scan.tokens[place]?.isGlued !== true && begins(text, place + 1);
  // "I meant the products, not our campaigns: which can we buy?"
  const isColon = (place: number): boolean => text.words[place] === ":" && place > from && begins(text, place + 1);
  const at = (place: number): boolean =>
    (isIn(text.words[place] ?? "", joints) || isDash(place) || isColon(place)) && text.scan.owners[place] === undefined;
  const parts: (Place & { readonly isOwn: boolean })[] = [];
  let begin = from;
  let isOwn = false;
  let last: Command | null = null;
  for (let joint = from; joint < to;) {
    let next = joint === from ? from : joint + 1;
    while (joint > from && isIn(text.words[next] ?? "", fillers)) next += 1;
    let end = next;
    while (end < to && (end === next || !at(end))) end += 1;
    // "CTV yes, forget the pre-roll": of the lines, and no order about a brief.
    const isLeft = text.words[next] === "forget" && isRefusedAt(text, next, { from: begin, to });
    const isOpen = joint > from && isOpening(text, joint, next, to) && !isLeft && !isTag(text, joint, to);
    const wish = wishIn(text, { from: next, to: end });
    const isOther =
      wish !== null &&
      last !== null &&
      wish !== last &&
      !isListed(text, next, { last, end }) &&
      // "All products and their prices"
      !(last === "market" && wish === "cost" && !begins(text, next)) &&
      !(isPair(text, joint) && (begins(text, begin) || (!orders.has(wish) && !orders.has(last))));
    if (joint > begin && (isOpen || isOther || isFreshAfterCancel(text, { from: begin, to: joint }, next))) {
      parts.push({ from: begin, to: joint, isOwn });
      [begin, isOwn, last] = [joint + 1, !isOpen, null];
    }
    last ??= wish;
    joint = Math.max(end, joint + 1);
  }
  const all = [...parts, { from: begin, to, isOwn }];
  return all.map((part, place) => {
    const isEnd = place === all.length - 1;
    const isFirst = place === 0;
    const isAsking = begins(text, part.from) || (isFirst && (isEnd ? isQuestion : isQuestion && hasMark));
    return {
      from: part.from,
      to: part.to,
      isQuestion: isAsking || (isEnd && isQuestion && hasMark) || (part.isOwn && isQuestion),
      hasMark: (isEnd && hasMark) || (part.isOwn && isQuestion),
    };
  });
};

export const firstOf = (text: Text, { from, to }: Place): number => {
  let at = from;
  while (
    at < to &&
    isIn(
      text.words[at] ?? "",
      "and also so ok okay but then hi hello hey , please well great thanks hmm hm yes - sorry now right",
    )
  )
    at += 1;
  return at;
};

const askLeads =
  "tell let show say explain remind know see hear ask wonder asks wants me us i i'd we we'd he he'd she she'd they " +
  "they'd can could you would like want need to";
const tells = "tell know say explain remind show hear see wonder";

/** "Tell me why", "I'd like to know what": the question begins behind them. */
const ledBy = (text: Text, from: number): number => {
  let at = from;
  let isTold = false;
  while (isIn(text.words[at] ?? "", `${askLeads} please kindly just also`)) {
    isTold ||= isIn(text.words[at] ?? "", tells);
    at += 1;
  }
  return isTold && isIn((text.words[at] ?? "").split(" ")[0] ?? "", wh) ? at : from;
};

const wh = "what what's whats which who who's whom how how's when when's where where's why whether";

export const begins = (text: Text, from: number): boolean => {
  const first = ledBy(text, firstOf(text, { from, to: from + 8 }));
  const word = (text.words[first] ?? "").split(" ")[0] ?? "";
  if (isIn(word, "isn't aren't wasn't shouldn't wouldn't doesn't won't"))
    return isIn(text.words[first + 1] ?? "", "that it this these those they we i there");
  return (
    isIn(word, lists.asks) &&
    // "May 1 to May 31, home cooks"
    text.scan.owners[first]?.kind !== "period" &&
    !(word === "should" && text.words[first + 1] === "be") &&
    !(word === "do" && isIn(text.words[first + 1] ?? "", "it both that all them this so not")) &&
    !isIn(text.words[first + 1] ?? "", ": =")
  );
};

/** "Could you please book": a polite order. */
export const isPolite = (text: Text, part: Part): boolean => {
  const words = text.words.slice(part.from, part.to).join(" ");
  return (
    /^(?:\W|and |ok |hi )*(?:can|could|would|will|may|shall) (?:you|we|i|the \w+)\b/.test(words) &&
    !words.includes("what if")
  );
};

export const plainNegation = "not don't dont never no cannot can't isn't aren't";

/** A condition, somebody's words, or what is only thought of. */
export const isThought = (text: Text, part: Part): boolean =>
  isConditional(text.scan, part) ||
  saysPhrase(plainOf(text, part), lists.thinks) ||
  text.scan.owners.slice(part.from, part.to).some((owner) => owner?.kind === "quoted" || owner?.kind === "deadline");

export const isDoubt = (text: Text, part: Part): boolean => {
  const words = plainOf(text, part);
  return isThought(text, part) || (says(words, plainNegation) && !saysPhrase(words, lists.harmless));
};

export interface Matched {
  readonly name: Command;
  readonly score: number;
  readonly used: ReadonlySet<number>;
}

/** In a foreign message a token may stand for several English words. */
const matchedBy = (table: typeof patterns, text: Text, { from, to }: Place) => {
  const places: number[] = [];
  const tokens: Scan["tokens"][number][] = [];
  /** Of each token of the part the first of its English words. */
  const firsts: number[] = [];
  for (let at = from; at < to; at += 1) {
    firsts.push(tokens.length);
    const token = text.scan.tokens[at];
    const words = (text.words[at] ?? "").split(" ").filter((word) => word !== "" || token?.kind === "mark");
    for (const word of words) {
      if (token === undefined) continue;
      tokens.push({ ...token, word });
      places.push(at);
    }
  }
  const owners = places.map((at) => {
    const owner = text.scan.owners[at];
    return owner === undefined ? undefined : { ...owner, to: firsts[owner.to - from] ?? tokens.length };
  });
  const found = matchesIn(table, { ...text.scan, tokens, owners }, { from: 0, to: tokens.length }, (word) => word);
  return found.map(({ command, score, used }) => ({
    command,
    score,
    used: new Set([...used].map((at) => places[at] ?? 0)),
  }));
};

const matched = (text: Text, place: Place): readonly Matched[] =>
  matchedBy(patterns, text, place).map(({ command, ...one }) => ({ name: command as Command, ...one }));

/** What is asked of no brief and of no campaign, also where it is said as a wish: "let me know when prices are in". */
export const topicsIn = (text: Text, part: Part) => matchedBy(questions, text, part);

export const figuresIn = (text: Text, part: Place): readonly CampaignFigure[] =>
  matchedBy(figureWords, text, part).map(({ command }) => command as CampaignFigure);

export const questionsIn = (text: Text, part: Part) => (part.isQuestion ? topicsIn(text, part) : []);

/** What a question about an open brief asks. */
export const askedIn = (text: Text, read: Read): Asked => {
  const [best] = questionsIn(text, read);
  const channels = channelsIn(text, read).flatMap(({ inventoryType }) => inventoryType ?? []);
  const isPlacing = read.terms.some(({ kind }) => kind === "place" || kind === "excluded");
  return { about: best?.command ?? null, channels, isPlacing };
};

const weak: ReadonlySet<Command> = new Set(["thanks", "greet", "keep", "new", "switch", "brief", "statement"]);
export const orders: ReadonlySet<Command> = new Set(["approve", "drop", "cancel"]);

/** What may stand as a noun beside another request: "status, what is left and the cheapest line". */
const wishes: ReadonlySet<Command> = new Set([
  ...orders,
  ...([
    "status",
    "waiting",
    "cost",
    "compare",
    "extremes",
    "dearer",
    "chosen",
    "when",
    "delivery",
    "pace",
    "booked",
    "campaigns",
    "statement",
    "payment",
    "cancellable",
    "market",
    "sellers",
    "expiry",
    "average",
    "left",
    "duration",
    "help",
  ] as const),
]);
const figures = new Set(["money", "period", "percent", "volume", "length", "price"]);

const objects = "me us it them this that the a an my our all every each";
const wishing = "please pls kindly don't";
const wanting =
  /^(?:(?:and|also|but|so|then) )*(?:i|we|i'd|we'd|she|he|they)(?: \w+)? (?:want|need|like|wish|expect)\b/;

/** A question, an order or a wish: what gets no answer is named. The other words tell something. */
export const isWished = (text: Text, part: Part): boolean => {
  const first = firstOf(text, part);
  const [word = "", next = ""] = [text.words[first], text.words[first + 1]];
  const owner = text.scan.owners[first];
  const isVerb =
    owner === undefined && text.scan.tokens[first]?.kind === "word" && !isOf(text.scan.tokens[first], "function");
  const isOrder = isVerb && first + 1 < part.to && (isIn(next, objects) || text.scan.owners[first + 1] !== undefined);
  const isAsked =
    part.isQuestion ||
    isConditional(text.scan, part) ||
    isPolite(text, part) ||
    isIn(word, `${lists.openers} ${wishing}`);
  // "Ok, and what is the CPM?"
  const isCourtesy = text.words
    .slice(part.from, part.to)
    .every((one) => isIn(one, `${lists.agree} ${lists.polite} , .`));
  return !isCourtesy && (isAsked || isOrder || wanting.test(plainOf(text, part)));
};

/** A request that has more than one word of a pattern, or nothing else in it. */
export const wishIn = (text: Text, place: Place): Command | null => {
  const best = topOf(matched(text, place), (name) => wishes.has(name));
  if (best === undefined) return null;
  if (best.score >= 3) return best.name;
  for (let at = place.from; at < place.to; at += 1) {
    const owner = text.scan.owners[at];
    if (owner !== undefined && figures.has(owner.kind)) return null;
    const isPlain = isIn(text.words[at] ?? "", `${lists.polite} ${lists.approval} ${askLeads}`);
    const token = text.scan.tokens[at];
    if (owner === undefined && !best.used.has(at) && token?.kind === "word" && !isPlain && !isOf(token, "function"))
      return null;
  }
  return best.name;
};

/** A list of lines behind an order goes on. */
const isListed = (text: Text, next: number, { last, end }: { readonly last: Command; readonly end: number }): boolean =>
  orders.has(last) && !begins(text, next) && pickIn(text, { from: next, to: end }).lines.length > 0;

/** What a start or the brief keeps anyway is no condition of it. */
export type HeldTerm = "told" | "whole" | "price" | "held";

const lead = "(?:that's|that is|this is|it's|you have|you've got|there's|there is)";
/** "If you can't use it": what cannot be used is told anyway. */
const isOfUse = new RegExp(
  String.raw`\bif (?:you|it|that|this|they) (?:can't|cannot|can not|isn't|is not) (?:be )?` +
    String.raw`(?:used?|done?|hold|held|keep|kept|target|targeted|possible|supported)\b`,
);
const isComplete = new RegExp(String.raw`\bif ${lead} (?:all|everything|enough|complete|ok|okay|fine|clear|nothing)\b`);

/** "Do not start anything before I have said so": shown, and nothing asked. */
const heldBack =
  /\b(?:don't|do not|dont|never|not) (?:yet )?(?:start|begin|launch|run) (?:it|anything|this|that|yet|before|until)\b/;

/** "Tell me if nothing comes under 3.50", "if that's everything, start", "only if it stays under 24 CPM". */
const heldTermOf = (text: Text, part: Part, terms: readonly Term[]): HeldTerm | null => {
  const words = plainOf(text, part);
  if (heldBack.test(words)) return "held";
  if (!isConditional(text.scan, part)) return null;
  if (saysPhrase(words, lists.tell)) return "told";
  if (isComplete.test(words) || isOfUse.test(words)) return "whole";
  const isPrice = terms.some(({ kind }) => kind === "max_cpm" || kind === "channel price");
  return isPrice && says(words, "under below most max maximum") ? "price" : null;
};

export interface Read extends Part {
  readonly standing: HeldTerm | null;
  readonly terms: readonly Term[];
  readonly matches: readonly Matched[];
  readonly used: ReadonlySet<number>;
  /** Which it names, or the part before it. */
  readonly campaign: Campaign | null;
}

export const readPart = (text: Text, given: Part, situation: Situation): Read => {
  const part = { ...given, isQuestion: given.hasMark || (given.isQuestion && begins(text, given.from)) };
  const { terms, used } = termsIn(text, part, situation.memory.brief, situation.nowMs);
  const standing = heldTermOf(text, part, terms);
  const isKept = standing !== null && standing !== "price";
  // "No new campaign please" leaves all as it is.
  const isNoneNew = terms.length === 0 && says(plainOf(text, part), `${plainNegation} without`);
  // "I don't mean Spring launch, I mean the list": what is named is not meant.
  // "No, not the Kids Camp."
  const isNo = /^(?:no |nope |sorry )*not (?:the |my |our )?\S+(?: \S+){0,3}$/.test(plainOf(text, part));
  const named = campaignIn(text, part, situation);
  const isNotMeant = (saysPhrase(plainOf(text, part), lists.notMeant) || (isNo && named !== null)) && !part.isQuestion;
  const all = isKept ? Array.from({ length: part.to - part.from }, (_, step) => part.from + step) : [];
  return {
    ...part,
    terms: isNotMeant ? [] : terms,
    standing,
    used: new Set([...used, ...all]),
    matches: isNotMeant
      ? []
      : matched(text, part).map((one) => (isNoneNew && one.name === "new" ? { ...one, name: "keep" } : one)),
    campaign: isNotMeant ? null : named,
  };
};

export const request = (
  text: Text,
  part: Part,
  command: string,
  input: Request["input"],
  isDoubted = isDoubt(text, part),
): Request => ({
  command,
  input,
  evidence: {},
  said: asWritten(text, part.from, part.to),
  isQuestion: part.isQuestion,
  isDoubt: isDoubted,
});

export const real = (terms: readonly Term[]): readonly Term[] =>
  terms.filter(({ kind }) => kind !== "not used" && kind !== "said");

export const topOf = (matches: readonly Matched[], allowed: (name: Command) => boolean): Matched | undefined =>
  matches
    .filter(({ name }) => allowed(name))
    .toSorted(
      (one, other) => other.score - (weak.has(other.name) ? 1.5 : 0) - (one.score - (weak.has(one.name) ? 1.5 : 0)),
    )[0];
