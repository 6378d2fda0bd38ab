import * as seller from "../../agent/seller.generated.ts";
import { useRead } from "../../agent/read.ts";
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

export const EventsScreen = () => {
  const { output } = useRead(seller.listEvents, { with_counts: true, limit: 1 }, [], false);
  const counts = output?.counts ?? null;
  return <EventsPage list={seller.listEvents} types={types} counts={counts} first="A buyer's first quote makes one." />;
};
