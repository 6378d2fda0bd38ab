import type { Reading } from "../../talk/gate/read-context.ts";
import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import { type Segment, segmentIn } from "../../talk/reader/cut.ts";
import type { Entity, Scan } from "../../talk/reader/entity.ts";
import { isRunning, ownDeals, waitingOf } from "./answers/deals.ts";
import { type Memory, openTopics, productIn, type Slots } from "./memory.ts";
import { type Request, says } from "./requests.ts";
import { entitiesWithin, saidBy } from "./said.ts";
import { saleIn, totalOf } from "./wording.ts";

const changing = `
  raise extend prolong lengthen shorten increase reduce cut lower decrease move shift push postpone change amend
  adjust bump boost top longer shorter later earlier more instead
`;
const owned = words("campaign campaigns deal deals booking bookings budget budgets");
const determiners = words("my our the both all existing two three each this these");

/** "My StrideLine pre-roll campaign", "both deals", "the CTV one": what is booked, and no plan. */
const namesOwn = ({ tokens, owners }: Scan): boolean =>
  owners.some((owner) => owner?.kind === "id" && owner.value.toUpperCase().startsWith("DEMO-")) ||
  tokens.some(({ word }, at) => {
    const isOne = word === "one" && owners[at - 1]?.kind === "product";
    const before = tokens.slice(Math.max(0, at - 8), at);
    return (isOne || owned.has(word)) && before.some((token) => determiners.has(token.word));
  });

const isTold = ({ kind }: Entity): boolean => isOneOf(kind, "period money volume percent length number day price");

const hasChange = ({ said }: Request): boolean => said.entities.some(isTold);

/** "Did you request its end on 3 April? If not, please do so." */
const asksWhether = (request: Request): boolean =>
  says(request, "did have") && says(request, "you") && says(request, "request requested ask asked");
const ifNot = ({ tokens }: Scan): boolean =>
  tokens.some(({ word }, at) => word === "if" && isOneOf(tokens[at + 1]?.word ?? "", "not you"));

/** "The CTV deal: budget 32,000". */
const isOfDeal = ({ scan, parts }: Request): boolean =>
  parts.some(({ from, to }) =>
    scan.tokens
      .slice(from, to)
      .some(({ word }, at) => isOneOf(word, "deal booking") && scan.owners[from + at - 1]?.kind === "product"),
  );

const isChange = (request: Request): boolean => {
  const { command, isQuestion, said } = request;
  if (command === "change") return said.ids["quote_id"] === undefined;
  if (!hasChange(request) || says(request, "quote quotes another")) return false;
  if (isOneOf(command, "deals spend")) return !isQuestion && says(request, changing);
  // "Add 2,000 dollars to the budget"; "add 500k native" is a product more.
  const isAdded = says(request, "add") && said.products.length === 0;
  return (
    isOneOf(command, "plan quote price") && (says(request, changing) || isAdded || (!isQuestion && isOfDeal(request)))
  );
};

/** "It's deal DEMO-…" only tells which. */
const namesOnly =
  /^(?:and |so )?(?:it's|it is|its|that's|that is|this is) (?:about |for )?(?:the |our |my )?(?:\w+ )?\S+$/i;

/** "We have two deals (CTV and Pre-Roll, 7-27 March)", "And DEMO-…: end 3 April only": beside a change part of it. */
const isPart = (request: Request): boolean => {
  const { command, said, isQuestion } = request;
  if (command === "status" && !isQuestion && namesOnly.test(request.text.trim())) return true;
  if (command === "status") return hasChange(request) && (!isQuestion || asksWhether(request));
  return !isQuestion && command === "book" && says(request, "have") && said.volumes.length + said.allIds.length === 0;
};

interface Piece extends Segment {
  readonly names: readonly string[];
  readonly isOfAll: boolean;
}

const dealsNamedIn = (scan: Scan, piece: Pick<Segment, "from" | "to">): readonly string[] =>
  entitiesWithin(scan, [piece]).flatMap((one) =>
    one.kind === "product" && !one.isExcluded ? one.ids : one.kind === "id" ? [one.value.toUpperCase()] : [],
  );

