import * as buyer from "../agent/buyer.generated.ts";
import { campaigns } from "./buyer/campaigns/screen.tsx";
import { compare } from "./buyer/compare.tsx";
import { deals as boughtDeals } from "./buyer/deals.tsx";
import { home as buyerHome } from "./buyer/home.tsx";
import { sellers } from "./buyer/sellers.tsx";
import { setup as buyerSetup } from "./buyer/setup.tsx";
import { talk } from "./buyer/talk.tsx";
import { eventsScreen } from "./events.tsx";
import { keysScreen, rolesOfPeople } from "./keys.tsx";
import type { Screen } from "./screen.ts";

/** In the order of the navigation; the first is where a sign-in leads. */
export const screens: readonly Screen[] = [
  buyerHome,
  campaigns,
  talk,
  compare,
  boughtDeals,
  sellers,
  eventsScreen({
    list: buyer.listEvents,
    types: {
      "campaign.created": "Briefs",
      "quote.received": "Quotes",
      "negotiation.round": "Price talk",
      "deal.booked": "Bookings",
      "deal.cancelled": "Cancellations",
    },
    first: "The first brief makes one.",
  }),
  keysScreen({
    list: buyer.listOperatorKeys,
    create: buyer.createOperatorKey,
    revoke: buyer.revokeOperatorKey,
    roles: ["viewer", "operator", "senior"],
    question: rolesOfPeople,
    note: "The keys of people. A secret is stored as a hash and never shown again.",
  }),
  buyerSetup,
];
