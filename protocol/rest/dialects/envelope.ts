import { dealEnvelope } from "./deal.ts";
import type { Dialects } from "./dialect.ts";
import { negotiationEnvelope } from "./negotiation.ts";
import { quoteEnvelope } from "./quote.ts";

/** The envelope form of a seller's operations, by their names (decision 1). */
export const envelopeDialects: Dialects = new Map([
  ["request_quote", quoteEnvelope],
  ["get_quote", quoteEnvelope],
  ["book_deal", dealEnvelope],
  ["get_deal", dealEnvelope],
  ["negotiate", negotiationEnvelope],
  ["get_negotiation_status", negotiationEnvelope],
]);
