import { isOneOf } from "../../../talk/reader/word-lists.ts";
import { type Talk, type Spoken, tell, ask, clarify } from "../spoken.ts";
import { isOfDeal } from "../drafts.ts";
import {
  dealTopics,
  flightNames,
  idsIn,
  type Slots,
  openTopics,
  pick,
  sizeNames,
  type Topic,
  costOf,
  inCents,
} from "../memory.ts";
import { says } from "../requests.ts";
import {
  dealsNamed,
  each,
  ofEach,
  isCancelling,
  readChange,
  hasDeal,
  shown,
  stateOf,
  alsoOpen,
  waitingText,
  isRunning,
  waitingOf,
  ownTerms,
  ownDeals,
  waitingNames,
} from "./deals.ts";
import { namesOf } from "./discovery.ts";
import type { Entity } from "../../../talk/reader/entity.ts";
import { saidBy } from "../said.ts";
import { termsSaid } from "../terms.ts";
import type { Draft } from "../../../talk/gate/record.ts";
import { count, saleIn, money, asLines } from "../wording.ts";
import { boughtFor, resizeIn, shiftIn, resized, shifted } from "../figures.ts";

const saysAll = ({ request }: Talk): boolean => says(request, "both all them everything these those");

/** Of several ids, of "both" and "all" each deal that they mean, by its id; null where one is meant. */
const allMeant = (talk: Talk): readonly unknown[] | null => {
  const { said } = talk.request;
  const ids = dealsNamed(talk);
  if (ids.length > 1) return ids;
  const deals = dealTopics(talk.memory);
  const named = idsIn(said);
  const meant = named.length > 1 ? deals.filter(({ product }) => named.includes(product)) : deals;
  const isAll = named.length > 1 || (named.length === 0 && said.ids["deal_id"] === undefined && saysAll(talk));
  return isAll && meant.length > 0 ? meant.map(({ terms }) => terms["deal_id"]) : null;
};

const reason = "Asked for in a conversation.";

/** "Cancel it, reason: the client pulled the campaign" */
const reasonIn = ({ request: { scan } }: Talk): string | null =>
  /\breason(?: is)?\s*[:=-]?\s*([^\n]{3,200})/i.exec(scan.text)?.[1]?.trim() ?? null;

const noFees =
  "There are no cancellation fees or deadlines on record: a cancellation is requested, and the seller reviews it.";

/** What a cancellation would take; nothing is asked to be cancelled. */
export const cancelTerms = (talk: Talk): Promise<readonly Spoken[]> => ofEach(talk, allMeant(talk), termsOfCancelling);

const askingToCancel = ({ deal_id: id }: Slots, why: string | null = null): Draft => ({
  operation: "cancel_deal",
  input: { deal_id: id, reason: why ?? reason },
});

const termsOfCancelling = async (talk: Talk): Promise<Spoken> => {
  const told = hasDeal(talk)
    ? await shown(talk, (deal) => ({
        text:
          `${stateOf(deal)}${waitingText(deal)} ` +
          (isRunning(deal) ? noFees : "It is over: nothing can be cancelled there."),
        drafts: isRunning(deal) && !isCancelling(deal) ? [askingToCancel(deal)] : [],
      }))
    : null;
  return told === null || told.result === null
    ? tell("deals", `What is not booked expires by itself and costs nothing. ${noFees}`)
    : told;
};

/** Booked deals only; what is open and not booked is dropped. */
export const cancelDeals = async (talk: Talk): Promise<readonly Spoken[]> => {
  const ids = allMeant(talk);
  if (ids === null) return [await cancel(talk)];
  const told = await each(talk, ids, cancel);
  const open = openTopics(talk.memory);
  return open.length === 0 || !says(talk.request, "all everything") ? told : [...told, droppedOf(talk, open)];
};

export const changeDeals = (talk: Talk): Promise<readonly Spoken[]> => ofEach(talk, allMeant(talk), changeDeal);

