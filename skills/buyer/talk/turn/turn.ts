import type { Draft } from "../../../talk/gate/record.ts";
import { dropped } from "../consent.ts";
import { keptJob } from "../jobs/meant/which.ts";
import { withCampaigns } from "../record.ts";
import { isAskedToStart, isDone, kindOf, type Said, spokenOf, type Talk } from "../talk.ts";
import { type Part, partsOf } from "./parts.ts";

export type Hear = (talk: Talk, text: string) => Promise<Said>;

const mostParts = 6;

/** Money spent before, what is left, other campaigns, how to go on: none of the terms that wait for a yes. */
const besideTerms = new RegExp(
  "\\b(?:spent|(?:have|did|had) (?:i|we)\\b.*\\b(?:spend|book|booked|buy|bought|pay|paid)|is booked)\\b|" +
    "\\b(?:budget|money)\\b.*\\b(?:left|remain(?:s|ing)?|unspent)\\b|\\b(?:left|remains) of (?:the|my|our) budget\\b|" +
    "\\b(?:what|which|other|all|both|how many)\\b.*\\b(?:campaigns|jobs)\\b|" +
    "\\bnext steps?\\b|\\bwhat\\b.*\\bnext\\b(?! (?:week|month|quarter|year))|" +
    "\\bhow (?:do|can|will|shall) (?:i|we) pay\\b|\\binvoices?\\b",
  "i",
);
const ofTerms = new RegExp(
  "\\b(?:it|its|this|that|these|those|them|they|lines?|ones?|price|cpm|totals?|fees?|cost|days?|dates?|deals?|if|why|" +
    "not|no|never|should|really|sure|wait)\\b|n't\\b",
  "i",
);
/** "Ok" before a question opens a sentence as often as it agrees. */
const isWeak = /^\W*(?:ok|okay|k|kk|alright|all right|fine|well)\b[\s.,!]*$/i;

/** Asked behind a yes, it asks whether the yes was heard. */
const asksDone = new RegExp(
  "^\\W*(?:(?:and|so|then|ok)\\W+)*(?:is|was) (?:it|that|this|all|everything) (?:now |then )?(?:cancell?ed|" +
    "done|booked|dropped|finished|gone|over)(?: now| then)?\\W*$",
  "i",
);

const isFree = ({ kind, text }: Part): boolean =>
  kind === "question" && (asksDone.test(text) || (besideTerms.test(text) && !ofTerms.test(text)));

/** As the conversation stands when the first part is answered. */
export const after = (talk: Talk, said: Said): Talk => {
  const { memory } = talk;
  const named = said.understood?.["job_id"];
  const own = typeof named === "string" ? { id: named, isOwn: true } : memory.job;
  const isStarted = said.outcome === "started";
  const campaigns = withCampaigns(memory, spokenOf(said));
  const brief = isStarted ? null : memory.brief;
  const asked = isDone(said) ? null : talk.asked;
  return { ...talk, asked, memory: { ...memory, brief, job: said.job ?? own, campaigns } };
};

const isUnheard = ({ outcome, notUsed = [] }: Said, text: string): boolean =>
  outcome === "clarify" && notUsed[0] === text;

/** Each part as if it were the whole message, by what the parts before it spoke of. */
export const heardEach = async (talk: Talk, texts: readonly string[], hear: Hear): Promise<readonly Said[]> => {
  const all: Said[] = [];
  let now = talk;
  for (const text of texts) {
    const said = await hear({ ...now, text }, text);
    const isUnknown = isUnheard(said, text);
    all.push(isUnknown ? { outcome: "clarify", text: `I have no answer to "${text}".`, notUsed: [text] } : said);
    if (!isUnknown) now = after(now, said);
  }
  return all;
};

const strongest: readonly Said["outcome"][] = ["booked", "cancelled", "started", "refuse", "clarify", "answer"];

