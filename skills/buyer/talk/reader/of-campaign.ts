import { type Campaign, isSure } from "./campaign.ts";
import { figureIn, isButForAt, isRefusedAt, type Pick, pickIn } from "./lines.ts";
import {
  type Command,
  isDoubt,
  isPolite,
  isThought,
  orders,
  plainNegation,
  type Read,
  real,
  request,
  topOf,
} from "./parts.ts";
import type { Request, Situation } from "./request.ts";
import { asWritten, type Place, plainOf, type Text } from "./text.ts";
import { isIn, lists, says, saysPhrase } from "./words.ts";

const notOfJob: ReadonlySet<Command> = new Set(["undo", "missing", "without", "start", "new", "market"]);

const startVerbs = "start launch confirm proceed go undo call agree";
const allVerbs = [lists.approve, lists.drop, lists.cancel, lists.ends, startVerbs].join(" ");

/** An order stands in the words, also where they only ask about it. */
export const namesOrder = (said: string): boolean =>
  said
    .toLowerCase()
    .split(/\W+/)
    .some((word) => isIn(word, allVerbs));

/** Of an approval each word must be known: what else it says might be a condition. The place of the first; or null. */
const moreAt = (text: Text, part: Place, campaign: Campaign | null): number | null => {
  const isDated = campaign?.by === "month" || campaign?.by === "budget";
  for (let at = part.from; at < part.to; at += 1) {
    const owner = text.scan.owners[at];
    const token = text.scan.tokens[at];
    if (owner !== undefined) {
      const isKnown =
        ["product", "number", "price", "id", "reference", "day", "audience", "dealType"].includes(owner.kind) ||
        isDated ||
        (owner.kind === "money" && owner.value < 500);
      if (!isKnown && !isNamed(text, at, campaign)) return at;
      continue;
    }
    const words = (text.words[at] ?? "").split(" ");
    const isPlain = words.every(
      (word) => word === "" || isIn(word, lists.polite) || isIn(word, lists.approval) || isIn(word, lists.approve),
    );
    // "Skip the pre-roll", behind the line that is approved: it is left out of what is shown.
    const isLeft = at > part.from && isRefusedAt(text, at, part);
    if (!isPlain && token?.kind === "word" && !isNamed(text, at, campaign) && !isLeft) return at;
  }
  return null;
};

export const hasMore = (text: Text, part: Place, campaign: Campaign | null): boolean =>
  moreAt(text, part, campaign) !== null;

/** The campaign's name is not said with capitals by everybody. */
const isNamed = (text: Text, at: number, campaign: Campaign | null): boolean =>
  campaign?.by === "id" && campaign.words.includes(text.scan.tokens[at]?.word ?? "");

/** The verb that the part begins with, behind courtesies: "would you be so kind as to book the TV line". */
export const leadingOrder = (text: Text, { from, to }: Place): "approve" | "drop" | "cancel" | null => {
  let at = from;
  while (at < to && (isIn(text.words[at] ?? "", lists.polite) || text.words[at] === "")) at += 1;
  const verb = text.words[at] ?? "";
  const rest = text.words.slice(at + 1, to);
  if (isIn(verb, lists.ends))
    return rest.some((word) => isIn(word, "job campaign booking whole")) ? "cancel" : rest.length > 0 ? "drop" : null;
  if (isIn(verb, lists.approve))
    return rest.some((word) => word === "out" || word === "off" || word === "away") ? "drop" : "approve";
  return isIn(verb, lists.drop) ? "drop" : isIn(verb, lists.cancel) ? "cancel" : null;
};

const thoughts = "think thinking decide consider remind";

/** The place of the word that sets a condition or a limit; the end where none does. */
const conditionAt = ({ words }: Text, { from, to }: Place): number => {
  for (let at = from + 1; at < to; at += 1) {
    const isLimit = isIn(`${words[at] ?? ""}-${words[at + 1] ?? ""}`, "only-spend spend-only");
    // "Approve 1, I'll think about 2": what is thought about is not approved.
    const isSet = isIn(words[at] ?? "", lists.conditions) && (words[at] !== "as" || words[at + 1] === "long");
    if (isButForAt(words, at)) continue;
    if (isLimit || isSet || isIn(words[at] ?? "", thoughts)) return at;
  }
  return to;
};

/** "Lines 1 to 2 please": lines that are only named, though "from 1 to 2" is how a change is said. */
const onlyRange =
  /^(?:(?:ok|yes|and|just|only|,) )*(?:the )?lines? \d+ to \d+(?:[ ,.!]|please|then|now|and|go ahead)*$/;

