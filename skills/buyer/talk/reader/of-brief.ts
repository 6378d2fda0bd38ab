import { isConditional } from "../../../talk/reader/cut.ts";
import { leadingOrder } from "./of-campaign.ts";
import {
  askedIn,
  begins,
  type Command,
  isDoubt,
  isPolite,
  plainNegation,
  type Read,
  real,
  request,
  topOf,
} from "./parts.ts";
import type { Request, Situation } from "./request.ts";
import { inUsd, type Term } from "../brief/form.ts";
import { termsIn } from "./terms/terms.ts";
import { asWritten, conditionWords, isTag, type Place, plainOf, readText, type Text } from "./text.ts";
import { isIn, says } from "./words.ts";

const ofBrief: ReadonlySet<Command> = new Set([
  "brief",
  "missing",
  "undo",
  "forget",
  "start",
  "without",
  "keep",
  "thanks",
  "help",
  "greet",
  "glossary",
  "new",
  "campaigns",
]);
const yesInUsd =
  "yes yep yeah ok okay sure fine then use take make it that the same figure figures amount number sum in as usd us" +
  " dollars dollar $ right correct is are good please with mean means i we of all both them , and convert a just";

/** "Yes, USD": the figures of other money are meant as they stand. */
const takenInUsd = (text: Text, read: Read, { memory, nowMs }: Situation): readonly Term[] => {
  const held = memory.doubts.flatMap((words) => words.split(inUsd).slice(1));
  const said = text.words.slice(read.from, read.to);
  // Without a budget nothing else can be meant by a yes, or by "start it".
  const isMissing = memory.brief?.budget === undefined;
  const isAnswer =
    said.every((word) => word === "" || isIn(word, yesInUsd)) &&
    says(
      said.join(" "),
      isMissing ? "yes yep yeah ok okay usd dollars dollar same correct right fine" : "usd dollars dollar",
    );
  const isStart =
    isMissing && !isDoubt(text, read) && topOf(read.matches, (name) => ofBrief.has(name))?.name === "start";
  if (held.length === 0 || !(isAnswer || isStart)) return [];
  return held.flatMap((words) => {
    const one = readText(words, { nowMs, job: null, jobs: [] });
    return termsIn(one, { from: 0, to: one.words.length }, memory.brief, nowMs).terms;
  });
};

const told: Term = {
  kind: "said",
  words: 'What the sellers offer, and where nothing is within a limit, "status" tells.',
};

/** "Show me what you'd propose to buy": what the brief is started for. */
export const asksPlan = new RegExp(
  String.raw`^(?:(?:and|also|then|ok|please|just|,) )*(?:(?:show|tell|let|see|give) .*)?what ` +
    String.raw`(?:would |do |can )?you(?:'d|'ll)? (?:would )?(?:propose|suggest|recommend)\b`,
);

const skips = new RegExp(
  "^(?:(?:ok|fine|then|just|please|,) )*(?:skip|forget|drop|ignore|leave) (?:those|these|them|that)" +
    "(?: (?:out|then|please))*$",
);

/** "Skip those", of what a start leaves out: there are no lines yet that it could drop. */
export const ofLeft = (text: Text, read: Read, { memory }: Situation): Request | null =>
  memory.left.length + memory.doubts.length > 0 && skips.test(plainOf(text, read))
    ? request(text, read, "without", { terms: [] })
    : null;

