import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import type { Reading } from "../../talk/gate/read-context.ts";
import type { Draft, Option } from "../../talk/gate/record.ts";
import { type ModelReader, productsToTell } from "../../talk/model/model-reader.ts";
import { isConditional, isDoubtful, segmentsOf } from "../../talk/reader/cut.ts";
import { entitiesOf, readWith, take } from "../../talk/reader/entity.ts";
import { clientAt } from "../../talk/reader/titles.ts";
import { inYearOf, scanOf } from "../../talk/reader/entities.ts";
import type { ProductFinder } from "../../talk/reader/names/product-finder.ts";
import { answersToCall, requestsOfCalls, termsOfCall } from "./calls.ts";
import { commands, sellerPatterns } from "./commands.ts";
import type { Given } from "./given.ts";
import { compact, learnt } from "./learning.ts";
import {
  focusedOn,
  isReplaced,
  type Memory,
  openTopics,
  productIdsOf,
  type Row,
  type Slots,
  soleOf,
  type Topic,
} from "./memory.ts";
import { type Request, requestsOf, says } from "./requests.ts";
import { saidBy, scanOfSale } from "./said.ts";
import { longestWords, type Spoken, type Talk, toPerson } from "./spoken.ts";
import { inForce, without } from "./terms.ts";
import { formerMeant, isPlaces, recordOf, rowsMeant } from "./meant.ts";
import {
  binding,
  severalIn,
  needsDates,
  askAbout,
  named,
  isEnquiry,
  unheldIn,
  unreadOf,
  toldInFull,
  notesOf,
  isPassedOver,
  understoodAside,
} from "./asking.ts";
import { answerRows } from "./rows.ts";
import { groupsOf } from "./answers/plan.ts";
import { whichProduct } from "./answers/pricing.ts";
import { withOwnChanges } from "./own-changes.ts";
import { withPerson } from "./answers/talking.ts";

export interface Ears {
  readonly finder: ProductFinder;
  /** Null: the grammar alone reads. */
  readonly model: ModelReader | null;
}

/** One thing that was asked, answered. */
export interface Answered {
  readonly spoken: Spoken;
  readonly understood: Slots;
  readonly notUsed: readonly string[];
  /** A doubt, a condition that does not hold or words that were not read: nothing is asked for a yes. */
  readonly mayArm: boolean;
  /** False: a term of the message is held nowhere, so that "book it" may mean other terms. */
  readonly mayOrder: boolean;
  readonly command: string;
  readonly readBy: "grammar" | "model";
}

export interface Turn {
  readonly memory: Memory;
  readonly answers: readonly Answered[];
  readonly notes: readonly string[];
  /** The message orders a booking, whatever else it says. */
  readonly isOrdered: boolean;
}

/** A time beside them is none of a flight: "can I cancel it for free until March?" */
const timeless = words("cancel cancel_terms validity policy hand_over wait answered decision");

/** "2" where the last answer numbered the deals that may be meant. */
const chosen = (asked: Request, { choosing, rows }: Memory): Request => {
  const place = /^\W*(\d{1,2})\W*$/.exec(asked.scan.text)?.[1];
  const record = choosing === null || place === undefined ? null : rows[Number(place) - 1]?.record;
  if (choosing === null || record == null) return asked;
  return { ...asked, command: choosing, said: { ...saidBy([]), ids: { deal_id: record } } };
};

const ofAllProducts = words("all every everything each of them those these the your products product please just");

/** "All of them", asked which product is meant. */
const isOfAll = ({ scan }: Request, { asked, topics }: Memory): boolean =>
  isOneOf(asked ?? "", "price availability describe formats minimum rate_card list") &&
  topics.length === 0 &&
  scan.tokens.some(({ word }) => isOneOf(word, "all every everything each")) &&
  scan.tokens.every(({ kind, word }) => kind === "mark" || ofAllProducts.has(word));

