import { isConditional } from "../../../understanding/reading/clauses.ts";
import { plainConsent } from "../../../understanding/reading/consent.ts";

export type PartKind = "yes" | "no" | "question" | "order" | "doubt" | "courtesy" | "remark";

export interface Part {
  readonly text: string;
  readonly kind: PartKind;
}

const subject = "(?:it|this|that|these|those|they|there|the|i|we|you|my|our|all|both|any|anything|everything)";
const asked =
  "(?:(?:(?:until|since|from|by|at|in|on|to|for|with|after) )?(?:what|which|how|when|whom|whose|where)|" +
  "what's|whats|who|why|" +
  `(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|shall|should|may|might) ${subject})`;
const ordered =
  "(?:approve|book|buy|take|accept|confirm|order|reserve|purchase|cancel|drop|remove|withdraw|reject|delete|show|" +
  "list|compare|tell|explain|send|give|summari[sz]e)";
const linked = "(?:and|but|also|plus|then|so|or)(?: (?:also|then|please|just|by the way|btw))*,?";

/** A comma or an "and" parts a sentence only before a question, an "and" also before an order. */
const ends = new RegExp(
  "(?<=[.!?])\\s+|\\s*\\n\\s*|\\s*;\\s+|" +
    `(?:\\s*[,:–—]|\\s+-)\\s+(?:${linked}\\s+)?(?=${asked}\\b)|\\s+${linked}\\s+(?=${asked}\\b)|` +
    `\\s*,?\\s+(?:and|but|then)(?: (?:also|then|please))*\\s+(?=${ordered}\\b)|,\\s+(?:please\\s+)?(?=${ordered}\\b)`,
  "i",
);
/** "Yes what have I spent": the yes has no mark behind it. */
const agreed = new RegExp(`^\\W*((?:yes|yeah|yep|yup|no|nope|nah)(?: please| thanks)?)\\s+(?=${asked}\\b)`, "i");

const lead =
  /^\W*(?:(?:yes|yeah|yep|no|and|but|so|also|then|ok|okay|well|hm+|hi|hello|hey|please|oh|btw|sorry)\b\W*)*/i;
const asks = new RegExp(`^${asked}\\b`, "i");
const wishesToKnow = new RegExp(
  "^(?:(?:can|could|would|will) you (?:please )?)?(?:tell|show|explain|list|compare|summari[sz]e|remind|let (?:me|" +
    "us) know|(?:send|give|get|prepare)\\b.*\\b(?:list|summary|overview|report|recap|table))\\b|" +
    "^(?:(?:i|we) (?:want|need|would like|wish|'d like) to (?:know|see|understand)|(?:i|we) wonder)\\b",
  "i",
);
const orders = new RegExp(
  `^(?:(?:please|kindly|just|go ahead and|(?:can|could|would|will) you(?: please)?) )?${ordered}\\b`,
  "i",
);
const polite = /^(?:(?:can|could|would|will) you\b|(?:please|kindly)\b)/i;
const doubts = /\b(?:not|never|nor|unsure|cannot|maybe|perhaps|might|wait|hold)\b|n't\b/i;
const courtesy = new RegExp(
  "^(?:(?:hi|hello|hey|dear|thanks?|thank you|thx|cheers|great|good|fine|perfect|nice|ok|okay|alright|all right|" +
    "please|well|sorry|best|kind|regards|team|all|there|morning|afternoon|evening|very much|a lot|so much)\\b\\W*)+$",
  "i",
);

const kindOf = (said: string): PartKind => {
  const consent = plainConsent(said);
  if (consent !== null && ["yes", "book", "accept"].includes(consent.kind)) return "yes";
  if (consent?.kind === "cancel" && /^\W*(?:yes|yeah|yep|yup|sure)\b/i.test(said)) return "yes";
  if (consent !== null && ["no", "reject"].includes(consent.kind)) return "no";
  const text = said.replace(lead, "");
  if (text === "" || courtesy.test(text)) return "courtesy";
  const isOrder = orders.test(text);
  if (isConditional(text) && !asks.test(text)) return "doubt";
  if (wishesToKnow.test(text)) return "question";
  if (isOrder && (polite.test(text) || !/\?\W*$/.test(text))) return "order";
  if (/\?\W*$/.test(text) || asks.test(text)) return "question";
  return doubts.test(text) ? "doubt" : "remark";
};

/** "How do I pay? When?" */
const withFragments = (pieces: readonly string[]): readonly string[] => {
  const all: string[] = [];
  for (const piece of pieces) {
    const before = all.at(-1) ?? "";
    if (/^\W*(?:yes|yeah|yep|yup|sure)\W*$/i.test(before) && plainConsent(`${before}, ${piece}`) !== null) {
      all[all.length - 1] = `${before}, ${piece}`;
      continue;
    }
    const isHead = /^\W*(?:and )?(?:how|when|where|what|which|who|why)\W*$/i.test(before);
    if (isHead) {
      all[all.length - 1] = `${before} and ${piece}`;
      continue;
    }
    const isFragment = /^\W*(?:and |or )?\w+\?\W*$/.test(piece) && /\?\W*$/.test(before);
    if (isFragment) all[all.length - 1] = `${before} ${piece}`;
    else all.push(piece);
  }
  return all;
};

/** A message cut where another thing begins, each with what it is. */
export const partsOf = (text: string): readonly Part[] => {
  const [, head] = agreed.exec(text) ?? [];
  const pieces = head === undefined ? [text] : [head, text.replace(agreed, "")];
  return withFragments(pieces.flatMap((piece) => piece.split(ends)))
    .filter((piece) => /[\p{L}\d]/u.test(piece))
    .map((piece) => ({ text: piece.trim(), kind: kindOf(piece) }));
};

/** Something is asked, and nothing ordered or agreed. */
export const holdsQuestion = (text: string): boolean => {
  const kinds = partsOf(text).map(({ kind }) => kind);
  return kinds.includes("question") && !kinds.some((kind) => kind === "order" || kind === "yes");
};

/** Nothing in it states or orders anything. */
export const isAsking = (text: string): boolean => {
  const parts = partsOf(text).filter(({ kind }) => kind !== "courtesy");
  return parts.length > 0 && parts.every(({ kind }) => kind === "question");
};
