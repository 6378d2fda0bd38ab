import * as buyer from "../../agent/buyer.generated.ts";
import { EventsPage } from "../events.tsx";

const types = {
  "campaign.created": "Briefs",
  "quote.received": "Quotes",
  "negotiation.round": "Price talk",
  "deal.booked": "Bookings",
  "deal.cancelled": "Cancellations",
};

export const EventsScreen = () => (
  <EventsPage list={buyer.listEvents} types={types} counts={null} first="The first brief makes one." />
);