/** Words that only mean a row of the last answer ask for it what was asked before. */
const asMeant = (asked: Request, memory: Memory, topic: Topic | undefined, isRow: boolean): Request => {
  // A flight that only tells which record is meant changes none.
  const isTelling =
    topic !== undefined && Object.keys(asked.said.flight).length > 0 && !isOneOf(asked.command, "change quote");
  const said = isTelling ? { ...asked.said, flight: {} } : asked.said;
  if (isRow && isPlaces(asked.text)) return { ...asked, said, command: "book" };
  if (!isRow && asked.command === "unknown" && isOfAll(asked, memory))
    return { ...asked, command: memory.asked === "formats" || memory.asked === "minimum" ? memory.asked : "rate_card" };
  if (!isRow || asked.command !== "unknown") return { ...asked, said };
  return { ...asked, said, command: asked.isQuestion ? "price" : (memory.asked ?? "price") };
};

const topicOfRow = (meant: readonly Row[] | null, { topics }: Memory): Topic | undefined => {
  const record = soleOf(meant ?? [])?.record;
  return record == null ? undefined : topics.find(({ terms }) => recordOf(terms) === record);
};

const talkOf = (
  context: Reading,
  { finder }: Ears,
  heard: Request,
  before: Memory,
  given: Slots,
  open: readonly Draft[],
): Talk => {
  const asked = chosen(heard, before);
  const meant = asked.said.products.length > 0 ? null : rowsMeant(asked, before);
  const former = before.rows.length > 1 ? null : formerMeant(asked, before);
  const topic = former ?? topicOfRow(meant, before);
  // A price without a product is for what is open, whatever was asked about since.
  const bargained =
    asked.command === "offer" && asked.said.products.length === 0 ? openTopics(before).at(-1) : undefined;
  const focus =
    topic ?? formerMeant(asked, before) ?? (bargained?.product === before.terms["product_id"] ? undefined : bargained);
  const memory = focus === undefined ? before : focusedOn(before, focus);
  const told = asMeant(asked, memory, topic, meant !== null);
  const request = former === null ? told : { ...told, command: "book" };
  const { ids, terms: found } = inForce(
    timeless.has(request.command)
      ? { ...request, said: { ...request.said, flight: {}, days: [], lengths: [] } }
      : request,
    memory,
    finder,
    meant,
  );
  // "Is it guaranteed?" asks for no guarantee.
  const terms =
    request.command === "deal_types" || request.command === "describe"
      ? { ...found, deal_type: memory.terms["deal_type"] }
      : found;
  const own = productIdsOf(given);
  // The price of an earlier offer is no price for other terms.
  const isPriced = request.said.price !== null || request.command === "offer" || request.command === "propose";
  const all = { ...(isPriced ? terms : without(terms, "target_cpm")), ...given };
  return {
    context,
    finder,
    memory,
    request,
    ids: own.length > 0 ? own : ids,
    terms: all,
    open,
    ...(topic === undefined ? {} : { meant: topic }),
  };
};

const answersTo = async (talk: Talk): Promise<readonly Spoken[]> =>
  (await answersOf(talk)).map((one) => withPerson(talk, one));

const answersOf = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { call } = talk.request;
  if (call !== undefined) return answersToCall(talk, call);
  const unclear = binding(talk.request, talk.memory);
  const several = severalIn(talk);
  if (several !== null && groupsOf(talk) === null) return [several];
  if (
    needsDates.has(talk.request.command) &&
    unclear.length > 0 &&
    talk.ids.length > 0 &&
    (Object.keys(talk.request.said.flight).length === 0 || talk.terms["impressions"] === undefined)
  )
    return [{ ...askAbout(unclear), about: talk.terms }];
  return (
    (await answerRows(talk)) ??
    [await (commands[talk.request.command] ?? commands["unknown"])?.answer(talk)]
      .flat()
      .filter((one) => one !== undefined)
  );
};

const withCommand = (requests: readonly Request[], command: string | null): readonly Request[] => {
  const [first] = requests;
  return command === null || first === undefined ? requests : [{ ...first, command }];
};

