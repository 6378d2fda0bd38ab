import type { Offer } from "../../../machines/conversation/machine.ts";
import type { Slots } from "../reading/slots.ts";
import { changedFrom } from "../terms.ts";
import { anyOf } from "../reading/any-of.ts";
import { isConditional } from "../reading/clauses.ts";
import { isQuestion } from "../reading/choice/mood.ts";
import { plainText } from "../reading/choice/spelling.ts";
import { isRunning, waitingText } from "./deal-lines.ts";
import { meansAll } from "../asides.ts";
import { dealTopics, focusedOn } from "../topics.ts";
import { wishOf } from "../wishes.ts";
import { dealMeant } from "./own-deal.ts";
import { asksToTakeBack, newTotal, takeBack, waitingOf } from "./requests-talk.ts";
import { digestOf, quoteTerms, termsText, totalOf } from "./shown-terms.ts";
import { ask, clarify, count, money, pick, type Spoken, type Talk } from "./speech.ts";

/** The figures of a change that is only asked for are not those of the deal. */
const ownTerms = (output: Slots): Slots => ({
  product_id: (output["product"] as Slots)["product_id"],
  deal_id: output["deal_id"],
  deal_type: output["deal_type"],
  quote_id: output["quote_id"] ?? null,
  proposal_id: output["proposal_id"] ?? null,
  negotiation_id: null,
  ...pick(output["terms"] as Slots, ["impressions", "flight_start", "flight_end"]),
});

const noTerms: Slots = {};

interface Asked {
  readonly change: Slots;
  /** Requests of the same kind that wait: only one of a kind may. */
  readonly requests?: readonly string[];
  readonly question: string;
}

const shownDeal = async (
  talk: Talk,
  kind: "cancellation" | "change",
  changeOf: (deal: Slots, output: Slots) => Asked,
): Promise<Spoken> => {
  const id = await dealMeant(talk);
  if (typeof id !== "string") return id;
  return ask(talk, "deals", { name: "get_deal", input: { deal_id: id } }, (output) => {
    const state = `Deal ID ${id} (${String(output["status"])}): ${termsText(quoteTerms(output))}.`;
    if (!isRunning(output)) {
      const what = kind === "change" ? "changed" : "cancelled";
      const text = `${state} ${String(output["status_text"])} Nothing can be ${what} there any more.`;
      return { outcome: "answer", result: output, learnt: ownTerms(output), text };
    }
    const { change, requests = [], question } = changeOf((output["terms"] ?? noTerms) as Slots, output);
    const asked = requests.length > 0 ? { ...change, requests } : change;
    const offer = { kind, id, digest: digestOf(output), change: kind === "change" ? asked : null };
    const isNothing = kind === "change" && Object.keys(change).length === 0;
    return {
      outcome: "clarify",
      result: output,
      about: { ...talk.memory.terms, ...change },
      learnt: ownTerms(output),
      ...(isNothing ? {} : { offers: [offer] }),
      text: `${state}${waitingText(output)} ${question}`,
    };
  });
};

const asksForTerms =
  /\b(?:free|fees?|costs?|charged?|charges|penalt\w+|polic\w+|deadlines?|until|late|notice|conditions?|happens?)\b/i;

const noFees =
  "I have no cancellation fees or deadlines on record: a cancellation is requested, and the seller reviews it. " +
  "Nothing is requested by this question; ask for a person to have the conditions confirmed.";

/** Where no one deal is meant. */
const inGeneral =
  "What is not booked expires by itself and costs nothing. Once a deal is booked, a cancellation can be requested " +
  `while it runs. ${noFees}`;

const asksIfPossible =
  /\b(?:can|could|may) (?:i|we|it|they|deals?|bookings?)\b|\bif (?:i|we)\b|\bwhat if\b|\bpossible\b/i;

const isCancelling = (output: Slots): boolean =>
  ((output["changes_waiting"] ?? []) as readonly Slots[]).some(({ change_type: type }) => type === "cancellation");

