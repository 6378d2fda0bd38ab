import * as buyer from "../agent/buyer.generated.ts";
import * as seller from "../agent/seller.generated.ts";
import { agent } from "../agent/session.ts";
import { campaigns } from "./buyer/campaigns/screen.tsx";
import { compare } from "./buyer/compare.tsx";
import { deals as boughtDeals } from "./buyer/deals.tsx";
import { home as buyerHome } from "./buyer/home.tsx";
import { sellers } from "./buyer/sellers.tsx";
import { setup as buyerSetup } from "./buyer/setup.tsx";
import { talk } from "./buyer/talk.tsx";
import { eventsScreen } from "./events.tsx";
import { keysScreen } from "./keys.tsx";
import type { Screen } from "./screen.ts";
import { approvals } from "./seller/approvals/screen.tsx";
import { audit } from "./seller/audit.tsx";
import { buyers } from "./seller/buyers.tsx";
import { changes } from "./seller/changes.tsx";
import { deals } from "./seller/deals/screen.tsx";
import { home } from "./seller/home.tsx";
import { negotiations } from "./seller/negotiations/screen.tsx";
import { orders } from "./seller/orders.tsx";
import { packages } from "./seller/packages/screen.tsx";
import { products } from "./seller/products/screen.tsx";
import { setup } from "./seller/setup.tsx";
import { talks } from "./seller/talks.tsx";
import { webhooks } from "./seller/webhooks/screen.tsx";

const rolesOfPeople = "A viewer looks only, an operator decides, a senior decides critical changes too.";

/** In the order of the navigation; the first is where a sign-in leads. */
const all: Readonly<Record<"seller" | "buyer", readonly Screen[]>> = {
  seller: [
    home,
    approvals,
    deals,
    negotiations,
    orders,
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
  ],
  buyer: [
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
  ],
};

export const screens = all[agent];
