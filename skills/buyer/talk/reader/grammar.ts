import { isConditional } from "../../../talk/reader/cut.ts";
import { isOf, valueOf } from "../../../talk/reader/lexicon.ts";
import { tokensOf } from "../../../talk/reader/tokens.ts";
import { unreadIn } from "../../../talk/reader/unread.ts";
import { generalQuestions, standingQuestions } from "../brief/questions.ts";
import { glossary } from "../glossary.ts";
import { campaignIn, isSure } from "./campaign.ts";
import { pickIn } from "./lines.ts";
import { ofCreatives } from "./creatives.ts";
import { newBrief, secondAt, variantIn } from "./new-brief.ts";
import { asksPlan, ofLeft, ofOpenBrief } from "./of-brief.ts";
import { isOfRunning, overIn, overRequest, withCampaign, withOneOver, withoutNamed } from "./over.ts";
import { ofNothingStarted } from "./early.ts";
import { isEstimate, ofMarket } from "./market.ts";
import { hasMore, leadingOrder, ofCampaign } from "./of-campaign.ts";
import {
  askedIn,
  questionsIn,
  topicsIn,
  type Command,
  cut,
  firstOf,
  isDoubt,
  isPolite,
  isWished,
  orders,
  type Part,
  plainNegation,
  type Read,
  readPart,
  real,
  request,
  topOf,
  wishIn,
} from "./parts.ts";
import type { Reader, Reading, Request, Situation } from "./request.ts";
import { withoutReserves } from "./reserve.ts";
import { merged, situationAfter, withNamed, withoutChat, withoutEchoes } from "./together.ts";
import { asWritten, type Place, plainOf, readText, type Text } from "./text.ts";
import { isIn, lists, says, saysPhrase } from "./words.ts";

