import type { z } from "zod";
import { shownConcession } from "../../../machines/negotiation/engine.ts";
import { isLastOffer, roundsRemaining } from "../../../machines/negotiation/machine.ts";
import { askedMicros, lastSellerMicros } from "../../../machines/negotiation/rounds.ts";
import { formatMoney, fromMicros } from "../../../machines/money.ts";
import type { counterProposal, negotiate, round } from "./contract.ts";
import type { NegotiationRow } from "./record.ts";
import { aboutView } from "./view.ts";

const outcomeText = (row: NegotiationRow, offerMicros: number): string => {
  const { context } = row.life;
  const askedNow = askedMicros(context);
  const asked = `${formatMoney(askedNow, row.currency)} CPM`;
  if (offerMicros >= askedNow) {
    const taken = formatMoney(lastSellerMicros(context), row.currency);
    return `the offer is not below the seller's price and is agreed as it is; an acceptance is agreed at ${taken} CPM.`;
  }
  const left = roundsRemaining(row.life);
  if (context.rounds.length >= context.limits.maxRounds) {
    return `no round is left, so an offer below ${asked} ends the negotiation.`;
  }
  if (left === 0) return `no round is left for this product today; the seller's last price is ${asked}.`;
  const isLast = isLastOffer(row.life) ? " The seller has made its last offer." : "";
  const number = context.rounds.length + 1;
  return `the offer is round ${number} and leaves ${left - 1}; the seller answers it only then.${isLast}`;
};

/** What the buyer knows before the seller answers. */
const unanswered = (row: NegotiationRow, offerMicros: number): z.input<typeof round> => {
  const { context } = row.life;
  return {
    round_number: context.rounds.length + 1,
    buyer_price: fromMicros(offerMicros),
    seller_price: fromMicros(askedMicros(context)),
    action: "not_answered",
    concession_pct: 0,
    cumulative_concession_pct: shownConcession(context.conceded),
    rationale: "A dry run is not answered: seller_price is the seller's price so far.",
    timestamp: null,
  };
};

export const previewView = (row: NegotiationRow, offerMicros: number): z.input<typeof negotiate.output> => ({
  ...aboutView(row),
  status_text: outcomeText(row, offerMicros),
  round: unanswered(row, offerMicros),
});

export const counterPreview = (row: NegotiationRow, offerMicros: number): z.input<typeof counterProposal.output> => ({
  ...aboutView(row),
  status_text: outcomeText(row, offerMicros),
  ...unanswered(row, offerMicros),
});