const droppedOf = (talk: Talk, topics: readonly Topic[]): Spoken => {
  const dropped = topics.map(({ product }) => product);
  const text =
    `What is open of ${namesOf(talk, dropped)} is not booked, so there is nothing to cancel; ` +
    "a quote expires by itself." +
    alsoOpen(talk, topics);
  return tell("negotiation", text, { outcome: "rejected", dropped });
};

export const cancel = async (talk: Talk): Promise<Spoken> => {
  const products = idsIn(talk.request.said);
  const open = openTopics(talk.memory).filter(({ product }) => products.length === 0 || products.includes(product));
  const isBooked =
    hasDeal(talk) &&
    (products.length === 0 || dealTopics(talk.memory).some(({ product }) => products.includes(product)));
  const talked = talk.memory.topics.filter(
    ({ product, isOver, terms }) => !isOver && products.includes(product) && terms["deal_id"] == null,
  );
  const dropped = open.length > 0 ? open : talked;
  // "And cancel the other", of two of which one is booked: the open one.
  const isOther = says(talk.request, "other rest remaining") && dealTopics(talk.memory).length === 1;
  if (
    (!isBooked || (isOther && products.length === 0)) &&
    dropped.length > 0 &&
    talk.request.said.ids["deal_id"] === undefined &&
    !/\b(?:deal|booking|order)s?\b/i.test(talk.request.text)
  )
    return droppedOf(talk, dropped);
  return shown(talk, (deal) => {
    if (!isRunning(deal)) return { text: `${stateOf(deal)} Nothing can be cancelled there any more.` };
    if (isCancelling(deal)) return { text: `${stateOf(deal)}${waitingText(deal)}` };
    const said = reasonIn(talk);
    return {
      outcome: "clarify",
      text: `${stateOf(deal)}${said === null ? "" : ` Your reason goes with it: ${said}.`}`,
      drafts: [askingToCancel(deal, said)],
      asks: "Shall I request its cancellation?",
    };
  });
};

const withdrawal = ({ change_request_id: id }: Slots): Draft => ({
  operation: "withdraw_change_request",
  input: { cr_id: id, reason: "Taken back in a conversation." },
});

/** What a change comes to, in words. */
export const changeWords = ({ impressions, flight_start: start, flight_end: end }: Slots): string =>
  [
    typeof impressions === "number" ? `${count(impressions)} impressions` : null,
    typeof start === "string" ? `a start on ${start}` : null,
    typeof end === "string" ? `an end on ${end}` : null,
  ]
    .filter((words) => words !== null)
    .join(" and ");

const changeOf = (talk: Talk, deal: Slots): Slots => {
  const before = pick(deal["terms"] as Slots, sizeNames);
  const { cpm, impressions: booked } = saleIn(deal);
  const resize = resizeIn(talk.request);
  const shift = shiftIn(talk.request);
  // "The homepage deal (in April): extend the end to 25 April": April only tells which.
  const { said: heard } = talk.request;
  const isPeriod = ({ kind }: Entity): boolean => kind === "period";
  const sided = heard.entities.filter((one) => one.kind !== "period" || one.start === null || one.end === null);
  const { flight_start: start, flight_end: end } = before;
  const others = heard.entities.filter((one) => one.kind !== "period" || one.start !== start || one.end !== end);
  const telling = [sided, others].find((entities) => entities.some(isPeriod));
  const request =
    telling === undefined ? talk.request : { ...talk.request, said: { ...heard, flight: saidBy(telling).flight } };
  // "$1,000 more" is more than what the deal costs now.
  const cost = costOf(cpm, booked);
  const priced = cost === null ? before : { ...before, budget: inCents(cost) };
  const said = pick(termsSaid(request, talk.memory, priced), [...sizeNames, "budget"]);
  const grown =
    resize !== null && resize.by?.kind !== "money" && typeof before["impressions"] === "number"
      ? { impressions: resized(before["impressions"], resize) }
      : {};
  const moved =
    shift !== null && typeof start === "string" && typeof end === "string"
      ? shifted({ flight_start: start, flight_end: end }, shift)
      : {};
  const fitted =
    typeof said["budget"] === "number" && cpm > 0 && said["impressions"] === undefined
      ? { impressions: boughtFor(said["budget"], cpm) }
      : {};
  // "Could you make it 250" of 370,000.
  const [bare] = talk.request.said.numbers;
  const volume = before["impressions"];
  const isScaled =
    bare !== undefined && typeof volume === "number" && bare * 3000 >= volume && bare * 1000 <= volume * 3;
  const scaled = isScaled && said["impressions"] === undefined ? { impressions: bare * 1000 } : {};
  return differing({ ...scaled, ...fitted, ...pick(said, sizeNames), ...grown, ...moved }, before);
};