/** Words that stand in the glossary, and others that only ask for them. */
const isGlossary = (text: Text, part: Place): boolean => {
  const words = text.words.slice(part.from, part.to).flatMap((word) => word.split(" "));
  // "How much are the fees" asks for a sum, and "where does it stand" for the state.
  if (words.includes("how") || words.includes("where")) return false;
  let found = words.some((word) => isIn(word, lists.meaning)) ? 1 : 0;
  for (let at = 0; at < words.length; at += 1) {
    const meaning = glossary.at(words, at);
    const token = text.scan.tokens[part.from + at];
    if (meaning !== null) {
      found += 1;
      at = meaning.to - 1;
    } else if (
      !isIn(words[at] ?? "", lists.meaning) &&
      token?.kind !== "mark" &&
      !isOf(token, "function") &&
      !isOf(token, "question")
    )
      return false;
  }
  const said = words.join(" ");
  const isAsked =
    words.some((word) => isIn(word, lists.meaning)) ||
    (/\b(?:what(?:'s| is| are)?|whats|define|is) (?:an? )?/.test(said) &&
      glossary.at(
        words,
        words.findIndex((word) => glossary.at([word], 0) !== null),
      ) !== null &&
      /\b(?:what(?:'s| is| are)|whats|is|define) (?:an? |the )?(?:")? ?[a-z]+\W*(?:$|and\b|or\b|,|\?)/.test(said));
  return found > 0 && (isAsked || words.length <= 2);
};

const ofGlossary = (text: Text, read: Read): Request | null => {
  const isAsked = read.isQuestion || read.matches.some(({ name, score }) => name === "glossary" && score >= 3);
  if (!isAsked || !isGlossary(text, read)) return null;
  return request(text, read, "glossary", {
    words: text.words.slice(read.from, read.to).flatMap((word) => word.split(" ")),
    asked: askedIn(text, read),
  });
};

/** "What about 20k on CTV?" is a wish for other terms; "are there any clicks?" is none. */
const asksChange = /\b(?:what|how) (?:about|if)\b|\b(?:change|make it|possible|instead)\b/;

/** "Only the Northeast please" is a wish of a brief, and "can I choose regions?" is asked of none. */
const standingIn = (text: Text, read: Read) =>
  topicsIn(text, read).find(
    ({ command }) => standingQuestions.has(command) && (read.isQuestion || command !== "targeting"),
  );

/** "Just looking, with prices please, don't book anything": beside what it is said of. */
const isOnlyKept = (read: Read): boolean =>
  !read.isQuestion &&
  real(read.terms).length === 0 &&
  read.matches.some(({ name, score }) => name === "keep" && score >= 3) &&
  !read.matches.some(({ name, score }) => name !== "keep" && score >= 3);

/** What is asked of no brief and no campaign: "a limit of 10,000 per booking?" gives no budget. */
const ofStanding = (text: Text, read: Read, hasJob: boolean): Request | null => {
  const topic = standingIn(text, read);
  // "Pause it in January" gives no days of a flight.
  const isPause = topic?.command === "hours" && says(plainOf(text, read), "pause pausing paused");
  if (isPause && saysPhrase(plainOf(text, read), "no pause,without pause")) return null;
  const isOfTerms =
    read.terms.some(({ kind }) => isIn(kind, `share split budget ${isPause ? "shift" : "days"}`)) ||
    (read.campaign !== null &&
      real(read.terms).some(({ kind }) => !isIn(kind, `channels place ${isPause ? "days unclear" : ""}`)));
  const isOfSums =
    topic?.command === "all budgets" ||
    (isIn(topic?.command ?? "", "extra approval") && (read.isQuestion || says(plainOf(text, read), "nothing never")));
  if (topic !== undefined && (isOfSums || !isOfTerms) && topic.score > (read.matches[0]?.score ?? 0))
    return isPause && (hasJob || isSure(read.campaign))
      ? request(text, read, "paused", { campaign: read.campaign, pick: pickIn(text, read), terms: real(read.terms) })
      : request(text, read, "brief question", { asked: { about: topic.command, channels: [], isPlacing: false } });
  return null;
};

const ofPart = (text: Text, read: Read, situation: Situation, isBriefFirst: boolean): Request => {
  const { memory, job, jobs } = situation;
  const unknown = request(text, read, "unknown", {});
  if (read.matches.some(({ name, score }) => name === "person" && score >= 3)) return request(text, read, "person", {});
  if (isOnlyKept(read) && job === null) return request(text, read, "keep", {});
  const creatives = ofCreatives(text, read, situation);
  if (creatives !== null) return creatives;
  const standing = ofStanding(text, read, job !== null);
  if (standing !== null) return standing;
  const { campaign: named } = read;
  const over = overIn(text, read, situation);
  if (over !== null) return overRequest(text, read, over);
  const beside = ofMarket(text, read, situation);
  if (beside !== null) return beside;
  // "Goal: clicks" sets an objective, and asks for no figure.
  const isOfClicks = topOf(read.matches, () => true)?.name === "clicks";
  if (isOfClicks && (read.isQuestion || read.terms.length === 0)) return request(text, read, "clicks", {});
  // "What campaigns do I have?", also beside an open brief.
  const isOfAll = topOf(read.matches, () => true)?.name === "campaigns" && says(plainOf(text, read), "campaigns jobs");
  if (isOfAll && memory.brief !== null && named === null && read.terms.length === 0)
    return request(text, read, "campaigns", { campaign: null, terms: [] });
  const isPlan =
    job === null &&
    memory.brief === null &&
    named === null &&
    read.matches.some(({ name, score }) => name === "new" && score >= 3);
  if (isPlan && !read.isQuestion) return request(text, read, "new", { terms: read.terms });
  const isNamed = isSure(named);
  const meaning = ofGlossary(text, read);
  if (meaning !== null) return meaning;
  if (job === null && (jobs.length === 0 || (memory.brief !== null && isBriefFirst && named === null))) {
    const early = ofLeft(text, read, situation) ?? ofNothingStarted(text, read);
    if (early !== null) return early;
  }
  if (memory.brief !== null && isBriefFirst && !isNamed) {
    const said = ofOpenBrief(text, read, situation);
    if (said !== null) return said;
    if (job === null && named === null) return unknown;
  }
  const isAny = job !== null || (jobs.length > 0 && (memory.brief === null || named !== null));
  if (isAny) {
    const said = ofCampaign(text, read, situation);
    if (said !== null) return said;
  }
  if (memory.brief !== null && !isBriefFirst) return ofOpenBrief(text, read, situation) ?? unknown;
  const top = topOf(read.matches, (name) =>
    ["help", "greet", "thanks", "campaigns", "payment", "sellers", "market", "new", "status"].includes(name),
  );
  const isAsked = read.isQuestion && !isPolite(text, read) && !asksChange.test(plainOf(text, read));
  if (real(read.terms).length > 0 && job !== null && !isAsked)
    return request(text, read, "change", { campaign: named, pick: pickIn(text, read), terms: read.terms });
  // "Client call in 10 minutes: which sellers do we have?" tells nothing of a brief.
  // A place alone opens no brief: "also local stuff near our schools in Denver".
  const isTold = real(read.terms).some(
    (term) => (term.kind !== "audience" || !term.isGuess) && (term.kind !== "place" || memory.brief !== null),
  );
  if (isTold && !read.isQuestion) return request(text, read, "new brief", { terms: read.terms });
  if (top !== undefined) return request(text, read, top.name, { campaign: named, terms: read.terms });
  const asked = read.isQuestion ? askedIn(text, read) : null;
  return asked === null || !generalQuestions.has(asked.about ?? "")
    ? unknown
    : request(text, read, "brief question", { asked });
};

/** A question in the message that holds a brief changes nothing of it; a start is offered with the brief anyway. */
const askedOf = (text: Text, read: Read, situation: Situation): readonly Request[] => {
  const one = ofPart(text, read, situation, true);
  if (one.command === "start" && (isPolite(text, read) || asksPlan.test(plainOf(text, read)))) return [];
  return ["brief change", "new brief", "start", "new", "keep", "forget", "unknown"].includes(one.command)
    ? [request(text, read, "brief question", { asked: askedIn(text, read) })]
    : [one];
};

const isBriefTalk = ({ memory, job, asked }: Situation): boolean =>
  memory.brief !== null &&
  (memory.isOfBrief || asked === "create_booking" || job === null || !(memory.job?.isOwn ?? false));

const signatureLine =
  /^(?:(?:best|kind|warm|many|with) )*(?:regards|wishes|thanks|thank you|cheers|sincerely|yours|best)\b/;
const greetingLine = /^(?:(?:hello|hi|hey|good \w+) ,? ?)?(?:dear|hi|hello|hey|it's|this is|my name is|here is) \S+/;

/** A greeting, an introduction, a signature: lines that ask nothing. */
const isCourtesy = (text: Text, reads: readonly Read[], at: number): boolean => {
  const saidOf = (read: Read): string => text.words.slice(read.from, read.to).join(" ").trim();
  const isClosing = (read: Read): boolean => read.to - read.from < 6 && signatureLine.test(saidOf(read));
  const read = reads[at];
  if (read === undefined || real(read.terms).length > 0) return false;
  const isSigned = reads.slice(0, at + 1).some(isClosing);
  return isSigned || (at < 2 && read.to - read.from < 12 && greetingLine.test(saidOf(read)));
};

const longestClause = 12;

const clausesOf = (text: Text, { from, to }: Place): readonly Place[] => {
  const clauses: Place[] = [];
  let begin = from;
  for (let at = from; at <= to; at += 1) {
    const isEnd = at === to || (text.scan.owners[at] === undefined && isIn(text.words[at] ?? "", ", ; : ( )"));
    if (isEnd && at > begin) clauses.push({ from: begin, to: at });
    if (isEnd) begin = at + 1;
  }
  return clauses;
};

/** Of a clause that no term was read from all is named as it was said, and of others the runs that nobody used. */
const unreadOfClause = (text: Text, clause: Place, read: Read, used: ReadonlySet<number>): readonly string[] => {
  const sure = [...read.matches, ...questionsIn(text, read)].filter(({ score }) => score >= 3);
  const runs = unreadIn(text.scan, clause, used, () => true)
    .map(({ text: words }) => words)
    .filter(
      (words) =>
        !words
          .toLowerCase()
          .split(" ")
          .every((word) => isIn(word, plainNegation)),
    )
    .filter((words) => !/^[a-z]+$/i.test(words) || valueOf(tokensOf(words)[0], "number") === undefined);
  const { to } = clause;
  const from = firstOf(text, clause);
  const places = Array.from({ length: to - from }, (_, step) => from + step);
  const isTold = (at: number): boolean =>
    read.used.has(at) || text.scan.owners[at] !== undefined || sure.some((match) => match.used.has(at));
  const isWhole = !places.some(isTold);
  return runs.length > 0 && isWhole && places.length <= longestClause ? [asWritten(text, from, to)] : runs;
};

/** What nobody used; words that only tell what a term is are none. */
const unreadOf = (text: Text, reads: readonly Read[]): readonly string[] =>
  reads.flatMap((read, index) => {
    if (isCourtesy(text, reads, index) || asksPlan.test(plainOf(text, read))) return [];
    const named = [...read.matches, ...questionsIn(text, read)].filter(({ score }) => score >= 2);
    const used = new Set([...read.used, ...named.flatMap((match) => [...match.used])]);
    for (let at = read.from; at < read.to; at += 1)
      if (isIn((text.words[at] ?? "").split(" ")[0] ?? "", `${lists.talk} ${lists.chatter}`)) used.add(at);
    return clausesOf(text, read).flatMap((clause) => unreadOfClause(text, clause, read, used));
  });

const withoutVariant = (parts: readonly Part[], { from, to }: Place): readonly Part[] =>
  parts
    .map((part) => (part.from < from ? { ...part, to: Math.min(part.to, from) } : part))
    .filter((part) => part.from < from || part.from >= to);

const readMessage = (message: string, situation: Situation): Reading => {
  const text = readText(message, situation);
  // Figures of several campaigns are one list: "budget, days and booked of both".
  const all = text.segments.flatMap((segment) =>
    overIn(text, readPart(text, segment, situation), situation) === null ? cut(text, segment) : [segment],
  );
  const variant = variantIn(text);
  const parts = variant === null ? all : withoutVariant(all, variant);
  const isOpen = isBriefTalk(situation) || situation.job === null;
  const plain = isOpen ? withoutReserves(text, parts) : parts;
  const whole = readParts(text, parts, situation);
  if (plain.every((part) => parts.includes(part)) && plain.length === parts.length) return whole;
  const start = readParts(text, plain, situation);
  const isKept = start.requests.some(
    ({ command, isDoubt: is }) => (command === "start" && !is) || command === "new brief",
  );
  return isKept ? start : whole;
};

/** "How much would be left after that?" asks for a figure; what is thought of is a doubt. */
const isPlainQuestion = (text: Text, part: Place): boolean =>
  wishIn(text, part) !== null &&
  !isConditional(text.scan, part) &&
  !says(plainOf(text, part), "should shall wait maybe perhaps hold not don't unless before");

/** "Please move it to 11 January, and put another 500 into it": one that is there, and no brief. */
const isOfOther = (text: Text, { job, jobs, memory }: Situation): boolean => {
  if (job !== null || memory.brief !== null || jobs.length === 0) return false;
  const words = plainOf(text, { from: 0, to: text.words.length });
  const isMoved = saysPhrase(words, "move it,move its,extend it,extend its,postpone it,shift it,raise its,shorten it");
  const isRaised = says(words, "another more extra") && saysPhrase(words, "into it,to it,on it");
  return (isMoved || isRaised) && !says(words, "new");
};

/** None beside figures or other terms of what runs. */
const freshIn = (text: Text, reads: readonly Read[], later: Read | undefined, situation: Situation) =>
  isOfRunning(text, reads) || reads.some((read) => isEstimate(text, read) || overIn(text, read, situation) !== null)
    ? null
    : newBrief(text, reads, situation, later === undefined ? null : asWritten(text, later.from, later.to));

/** A doubt in a sentence beside an approval is one of it, as long as it orders nothing itself. */
const isDoubtedIn = (text: Text, reads: readonly Read[], requests: readonly Request[]): boolean =>
  reads.some(
    (read, at) =>
      isDoubt(text, read) &&
      !orders.has(requests[at]?.command as Command) &&
      !(read.isQuestion && isPlainQuestion(text, read)) &&
      !saysPhrase(plainOf(text, read), lists.harmless),
  );

/** "Cancel X and start it again: 10,000 USD, ...": one after the other; null where no campaign is cancelled first. */
const cancelledFirst = (text: Text, reads: readonly Read[], situation: Situation): readonly Request[] | null => {
  const at = reads.findIndex(
    (read) => isSure(read.campaign) && leadingOrder(text, read) === "cancel" && real(read.terms).length === 0,
  );
  const [order, ...brief] = at < 0 ? [] : reads.slice(at);
  const [first] = brief;
  if (order === undefined || first === undefined || freshIn(text, brief, undefined, situation) === null) return null;
  const rest = { ...first, to: brief.at(-1)?.to ?? first.to };
  return [ofPart(text, order, situation, false), request(text, rest, "left brief", {})];
};

/** "Then drop that line, and make a new plan: ...": orders of what is started, which tell no term of a brief. */
const ordersBeside = (text: Text, reads: readonly Read[]): readonly Request[] =>
  reads
    .filter((read) => isIn(leadingOrder(text, read) ?? "", "drop cancel") && real(read.terms).length === 0)
    .filter((read) => says(plainOf(text, read), "line lines deal deals it that them 1 2 3 4 5"))
    .map((read) => request(text, read, "left order", {}));

const readParts = (text: Text, parts: readonly Part[], situation: Situation): Reading => {
  const all = withCampaign(
    text,
    parts.map((part) => readPart(text, part, situation)),
    situation,
  );
  const second = secondAt(text, all);
  const reads = second < 0 ? all : all.slice(0, second);
  const unread = unreadOf(text, reads);
  const done = (requests: readonly Request[]): Reading => ({
    requests,
    unread,
    isForeign: text.isForeign || /[^\p{Script=Latin}\p{P}\p{N}\p{S}\s]/u.test(text.scan.text),
    by: "grammar",
  });
  const again = cancelledFirst(text, reads, situation);
  if (again !== null) return done(again);
  const isChange = isOfOther(text, situation);
  const fresh = isChange ? null : freshIn(text, reads, all[reads.length], situation);
  if (fresh !== null) {
    const open = { ...situation, job: null, memory: { ...situation.memory, brief: situation.memory.brief ?? {} } };
    // "Is the CTV deal cancelled? Then plan it again": asked of what runs, and not of the brief.
    const of = (read: Read): Situation =>
      situation.job !== null && says(plainOf(text, read), "deal deals line lines booked cancelled")
        ? { ...situation, memory: { ...situation.memory, brief: null } }
        : open;
    // The client of the brief names no other campaign of that client.
    const asking = fresh.asking.map((read) => ({ ...read, campaign: campaignIn(text, read, situation) }));
    const orders = situation.job === null ? [] : ordersBeside(text, reads);
    return done([fresh.brief, ...orders, ...asking.flatMap((read) => askedOf(text, read, of(read)))]);
  }
  const isAskedFor = reads.some((read) => read.campaign === null && says(plainOf(text, read), "brief"));
  let now = situation;
  const requests = reads.map((read) => {
    const one = ofPart(text, read, now, isBriefTalk(now) || (now.memory.brief !== null && isAskedFor));
    now = situationAfter(now, one);
    if (isChange && one.command === "new brief")
      return request(text, read, "change", { campaign: read.campaign, pick: pickIn(text, read), terms: read.terms });
    const isWish = isWished(text, read) && !saysPhrase(plainOf(text, read), lists.heldAnyway);
    return one.command === "unknown" && isWish ? { ...one, command: "unanswered" } : one;
  });
  const isDoubted = isDoubtedIn(text, reads, requests);
  const isLed = (at: number): boolean => {
    const [read, last] = [reads[at], reads[at - 1]];
    const isOne =
      last !== undefined &&
      read !== undefined &&
      text.segments.some(({ from, to }) => from <= last.from && read.to <= to);
    const isPlain = isPlainQuestion(text, last ?? { from: 0, to: 0 });
    return isOne && !orders.has(requests[at - 1]?.command as Command) && !isPlain && hasMore(text, last, null);
  };
  // "Cancel it please - does that cost anything?": of the cancellation.
  const isCancelled = requests.some(({ command }) => command === "cancel");
  const asked = requests.map((one) =>
    isCancelled && (isIn(one.command, "payment cancellable") || (one.command === "cost" && one.isQuestion))
      ? { ...one, command: "cancellable", input: { isBeside: true } }
      : one,
  );
  const judged = asked.map((one, at) =>
    (isDoubted || isLed(at)) && one.command === "approve" ? { ...one, isDoubt: true } : one,
  );
  const plain = withoutEchoes(text, reads, withNamed(text, reads, judged));
  return done(withoutChat(merged(withoutNamed(withOneOver(plain)))));
};

/** Reads by the phrases, words and entities of this folder alone. */
export const grammar: Reader = { read: readMessage };