/** Cut where another deal is named: "raise the CTV one by 2,000 dollars, leave the Pre-Roll budget as is". */
const piecesOf = (scan: Scan, segments: readonly Segment[]): readonly Piece[] => {
  const pieces: Piece[] = [];
  let names: readonly string[] = [];
  for (const segment of segments) {
    let from = segment.from;
    const close = (to: number): void => {
      const piece = { from, to };
      const own = dealsNamedIn(scan, piece);
      const isOfAll = scan.tokens
        .slice(from, to)
        .some(
          ({ word }, place) =>
            isOneOf(word, "both all each") ||
            (isOneOf(word, "two three") && owned.has(scan.tokens[from + place + 1]?.word ?? "")),
        );
      if (own.length > 0) names = own;
      pieces.push({ ...segmentIn(scan, from, to, segment.hasMark ? "?" : "", false), names, isOfAll });
      from = to;
    };
    for (let at = segment.from + 1; at < segment.to; at += 1) {
      const isJoint = scan.owners[at] === undefined && isOneOf(scan.tokens[at]?.word ?? "", "and but , ;");
      if (!isJoint) continue;
      const [ahead, next] = [
        entitiesWithin(scan, [{ from, to: at }]),
        dealsNamedIn(scan, { from: at, to: segment.to }),
      ];
      if (next.length > 0 && ahead.some(isTold)) close(at);
    }
    close(segment.to);
  }
  return pieces;
};

const dealIdOf = (deal: Slots): string => String(deal["deal_id"]);

const isNamedBy = (deal: Slots, names: readonly string[]): boolean =>
  names.includes(dealIdOf(deal)) || names.includes(productIn(deal));

/** Of "Brand: StrideLine; PO 4711" the names. */
const notesOf = ({ notes }: Slots): readonly string[] =>
  typeof notes === "string" ? notes.split("; ").map((note) => note.split(": ").at(-1) ?? note) : [];

/** Those of the client that the words name, where they name one. */
const ofClient = (deals: readonly Slots[], text: string): readonly Slots[] => {
  const named = deals.filter((deal) => notesOf(deal).some((note) => note.length > 2 && text.includes(note)));
  return named.length > 0 ? named : deals;
};

/** "The January campaign: extend it to 14 February": beside a change a month that holds the flight only tells which. */
const tells = ({ tokens }: Scan, one: Entity, deal: Slots): boolean => {
  const { start, end } = saleIn(deal);
  if (one.kind !== "period" || one.start === null || one.end === null) return false;
  const isSame = one.start === start && one.end === end;
  const isMonth = tokens.slice(one.from, one.to).every(({ kind, text }) => kind !== "number" || text.length === 4);
  return isSame || (isMonth && one.start <= start && one.end >= (end ?? start));
};

/** "Raise it by 5,000", of 666,666 impressions that cost $15,000: a sum. */
const asMoney = (one: Entity, deal: Slots): Entity => {
  const sale = saleIn(deal);
  const total = totalOf(sale);
  if (one.kind !== "volume" || !one.isUnsure || total === null) return one;
  return one.value <= 1.5 * total && one.value * 10 < (sale.impressions ?? 0) ? { ...one, kind: "money" } : one;
};

const leftAsIs = "existing unchanged everything else same current remaining two three";

const requestFor = (scan: Scan, base: Request, deal: Slots, pieces: readonly Piece[], used: ReadonlySet<number>) => {
  const own = pieces.filter(({ names, isOfAll }) => isOfAll || names.length === 0 || isNamedBy(deal, names));
  const all = entitiesWithin(scan, own)
    .filter((one) => one.kind !== "product" && one.kind !== "id")
    .map((one) => asMoney(one, deal));
  const others = all.filter((one) => !tells(scan, one, deal));
  const entities = others.some(isTold) ? others : all;
  const text = own.map((piece) => piece.text).join(" ");
  return {
    ...base,
    command: "change",
    said: { ...saidBy(entities, scan), ids: { deal_id: dealIdOf(deal) }, allIds: [dealIdOf(deal)] },
    parts: own,
    text,
    used,
    isQuestion: own.some(({ isQuestion }) => isQuestion),
    isFollowUp: false,
  };
};

