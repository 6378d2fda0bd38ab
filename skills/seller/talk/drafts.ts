import type { Draft } from "../../talk/gate/record.ts";
import { isOneOf } from "../../talk/reader/word-lists.ts";
import { pick, sizeNames, type Slots } from "./memory.ts";
import { longestWords, type Talk, toPerson } from "./spoken.ts";

/** What replies offer: each is shown as an option, which alone does it. */

export const bookingOf = (quoteId: unknown): Draft => ({ operation: "book_deal", input: { quote_id: quoteId } });

/** Of a proposal that is agreed. */
export const dealOf = (proposalId: unknown): Draft => ({
  operation: "generate_deal",
  input: { proposal_id: proposalId },
});

export const agreementOn = (negotiationId: unknown, price: unknown): Draft => ({
  operation: "negotiate",
  input: { negotiation_id: negotiationId, action: "accept", buyer_price: price },
});

export const quoteRequest = (product: unknown, terms: Slots): Draft => ({
  operation: "request_quote",
  input: { product_id: product, ...pick(terms, ["deal_type", ...sizeNames]) },
});

/** The words of the message for a person; nobody answers who has no key. */
export const passedOn = ({ context, request }: Talk): readonly Draft[] =>
  context.caller.kind === "anonymous"
    ? []
    : [{ operation: toPerson, input: { words: request.scan.text.slice(0, longestWords) || "?" } }];

/** A change or the end of a booked deal, which its seller reviews. */
export const isOfDeal = ({ operation }: Draft): boolean =>
  isOneOf(operation, "cancel_deal change_deal reschedule_deal");