/** A part of a message beside a campaign, with what it names. */
interface Said {
  readonly text: Text;
  readonly read: Read;
  readonly situation: Situation;
  readonly words: string;
  readonly campaign: Campaign | null;
  readonly pick: Pick;
  readonly input: Request["input"];
  readonly led: ReturnType<typeof leadingOrder>;
  /** It may be an order as well: "could you book line 1". */
  readonly isPoliteOrder: boolean;
  /** More words than an approval may have, or a condition, a wish, a negation. */
  readonly isDoubted: boolean;
}

/** "Take display and native but not pre-roll": the one negation chooses lines. */
const isOnlyExcept = (text: Text, read: Read, { except }: Pick): boolean => {
  const words = plainOf(text, read);
  const isOne = except.length > 0 && words.split(" ").filter((word) => isIn(word, plainNegation)).length === 1;
  return isOne && /(?:\bbut|\band|,) not\b/.test(words) && !isThought(text, read);
};

const asRequests: readonly Command[] = ["approve", "drop", "cancel", "change", "swap", "exclude", "move", "brief"];

const saidIn = (text: Text, read: Read, situation: Situation): Said => {
  const { campaign } = read;
  const words = plainOf(text, read);
  const until = conditionAt(text, read);
  const picked = pickIn(text, { from: read.from, to: until });
  // "The other one, campaign Feb": a campaign is meant, and no line.
  const isOther = isSure(campaign) && picked.lines.every((line) => line.by === "all" && line.count === 1);
  const pick = isOther ? { ...picked, lines: [] } : picked;
  const isThoughtOf = isIn(text.words[until] ?? "", thoughts);
  const limit = until < read.to && !isThoughtOf ? figureIn(text, { from: until, to: read.to }) : null;
  const more = moreAt(text, { from: read.from, to: until }, campaign);
  const beyond = Math.min(more ?? until, until);
  const isMove = says(words, "back switch return mean meant");
  return {
    text,
    read,
    situation,
    words,
    campaign,
    pick,
    input: {
      campaign,
      pick,
      isMove,
      terms: real(read.terms),
      ...(limit === null ? {} : { limit }),
      ...(beyond < read.to && picked.except.length === 0 ? { beyond: asWritten(text, beyond, read.to) } : {}),
    },
    led: read.isQuestion && !isPolite(text, read) ? null : leadingOrder(text, read),
    isPoliteOrder: isPolite(text, read) && read.matches.some(({ name }) => asRequests.includes(name)),
    isDoubted: (isDoubt(text, read) && !isOnlyExcept(text, read, pick)) || more !== null,
  };
};

/** An answer to what the last reply asked, in other words than a yes: "yes, but not the display", "no, line 2". */
const ofAsked = ({ text, read, situation, words, pick, input, led }: Said): Request | null => {
  const [first = ""] = words.split(" ");
  const isAgreeing = isIn(first, lists.agree);
  if (situation.asked === "approve_booking") {
    const named = [...pick.lines, ...pick.except];
    const rest: Pick = { lines: [], except: named };
    const isBut =
      (isAgreeing && words.includes(" but not ")) ||
      /^(?:(?:no|nope|yes|ok|okay|but|just|only|please|,) ?)*(?:without|except|minus|not)\b/.test(words);
    if (isBut && named.length > 0)
      return request(text, read, "approve", { ...input, pick: rest, isOfAsked: true }, isThought(text, read));
    const isOther = isIn(first, "no nope nah") && pick.lines.length > 0 && !says(words, "not don't without");
    return isOther && led === null ? request(text, read, "approve", input, false) : null;
  }
  // "Yes yes do both" beside a question about a drop orders nothing.
  const isNothing = situation.asked !== null && isAgreeing && led === null && !read.isQuestion;
  return isNothing ? request(text, read, "unknown", {}) : null;
};

const changesMoney = ({ terms }: Read): boolean =>
  real(terms).some(({ kind }) => ["budget", "two budgets", "budget by", "share", "max_cpm"].includes(kind));

/** "Cap line 2 at 20k": the figure is one of the line, and an approval beside it is not measured by it. */
const withLimit = (text: Text, read: Read, input: Request["input"]): Request["input"] => {
  const limit = changesMoney(read) ? figureIn(text, read) : null;
  return limit === null ? input : { ...input, limit };
};

const leftAlone = /\b(?:leave|keep|let)\b(?! out\b).*\b(?:alone|as (?:it )?is|untouched|be|running)\b/;
const forgotten = /\b(?:forget|discard|ignore|scrap|drop|delete|bin|stop)\b.*\bbrief\b/;

/** "Campaign Feb with $9,000": its own budget tells which one it is. */
const isOfRecord = ({ terms, campaign }: Read, { jobs }: Situation): boolean =>
  campaign?.by === "id" &&
  real(terms).every(
    (term) =>
      term.kind === "budget" && jobs.some((job) => campaign.ids.includes(job.job_id) && job.budget === term.value),
  );

const yesOrNo = /^(?:(?:and|so|but|ok|hey|hi|,) )*(?:is|are|was|were|has|have|did)\b(?! there)/;

