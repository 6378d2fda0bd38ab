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
import { asWritten, plainOf, readText, type Text } from "./text.ts";
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

/** What a part says while a brief is open and spoken of. */
export const ofOpenBrief = (text: Text, read: Read, situation: Situation): Request | null => {
  const words = plainOf(text, read);
  const inDollars = takenInUsd(text, read, situation);
  if (inDollars.length > 0) return request(text, read, "brief change", { terms: [...read.terms, ...inDollars] });
  const terms = real(read.terms);
  const top = topOf(read.matches, (name) => ofBrief.has(name));
  const isCommand =
    top !== undefined && ["brief", "forget", "undo", "without", "missing", "start", "keep"].includes(top.name);
  const isWh =
    read.isQuestion &&
    (begins(text, read.from) || says(words, "understand")) &&
    (!isPolite(text, read) || terms.length === 0);
  const isState = topOf(read.matches, (name) => name === "status" || name === "when")?.name === "status";
  // Nothing is started: how it stands is the brief itself.
  if (isState && situation.job === null && terms.length === 0 && top === undefined)
    return request(text, read, "start", {}, true);
  if (read.standing === "held") return request(text, read, "keep", {});
  if (leadingOrder(text, read) === "cancel" && terms.length === 0) return request(text, read, "keep", {});
  const isWhatIf =
    /\bwhat (?:if|about if)\b|\bwhat would\b/.test(words) && !/\bhappens?\b|\bmissing\b|\bhappen\b/.test(words);
  const isWhen = /^(?:and |so )*(?:when|how|why|where)\b/.test(words);
  const isAsked = isWh && !/^(?:what|how) about\b/.test(words) && !isWhatIf;
  const isOther = top?.name === "brief" || top?.name === "missing" || (top?.name === "start" && !isWhen);
  if (isAsked && terms.length === 0 && !isOther)
    return request(text, read, "brief question", { asked: askedIn(text, read) });
  if (read.standing === "told" || read.standing === "whole") {
    const kept = read.standing === "told" ? [told] : terms;
    return kept.length > 0 || top?.name === "start" ? request(text, read, "start", { terms: kept }, false) : null;
  }
  if (isConditional(text.scan, read) && !isWhatIf && read.standing === null)
    return terms.length === 0
      ? null
      : request(text, read, "brief change", { terms: [{ kind: "unclear", words: "the condition" }] });
  if (isWhatIf && terms.length > 0)
    return request(text, read, "brief change", {
      terms: [{ kind: "proposed", words: asWritten(text, read.from, read.to) }],
    });
  if (
    isCommand &&
    top.score >= 2 &&
    terms.every(
      ({ kind }) =>
        top.name !== "keep" &&
        (kind === "excluded" ||
          kind === "place" ||
          kind === "no audience" ||
          ((top.name === "undo" || top.name === "forget") && (kind !== "channels" || says(words, "brief")))),
    ) &&
    !read.terms.some(({ kind }) => kind === "said")
  ) {
    if (top.name === "without" && !says(words, "go going without like split never forget ignore fine")) return null;
    const isHeld = top.name === "start" && isDoubt(text, read);
    if (!isHeld && !(top.name === "forget" && says(words, plainNegation)))
      return request(text, read, top.name, { terms: top.name === "forget" || top.name === "without" ? [] : terms });
    return request(text, read, "keep", {});
  }
  if (isWh && !/^(?:what|how) about\b/.test(words))
    return request(text, read, "brief question", { asked: askedIn(text, read) });
  if (terms.length > 0) {
    const isNoted =
      terms.every(({ kind }) => kind === "budget" || kind === "days" || kind === "channels" || kind === "max_cpm") &&
      /\b(?:don't|do not|never) (?:make|change|set|start|run)\b/.test(words);
    return isNoted ? request(text, read, "keep", {}) : request(text, read, "brief change", { terms: read.terms });
  }
  if (read.terms.length > 0) return request(text, read, "brief change", { terms: read.terms });
  if (read.isQuestion) return request(text, read, "brief question", { asked: askedIn(text, read) });
  return top === undefined || situation.memory.brief === null ? null : request(text, read, top.name, {});
};
