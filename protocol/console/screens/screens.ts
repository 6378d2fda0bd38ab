import { agent } from "../session.ts";
import type { Screen } from "./screen.ts";
import { approvals } from "./seller/approvals/screen.tsx";
import { audit } from "./seller/audit.tsx";
import { buyers } from "./seller/buyers.tsx";
import { changes } from "./seller/changes.tsx";
import { deals } from "./seller/deals.tsx";
import { events } from "./seller/events.tsx";
import { home } from "./seller/home.tsx";
import { keys } from "./seller/keys.tsx";
import { negotiations } from "./seller/negotiations.tsx";
import { orders } from "./seller/orders.tsx";
import { packages } from "./seller/packages.tsx";
import { products } from "./seller/products.tsx";
import { setup } from "./seller/setup.tsx";
import { talks } from "./seller/talks.tsx";
import { webhooks } from "./seller/webhooks.tsx";

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
    keys,
    webhooks,
    events,
    audit,
    setup,
  ],
  buyer: [],
};

export const screens = all[agent];