/** A yes takes one thing: of several that are proposed the first one is open. */
export const joined = (parts: readonly Said[]): Said => {
  const shown = parts.find(({ draft }) => draft !== undefined);
  const others = parts.filter((said) => said.draft === undefined || said === shown);
  const isCut = others.length < parts.length;
  const texts = [...new Set(others.filter((said) => said !== shown).map(({ text }) => text))];
  const cut = isCut ? ["One thing for each yes: say the other order again next."] : [];
  const result = others.findLast((said) => said.result !== undefined)?.result;
  const of = (outcome: Said["outcome"]): boolean => others.some((said) => said.outcome === outcome);
  const outcome = shown === undefined || others.some(isDone) ? (strongest.find(of) ?? "answer") : shown.outcome;
  const brief = others.findLast((said) => said.brief !== undefined)?.brief;
  const job = others.findLast((said) => said.job !== undefined)?.job;
  const about = others.flatMap(spokenOf);
  return {
    outcome,
    text: [...texts, ...cut, ...(shown === undefined ? [] : [shown.text])].join("\n\n"),
    understood: Object.assign({}, ...others.map(({ understood = {} }) => understood)) as Record<string, unknown>,
    notUsed: others.flatMap(({ notUsed = [] }) => notUsed),
    ...(result === undefined ? {} : { result }),
    ...(shown?.draft === undefined ? {} : { draft: shown.draft }),
    ...(brief === undefined ? {} : { brief }),
    ...(job === undefined ? {} : { job }),
    about,
  };
};

const idsOf = ({ input }: Draft): readonly unknown[] => {
  const ids = input["recommendation_ids"] ?? input["reject"];
  return Array.isArray(ids) ? ids : [];
};

/** "Yes, and drop the display one": it is dropped only after the others are booked, and is none of them. */
const isApart = (asked: Draft, { draft }: Said): boolean =>
  kindOf(asked) === "book" &&
  draft !== undefined &&
  kindOf(draft) === "drop" &&
  draft.input["job_id"] === asked.input["job_id"] &&
  idsOf(draft).length > 0 &&
  !idsOf(draft).some((id) => idsOf(asked).includes(id));

/** A yes beside questions about other things, or beside an order about other lines: each by itself. Null: none. */
export const yesIn = async (talk: Talk, text: string, hear: Hear) => {
  const parts = partsOf(text).filter(({ kind }) => kind !== "courtesy");
  const agreed = parts.filter(({ kind }) => kind === "yes");
  const others = parts.filter(({ kind }) => kind === "question" || kind === "order");
  const ordered = others.filter(({ kind }) => kind === "order");
  const isPlain = agreed.length + others.length === parts.length && agreed.some((part) => !isWeak.test(part.text));
  if (talk.asked === null || others.length === 0 || ordered.length > 1 || !isPlain) return null;
  if (!others.every((part) => part.kind === "order" || isFree(part))) return null;
  const [order] = ordered;
  if (order !== undefined && !isApart(talk.asked, await hear({ ...talk, text: order.text }, order.text))) return null;
  return { done: agreed.map((part) => part.text).join(". "), rest: others.map((part) => part.text) };
};

/** Orders side by side are read as one: "book 1, drop 2". */
const withOneOrder = (parts: readonly Part[]): readonly Part[] => {
  const all: Part[] = [];
  for (const part of parts) {
    const before = all.at(-1);
    const isMore = part.kind === "order" && before?.kind === "order";
    if (isMore) all[all.length - 1] = { ...part, text: `${before.text.replace(/[.,;\s]+$/, "")} and ${part.text}` };
    else all.push(part);
  }
  return all;
};

/** "No not that one, I mean Spring Push": what is meant is said of the part behind it. */
const saysMeant = /\b(?:i|we) (?:mean|meant)\b/i;

