import { isConditional } from "../../../understanding/reading/clauses.ts";
import type { Said, Talk } from "../talk.ts";
import { approve, approveAndDrop, dropLines, linesMeant } from "./approval.ts";
import { withPlaces } from "./meant/choice.ts";
import { dropMeant } from "./orders.ts";
import type { Which } from "./meant/which.ts";
import { totalOf, usd, type WaitingLine, waitingLines } from "./wording.ts";

const bookVerbs = "approve|book|buy|take|accept|order|confirm|reserve|purchase";
const dropVerbs = "drop|remove|stop|withdraw|kill|reject|decline|skip|delete|discard|strike|scrap|get rid of";
const books = new RegExp(`\\b(?:${bookVerbs})\\b`, "i");
const drops = new RegExp(`\\b(?:${dropVerbs})\\b`, "i");
/** Another no, as of a client or a lawyer, may be a reason to wait. */
const ownDoubt = /^(?:i|we)(?:'m|'re)?\b.*\b(?:understand|sure|want|know|mean|meant|see|get|need|like|decided)\b/i;
const negated = /\b(?:not|never|no|nor|without|unsure|cannot)\b|n't\b/i;

/** A comma before a number stands in a list of lines. */
const ends = new RegExp(
  "(?<=[.!?])\\s+|\\s*\\n\\s*|\\s*[,;:]\\s+(?!\\d)|\\s*;\\s*|,?\\s+(?:(?<!\\b(?:all|everything|" +
    "anything|both|lines)\\s+)but|however|though|although)\\s+|" +
    `\\s+and\\s+(?=(?:please\\s+|then\\s+|also\\s+)?(?:${bookVerbs}|${dropVerbs})\\b)`,
  "i",
);
/** "No display" is no "no": only before a mark, an order or a person. */
const lead = new RegExp(
  "^\\W*(?:(?:(?:no|nah|nope)(?=\\s*(?:$|[,.!;:])|\\s+(?:i|we|just|please|keep|then|wait|" +
    `${bookVerbs}|${dropVerbs})\\b)|hm+|ok|okay|well|wait|stop|hold (?:on|it)|hang on|sorry|actually|yeah|yes|fine)` +
    "\\b\\W*)+",
  "i",
);
/** Any other sentence beside an order may be a time or a condition. */
const unwanted = /\b(?:don't|do not|no longer) (?:want|need|like)\b/i;
const courtesy = new RegExp(
  "^(?:hi|hello|hey|ugh|argh|dear|thx|ty|cheers|(?:i|we) (?:only )?(?:want|keep) only .*\\b(?:booked|" +
    "bought)\\b.*|thanks|thank you|great|good|nice|please|then|" +
    "alright|all right|everybody|" +
    "team|the other (?:two|three|ones)|(?:only|just) (?:the )?[\\w -]{1,40} keep|(?:keep|leave) " +
    "(?:it|that|this|them|line|the line|\\d{1,2}|[,. ])+|" +
    "(?:(?:it|that|this)(?:'s| is) )?(?:way |much )?too (?:expensive|pricey|dear|costly)" +
    "(?: in total| for (?:me|us))?|[,.! ])+$",
  "i",
);
const bareDrop = new RegExp(`\\b(?:${dropVerbs})(?: (?:then|please|pls|now))*\\W*$`, "i");
const pronoun = /\b(?:it|this|that|them|those|these)(?: ones?)?\b/i;
const totalLimit = new RegExp(
  "\\b(?:not (?:exceed|pass|above|over|more than|be (?:above|over|more than))|(?:is|stays?|remains?|" +
    "be) (?:below|under|within|at most)|" +
    "no more than|at most|less than)\\D{0,12}(\\d[\\d.,]*\\d|\\d)\\s?(k)?\\b",
  "i",
);

interface Part {
  readonly text: string;
  readonly kind: "book" | "drop" | "condition" | "held" | "kept" | "named" | "beside";
  readonly lines: readonly WaitingLine[];
}

const placesIn = (text: string, lines: readonly WaitingLine[]): readonly WaitingLine[] => {
  const numbers = new Set(text.match(/(?<![\d.,$-])\b\d{1,2}\b(?![\d%.,]\d|k\b)/g)?.map(Number));
  return lines.filter(({ place }) => numbers.has(place));
};

const partOf = (said: string, lines: readonly WaitingLine[]): Part => {
  const text = said.replace(lead, "");
  const named = placesIn(text, lines);
  if (isConditional(text)) return { text, kind: "condition", lines: named };
  if (/\bkeep\b/i.test(text) && named.length > 0) return { text, kind: "kept", lines: named };
  if (negated.test(text)) return { text, kind: "held", lines: named };
  if (drops.test(text)) return { text, kind: "drop", lines: dropMeant(text, lines) ?? [] };
  const meant = linesMeant(text, lines) ?? [];
  if (books.test(text) && meant.length > 0) return { text, kind: "book", lines: meant };
  return { text, kind: named.length > 0 && meant.length > 0 ? "named" : "beside", lines: named };
};

/** "It" is what the words before speak of; lines that follow an order belong to it. */
const joined = (parts: readonly Part[], lines: readonly WaitingLine[]): readonly Part[] => {
  const all: Part[] = [];
  let spoken: readonly WaitingLine[] = lines.length === 1 ? lines : [];
  for (const part of parts) {
    const before = all.at(-1);
    const isNamed = placesIn(part.text, lines).length > 0;
    const isIt = part.kind === "drop" && !isNamed && (pronoun.test(part.text) || bareDrop.test(part.text));
    const own = isIt ? spoken : part.lines;
    if (part.kind === "named" && (before?.kind === "book" || before?.kind === "drop")) {
      all[all.length - 1] = { ...before, lines: [...before.lines, ...part.lines] };
    } else {
      all.push({ ...part, lines: own });
    }
    if (own.length > 0) spoken = own;
  }
  return all;
};

const limitIn = (text: string): number | null => {
  const [, figure, thousands] = totalLimit.exec(text) ?? [];
  if (figure === undefined) return null;
  const value = Number(figure.replace(/[,.](?=\d{3}\b)/g, ""));
  return thousands === undefined ? value : value * 1000;
};

const linesOf = (parts: readonly Part[], kind: Part["kind"]): readonly WaitingLine[] => [
  ...new Set(parts.filter((part) => part.kind === kind).flatMap((part) => part.lines)),
];

const numbersOf = (lines: readonly WaitingLine[]): string => lines.map(({ place }) => place).join(" and ");

/** Proposed only where the limit of the total that the message sets is kept. */
const booking = (talk: Talk, which: Which, parts: readonly Part[], lines: readonly WaitingLine[]): Said | null => {
  const limits = parts.filter(({ kind }) => kind === "condition").map(({ text }) => limitIn(text));
  if (limits.includes(null)) return null;
  const total = lines.reduce((sum, { cost }) => sum + cost, 0);
  const least = Math.min(...limits.map((limit) => limit ?? 0));
  if (limits.length > 0 && total > least) {
    const words = `Lines ${numbersOf(lines)} come to ${totalOf(lines)}, above your limit of ${usd(least)}.`;
    return { outcome: "clarify", text: [words, "Nothing is booked.", ...lines.map((line) => line.words)].join("\n") };
  }
  const dropped = linesOf(parts, "drop");
  if ([...dropped, ...linesOf(parts, "held")].some((line) => lines.includes(line))) return null;
  const notes = limits.length > 0 ? [`Their total is within your limit of ${usd(least)}.`] : [];
  if (dropped.length > 0) return approveAndDrop(which.job, lines, dropped, notes.join("\n"));
  if (parts.some(({ kind }) => kind === "drop")) notes.push('To drop a line too, say "drop" and its number next.');
  const said = approve(talk, { ...which, text: `approve ${numbersOf(lines)}` });
  return { ...said, text: [...notes, said.text].join("\n") };
};

/**
 * An order beside a no, a doubt or another order: "no, drop 2", "approve 1, not sure about 2". Null where no order is
 * clear, or where the message takes it back.
 */
export const mixedOrder = (talk: Talk, which: Which): Said | null => {
  const lines = waitingLines(which.job);
  if (lines.length === 0 || /\?/.test(which.text)) return null;
  const said = withPlaces(which.text, lines).split(ends);
  const parts = joined(
    said.filter((part) => /[\p{L}\d]/u.test(part)).map((part) => partOf(part, lines)),
    lines,
  );
  const isTakenBack = parts
    .slice(parts.findLastIndex(({ kind }) => kind === "book" || kind === "drop"))
    .some(({ kind, text, lines: named }) => {
      const isReason = unwanted.test(text) && parts.some((part) => part.kind === "drop");
      return kind === "held" && named.length === 0 && !isReason;
    });
  const isDoubted = parts.some(
    ({ kind, text, lines: named }) => kind === "held" && named.length === 0 && !ownDoubt.test(text),
  );
  const isMore = parts.some(({ kind, text }) => kind === "beside" && text !== "" && !courtesy.test(text));
  if (isTakenBack || isDoubted || isMore) return null;
  const picked = linesOf(parts, "book");
  if (picked.length > 0) return booking(talk, which, parts, picked);
  const kept = linesOf(parts, "kept");
  const dropped = linesOf(parts, "drop").filter((line) => !kept.includes(line));
  if (dropped.length === 0 || parts.some(({ kind }) => kind === "condition")) return null;
  return dropLines(which.job, dropped);
};
