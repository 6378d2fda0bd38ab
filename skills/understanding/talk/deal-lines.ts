import type { Slots } from "../reading/slots.ts";
import { type FullTerms, quoteTerms, shortTerms, totalOf } from "./shown-terms.ts";
import { count, money, moment, type Talk } from "./speech.ts";

const changeNames: Readonly<Record<string, string>> = {
  cancellation: "a cancellation",
  flight_dates: "a move of its flight",
  impressions: "a change of its volume",
};

export const changeName = (type: unknown): string => changeNames[String(type)] ?? `a change (${String(type)})`;

/** Empty where no change waits. */
export const waitingNames = (output: Slots): string => {
  const waiting = (output["changes_waiting"] ?? []) as readonly Slots[];
  const names = waiting.map(({ change_request_id: id, change_type: type }) => {
    return `${changeName(type)} (${String(id)})`;
  });
  return names.join(", ");
};

export const waitingText = (output: Slots): string => {
  const names = waitingNames(output);
  return names === ""
    ? ""
    : ` Requested and not done yet: ${names}; the seller reviews it, and until then the deal is as it was.`;
};

/** What is booked is not active yet. */
export const activationState = (deal: Slots): string => {
  const { status, awaiting_approval: isHeld, approval_id: approval, expires_at: until } = deal;
  if (status !== "proposed") return "";
  if (isHeld === true) return " It waits for an approval before it can start.";
  return approval == null
    ? ` It is not active yet: the seller activates it by ${moment(until)}, or it expires.`
    : ` It is approved; the seller has still to activate it, by ${moment(until)}, or it expires.`;
};

const mostDeals = 200;

export const dealsOf = async (talk: Talk, filter: Slots): Promise<readonly Slots[]> => {
  const found = await talk.context.call("list_deals", { ...filter, limit: mostDeals });
  return found.kind === "done" ? (((found.output as Slots)["deals"] ?? []) as readonly Slots[]) : [];
};

/** Those that may still be booked. */
export const quotesOf = async (talk: Talk): Promise<readonly Slots[]> => {
  const found = await talk.context.call("list_quotes", { limit: mostDeals });
  const quotes = found.kind === "done" ? (((found.output as Slots)["quotes"] ?? []) as readonly Slots[]) : [];
  return quotes.filter(({ status }) => status === "available");
};

/** Neither rejected nor expired. */
export const isStanding = ({ status }: Slots): boolean => status !== "rejected" && status !== "expired";

export const isRunning = ({ status }: Slots): boolean => status === "proposed" || status === "active";

const stateOf = (deal: Slots): string => {
  const { status, awaiting_approval: isHeld, approval_id: approval, expires_at: until } = deal;
  if (status !== "proposed") return String(status);
  if (isHeld === true) return "waits for the seller's approval";
  return `${approval == null ? "proposed" : "approved"}, to be activated by ${moment(until)}`;
};

export const dealLine = (deal: Slots): string => {
  const names = waitingNames(deal);
  const waiting = names === "" ? "" : `; requested and not done yet: ${names}`;
  return `${String(deal["deal_id"])}: ${shortTerms(quoteTerms(deal))}; ${stateOf(deal)}${waiting}`;
};

/** One sum for each currency; empty where no volume is fixed. */
export const sumsText = (all: readonly FullTerms[]): string => {
  const sums = new Map<string, number>();
  for (const terms of all) {
    const code = String(terms.currency);
    const total = totalOf(terms);
    if (total !== null) sums.set(code, (sums.get(code) ?? 0) + total);
  }
  return [...sums].map(([code, sum]) => `${money(sum, code)} (${code})`).join(" and ");
};

/** Empty where no volume is fixed. */
const sumOf = (deals: readonly Slots[]): string => sumsText(deals.map((deal) => quoteTerms(deal)));

export const countedText = (deals: readonly Slots[]): string => {
  const sums = sumOf(deals);
  return `${count(deals.length)} ${deals.length === 1 ? "deal" : "deals"}${sums === "" ? "" : `, ${sums} in total`}`;
};

export const standingText = (deals: readonly Slots[]): string => {
  const sums = sumOf(deals);
  return `${count(deals.length)} standing${sums === "" ? "" : `, ${sums} in total`}`;
};