/** Lines or a campaign that are only named. */
const ofNamed = ({ text, read, situation, words, campaign, pick, input, isDoubted }: Said): Request | null => {
  if (pick.lines.length === 0)
    return campaign === null
      ? null
      : real(read.terms).some((term) => !(term.kind === "audience" && term.isGuess)) &&
          !read.isQuestion &&
          !isOfRecord(read, situation)
        ? request(text, read, "change", input, isDoubt(text, read))
        : request(text, read, "status", { ...input, isNamed: !read.isQuestion });
  // "Is the display deal still on?", "what about line 2?"
  if (read.isQuestion) return request(text, read, yesOrNo.test(words) ? "state" : "compare", input);
  // "Run the display one week longer".
  if (real(read.terms).some(({ kind }) => kind === "shift" || kind === "length"))
    return request(text, read, "change", input, isDoubt(text, read));
  // "Cap line 2 at 20k": other terms than the line has.
  if (changesMoney(read) && isDoubted) return request(text, read, "change", withLimit(text, read, input));
  // "Yes for display, no for native".
  if (pick.except.length > 0) return request(text, read, "approve", input, true);
  const isOpen = situation.asked === null || situation.asked === "approve_booking";
  const refusal = isOpen ? "drop" : "keep";
  return request(text, read, says(words, "not no") ? refusal : "lines", input, isDoubted);
};

