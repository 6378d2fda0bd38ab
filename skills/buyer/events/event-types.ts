export const eventTypes = [
  "quote.requested",
  "quote.received",
  "deal.booked",
  "deal.cancelled",
  "campaign.created",
  "budget.allocated",
  "booking.submitted",
  "inventory.discovered",
  "negotiation.started",
  "negotiation.round",
  "negotiation.concluded",
  "session.created",
  "session.closed",
] as const;

export type EventType = (typeof eventTypes)[number];