export interface Incoming {
  readonly text: string;
  readonly given: Given;
  readonly memory: Memory;
  readonly open: readonly Draft[];
  /** What is open, as it was shown. */
  readonly shown: readonly Option[];
  /** The same object for each attempt. */
  readonly message: object;
}

const mostRequests = 8;
const ordering = /\b(?:book|reserve|order)\b/i;

const scanned = (text: string, { finder }: Ears, nowMs: number, { sums, topics, terms }: Memory): Request["scan"] => {
  const scan = scanOfSale(text, finder, nowMs);
  readWith(scan, clientAt);
  const open = topics.flatMap(({ isOver, terms: { flight_start: start } }) => (isOver ? [] : (start ?? [])));
  inYearOf(scan, open, nowMs);
  // "90k for CTV" after a plan with $89,999.97 of it: money, where no volume of the talk is so large.
  const volumes = [terms, ...topics.map((topic) => topic.terms)].map(({ impressions }) => impressions);
  for (const one of entitiesOf(scan))
    if (one.kind === "volume" && one.isUnsure && !volumes.includes(one.value))
      if (sums.some((sum) => Math.abs(sum - one.value) < 1)) take(scan, { ...one, kind: "money", isUnsure: false });
  return scan;
};

const blank = (memory: Memory, command: string, scan: Request["scan"]): Request => ({
  command,
  said: saidBy([]),
  scan,
  parts: [],
  used: new Set(),
  text: "",
  isQuestion: false,
  isDoubtful: false,
  isConditional: false,
  isFollowUp: memory.asked !== null,
});

const requestsIn = async (
  context: Reading,
  { finder, model }: Ears,
  { given, memory: before, shown, message }: Incoming,
  scan: Request["scan"],
) => {
  const { nowMs } = context;
  const heard = requestsOf(scan, { patterns: sellerPatterns, finder }, before);
  const found = given.command === null ? await withOwnChanges(context, scan, heard, before) : heard;
  const reading =
    given.command === null
      ? ((await model?.({ message, scan, shown, finder, nowMs, told: productsToTell(scan, finder) })) ?? null)
      : null;
  if (reading !== null) {
    const isFollowUp = found.some((one) => one.isFollowUp);
    const ofModel = requestsOfCalls(reading, { ...blank(before, "answered", scan), isFollowUp }, { finder, nowMs });
    return { reading, asked: ofModel };
  }
  // "Yes, pass it on: Telemundo at 150k": all of it is for the person.
  const [first] = found;
  const isForPerson =
    first?.command === "hand_over" &&
    (before.isHandedOver || says(first, "pass forward") || shown.some(({ operation }) => operation === toPerson));
  if (isForPerson && given.command === null) return { reading, asked: [first] };
  const asked = withCommand(
    found.length > 0
      ? found
      : [blank(before, given.command ?? (Object.keys(given.terms).length > 0 ? "quote" : "greet"), scan)],
    given.command,
  );
  return { reading, asked };
};

/** Without what was dropped or replaced in this conversation: "drop the ROS" offers it no more. */
const standing = (open: readonly Draft[], memory: Memory): readonly Draft[] =>
  open.filter((draft) => !isReplaced(memory, draft));

/** A number of the buyer's papers is named and changes nothing. */
const papersIn = (scan: Request["scan"]): readonly string[] =>
  entitiesOf(scan).flatMap((one) => (one.kind === "reference" && one.value !== "" ? [one.value] : []));

const ofProducts: readonly (string | null)[] = ["discovery", "pricing"];

/** "What can I buy with 20,000, and what is the minimum?": a list answers which product is meant. */
const withoutQuestion = (answers: readonly Answered[]): readonly Answered[] => {
  const isAsking = ({ spoken }: Answered): boolean => spoken.text.startsWith(whichProduct);
  const isTold = answers.some(
    (one) => !isAsking(one) && ofProducts.includes(one.spoken.skill) && one.spoken.outcome !== "clarify",
  );
  if (!isTold) return answers;
  return answers.flatMap((one) => {
    if (!isAsking(one)) return [one];
    const text = one.spoken.text.slice(whichProduct.length).trim();
    return text === "" ? [] : [{ ...one, spoken: { ...one.spoken, text } }];
  });
};

