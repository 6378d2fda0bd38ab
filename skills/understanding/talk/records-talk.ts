import type { Slots } from "../reading/slots.ts";
import { activationState, waitingNames, waitingText } from "./deal-talk.ts";
import { quoteTerms, showOpen, termsText } from "./shown-terms.ts";
import { ask, clarify, count, money, type Skill, type Spoken, type Talk } from "./speech.ts";

const mostListed = 20;

const totalsText = (deals: readonly Slots[]): string => {
  const sums = new Map<string, number>();
  for (const deal of deals) {
    const { cpm, impressions, currency } = quoteTerms(deal);
    if (typeof impressions !== "number") continue;
    const code = String(currency);
    sums.set(code, (sums.get(code) ?? 0) + (Number(cpm) * impressions) / 1000);
  }
  return [...sums].map(([code, sum]) => `${money(sum, code)} (${code})`).join(" and ");
};

const isOver = ({ status }: Slots): boolean => status === "rejected" || status === "expired";

const waitingShort = (deal: Slots): string => {
  const names = waitingNames(deal);
  return names === "" ? "" : `, requested and not done yet: ${names}`;
};

const dealsText = (output: Slots): string => {
  const deals = (output["deals"] ?? []) as readonly Slots[];
  if (deals.length === 0) return "You have no deals yet.";
  const all = Number(output["total"] ?? deals.length);
  const lines = deals
    .slice(0, mostListed)
    .map(
      (deal) =>
        `${String(deal["deal_id"])} (${String(deal["status"])}): ${termsText(quoteTerms(deal))}${waitingShort(deal)}`,
    );
  const standing = deals.filter((deal) => !isOver(deal));
  const total = all > deals.length ? "" : totalsText(standing);
  const more = all > mostListed ? `; and ${count(all - mostListed)} more` : "";
  return (
    `Your deals: ${lines.join("; ")}${more}. ` +
    `That is ${count(standing.length)} standing${total === "" ? "" : `, ${total} in total`}.`
  );
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
  const waiting = deals.filter((deal) => waitingText(deal) !== "");
  if (waiting.length === 0) return "No change request of yours waits for the seller.";
  const lines = waiting.slice(0, mostListed).map((deal) => `Deal ID ${String(deal["deal_id"])}:${waitingText(deal)}`);
  return lines.join(" ");
};

export const myDeals = (talk: Talk): Promise<Spoken> =>
  listed(talk, "deals", "list_deals", asksForRequests.test(talk.text) ? requestsText : dealsText);

export const myQuotes = (talk: Talk): Promise<Spoken> =>
  listed(talk, "pricing", "list_quotes", (output) => {
    const quotes = (output["quotes"] ?? []) as readonly Slots[];
    const lines = quotes
      .slice(0, mostListed)
      .map((quote) => `${String(quote["quote_id"])} (${String(quote["status"])}): ${termsText(quoteTerms(quote))}`);
    return quotes.length === 0 ? "You have no quotes yet." : `Your quotes: ${lines.join("; ")}.`;
  });

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

/** What is open, else what was booked last. */
export const summary = async (talk: Talk): Promise<Spoken> => {
  const { deal_id: dealId } = talk.memory.terms;
  if (typeof dealId === "string") {
    return ask(talk, "deals", { name: "get_deal", input: { deal_id: dealId } }, (output) => {
      const next =
        output["status"] === "proposed"
          ? `Next: enter the deal ID in your DSP.${activationState(output)}${waitingText(output)}`
          : `It is ${String(output["status"])}.${waitingText(output)}`;
      const text = `Booked: deal ID ${dealId} (${String(output["status"])}), ${termsText(quoteTerms(output))}. ${next}`;
      return { outcome: "answer", result: output, text };
    });
  }
  const activation = /\bactivat/i.test(talk.text)
    ? "Once booked, a deal is activated in your DSP with its deal ID. "
    : "";
  const shown = showOpen({ ...talk, text: "" }, `So far nothing is booked. ${activation}`);
  if (shown === null)
    return clarify("deals", "Nothing is quoted or booked in this conversation yet. What do you need?");
  const spoken = await shown;
  return spoken.outcome === "clarify" ? { ...spoken, outcome: "answer" } : spoken;
};