const differing = (wanted: Slots, before: Slots): Slots =>
  Object.fromEntries(Object.entries(wanted).filter(([name, value]) => before[name] !== value));

/** "What would 500k come to? And ask for that change." */
const askedChange = ({ memory, request: { text } }: Talk, deal: Slots): Slots =>
  /\b(?:that|this|the) change\b/i.test(text) ? differing(pick(memory.terms, sizeNames), deal["terms"] as Slots) : {};

const typeOf: Readonly<Record<string, string>> = {
  impressions: "impressions",
  flight_start: "flight_dates",
  flight_end: "flight_dates",
};

const changeDrafts = (deal: Slots, change: Slots): Required<Pick<Spoken, "drafts" | "next">> => {
  const about = { deal_id: deal["deal_id"], reason };
  const dates = pick(change, flightNames);
  const types = new Set(Object.keys(change).map((name) => typeOf[name]));
  // Only one change of a kind may wait.
  const older = waitingOf(deal).filter(({ change_type: type }) => types.has(String(type)));
  const wanted = [
    ...(change["impressions"] === undefined
      ? []
      : [{ operation: "change_deal", input: { ...about, impressions: change["impressions"] } }]),
    ...(Object.keys(dates).length === 0 ? [] : [{ operation: "reschedule_deal", input: { ...about, ...dates } }]),
  ];
  return older.length === 0 ? { drafts: wanted, next: [] } : { drafts: older.map(withdrawal), next: wanted };
};

const olderFirst = " One change of a kind can wait: the older one is taken back first.";

const toWhat = "To which first and last day, or to which volume, shall the deal change? A booked price stays as it is.";

/** What was shown before and not asked for yet: "and raise it to 1M as well". */
const shownChange = ({ open }: Talk, { deal_id: id }: Slots): Slots =>
  Object.assign(
    {},
    ...open
      .filter(({ operation, input }) => isOneOf(operation, "change_deal reschedule_deal") && input["deal_id"] === id)
      .map(({ input }) => pick(input, sizeNames)),
  ) as Slots;

/** A booked deal changes by a change request, which its option makes. */
const changeDeal = (talk: Talk): Promise<Spoken> =>
  shown(talk, (deal) => {
    if (!isRunning(deal)) return { text: `${stateOf(deal)} Nothing can be changed there any more.` };
    const change = { ...askedChange(talk, deal), ...shownChange(talk, deal), ...changeOf(talk, deal) };
    const words = changeWords(change);
    if (words === "")
      return { outcome: "clarify", text: `${stateOf(deal)}${waitingText(deal)} ${toWhat}`, reason: "missing_terms" };
    const sale = saleIn(deal);
    const cost = costOf(sale.cpm, change["impressions"]);
    const total =
      cost === null ? "" : ` At ${money(sale.cpm, sale.currency)} CPM that comes to ${money(cost, sale.currency)}.`;
    const { drafts, next } = changeDrafts(deal, change);
    const isWaiting = next.length > 0;
    return {
      outcome: "clarify",
      about: { ...ownTerms(deal), ...change },
      text:
        `${stateOf(deal)}${waitingText(deal)} Wanted: ${words}.${total}` +
        `${isWaiting ? olderFirst : drafts.length > 1 ? ' Say "both" to ask for both.' : ""}`,
      drafts,
      next,
      asks: isWaiting ? "Shall I take it back?" : "Shall I request the change?",
    };
  });