const withoutOffer = ({ offers: _none, ...told }: Spoken): Spoken => ({
  ...told,
  outcome: told.outcome === "clarify" && told.result !== null ? "answer" : told.outcome,
  text: told.text.trim(),
});

/** What a cancellation would cost; nothing is asked to be cancelled. */
export const cancelTerms = async (talk: Talk): Promise<Spoken> => {
  const told = withoutOffer(await shownDeal(talk, "cancellation", () => ({ change: noTerms, question: noFees })));
  return told.outcome === "clarify" ? { ...told, outcome: "answer", text: inGeneral } : told;
};

export const cancelQuestion = 'Shall I request its cancellation? Say "yes, cancel" to do it.';

/** No order to cancel, though it names one. */
const noOrder = anyOf(
  /\bcancel\w*\b[^]*(?:[?.!,…]\s*(?:(?:ha)+\W+)?no\b(?! longer)|\b(?:don'?t|do not) agree\b|\b(?:kidding|joking)\b)/i,
  /\bcancel\w* (?:my|our|the|your) (?:\w+ )?(?:subscription|newsletter|account|membership|meeting|call)\b/i,
);

const isNoOrder = (text: string): boolean =>
  noOrder.test(text) || (isConditional(text) && !isQuestion(plainText(text)));

const notOrdered = "Nothing is cancelled or requested by this message; tell me plainly if it shall be cancelled.";

/** A deal is cancelled only after its terms were shown and a yes followed. */
export const cancelDeal = async (talk: Talk): Promise<Spoken> => {
  if (isNoOrder(talk.text))
    return withoutOffer(await shownDeal(talk, "cancellation", () => ({ change: noTerms, question: notOrdered })));
  if (isQuestion(plainText(talk.text)) && asksForTerms.test(talk.text)) return cancelTerms(talk);
  const shown = await shownDeal(talk, "cancellation", (_, output) => ({
    change: noTerms,
    question: isCancelling(output) ? "" : cancelQuestion,
  }));
  const isAsked = isQuestion(plainText(talk.text)) && asksIfPossible.test(talk.text);
  if (shown.result === null && shown.outcome === "clarify" && isAsked) return cancelTerms(talk);
  return shown.offers !== undefined && isCancelling(shown.result as Slots) ? withoutOffer(shown) : shown;
};

const changeable = ["impressions", "flight_start", "flight_end"];

export const changeWords = ({ impressions, flight_start: start, flight_end: end }: Slots): string =>
  [
    typeof impressions === "number" ? `${count(impressions)} impressions` : null,
    typeof start === "string" ? `a start on ${start}` : null,
    typeof end === "string" ? `an end on ${end}` : null,
  ]
    .filter((words) => words !== null)
    .join(" and ");

const changeQuestion = (change: Slots): string => `Shall I request the change to ${changeWords(change)}?`;

const typeOf: Readonly<Record<string, string>> = {
  impressions: "impressions",
  flight_start: "flight_dates",
  flight_end: "flight_dates",
};

const askedOf = (change: Slots, output: Slots): Asked => {
  const words = changeWords(change);
  if (words === "") return { change, question: toWhat };
  const types = new Set<unknown>(Object.keys(change).map((name) => typeOf[name]));
  const requests = waitingOf(output).flatMap(({ id, type }) => (types.has(type) ? [id] : []));
  const terms = quoteTerms(output);
  const total = change["impressions"] === undefined ? null : totalOf({ ...terms, impressions: change["impressions"] });
  const [cpm, sum] = [terms.cpm, total].map((value) => money(value, terms.currency));
  const cost = total === null ? "" : `At ${cpm} CPM that comes to ${sum}. `;
  if (requests.length === 0) return { change, question: `${cost}${changeQuestion(change)}` };
  const instead = `Shall I take back ${requests.join(" and ")} and request the change to ${words} instead?`;
  return { change, requests, question: `${cost}${instead}` };
};

const toWhat = "To which first and last day, or to which volume, shall the deal change?";

const wantsTotal = /\btotal\b|\bcome to\b|\bcosts?\b/i;

const changeOne = (talk: Talk, named: Slots): Promise<Spoken> =>
  shownDeal(talk, "change", (deal, output) => {
    const wanted = Object.entries({ ...changedFrom(deal, talk.heard), ...named });
    return askedOf(Object.fromEntries(wanted.filter(([name, value]) => deal[name] !== value)), output);
  });

/** "Move both to March". */
const changeAll = async (talk: Talk, named: Slots): Promise<readonly Spoken[]> => {
  const told: Spoken[] = [];
  for (const topic of dealTopics(talk.memory)) {
    const one = await changeOne({ ...talk, memory: focusedOn(talk.memory, topic) }, named);
    told.push({ ...one, about: { ...topic.terms, product_id: topic.product } });
  }
  const last = told.at(-1);
  const isSeveral = told.flatMap(({ offers = [] }) => offers).length > 1;
  return last === undefined || !isSeveral ? told : [...told.slice(0, -1), { ...last, text: `${last.text} ${sayBoth}` }];
};

const sayBoth = 'Say "all" to request each of these changes.';

/** A booked deal changes by a change request only, after a yes. */
export const changeDeal = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { heard, memory, text } = talk;
  const said = pick(heard.slots, changeable);
  const isNew = Object.keys(said).length > 0 || heard.resize !== null || heard.shift !== null;
  const named = isNew ? said : pick(wishOf(memory) ?? noTerms, changeable);
  if (!isNew && Object.keys(named).length === 0) {
    const told = wantsTotal.test(text) ? await newTotal(talk) : null;
    return [told ?? clarify("deals", toWhat)];
  }
  const isOfAll = isNew && meansAll(text) && dealTopics(memory).length > 1;
  return isOfAll ? changeAll(talk, named) : [await changeOne(talk, named)];
};

/** What was asked about a deal, with its terms. */
export const dealAsked = (talk: Talk, { kind, id, change }: Offer): Promise<Spoken> => {
  const of = { ...talk, memory: { ...talk.memory, terms: { deal_id: id } } };
  const wanted = change ?? noTerms;
  return kind === "cancellation"
    ? shownDeal(of, "cancellation", () => ({ change: noTerms, question: cancelQuestion }))
    : shownDeal(of, "change", (_, output) => askedOf(pick(wanted, changeable), output));
};

export const withdrawProposal = (talk: Talk): Promise<Spoken> | Spoken => {
  const { proposal_id: id } = talk.memory.terms;
  const isNamed = talk.heard.slots["proposal_id"] !== undefined || /\bproposal\b/i.test(talk.text);
  if (!isNamed && (talk.memory.terms["deal_id"] !== undefined || asksToTakeBack(talk.text))) return takeBack(talk);
  if (typeof id !== "string") return clarify("proposals", "Which proposal shall be withdrawn? Give its id.");
  return ask(talk, "proposals", { name: "get_proposal", input: { proposal_id: id } }, (output) => ({
    outcome: "clarify",
    result: output,
    offers: [{ kind: "withdrawal", id, digest: digestOf(output), change: null }],
    text: `Proposal ${id} is ${String(output["status"])}. Shall I withdraw it?`,
  }));
};

export const saidOfRequest =
  (dealId: string, what: string, change: Slots) =>
  (output: Slots): Omit<Spoken, "skill"> => {
    const isDone = output["status"] === "approved" || output["status"] === "applied";
    const state = isDone ? "It is done." : "The seller reviews it; until then the deal stays as it was.";
    const id = String(output["change_request_id"]);
    return {
      outcome: isDone ? "accepted" : "pending",
      result: output,
      ...(isDone ? { learnt: change } : {}),
      text: `Change request ${id}: ${what} of deal ID ${dealId}. ${state}`,
    };
  };
