import type { Slots } from "../reading/slots.ts";
import { dealLine, isStanding, standingText, waitingNames } from "./deal-lines.ts";
import { quoteTerms, shortTerms } from "./shown-terms.ts";
import { ask, asLines, count, money, moment, type Skill, type Spoken, type Talk } from "./speech.ts";

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

const requestsText = (output: Slots): string => {
  const deals = (output["deals"] ?? []) as readonly Slots[];
  const waiting = deals.filter((deal) => waitingNames(deal) !== "");
  if (waiting.length === 0) return "No change request of yours waits for the seller.";
  const title = "The seller reviews these; until then the deals are as they were:";
  return asLines(title, shownOf(waiting.map(dealLine), waiting.length));
};

export const myChanges = (talk: Talk): Promise<Spoken> => listed(talk, "deals", "list_deals", requestsText);

export const myDeals = (talk: Talk): Promise<Spoken> =>
  listed(talk, "deals", "list_deals", asksForRequests.test(talk.text) ? requestsText : dealsText);

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