/** Null where the words leave open which of several deals they mean. */
const dealsMeant = (scan: Scan, all: readonly Slots[], pieces: readonly Piece[]): readonly Slots[] | null => {
  const names = [...new Set(pieces.flatMap((piece) => piece.names))];
  const isAll = pieces.some(({ isOfAll }) => isOfAll);
  // "One campaign more, like our CTV deal, with native": what has no deal is ordered anew.
  const isBooked = (one: Entity): boolean =>
    one.kind !== "product" || one.isExcluded || all.some((deal) => one.ids.includes(productIn(deal)));
  if (!entitiesWithin(scan, pieces).every(isBooked)) return null;
  const isOfEach = pieces.some((piece) => piece.isOfAll && piece.names.length === 0);
  const fitting = ofClient(
    names.length === 0 || isOfEach ? all : all.filter((deal) => isNamedBy(deal, names)),
    scan.text,
  );
  const isEachOnce = names.every((name) => fitting.filter((deal) => isNamedBy(deal, [name])).length < 2);
  const timed = isEachOnce
    ? fitting
    : fitting.filter((deal) => entitiesWithin(scan, pieces).some((one) => tells(scan, one, deal)));
  const isOne = timed.length === 1 || (names.length > 0 && isEachOnce);
  const placeOf = (deal: Slots): number => names.findIndex((name) => isNamedBy(deal, [name]));
  return timed.length > 0 && (isOne || isAll) ? timed.toSorted((one, other) => placeOf(one) - placeOf(other)) : null;
};

/** "Is the cancellation through? And what did it cost?" asks for no price of a product. */
const withCancelling = (requests: readonly Request[]): readonly Request[] =>
  requests.map((request, at) => {
    const { command, said } = request;
    const isIt =
      command === "price" && said.products.length === 0 && says(request, "did does") && says(request, "it that");
    const isCancelled = requests
      .slice(0, at)
      .some((one) => says(one, "cancel cancelled canceled cancelling cancellation"));
    return isIt && isCancelled ? { ...request, command: "cancel_terms" } : request;
  });

/**
 * Of a caller with booked deals a message that changes what is his is a change of each deal that it names, and no new
 * order: "For my pre-roll campaign, please raise the budget by 5,000 and extend it to 14 February".
 */
export const withOwnChanges = async (
  context: Reading,
  scan: Scan,
  heard: readonly Request[],
  memory: Memory,
): Promise<readonly Request[]> => {
  const requests = withCancelling(heard);
  const isAsked = requests.some((one) => isChange(one) || (one.command === "status" && asksWhether(one)));
  if (!isAsked || openTopics(memory).length > 0 || !namesOwn(scan)) return requests;
  const taken = requests.filter((one) => isChange(one) || isPart(one));
  const [first] = taken;
  if (first === undefined || !taken.some(hasChange)) return requests;
  const running = (await ownDeals({ context })).filter(isRunning);
  const pieces = piecesOf(
    scan,
    taken.flatMap(({ parts }) => parts),
  );
  const deals = dealsMeant(scan, running, pieces);
  if (deals === null) return requests;
  // What is asked for already is told, and not asked for again.
  if (taken.every(asksWhether) && !(ifNot(scan) && deals.every((deal) => waitingOf(deal).length === 0)))
    return requests;
  const notes = deals.flatMap(notesOf).join(" ").split(" ");
  const isKnown = ({ text, word }: Scan["tokens"][number]): boolean => notes.includes(text) || isOneOf(word, leftAsIs);
  const known = scan.tokens.flatMap((token, at) => (isKnown(token) ? [at] : []));
  const used = new Set([...known, ...taken.flatMap((one) => [...one.used])]);
  const changes = deals
    .map((deal) => requestFor(scan, first, deal, pieces, used))
    .filter(({ said }) => said.entities.some(isTold) || deals.length === 1);
  return requests.flatMap((one) => (one === first ? changes : taken.includes(one) ? [] : [one]));
};
