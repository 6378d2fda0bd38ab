import { dealEnvelope } from "./deal.ts";
import type { Dialects } from "./dialect.ts";
import { negotiationEnvelope } from "./negotiation.ts";
import { quoteEnvelope } from "./quote.ts";
import { rateCardList } from "./rate-card.ts";

export const sellerDialects: Dialects = new Map([
  ["request_quote", quoteEnvelope],
  ["get_quote", quoteEnvelope],
  ["book_deal", dealEnvelope],
  ["get_deal", dealEnvelope],
  ["negotiate", negotiationEnvelope],
  ["get_negotiation_status", negotiationEnvelope],
  ["update_rate_card", rateCardList],
]);