const notToBook = /\b(?:should|shall|must|may|is|are|need|needs)(?: not|n't)(?: to)? be (?:booked|bought)\b/;
const reports = "client boss legal director team she he they";
const reported = "said says told wrote wants wanted approved";
const denied = "approve book cancel drop take buy remove reject ask want";

const isOfAll = ({ lines, except }: Pick): boolean => except.length === 0 && lines.every(({ by }) => by === "all");

/** "My client approved it", "don't cancel": said, and ordered by nobody. */
const isHeld = ({ words, pick, led }: Said, name: Command): boolean => {
  const all = words.split(" ");
  // "Cancel nothing please", "drop nothing"; "cancel everything except Spring launch" does not mean Spring launch.
  const isNothing =
    ((name === "drop" || name === "cancel") && led !== null && says(words, "nothing")) ||
    // "Approve none", "reject neither 1 nor 2".
    all.some((word, at) => isIn(word, "nothing none neither") && isIn(all[at - 1] ?? "", allVerbs));
  const isOfOthers = name === "cancel" && isOfAll(pick) && says(words, "except excluding besides");
  const isNone = name === "drop" && led === null && pick.lines.length + pick.except.length === 0;
  const isOnlyNo = isNone && says(words, "not no nope") && !says(words, "want need like longer required more");
  // "Anna wrote: 'approve all'"
  const isReport = all.some(
    (word, at) =>
      isIn(word, reported) &&
      (isIn(all[at - 1] ?? "", reports) || all[at - 2] === "my" || isIn(all[at + 1] ?? "", ": ' \" “ ‘")),
  );
  const isDenied = all.some(
    (word, at) =>
      isIn(word, denied) && isIn(all[at - 1] ?? "", "don't didn't not never") && !(word === "want" && name === "drop"),
  );
  // "I don't want to book anything" drops nothing.
  const isNotWanted =
    pick.lines.length + pick.except.length === 0 && saysPhrase(words, "don't want to,do not want to,never want to");
  return isNothing || isOfOthers || isOnlyNo || (orders.has(name) && (isReport || isDenied || isNotWanted));
};

const stateWords: Readonly<Record<string, string>> = {
  off: "cancelled canceled off dropped cancellation removed undone rejected gone",
  live: "live active activated",
  waiting: "waiting open there pending available",
  started: "started running begun launched",
  booked: "booked bought confirmed approved accepted",
};

/** "Is line 1 booked?": a yes or a no, from the records. */
const ofState = ({ text, read, words, input, pick }: Said): Request | null => {
  if (!read.isQuestion || !yesOrNo.test(words)) return null;
  const ends = words
    .replace(/[ ,]*yes or no\b.*$/, "")
    .split(" ")
    .slice(-4)
    .join(" ");
  const state = Object.keys(stateWords).find((one) => says(ends, stateWords[one] ?? ""));
  // "Have you booked anything?" asks for all that is booked.
  const isOfAll = (state === "booked" || state === "waiting") && pick.lines.length === 0;
  return state === undefined || isOfAll ? null : request(text, read, "state", { ...input, state });
};

/** What a few words say, whatever stands beside them. */
const ofWords = ({ text, read, words, input }: Said): Request | null => {
  if (forgotten.test(words)) return request(text, read, "forget", {});
  if (leftAlone.test(words) && !read.isQuestion) return request(text, read, "stays", input);
  // "Is Germany in there?"
  const terms = real(read.terms);
  const isOfPlaces = terms.length > 0 && terms.every(({ kind }) => kind === "place" || kind === "excluded");
  return read.isQuestion && isOfPlaces ? request(text, read, "exclude", input) : null;
};

/** "Approve the display line but only for 8,000", "make line 2 8,000": a line is no smaller than it is. */
const ofPartOfLine = ({ text, read, situation: { job }, words, pick, input, led }: Said): Request | null => {
  const isNone = pick.lines.length === 0;
  const isOfLines = isNone ? says(words, "it that") : pick.lines.every(({ by }) => by === "place" || by === "channel");
  const costs = (job?.recommendations ?? []).map(({ cost }) => cost);
  const isSum = (at: number): boolean => isIn(text.words[at - 1] ?? "", "for at") && led === "approve";
  const sum = text.scan.owners
    .slice(read.from, read.to)
    .flatMap((one) => (one?.kind === "money" || (one?.kind === "number" && isSum(one.from)) ? [one] : []))
    .filter(({ kind, value }) => kind === "money" || value >= 500)
    .find((one) => !costs.some((cost) => Math.abs(cost - one.value) < 1));
  const limit = sum === undefined ? null : figureIn(text, sum);
  const isSmaller =
    (!isNone && read.terms.some(({ kind }) => kind === "one") && (!read.isQuestion || says(words, "only just part"))) ||
    saysPhrase(words, "only want to spend,only spend,spend only,just spend,only want to put") ||
    (led === "approve" &&
      (saysPhrase(words, "only for,for only,but only,at only") || (sum !== undefined && isSum(sum.from))));
  if (!isOfLines || limit === null || !isSmaller) return null;
  // "Can we take only 5,000 of the display line?"
  const isAsked = isNone || read.isQuestion;
  return request(text, read, isAsked ? "inpart" : "change", { ...input, limit }, true);
};

export const ofCampaign = (text: Text, read: Read, situation: Situation): Request | null => {
  const said = saidIn(text, read, situation);
  const { input, led, pick, isPoliteOrder, isDoubted } = said;
  const answer = ofPartOfLine(said) ?? ofAsked(said) ?? ofState(said) ?? ofWords(said);
  if (answer !== null) return answer;
  const isAsking = read.isQuestion && !isPoliteOrder;
  const isLimited = pick.lines.some(({ by }) => by === "limit");
  const isFree = (name: Command): boolean =>
    name !== "glossary" &&
    !notOfJob.has(name) &&
    // "Which are active, which not yet?"
    !(name === "keep" && read.isQuestion && /^(?:and )?which\b/.test(said.words)) &&
    (name !== "threshold" || isLimited);
  const found = topOf(
    read.matches,
    (name) => isFree(name) && !(isAsking && orders.has(name) && read.matches.length > 1),
  );
  const isSurer =
    led === "approve" && found !== undefined && found.score > 3.4 && !orders.has(found.name) && pick.lines.length === 0;
  const meant = led === null || isSurer ? found?.name : led;
  // "Budget is 25k now" says what the brief shall be, and asks for none.
  const isTold = meant === "brief" && !read.isQuestion && changesMoney(read);
  // "Why these three and not native?" drops nothing.
  const isWhy = meant === "drop" && led === null && says(said.words, "why");
  // "They gave us 2,000 more and want it one week longer".
  const isLonger = meant === "status" && !read.isQuestion && real(read.terms).some(({ kind }) => kind === "shift");
  // "Take 2,000 off the booking".
  const isLess = meant === "drop" && pick.lines.length === 0 && changesMoney(read);
  const name = isTold || isLess || isLonger ? "change" : isWhy ? "compare" : meant;
  // "Only the cheaper display one" chooses it.
  const isChoice = name === "extremes" && !read.isQuestion && says(said.words, "only just") && pick.lines.length > 1;
  if (name === undefined || isChoice || (name === "change" && onlyRange.test(said.words))) return ofNamed(said);
  // "The pre-roll should not be booked": said of the line, and asks for no list of what is.
  if (name === "booked" && !read.isQuestion && notToBook.test(said.words))
    return request(text, read, pick.lines.length > 0 ? "drop" : "keep", input, false);
  if (isHeld(said, name)) return request(text, read, "keep", input, true);
  const isKind = says(said.words, "please kindly kind");
  if (name === "approve" && read.isQuestion && !(isPolite(text, read) && isKind))
    return request(text, read, "asked to approve", input, true);
  // "Can line 2 still be cancelled?" asks, and is no cancellation.
  const isAskedOnly = name === "cancel" && read.isQuestion && !isPolite(text, read);
  if (name === "change") return request(text, read, name, withLimit(text, read, input), isDoubt(text, read));
  return request(text, read, name, input, name === "approve" ? isDoubted : isAskedOnly || isDoubt(text, read));
};
