import { isConditional } from "../../../talk/reader/cut.ts";
import { isOf } from "../../../talk/reader/lexicon.ts";
import { generalQuestions, standingQuestions } from "../brief/questions.ts";
import { glossary } from "../glossary.ts";
import { briefNameIn, campaignIn, isSure } from "./campaign.ts";
import { correctedIn } from "./corrected.ts";
import { pickIn } from "./lines.ts";
import { ofCreatives } from "./creatives.ts";
import { newBrief, saysNew, secondAt, variantIn } from "./new-brief.ts";
import { asksPlan, ofLeft, ofOpenBrief } from "./of-brief.ts";
import { isOfRunning, overIn, overRequest, withCampaign, withOneOver, withoutNamed } from "./over.ts";
import { ofNothingStarted } from "./early.ts";
import { isEstimate, ofMarket } from "./market.ts";
import { hasMore, leadingOrder, ofCampaign } from "./of-campaign.ts";
import {
  askedIn,
  topicsIn,
  type Command,
  cut,
  isDoubt,
  isPolite,
  isWished,
  orders,
  type Part,
  type Read,
  readPart,
  real,
  request,
  topOf,
  wishIn,
} from "./parts.ts";
import { withProductNames } from "./product-names.ts";
import type { Reader, Reading, Request, Situation } from "./request.ts";
import { unreadOf } from "./unread.ts";
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

/** "And frequency cap - can you do it?", "my question is whether you can limit it". */
const isAsked = (text: Text, read: Read): boolean =>
  read.isQuestion ||
  text.segments.some(({ from, to, hasMark }) => hasMark && from <= read.from && read.to <= to) ||
  says(plainOf(text, read), "question whether wonder wondering");

/** "Only the Northeast please" is a wish of a brief, and "can I choose regions?" is asked of none. */
const standingIn = (text: Text, read: Read) =>
  topicsIn(text, read).find(
    ({ command }) =>
      standingQuestions.has(command) && (!isIn(command, "targeting limits billing reuse") || isAsked(text, read)),
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
  const isReply = saysPhrase(plainOf(text, read), "back to");
  if (topic?.command === "billing" && !isReply && topic.score > (read.matches[0]?.score ?? 0))
    return request(text, read, "payment", { campaign: read.campaign });
  // "Pause it in January" gives no days of a flight.
  const isPause = topic?.command === "hours" && says(plainOf(text, read), "pause pausing paused");
  if (isPause && saysPhrase(plainOf(text, read), "no pause,without pause")) return null;
  const isOfTerms =
    read.terms.some(({ kind }) => isIn(kind, `share split budget ${isPause ? "shift" : "days"}`)) ||
    (read.campaign !== null &&
      real(read.terms).some(({ kind }) => !isIn(kind, `channels place ${isPause ? "days unclear" : ""}`)));
  const isOfSums =
    topic?.command === "all budgets" ||
    topic?.command === "reuse" ||
    (isIn(topic?.command ?? "", "extra approval") && (read.isQuestion || says(plainOf(text, read), "nothing never")));
  if (topic !== undefined && (isOfSums || !isOfTerms) && topic.score > (read.matches[0]?.score ?? 0))
    return isPause && (hasJob || isSure(read.campaign))
      ? request(text, read, "paused", { campaign: read.campaign, pick: pickIn(text, read), terms: real(read.terms) })
      : request(text, read, "brief question", { asked: { about: topic.command, channels: [], isPlacing: false } });
  return null;
};

/** "What is booked for hiking boots now?", of what is started under that name. */
const asksOfNamed = ({ campaign, isQuestion, matches }: Read): boolean =>
  isQuestion &&
  campaign?.by === "id" &&
  campaign.ids.length === 1 &&
  ["booked", "delivery", "state"].includes(topOf(matches, () => true)?.name ?? "");

