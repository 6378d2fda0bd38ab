import type { Screen } from "./screen.ts";
import { useApprovalsBadge, useChangesBadge, useTalksBadge } from "./seller/badges.ts";

/** In the order of the navigation; the first is where a sign-in leads. */
export const screens: readonly Screen[] = [
  {
    path: "home",
    label: "Home",
    key: "h",
    load: async () => (await import("./seller/home/screen.tsx")).HomeScreen,
  },
  {
    path: "approvals",
    label: "Approvals",
    key: "a",
    hasRows: true,
    load: async () => (await import("./seller/approvals/screen.tsx")).ApprovalsScreen,
    useBadge: useApprovalsBadge,
  },
  {
    path: "deals",
    label: "Deals",
    key: "d",
    hasRows: true,
    load: async () => (await import("./seller/deals/screen.tsx")).DealsScreen,
  },
  {
    path: "negotiations",
    label: "Price talk",
    key: "n",
    hasRows: true,
    load: async () => (await import("./seller/negotiations/screen.tsx")).NegotiationsScreen,
  },
  {
    path: "quotes",
    label: "Quotes",
    key: "q",
    hasRows: true,
    load: async () => (await import("./seller/quotes/screen.tsx")).QuotesScreen,
  },
  {
    path: "orders",
    label: "Orders",
    key: "o",
    hasRows: true,
    load: async () => (await import("./seller/orders.tsx")).OrdersScreen,
  },
  {
    path: "media-buys",
    label: "Media buys",
    key: "m",
    hasRows: true,
    load: async () => (await import("./seller/media-buys.tsx")).MediaBuysScreen,
  },
  {
    path: "changes",
    label: "Changes",
    key: "c",
    hasRows: true,
    load: async () => (await import("./seller/changes.tsx")).ChangesScreen,
    useBadge: useChangesBadge,
  },
  {
    path: "products",
    label: "Products",
    key: "p",
    hasRows: true,
    load: async () => (await import("./seller/products/screen.tsx")).ProductsScreen,
  },
  {
    path: "packages",
    label: "Packages",
    key: "k",
    hasRows: true,
    load: async () => (await import("./seller/packages/screen.tsx")).PackagesScreen,
  },
  {
    path: "week",
    label: "Week",
    key: "v",
    load: async () => (await import("./seller/week.tsx")).WeekScreen,
  },
  {
    path: "talks",
    label: "Talks",
    key: "t",
    hasRows: true,
    load: async () => (await import("./seller/talks.tsx")).TalksScreen,
    useBadge: useTalksBadge,
  },
  {
    path: "buyers",
    label: "Buyers",
    key: "b",
    hasRows: true,
    load: async () => (await import("./seller/buyers.tsx")).BuyersScreen,
  },
  {
    path: "keys",
    label: "Keys",
    key: "y",
    load: async () => (await import("./seller/keys.tsx")).KeysScreen,
  },
  {
    path: "webhooks",
    label: "Webhooks",
    key: "w",
    hasRows: true,
    load: async () => (await import("./seller/webhooks/screen.tsx")).WebhooksScreen,
  },
  {
    path: "events",
    label: "Events",
    key: "e",
    load: async () => (await import("./seller/events.tsx")).EventsScreen,
  },
  {
    path: "audit",
    label: "Audit",
    key: "u",
    load: async () => (await import("./seller/audit.tsx")).AuditScreen,
  },
  {
    path: "setup",
    label: "Setup",
    key: "s",
    load: async () => (await import("./seller/setup.tsx")).SetupScreen,
  },
];

export { useSellerSearch as search } from "./seller/find.ts";
