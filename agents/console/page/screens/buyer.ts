import type { Screen } from "./screen.ts";
import { useCampaignsBadge } from "./buyer/campaigns/needy.ts";

/** In the order of the navigation; the first is where a sign-in leads. */
export const screens: readonly Screen[] = [
  {
    path: "home",
    label: "Home",
    key: "h",
    load: async () => (await import("./buyer/home.tsx")).HomeScreen,
  },
  {
    path: "campaigns",
    label: "Campaigns",
    key: "c",
    hasRows: true,
    load: async () => (await import("./buyer/campaigns/screen.tsx")).CampaignsScreen,
    useBadge: useCampaignsBadge,
  },
  {
    path: "talk",
    label: "Talk",
    key: "l",
    load: async () => (await import("./buyer/talk.tsx")).TalkScreen,
  },
  {
    path: "compare",
    label: "Compare",
    key: "p",
    load: async () => (await import("./buyer/compare/screen.tsx")).CompareScreen,
  },
  {
    path: "deals",
    label: "Deals",
    key: "d",
    load: async () => (await import("./buyer/deals.tsx")).DealsScreen,
  },
  {
    path: "sellers",
    label: "Sellers",
    key: "s",
    load: async () => (await import("./buyer/sellers.tsx")).SellersScreen,
  },
  {
    path: "events",
    label: "Events",
    key: "e",
    load: async () => (await import("./buyer/events.tsx")).EventsScreen,
  },
  {
    path: "audit",
    label: "Audit",
    key: "u",
    load: async () => (await import("./buyer/audit.tsx")).AuditScreen,
  },
  {
    path: "keys",
    label: "Keys",
    key: "y",
    load: async () => (await import("./buyer/keys.tsx")).KeysScreen,
  },
  {
    path: "setup",
    label: "Setup",
    key: "t",
    load: async () => (await import("./buyer/setup.tsx")).SetupScreen,
  },
];

export { useBuyerSearch as search } from "./buyer/find.ts";