/** Reads a message and answers what it asks, in order, each with the results of those before. */
export const answer = async (context: Reading, ears: Ears, incoming: Incoming): Promise<Turn> => {
  const { text, given, memory: before, open } = incoming;
  const scan = scanned(text, ears, context.nowMs, before);
  const { reading, asked } = await requestsIn(context, ears, incoming, scan);
  let memory = before;
  const answers: Answered[] = [];
  const made: Topic[] = [];
  // Also of sentences that ask nothing: "Cancel it? No, that would be foolish."
  const isSafe =
    reading?.doubt !== true &&
    segmentsOf(scan).every(
      (segment) => !isDoubtful(scan, segment) || (reading === null && isConditional(scan, segment)),
    );
  for (const [place, request] of asked.slice(0, mostRequests).entries()) {
    const slots = { ...termsOfCall(request), ...(place === 0 ? given.terms : {}) };
    const talk = talkOf(context, ears, request, memory, slots, standing(open, memory));
    const ofModel = place === 0 ? (reading?.unanswered ?? []) : [];
    const unread = reading === null ? named(unreadOf(request, talk.terms, memory), request) : ofModel;
    // A person gets the whole message.
    const notUsed = request.command === "hand_over" ? [] : unread;
    const papers = place === 0 ? papersIn(scan) : [];
    memory = talk.memory;
    const { spoken: spokenOf, who } = toldInFull(talk, await answersTo(talk));
    const unheld =
      request.command === "hand_over" ? [] : unheldIn(talk, spokenOf).filter((one) => !notUsed.includes(one));
    for (const spoken of spokenOf) {
      const { command } = talk.request;
      answers.push({
        spoken,
        understood: compact(spoken.about ?? (commands[command]?.isAside === true ? understoodAside(talk) : talk.terms)),
        notUsed: [...notUsed, ...unheld, ...papers, ...who],
        // A condition that the reply has judged is no doubt any more.
        mayArm:
          isSafe &&
          !isEnquiry(talk.request) &&
          (!request.isConditional || / hold(?:s)?: it is /.test(spoken.text)) &&
          command !== "unanswered" &&
          notUsed.length + unheld.length === 0,
        mayOrder: unheld.length === 0 && !isPassedOver(talk.request, spoken),
        command,
        readBy: reading === null ? "grammar" : "model",
      });
      memory = learnt(memory, talk, spoken, made);
      if (spoken.topic !== undefined) made.push(spoken.topic);
    }
  }
  const told = withoutQuestion(answers);
  const after = { ...memory, words: text.slice(0, longestWords) };
  return { memory: after, answers: told, notes: notesOf(text), isOrdered: isSafe && ordering.test(text) };
};

/** What is said of a deed, or of a message that needs no reading. */
export const spokenTurn = async (
  context: Reading,
  ears: Ears,
  memory: Memory,
  say: (talk: Talk) => Promise<readonly Spoken[]>,
): Promise<Turn> => {
  const scan = scanOf("", ears.finder, context.nowMs);
  const request = blank(memory, "taken", scan);
  const talk: Talk = {
    context,
    finder: ears.finder,
    memory,
    request,
    ids: productIdsOf(memory.terms),
    terms: memory.terms,
    open: [],
  };
  let after = memory;
  const answers: Answered[] = [];
  for (const spoken of await say(talk)) {
    answers.push({
      spoken,
      understood: compact(spoken.about ?? memory.terms),
      notUsed: [],
      mayArm: true,
      mayOrder: true,
      command: "taken",
      readBy: "grammar",
    });
    after = learnt(after, { ...talk, memory: after, terms: after.terms }, spoken);
  }
  const isQuoted = answers.some(({ spoken }) => spoken.outcome === "quoted");
  return { memory: { ...after, asked: isQuoted ? "quote" : memory.asked }, answers, notes: [], isOrdered: false };
};
