import { isQuestion } from "../reading/choice/mood.ts";
import { plainText } from "../reading/choice/spelling.ts";
import type { Slots } from "../reading/slots.ts";
import { changeWords } from "./change-talk.ts";
import { changeName, dealLine, isStanding, standingText, waitingNames } from "./deal-lines.ts";
import { quoteTerms, shortTerms } from "./shown-terms.ts";
import { ask, asLines, clarify, count, money, moment, type Skill, type Spoken, type Talk } from "./speech.ts";

const mostListed = 12;

const shownOf = (lines: readonly string[], all: number): readonly string[] => {
  const shown = lines.slice(0, mostListed);
  return all > shown.length ? [...shown, `and ${count(all - shown.length)} more`] : shown;
};

const dealsText = (output: Slots): string => {
  const deals = (output["deals"] ?? []) as readonly Slots[];
  if (deals.length === 0) return "You have no deals yet.";
  const standing = deals.filter(isStanding);
  const over = deals.length - standing.length;
  const more = over === 0 ? "" : `\n${count(over)} more ${over === 1 ? "is" : "are"} rejected or expired.`;
  const all = Number(output["total"] ?? deals.length) - over;
  const lines = shownOf(standing.map(dealLine), all);
  return `${asLines(`Your deals: ${standingText(standing)}.`, lines)}${more}`;
};

const listed = (talk: Talk, skill: Skill, name: string, text: (output: Slots) => string): Promise<Spoken> =>
  ask(talk, skill, { name, input: { limit: 200 } }, (output) => ({
    outcome: "answer",
    result: output,
    text: text(output),
  }));

const asksForRequests = /\bchange ?requests?\b|\b(?:pending|waiting|open) (?:changes?|cancel+ations?)\b/i;

const waitingIn = (output: Slots): readonly Slots[] =>
  ((output["deals"] ?? []) as readonly Slots[]).filter((deal) => waitingNames(deal) !== "");

const requestsText = (output: Slots): string => {
  const waiting = waitingIn(output);
  if (waiting.length === 0) return "No change request of yours waits for the seller.";
  const title = "The seller reviews these; until then the deals are as they were:";
  return asLines(title, shownOf(waiting.map(dealLine), waiting.length));
};

const asksIfDone = /\b(?:is|are|was|were|has|have|did)\b.{0,40}\b(?:submitted|requested|sent|made|filed|done)\b/;

const isAnswered = (text: string): boolean => {
  const plain = plainText(text);
  return isQuestion(plain) && asksIfDone.test(plain);
};

/** Shown again, so that the yes to it still holds. */
const notYet = ({ memory }: Talk): Spoken | null => {
  const { shown } = memory.life.context;
  const [offer, other] = shown;
  if (offer === undefined || other !== undefined || !(offer.kind === "change" || offer.kind === "cancellation"))
    return null;
  const what = offer.kind === "change" ? `the change to ${changeWords(offer.change ?? {})}` : "the cancellation";
  const text = `No, ${what} of deal ID ${offer.id} is not requested yet. Shall I request it?`;
  return { ...clarify("deals", text), offers: shown };
};

const requestId = /\bCR-[0-9A-F]{12}\b/i;

const decidedLine = ({ change_request_id: id, deal_id: dealId, change_type: type, status_text: text }: Slots): string =>
  `${String(id)}: ${changeName(type)} of deal ID ${String(dealId)}. ${String(text)}`;

/** One of them by its id, whatever became of it; null where the message names none. */
const namedRequest = (talk: Talk): Promise<Spoken> | null => {
  const id = requestId.exec(talk.text)?.[0].toUpperCase();
  if (id === undefined) return null;
  return ask(talk, "deals", { name: "get_change_request", input: { cr_id: id } }, (output) => ({
    outcome: "answer",
    result: output,
    text: `Change request ${decidedLine(output)} ${String(output["next_step"])}`,
  }));
};

const mostDecided = 3;

/** Where none waits, what became of the newest. */
const withDecided = async (talk: Talk, spoken: Spoken): Promise<Spoken> => {
  if (waitingIn((spoken.result ?? {}) as Slots).length > 0) return spoken;
  const found = await talk.context.call("list_change_requests", { limit: mostDecided });
  const output = found.kind === "done" ? (found.output as Slots) : {};
  const requests = (output["change_requests"] ?? []) as readonly Slots[];
  return requests.length === 0
    ? spoken
    : { ...spoken, text: asLines(`${spoken.text} The newest:`, requests.map(decidedLine)) };
};

export const myChanges = async (talk: Talk): Promise<Spoken> => {
  const named = namedRequest(talk);
  if (named !== null) return named;
  if (!isAnswered(talk.text)) return withDecided(talk, await listed(talk, "deals", "list_deals", requestsText));
  const { deal_id: id } = talk.memory.terms;
  const answer = (output: Slots): string => {
    const waiting = waitingIn(output);
    if (waiting.length === 0) return "";
    const isOfOther = typeof id === "string" && waiting.every((deal) => deal["deal_id"] !== id);
    return isOfOther ? `No change of deal ID ${id} waits. ` : "Yes. ";
  };
  return notYet(talk) ?? listed(talk, "deals", "list_deals", (output) => `${answer(output)}${requestsText(output)}`);
};

export const myDeals = (talk: Talk): Promise<Spoken> =>
  namedRequest(talk) ?? listed(talk, "deals", "list_deals", asksForRequests.test(talk.text) ? requestsText : dealsText);

const quotesText = (output: Slots): string => {
  const quotes = (output["quotes"] ?? []) as readonly Slots[];
  const open = quotes.filter(({ status }) => status === "available");
  const rest = quotes.length - open.length;
  const others = rest === 0 ? "" : `\n${count(rest)} more ${rest === 1 ? "is" : "are"} booked or over.`;
  if (quotes.length === 0) return "You have no quotes yet.";
  if (open.length === 0) return `None of your quotes is open.${others}`;
  const lines = open.map(
    (quote) =>
      `${String(quote["quote_id"])}: ${shortTerms(quoteTerms(quote))}; valid until ${moment(quote["expires_at"])}`,
  );
  return `${asLines("Your open quotes:", shownOf(lines, open.length))}${others}`;
};

export const myQuotes = (talk: Talk): Promise<Spoken> => listed(talk, "pricing", "list_quotes", quotesText);

export const myProposals = (talk: Talk): Promise<Spoken> =>
  listed(talk, "proposals", "list_proposals", (output) => {
    const proposals = (output["proposals"] ?? []) as readonly Slots[];
    const lines = proposals
      .slice(0, mostListed)
      .map(
        ({ proposal_id: id, status, price, currency }) =>
          `${String(id)} (${String(status)}): ${money(price, currency)} CPM`,
      );
    return proposals.length === 0 ? "You have no proposals yet." : `Your proposals: ${lines.join("; ")}.`;
  });

export const myNegotiations = (talk: Talk): Promise<Spoken> =>
  listed(talk, "negotiation", "list_negotiations", (output) => {
    const negotiations = (output["negotiations"] ?? []) as readonly Slots[];
    const lines = negotiations
      .slice(0, mostListed)
      .map(({ negotiation_id: id, status }) => `${String(id)} (${String(status)})`);
    return negotiations.length === 0 ? "You have no negotiations yet." : `Your negotiations: ${lines.join("; ")}.`;
  });
