import * as seller from "../../agent/seller.generated.ts";
import { EventsPage } from "../events.tsx";

const types = {
  "approval.requested": "Approvals",
  "deal.created": "Bookings",
  "negotiation.round": "Price talk",
  "quote.created": "Quotes",
  "order.transitioned": "Orders",
  "change_request.created": "Changes",
  "handover.requested": "A person asked for",
  "handover.answered": "Answers of a person",
  "api_key.created": "New keys",
};

export const EventsScreen = () => (
  <EventsPage list={seller.listEvents} types={types} first="A buyer's first quote makes one." />
);
