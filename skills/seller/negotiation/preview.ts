import type { z } from "zod";
import { shownConcession } from "../../../machines/negotiation/engine.ts";
import { isLastOffer, roundsRemaining } from "../../../machines/negotiation/machine.ts";
import { lastSellerMicros } from "../../../machines/negotiation/rounds.ts";
import { formatMoney, fromMicros } from "../../../machines/money.ts";
import type { counterProposal, negotiate, round } from "./contract.ts";
import type { NegotiationRow } from "./record.ts";
import { aboutView } from "./view.ts";

const outcomeText = (row: NegotiationRow, offerMicros: number): string => {
  const askedMicros = lastSellerMicros(row.life.context);
  const asked = `${formatMoney(askedMicros, row.currency)} CPM`;
  if (offerMicros >= askedMicros) {
    return `the offer is not below the seller's price and is agreed as it is; an acceptance is agreed at ${asked}.`;
  }
  const left = roundsRemaining(row.life);
  if (left === 0) return `no round is left, so an offer below ${asked} ends the negotiation.`;
  const isLast = isLastOffer(row.life) ? " The seller has made its last offer." : "";
  const number = row.life.context.rounds.length + 1;
  return `the offer is round ${number} and leaves ${left - 1}; the seller answers it only then.${isLast}`;
};

/** What the buyer knows before the seller answers. */
const unanswered = (row: NegotiationRow, offerMicros: number): z.input<typeof round> => {
  const { context } = row.life;
  return {
    round_number: context.rounds.length + 1,
    buyer_price: fromMicros(offerMicros),
    seller_price: fromMicros(lastSellerMicros(context)),
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
