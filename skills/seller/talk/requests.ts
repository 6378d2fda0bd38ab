import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import { isConditional, isDoubtful, isWish, type Segment, segmentsOf } from "../../talk/reader/cut.ts";
import { type Entity, type Scan, take } from "../../talk/reader/entity.ts";
import type { ProductFinder } from "../../talk/reader/names/product-finder.ts";
import { matchesIn, type Patterns } from "../../talk/reader/patterns.ts";
import type { ModelCall } from "../../talk/model/model-reader.ts";
import { type Allocation, allocationIn } from "./allocation.ts";
import {
  type Draftable,
  type Drafting,
  asksNothing,
  asksForIt,
  isBare,
  isMentioned,
  isMore,
  isRefusedOrder,
  withPart,
  isSaidAgain,
  isSaidBeside,
  recaps,
  sayAgain,
  selling,
  takesMore,
  usedIn,
  usedInAll,
} from "./drafting.ts";
import { type Memory, openTopics, productIdsOf } from "./memory.ts";
import { isCheck, withoutTerms } from "./checks.ts";
import { entitiesWithin, hasTerms, type Said, saidBy, withoutKept } from "./said.ts";
import { isAskedFor, recordKindsIn, wishesIn } from "./wishes.ts";
import {
  type Part,
  isFollowUp,
  boosted,
  commandOf,
  hasEntities,
  noCommand,
  ofTerms,
  refusesQuote,
} from "./weighing.ts";

/** One thing that a message asks for. */
export interface Request {
  readonly command: string;
  readonly said: Said;
  readonly scan: Scan;
  readonly parts: readonly Segment[];
  /** Tokens that the command's own words cover. */
  readonly used: ReadonlySet<number>;
  readonly text: string;
  readonly isQuestion: boolean;
  /** A condition, a negation, a wish for later: no order stands beside it. */
  readonly isDoubtful: boolean;
  readonly isConditional: boolean;
  /** Goes on with what was asked before: "and native?", "instead", "same dates". */
  readonly isFollowUp: boolean;
  /** Read by a model. */
  readonly call?: ModelCall;
  /** Of a plan: who gets how much. */
  readonly allocation?: Allocation;
  /** Of a table: the lines that are a product each; what stands around them is for all of them. */
  readonly lines?: readonly Segment[];
}

interface Phrases {
  readonly patterns: Patterns;
  readonly finder: ProductFinder;
}

/** They are said beside a request and are none. */
const small = words("greet thanks");
const empty: ReadonlySet<number> = new Set();

/** "Only 20k? We need 600k": the size said last is meant, where one product is talked about. */
const latest = (scan: Scan, segments: readonly Segment[]): readonly Entity[] => {
  const all = entitiesWithin(scan, segments);
  if (segments.length < 2 || all.filter(({ kind }) => kind === "product").length > 1) return all;
  const last = segments.findLast((segment) => entitiesWithin(scan, [segment]).some(({ kind }) => kind === "volume"));
  // "300k 5-18 April; 900k 7-27 June" are two flights.
  const isDated = (segment: Segment): boolean =>
    ["volume", "period"].every((kind) => entitiesWithin(scan, [segment]).some((one) => one.kind === kind));
  if (last === undefined || segments.filter(isDated).length > 1) return all;
  return all.filter((one) => one.kind !== "volume" || one.from >= last.from);
};

const requestOf = (scan: Scan, { command, parts, used }: Draftable): Request => {
  const segments = parts.map(({ segment }) => segment);
  const [first] = segments;
  return {
    command,
    said: saidBy(withoutKept(scan, command, latest(scan, segments)), scan),
    scan,
    parts: segments,
    used,
    text: segments.map(({ text }) => text).join(" "),
    isQuestion: segments.some(({ isQuestion }) => isQuestion),
    isDoubtful: segments.some((segment) => isDoubtful(scan, segment)),
    isConditional: segments.some((segment) => isConditional(scan, segment)),
    isFollowUp: first !== undefined && isFollowUp(first),
  };
};

const surely = 9;

const partsOf = (scan: Scan, { patterns, finder }: Phrases, memory: Memory): readonly Part[] => {
  const partOf = (segment: Segment): Part => ({
    segment,
    said: saidBy(entitiesWithin(scan, [segment]), scan),
    matches: matchesIn(patterns, scan, segment, finder.spelt),
  });
  const isTalkedAbout = memory.topics.length > 0;
  return segmentsOf(scan)
    .filter(({ from, to }) => scan.owners.slice(from, to).some((owner) => owner?.kind !== "quoted"))
    .flatMap((segment): readonly Part[] => {
      const used = new Set(scan.tokens.keys());
      const lists = recordKindsIn(scan, segment).map((command) => ({ command, score: surely, used }));
      if (lists.length > 0) return lists.map((list) => ({ segment, said: saidBy([]), matches: [list] }));
      if (!isTalkedAbout || !isCheck(scan, segment)) return wishesIn(scan, segment, partOf, memory).map(partOf);
      withoutTerms(scan, segment);
      return [{ ...partOf(segment), matches: [{ command: "status", score: surely, used }] }];
    });
};

