import type { Offer } from "../../machines/conversation/machine.ts";
import type { Draft } from "../talk/gate/record.ts";
import type { ProductFinder } from "./reading/product-finder.ts";
import type { Slots } from "./reading/slots.ts";
import { requestsIn } from "./talk/requests-talk.ts";

const reason = "Asked for in a conversation.";

const changeDrafts = (offer: Offer): readonly Draft[] => {
  const { impressions, flight_start: start, flight_end: end }: Slots = offer.change ?? {};
  const about = { deal_id: offer.id, reason };
  const dates = {
    ...(start === undefined ? {} : { flight_start: start }),
    ...(end === undefined ? {} : { flight_end: end }),
  };
  return [
    ...takeBackDrafts(offer),
    ...(impressions === undefined ? [] : [{ operation: "change_deal", input: { ...about, impressions } }]),
    ...(Object.keys(dates).length === 0 ? [] : [{ operation: "reschedule_deal", input: { ...about, ...dates } }]),
  ];
};

const takeBackDrafts = (offer: Offer): readonly Draft[] =>
  requestsIn(offer).map((id) => ({
    operation: "withdraw_change_request",
    input: { cr_id: id, reason: "Taken back in a conversation." },
  }));

const quoteDraft = ({ id, change }: Offer, finder: ProductFinder): Draft => {
  const [type] = finder.get(id)?.deal_types ?? [];
  return { operation: "request_quote", input: { product_id: id, deal_type: type, ...change } };
};

/** What is shown as the operations that it asks for. */
export const draftsOf = (offer: Offer, contextId: string | null, finder: ProductFinder): readonly Draft[] => {
  const { kind, id, digest, change } = offer;
  const negotiation = { negotiation_id: id };
  switch (kind) {
    case "quote":
      return [{ operation: "book_deal", input: { quote_id: id } }];
    case "proposal":
      return [{ operation: "generate_deal", input: { proposal_id: id } }];
    case "counter":
      return [{ operation: "negotiate", input: { ...negotiation, action: "accept", buyer_price: Number(digest) } }];
    case "rejection":
      return [{ operation: "negotiate", input: { ...negotiation, action: "reject" } }];
    case "bid":
      return [{ operation: "negotiate", input: { ...change } }];
    case "submission":
      return [{ operation: "submit_proposal", input: { ...change } }];
    case "cancellation":
      return [{ operation: "cancel_deal", input: { deal_id: id, reason } }];
    case "withdrawal":
      return [{ operation: "withdraw_proposal", input: { proposal_id: id } }];
    case "hand over":
      return [{ operation: "request_handover", input: { ...change, context_id: contextId } }];
    case "change":
      return changeDrafts(offer);
    case "take back":
      return takeBackDrafts(offer);
    case "request":
      return [quoteDraft(offer, finder)];
    default:
      return [];
  }
};
