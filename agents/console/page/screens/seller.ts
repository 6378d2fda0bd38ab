import * as seller from "../agent/seller.generated.ts";
import { eventsScreen } from "./events.tsx";
import { keysScreen, rolesOfPeople } from "./keys.tsx";
import type { Screen } from "./screen.ts";
import { approvals } from "./seller/approvals/screen.tsx";
import { audit } from "./seller/audit.tsx";
import { buyers } from "./seller/buyers.tsx";
import { changes } from "./seller/changes.tsx";
import { deals } from "./seller/deals/screen.tsx";
import { home } from "./seller/home/screen.tsx";
import { negotiations } from "./seller/negotiations/screen.tsx";
import { mediaBuys } from "./seller/media-buys.tsx";
import { orders } from "./seller/orders.tsx";
import { packages } from "./seller/packages/screen.tsx";
import { products } from "./seller/products/screen.tsx";
import { setup } from "./seller/setup.tsx";
import { talks } from "./seller/talks.tsx";
import { webhooks } from "./seller/webhooks/screen.tsx";

/** In the order of the navigation; the first is where a sign-in leads. */
export const screens: readonly Screen[] = [
  home,
  approvals,
  deals,
  negotiations,
  orders,
  mediaBuys,
  changes,
  products,
  packages,
  talks,
  buyers,
  keysScreen({
    list: seller.listApiKeys,
    create: seller.createOperatorKey,
    revoke: seller.revokeApiKey,
    roles: ["viewer", "operator", "senior", "edge"],
    question: `${rolesOfPeople} The role edge is for an edge server: it lists active deals and reports deliveries.`,
    note: "Every key of buyers and operators. A secret is stored as a hash and never shown again.",
    forOthers: { path: "buyers", label: "Buyers", what: "A buyer's key is made under" },
  }),
  webhooks,
  eventsScreen({
    list: seller.listEvents,
    types: {
      "approval.requested": "Approvals",
      "deal.created": "Bookings",
      "negotiation.round": "Price talk",
      "quote.created": "Quotes",
      "order.transitioned": "Orders",
      "change_request.created": "Changes",
      "handover.requested": "A person asked for",
      "handover.answered": "Answers of a person",
      "api_key.created": "New keys",
    },
    first: "A buyer's first quote makes one.",
  }),
  audit,
  setup,
];