const ofPart = (text: Text, read: Read, situation: Situation, isBriefFirst: boolean): Request => {
  const { memory, job, jobs } = situation;
  const unknown = request(text, read, "unknown", {});
  if (read.matches.some(({ name, score }) => name === "person" && score >= 3)) return request(text, read, "person", {});
  if (isOnlyKept(read) && job === null) return request(text, read, "keep", {});
  const creatives = ofCreatives(text, read, situation);
  if (creatives !== null) return creatives;
  const { campaign: named } = read;
  const over = overIn(text, read, situation);
  const standing = ofStanding(text, read, job !== null);
  // "How much is invoiced over all campaigns?" asks for sums beside it.
  const isOfSums = standing?.command === "payment" && over?.scope === "all";
  if (standing !== null && !isOfSums) return standing;
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
  if (memory.brief !== null && isBriefFirst && !isNamed && !asksOfNamed(read)) {
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

const withoutVariant = (parts: readonly Part[], { from, to }: Place): readonly Part[] =>
  parts
    .map((part) => (part.from < from ? { ...part, to: Math.min(part.to, from) } : part))
    .filter((part) => part.from < from || part.from >= to);

const isOrder = ({ command }: Request): boolean => orders.has(command as Command) || command === "lines";

const readMessage = (message: string, situation: Situation): Reading => {
  const text = readText(message, situation);
  const back = situation.job === null || isBriefTalk(situation) ? null : correctedIn(text);
  const read = readCut(back?.message == null ? text : readText(back.message, situation), situation);
  if (back?.isHeld !== true) return read;
  return { ...read, requests: read.requests.map((one) => (isOrder(one) ? { ...one, isDoubt: true } : one)) };
};

const readCut = (text: Text, situation: Situation): Reading => {
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

const changesBooked = new RegExp(
  String.raw`\b(?:reduce|cut|lower|raise|increase|extend|shorten|prolong|move|shift|postpone|change|adjust) ` +
    String.raw`(?:\w+ ){0,6}?(?:booking|booked|existing)\b`,
);

/** "Please move it to 11 January, and put another 500 into it": one that is there, and no brief. */
const isOfOther = (text: Text, { job, jobs, memory }: Situation): boolean => {
  if (jobs.length === 0) return false;
  const words = plainOf(text, { from: 0, to: text.words.length });
  // "Reduce the display booking by 1,000", "can I lower the booked amount?": also where a brief is open.
  if (changesBooked.test(words) && (memory.brief === null || says(words, "booked existing")))
    return !saysNew.test(words);
  if (job !== null || memory.brief !== null) return false;
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

/** "Then drop that line, and make a new plan: ...": it ends what is started, and tells no term of the brief. */
const isEnding = (text: Text, read: Read, { job }: Situation): boolean => {
  const isOfStarted =
    isSure(read.campaign) ||
    (job !== null && says(plainOf(text, read), "line lines deal deals it that them 1 2 3 4 5"));
  // "Cancel the native deal": its channel is none of the brief.
  const isNamed = real(read.terms).every(
    (term) =>
      (term.kind === "channels" && says(plainOf(text, read), "deal deals line lines")) ||
      (term.kind === "audience" && term.isGuess),
  );
  return isOfStarted && isNamed && isIn(leadingOrder(text, read) ?? "", "drop cancel");
};

/** "I mean the campaign Alpine: can I lower what is booked, and move its end?": all of it is said of the one. */
const ofOneCampaign = (reads: readonly Read[]): readonly Read[] => {
  const [only, other] = reads.filter(({ campaign }) => isSure(campaign));
  return only === undefined || other !== undefined
    ? reads
    : reads.map((read) => ({ ...read, campaign: only.campaign }));
};

const readParts = (text: Text, parts: readonly Part[], given: Situation): Reading => {
  const isChange = isOfOther(text, given);
  const situation = isChange ? { ...given, memory: { ...given.memory, brief: null } } : given;
  const each = parts.map((part) => readPart(text, part, situation));
  const all = withCampaign(text, isChange ? ofOneCampaign(each) : each, situation);
  const second = isChange ? -1 : secondAt(text, all);
  const reads = second < 0 ? all : all.slice(0, second);
  const unread = unreadOf(text, reads, situation);
  const done = (requests: readonly Request[], left = unread): Reading => ({
    requests: withProductNames(text, reads, requests),
    unread: left,
    isForeign: text.isForeign || /[^\p{Script=Latin}\p{P}\p{N}\p{S}\s]/u.test(text.scan.text),
    by: "grammar",
  });
  const ending = reads.filter((read) => isEnding(text, read, situation));
  const planned = reads.filter((read) => !ending.includes(read));
  const fresh = isChange ? null : freshIn(text, planned, all[reads.length], situation);
  if (fresh !== null) {
    const open = { ...situation, job: null, memory: { ...situation.memory, brief: situation.memory.brief ?? {} } };
    // "Is the CTV deal cancelled? Then plan it again": asked of what runs, and not of the brief.
    const of = (read: Read): Situation =>
      situation.job !== null && says(plainOf(text, read), "deal deals line lines booked cancelled")
        ? { ...situation, memory: { ...situation.memory, brief: null } }
        : open;
    // The client of the brief names no other campaign of that client.
    const asking = fresh.asking.map((read) => ({ ...read, campaign: campaignIn(text, read, situation) }));
    const closed = { ...situation, memory: { ...situation.memory, brief: null } };
    const first = ending.map((read) => ofPart(text, read, closed, false));
    const asked = asking.flatMap((read) => askedOf(text, read, of(read)));
    return done([...first, fresh.brief, ...asked], unreadOf(text, planned, situation));
  }
  const isAskedFor = reads.some((read) => read.campaign === null && says(plainOf(text, read), "brief"));
  let now = situation;
  const requests = reads.map((read) => {
    const isMeant = now.memory.brief !== null && (isAskedFor || briefNameIn(text, read, now) !== null);
    const one = ofPart(text, read, now, isBriefTalk(now) || isMeant);
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