/** Answered without terms: "300k rewarded in August. What is its spec?" asks for a quote as well. */
const termless = words(`
  policy hand_over thanks withhold formats describe deal_types cancel_terms activation packages media_kit validity
`);
/** So are they where terms may be for what is open: "No, 400k and June. What's the total?" */
const termlessBeside = words("spend summary status negotiations quotes");

const isSale = ({ said }: Part): boolean => said.volumes.length > 0;

/** "Do 5M then, and the other 1M as ROS": the size ahead is for the product in force. */
const isAnother = ({ waiting }: Drafting, part: Part, memory: Memory): boolean =>
  isSale(part) &&
  part.said.products.length > 0 &&
  productIdsOf(memory.terms).length === 1 &&
  waiting.some(isSale) &&
  waiting.every(({ said }) => said.products.length === 0);

/** Terms said ahead belong to the first request, unless it has its own. */
const addRequest = (drafting: Drafting, part: Part, command: string, memory: Memory): void => {
  const { found, waiting } = drafting;
  const isTermless = termless.has(command) || (termlessBeside.has(command) && openTopics(memory).length > 0);
  const takesTerms =
    waiting.length > 0 &&
    !(isTermless && waiting.some(({ said }) => hasTerms(said))) &&
    !isAnother(drafting, part, memory) &&
    (!hasTerms(part.said) ||
      part.said.products.length === 0 ||
      waiting.every(({ said }) => said.products.length === 0));
  if (waiting.length > 0 && !takesTerms) found.push(ofWaiting(drafting, memory));
  found.push({ command, parts: takesTerms ? [...waiting, part] : [part], used: usedIn(part) });
  drafting.waiting = [];
};

/** "Quote native. 2M in May.": what follows without a request belongs to the one before, where that lacks it. */
const addTerms = (drafting: Drafting, part: Part, isRow: boolean, memory: Memory): void => {
  const { found, waiting } = drafting;
  const last = found.at(-1);
  const isNext = last !== undefined && waiting.length === 0;
  const isHeader =
    isNext &&
    selling.has(last.command) &&
    (last.isHeader === true || last.parts.every(({ said }) => said.products.length === 0 && said.unsold === null));
  if (isHeader && (isRow || part.said.products.length > 0)) {
    last.parts.push(part);
    last.isHeader = true;
  } else if (isNext && part.said.products.length === 0 && takesMore(last, part)) last.parts.push(part);
  else {
    if (isAnother(drafting, part, memory)) {
      found.push(ofWaiting(drafting, memory));
      drafting.waiting = [];
    }
    drafting.waiting.push(part);
  }
};

/** A greeting, or words that ask nothing known. */
const ofSmallTalk = (scan: Scan, parts: readonly Part[], memory: Memory): readonly Draftable[] => {
  const smalls = parts.map((part) => ({ part, command: commandOf(scan, part, memory).command }));
  const best = smalls.find(({ command }) => command !== null) ?? smalls[0];
  return best === undefined ? [] : [{ command: best.command ?? "unknown", parts: [...parts], used: usedIn(best.part) }];
};

const ofTable = [...words("quote book propose offer plan price availability compare")];
/** Said around a table, and answered for itself. */
const besideTable = words("policy hand_over formats deals quotes discounts");