/** "Two sellers if you can" wishes: what is not read of it is named, and a brief need not hold it. */
export const setsCondition = (text: Text, part: Place): boolean =>
  isConditional(text.scan, part) &&
  !/\bif (?:you (?:can|could)|(?:it's |at all )?possible)(?= ,|$)/.test(plainOf(text, part));

const isOfOpinion = new RegExp(
  String.raw`\b(?:can|could|will|would|should) (?:we|i|they) (?:really |even |ever )?(?:afford|justify)\b|` +
    String.raw`\b(?:isn't|aren't|wasn't|shouldn't|wouldn't|doesn't|won't) (?:that|it|this|these|they|we|i|there)\b`,
);

/** "Can we afford 25k?", "shouldn't that be 12k?", "we won't go to 15k, will we?": an opinion is asked for. */
const asksOpinion = (text: Text, { from, to, isQuestion }: Read): boolean =>
  isQuestion && (isOfOpinion.test(plainOf(text, { from, to })) || [3, 4, 5].some((size) => isTag(text, to - size, to)));

const isOfIf = (words: string): boolean =>
  /\bwhat (?:if|about if)\b|\bwhat would\b/.test(words) && !/\bhappens?\b|\bmissing\b|\bhappen\b/.test(words);

type Top = ReturnType<typeof topOf>;

/** What may be asked for beside an order, which it does not hold up. */
const isBeside = ({ kind }: Term, name: Command): boolean =>
  name !== "keep" &&
  (["excluded", "place", "no audience"].includes(kind) || (isIn(name, "undo forget") && kind !== "channels"));

/** A word for the brief as a whole: "start it", "undo", "show the brief", "go on without it". */
const ofOrder = (text: Text, read: Read, top: Top): Request | null => {
  const words = plainOf(text, read);
  const terms = real(read.terms);
  const name = top?.name;
  if (name === undefined || !isIn(name, "brief forget undo without missing start keep")) return null;
  const isDenied = says(words, plainNegation);
  // "Forget that video brief" drops no channel.
  if (name === "forget" && says(words, "brief") && !isDenied) return request(text, read, name, { terms: [] });
  const isAlone = terms.every((term) => isBeside(term, name)) && !read.terms.some(({ kind }) => kind === "said");
  if ((top?.score ?? 0) < 2 || !isAlone) return null;
  const isHeld = (name === "start" && isDoubt(text, read)) || (name === "forget" && isDenied);
  return request(
    text,
    read,
    isHeld ? "keep" : name,
    isHeld ? {} : { terms: isIn(name, "forget without") ? [] : terms },
  );
};

/** What a part says while a brief is open and spoken of. */
export const ofOpenBrief = (text: Text, read: Read, situation: Situation): Request | null => {
  const words = plainOf(text, read);
  const inDollars = takenInUsd(text, read, situation);
  const changed = (terms: readonly Term[]): Request => request(text, read, "brief change", { terms });
  if (inDollars.length > 0) return changed([...read.terms, ...inDollars]);
  const terms = real(read.terms);
  const top = topOf(read.matches, (name) => ofBrief.has(name));
  const isWh =
    read.isQuestion &&
    (begins(text, read.from) || says(words, "understand")) &&
    (!isPolite(text, read) || terms.length === 0) &&
    !/^(?:what|how) about\b/.test(words);
  const isState = topOf(read.matches, (name) => name === "status" || name === "when")?.name === "status";
  // Nothing is started: how it stands is the brief itself.
  if (isState && situation.job === null && terms.length === 0 && top === undefined)
    return request(text, read, "start", {}, true);
  // "Yes, cancel it", where just that was shown.
  const isShown = situation.shown.some(({ label }) => /^(?:ask to )?cancel /i.test(label));
  const isCancel = leadingOrder(text, read) === "cancel" && terms.length === 0;
  if (isCancel) return isShown && situation.job !== null ? null : request(text, read, "keep", {});
  if (asksPlan.test(words) && situation.job === null && terms.length === 0)
    return request(text, read, "start", {}, false);
  const isWhatIf = asksOpinion(text, read) || isOfIf(words);
  const isWhen = /^(?:and |so )*(?:when|how|why|where)\b/.test(words);
  const isOther = isIn(top?.name ?? "", "brief missing") || (top?.name === "start" && !isWhen);
  const asked = (): Request => request(text, read, "brief question", { asked: askedIn(text, read) });
  // "2,000 x 7.20?" sets no budget.
  const isSum = read.isQuestion && /^[\d,. ]+(?:x|times|×|\*) [\d,. ]+/.test(words);
  if (isSum || (isWh && !isWhatIf && terms.length === 0 && !isOther)) return asked();
  if (read.standing === "told" || read.standing === "whole") {
    const kept = read.standing === "told" ? [told] : terms;
    return kept.length > 0 || top?.name === "start" ? request(text, read, "start", { terms: kept }, false) : null;
  }
  if (setsCondition(text, read) && !isWhatIf && read.standing === null)
    return terms.length === 0 ? null : changed([{ kind: "unclear", words: conditionWords(text, read) }]);
  if (isWhatIf && terms.length > 0) return changed([{ kind: "proposed", words: asWritten(text, read.from, read.to) }]);
  const order = ofOrder(text, read, top);
  if (order !== null) return order;
  if (isWh) return asked();
  const isNoted =
    terms.length > 0 &&
    terms.every(({ kind }) => ["budget", "days", "channels", "max_cpm"].includes(kind)) &&
    /\b(?:don't|do not|never) (?:make|change|set|start|run)\b/.test(words);
  if (isNoted) return request(text, read, "keep", {});
  if (read.terms.length > 0) return changed(read.terms);
  if (read.isQuestion) return asked();
  const isNone = top === undefined || top.name === "without" || situation.memory.brief === null;
  return isNone ? null : request(text, read, top.name, {});
};