/** What neither asks nor orders is said of the part behind it, else of the one before. */
const gathered = (parts: readonly Part[]): readonly Part[] => {
  const all: Part[] = [];
  let waiting = "";
  for (const [at, part] of parts.entries()) {
    const isBefore = (part.kind === "no" || part.kind === "doubt") && parts[at + 1]?.kind === "question";
    const meant = isBefore ? part.text.search(saysMeant) : -1;
    if (meant >= 0) {
      waiting = `${waiting}${part.text.slice(meant)} `;
      continue;
    }
    if (part.kind === "remark" || part.kind === "courtesy") {
      waiting = `${waiting}${part.text} `;
      continue;
    }
    all.push({ ...part, text: `${waiting}${part.text}` });
    waiting = "";
  }
  const last = all.at(-1);
  if (last !== undefined && waiting !== "") all[all.length - 1] = { ...last, text: `${last.text} ${waiting.trim()}` };
  return all;
};

/** "We'll have line 2" orders without a verb of orders. */
const withOrders = async (talk: Talk, parts: readonly Part[], hear: Hear): Promise<readonly Part[]> => {
  const all: Part[] = [];
  for (const part of parts) {
    const said = part.kind === "remark" ? await hear({ ...talk, text: part.text }, part.text) : null;
    all.push(said?.draft === undefined ? part : { ...part, kind: "order" });
  }
  return all;
};

/** Several questions, questions beside one order, or behind a no; all else is one thing. */
const inTurn = async (talk: Talk, parts: readonly Part[], hear: Hear): Promise<Said | null> => {
  const asked = parts.filter(({ kind }) => kind === "question");
  const ordered = parts.filter(({ kind }) => kind === "order");
  const refused = parts.filter(({ kind }) => kind === "no");
  const doubted = ordered.length === 0 ? parts.filter(({ kind }) => kind === "doubt") : [];
  const isPlain = asked.length + ordered.length + refused.length + doubted.length === parts.length;
  if (!isPlain || asked.length === 0 || ordered.length > 1 || parts.length < 2) return null;
  const texts = parts.filter(({ kind }) => kind === "question" || kind === "order").map(({ text }) => text);
  const heard = await heardEach(talk, texts, hear);
  if (heard.every((said, at) => isUnheard(said, texts[at] ?? ""))) return null;
  const isHeld = refused.length > 0 && talk.asked !== null && heard.every(({ draft }) => draft === undefined);
  const isUndone = doubted.length > 0 && !isHeld && heard.every(({ draft }) => draft === undefined);
  const undone: Said = { outcome: "answer", text: "Nothing is booked, dropped or cancelled by this message." };
  return joined([...(isHeld ? [await dropped(talk)] : []), ...heard, ...(isUndone ? [undone] : [])]);
};

/** "No, not that campaign. Cancel deal D-2": the order behind the no is what is meant, and only proposes. */
const corrected = async (talk: Talk, parts: readonly Part[], hear: Hear): Promise<Said | null> => {
  const [first, ...others] = parts;
  const last = others.at(-1);
  const isMeant = others.slice(0, -1).every(({ kind, text }) => kind === "courtesy" || /^\W*not\b/i.test(text));
  if (first?.kind !== "no" || last?.kind !== "order" || !isMeant) return null;
  const said = await hear({ ...talk, text: last.text }, last.text);
  return said.draft === undefined ? null : said;
};

/** Null where the message is one thing. Of a brief that is asked about all parts are read at once. */
export const inParts = async (talk: Talk, text: string, hear: Hear): Promise<Said | null> => {
  const parts = partsOf(text);
  if (parts.length < 2 || parts.length > mostParts) return null;
  const { brief, isOfBrief: wasOfBrief } = talk.memory;
  const mayBeBrief = keptJob(talk) === null && (brief !== null || /\d/.test(text));
  const isOfBrief = isAskedToStart(talk) || mayBeBrief || wasOfBrief;
  if (isOfBrief) return null;
  if (keptJob(talk) === null) {
    const said = await inTurn(
      talk,
      parts.filter(({ kind }) => kind === "question" || kind === "no"),
      hear,
    );
    return said?.outcome === "answer" ? said : null;
  }
  const merged = withOneOrder(await withOrders(talk, parts, hear));
  return (await corrected(talk, merged, hear)) ?? inTurn(talk, gathered(merged), hear);
};