const nothingWaits = ({ request: { text } }: Talk): Spoken => {
  const isProposal = /\bproposal/i.test(text);
  const none = isProposal
    ? "No proposal of yours is open here: there is nothing to take back."
    : "No change request of yours waits for the seller: nothing can be taken back, and the deals stay as they are.";
  return tell(isProposal ? "proposals" : "deals", none, { reason: "nothing_open" });
};

/** "Scrap the volume cut": which of the requests that wait. */
const kindsNamed: readonly (readonly [RegExp, string])[] = [
  [/\bcancel/i, "cancellation"],
  [/\bvolume|\bimpressions\b/i, "impressions"],
  [/\bdates?\b|\bflight\b|\bmove\b|\bextension\b/i, "flight_dates"],
];

const proposalToWithdraw = (talk: Talk, proposal: string): Promise<Spoken> =>
  ask(talk, "proposals", "get_proposal", { proposal_id: proposal }, (output) => ({
    outcome: "clarify",
    drafts: [{ operation: "withdraw_proposal", input: { proposal_id: proposal } }],
    asks: "Shall I withdraw it?",
    text: `Proposal ${proposal} is ${String(output["status"])}.`,
  }));

const requestToWithdraw = async (talk: Talk, id: string): Promise<Spoken> => {
  const told = await readChange(talk, id);
  if (told.outcome === "refuse") return told;
  const drafts = [withdrawal({ change_request_id: id })];
  return { ...told, outcome: "clarify", drafts, asks: "Shall I take it back?" };
};

export const withdraw = async (talk: Talk): Promise<Spoken> => {
  const { ids } = talk.request.said;
  const proposal =
    ids["proposal_id"] ??
    (/\bproposal\b|\boffer\b/i.test(talk.request.text) ||
    (dealTopics(talk.memory).length === 0 && ids["cr_id"] === undefined)
      ? talk.memory.terms["proposal_id"]
      : undefined);
  if (typeof proposal === "string") return proposalToWithdraw(talk, proposal);
  if (/\bproposals?\b/i.test(talk.request.text) && ids["cr_id"] === undefined) return nothingWaits(talk);
  if (typeof ids["cr_id"] === "string") return requestToWithdraw(talk, ids["cr_id"]);
  const isPending = talk.open.some(isOfDeal);
  // What was shown and not requested is dropped; a request that was sent is another thing.
  const dropsShown = tell("deals", "Understood: it is not requested, and the deal stays as it is.", {
    outcome: "rejected",
    closes: ["cancel_deal", "change_deal", "reschedule_deal"],
  });
  if (isPending && ids["deal_id"] === undefined && !/\brequest/i.test(talk.request.text)) return dropsShown;
  const waiting = (await ownDeals(talk)).filter((deal) => waitingOf(deal).length > 0);
  const own = waiting.filter(({ deal_id: id }) => id === talk.memory.terms["deal_id"] || id === ids["deal_id"]);
  const deals = own.length > 0 ? own : waiting;
  const named = kindsNamed.find(([words]) => words.test(talk.request.text))?.[1];
  const drafts = deals
    .flatMap((deal) => waitingOf(deal).filter(({ change_type: type }) => named === undefined || type === named))
    .map(withdrawal);
  if (drafts.length === 0) return isPending ? dropsShown : nothingWaits(talk);
  const lines = deals.map((deal) => `${String(deal["deal_id"])}: ${waitingNames(deal)}`);
  return clarify("deals", asLines("These wait for the seller:", lines), {
    drafts,
    ...(drafts.length === 1 ? { asks: "Shall I take it back? The deal stays as it is." } : {}),
    result: { deals },
  });
};

/** What became of a change that was asked for. */
export const saidOfRequest = (dealId: string, what: string, change: Slots, output: Slots): Spoken => {
  const isDone = isOneOf(String(output["status"]), "approved applied");
  const state = isDone ? "It is done." : "The seller reviews it; until then the deal stays as it was.";
  const text = `Change request ${String(output["change_request_id"])}: ${what} of deal ID ${dealId}. ${state}`;
  return tell("deals", text, {
    outcome: isDone ? "accepted" : "pending",
    result: output,
    learnt: { ...(isDone ? change : {}), deal_id: dealId },
  });
};
