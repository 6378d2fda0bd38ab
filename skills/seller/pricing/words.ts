import { begunText } from "../../../machines/inventory/flight.ts";
import { because, inSandbox, timeText, type Words } from "../words.ts";
import type { QuoteRow } from "./record.ts";

const availableWords = (row: QuoteRow): Words => {
  const { expiresAtMs, openNegotiationId } = row.life.context;
  const until = timeText(expiresAtMs);
  if (openNegotiationId !== null) {
    return {
      status_text: `An offer about this quote is open; the quote holds until ${until}.`,
      next_step: `Finish the negotiation (negotiate) or the proposal before ${until}, then book with book_deal.`,
    };
  }
  if (!row.inventory_available) {
    return {
      status_text: "The price is known, but the flight has too few impressions left.",
      next_step: "Ask request_quote for fewer impressions or another flight.",
    };
  }
  const begun = row.begun_on == null ? "" : `${begunText(row.begun_on, row.flight_start)} `;
  const orElse = row.tier === "public" || row.negotiated === true ? "" : ", or negotiate";
  return {
    status_text: `${begun}The price holds until ${until}; nothing is booked or reserved yet.`,
    next_step: `Book it with book_deal before ${until}${orElse}.`,
  };
};

export const quoteWords = (row: QuoteRow): Words =>
  inSandbox(standingWords(row), row.sandbox && row.life.value === "booked");

const standingWords = (row: QuoteRow): Words => {
  switch (row.life.value) {
    case "available":
      return availableWords(row);
    case "booked":
      return {
        status_text: `Booked as deal ${row.life.context.dealId ?? ""}.`,
        next_step: "Follow the deal with get_deal.",
      };
    case "expired":
      return {
        status_text: `Expired at ${timeText(row.life.context.expiresAtMs)} without being booked.`,
        next_step: "Ask for a new price with request_quote.",
      };
    case "declined":
      return {
        status_text: `Declined${because(row.status_reason)}`,
        next_step: "Ask request_quote for other terms.",
      };
  }
};