/** A list of products with terms of their own, with prose around it: one request, a line each. */
const tableIn = (scan: Scan, parts: readonly Part[], memory: Memory, isRow: (part: Part) => boolean) => {
  const sure = parts.filter((part) => part.segment.isLine && isRow(part));
  const [first, last] = [sure[0], sure.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  // A line between them with a volume and no product of ours keeps its place.
  const isBetween = ({ segment, said }: Part): boolean =>
    segment.isLine && said.volumes.length > 0 && segment.from > first.segment.from && segment.to <= last.segment.to;
  const rows = parts.filter((part) => sure.includes(part) || isBetween(part));
  const prose = parts
    .filter((part) => !rows.includes(part))
    .map((part) => ({ part, command: commandOf(scan, part, memory).command }));
  const beside = prose.filter(({ command }) => command !== null && besideTable.has(command));
  const around = prose.filter((one) => !beside.includes(one));
  const isAsked = (name: string): boolean =>
    around.some(
      ({ command, part: { segment } }) => command === name && !/^(?:subject|re|fwd?)\s*:/i.test(segment.text),
    );
  const wanted = ofTable.find(isAsked) ?? "quote";
  const command = isOneOf(wanted, "price availability compare") ? wanted : "quote";
  const all = parts.filter((part) => !beside.some((one) => one.part === part));
  const draft = { command, parts: all, used: usedInAll(all) };
  const table = { ...requestOf(scan, draft), isFollowUp: false, lines: rows.map(({ segment }) => segment) };
  const rest = beside.map(({ part, command: own }) =>
    requestOf(scan, { command: own ?? "unknown", parts: [part], used: usedIn(part) }),
  );
  return [table, ...rest];
};

/** Wishes that none of the requests took. */
const unheardOf = (scan: Scan, parts: readonly Part[], taken: readonly Part[]): readonly Draftable[] => {
  const heard = new Set(taken);
  const wished =
    heard.size === 0
      ? []
      : parts.filter(
          (part) =>
            !heard.has(part) &&
            ![asksForIt, refusesQuote].some((words) => words.test(part.segment.text)) &&
            isAskedFor(scan, part.segment),
        );
  return wished.map((part) => ({ command: "unanswered", parts: [part], used: empty }));
};

const aboutProducts = words("availability price describe formats minimum discounts deal_types quote");

/** "What is the viewability of pre-roll, and is June free?": the product is said once, and so are its days. */
const withProducts = (requests: readonly Request[]): readonly Request[] => {
  let last: Pick<Said, "products" | "flight"> = { products: [], flight: {} };
  return requests.map((request, at) => {
    // "From when on are there volume discounts, and how much, say for native?"
    if (request.command === "discounts" && last.products.length === 0) last = requests[at + 1]?.said ?? last;
    const { said, command } = request;
    const isBare = said.products.length === 0 && said.unsold === null && said.allIds.length === 0;
    if (!isBare) last = said;
    if (!isBare || last.products.length === 0 || !aboutProducts.has(command) || says(request, "three all"))
      return request;
    const flight = Object.keys(said.flight).length > 0 ? said.flight : last.flight;
    return { ...request, said: { ...said, products: last.products, flight } };
  });
};

/** "Book it, and put Acme as the advertiser": the booking carries it. */
const isOnlyNoted = ({ said, segment }: Part, before: Draftable | undefined): boolean =>
  said.notes.length > 0 &&
  before !== undefined &&
  selling.has(before.command) &&
  (!segment.isQuestion ||
    isWish(segment.text) ||
    /^\W*(?:put|add|set|record|note|include|write)\b/i.test(segment.text)) &&
  said.entities.every(({ kind }) => kind === "reference");

/** Cuts a message, finds what each part asks, and gives terms without a request to the next that has none. */
export const requestsOf = (scan: Scan, table: Phrases, memory: Memory): readonly Request[] => {
  const parts = partsOf(scan, table, memory);
  const drafting: Drafting = { found: [], waiting: [], replaced: [] };
  const { found } = drafting;
  const isRow = (part: Part): boolean =>
    part.said.products.length > 0 &&
    hasTerms(part.said) &&
    (part.segment.isLine || boosted(scan, part, memory).every(({ score }) => score < 2.5));
  const isTable = parts.filter(isRow).length > 1;
  const isSized = ({ segment, said }: Part): boolean =>
    segment.isLine && said.volumes.length > 0 && !said.isVolumeUnsure;
  const whole = parts.some((part) => isSized(part) && isRow(part)) ? tableIn(scan, parts, memory, isRow) : null;
  if (whole !== null) return whole;
  for (const part of parts) {
    const row = isTable && isRow(part);
    const isTerms = row || (parts.length > 1 && (recaps.test(part.segment.text) || isOnlyNoted(part, found.at(-1))));
    const { command, score } = isTerms ? noCommand : commandOf(scan, part, memory);
    // "Our national audience", "a display of fireworks": no product is talked about, unless it was before.
    if (command === null ? isMentioned(scan, part) : remarks.has(command))
      for (const one of part.said.products)
        if (one.isEveryday && !openTopics(memory).some(({ product }) => one.ids.includes(product)))
          take(scan, { kind: "reference", value: "", from: one.from, to: one.to });
    const isSmall = command !== null && small.has(command) && score < 2;
    const header = found.at(-1);
    // "Please price all three.", behind the lines of a list.
    if (command !== null && header?.isHeader === true && selling.has(command) && isBare(part))
      found[found.length - 1] = { ...header, command };
    // "I don't want a second booking. I want it to run until 14 May": what follows is no order.
    else if (command !== null && parts.length > 1 && isRefusedOrder(scan, { command, parts: [part] }))
      drafting.replaced.push(part);
    // "Go ahead and book it", "15% off 25 is 21.25. Can you do 21.25?"
    else if (command !== null && isSaidAgain(drafting, command, part)) sayAgain(drafting, command, part);
    else if (header !== undefined && drafting.waiting.length === 0 && isMore(header, command, part))
      found[found.length - 1] = withPart(header, part);
    else if (command !== null && !isSmall) addRequest(drafting, part, command, memory);
    else if (hasEntities(part) && !(parts.length > 1 && asksNothing(part))) addTerms(drafting, part, row, memory);
    else if (isSmall && parts.length === 1) found.push({ command, parts: [part], used: empty });
  }
  if (drafting.waiting.length > 0) found.push(ofWaiting(drafting, memory));
  found.push(...unheardOf(scan, parts, [...found.flatMap((draft) => draft.parts), ...drafting.replaced]));
  const asked = found.filter(
    (draft) => !small.has(draft.command ?? "") && !isSaidBeside(draft, found) && !isRefusedOrder(scan, draft),
  );
  const drafts = asked.length > 0 ? asked : found.length > 0 ? found.slice(0, 1) : ofSmallTalk(scan, parts, memory);
  return planned(scan, drafts, memory) ?? withProducts(drafts.map((one) => requestOf(scan, one)));
};

const isSized = ({ products, volumes, percents, budget }: Said): boolean =>
  products.length > 1 && (volumes.length > 1 || percents.length > 0 || budget !== null);
const isLookedUp = ({ command, parts }: Draftable): boolean =>
  looking.has(command) && parts.some(({ segment }) => segment.isQuestion);

/** "How many impressions is that each, at what CPM?": a plan tells it. */
const isTold = ({ command, parts }: Draftable): boolean =>
  parts.every(isBare) &&
  (isOneOf(command, "quote price") ||
    (command === "unanswered" && parts.every(({ segment }) => /\b(?:impressions|imps|cpm)\b/i.test(segment.text))));

const figures = words("product money volume percent number");
const dealing = words("book accept offer propose hand_over withhold validity policy");
const looking = words("price compare availability rank list describe spend summary");

/** "12k pre-roll, 9k each for the others": all that a message says of sums is one plan. */
const planned = (scan: Scan, drafts: readonly Draftable[], memory: Memory): readonly Request[] | null => {
  const all = drafts.filter(({ parts }) =>
    entitiesWithin(
      scan,
      parts.map(({ segment }) => segment),
    ).some(({ kind }) => figures.has(kind)),
  );
  // "Is pre-roll free for 2M? If so, split it: 20k on homepage, 25k on pre-roll": the plan has its own sums.
  const plans = all.filter(({ command, parts }) => command === "plan" && parts.some(({ said }) => isSized(said)));
  const of = plans.length > 0 && all.some(isLookedUp) ? plans : all;
  const parts = of.flatMap((one) => one.parts);
  const isAsked = parts.some(({ segment }) => segment.isQuestion) && of.some(({ command }) => looking.has(command));
  if (of.length === 0) return null;
  const allocation = allocationIn(
    scan,
    parts.map(({ segment }) => segment),
    memory,
  );
  const isPlan = allocation !== null && (allocation.isMove || allocation.total !== null);
  if (
    allocation === null ||
    (isAsked && !allocation.isMove) ||
    (!isPlan && of.some(({ command }) => dealing.has(command)))
  )
    return null;
  const draft = { command: "plan", parts, used: new Set(of.flatMap(({ used }) => [...used])) };
  const plan = { ...requestOf(scan, draft), allocation };
  return drafts
    .filter((one) => (!of.includes(one) || one === of[0]) && !isTold(one))
    .map((one) => (one === of[0] ? plan : requestOf(scan, one)));
};

const remarks = words("targeting policy thanks greet wait hand_over withhold");

const ofWaiting = ({ found, waiting: parts }: Drafting, before: Memory): Draftable => {
  // "Which sizes for ROS, and which for the homepage?"
  const isSame = found.at(-1)?.command === "formats" && parts.every(({ segment }) => segment.isQuestion);
  const asked = isSame ? "formats" : found.findLast(({ command }) => selling.has(command))?.command;
  const memory = { ...before, asked: asked ?? before.asked };
  const said = saidBy(parts.flatMap((part) => part.said.entities));
  const [first] = parts;
  const all: Part = {
    segment: {
      ...(first?.segment as Segment),
      text: parts.map(({ segment }) => segment.text).join(" "),
      isQuestion: parts.some(({ segment }) => segment.isQuestion),
      hasMark: parts.some(({ segment }) => segment.hasMark),
    },
    said,
    matches: [],
  };
  return { command: ofTerms(all, memory) ?? "unknown", parts, used: usedInAll(parts) };
};

/** Words of a quotation or a date are none of the request's own. */
export const says = ({ scan, parts }: Request, list: string): boolean =>
  parts.some(({ from, to }) =>
    scan.tokens
      .slice(from, to)
      .some(
        ({ word }, at) =>
          !isOneOf(scan.owners[from + at]?.kind ?? "", "quoted period deadline vague") && isOneOf(word, list),
      ),
  );
