import { screenOf } from "../../address.ts";
import type { OutputOf } from "../../agent/api.ts";
import { useRead } from "../../agent/read.ts";
import * as seller from "../../agent/seller.generated.ts";
import { buyerName, plain } from "../../form.ts";
import type { FoundPlace, UseFound } from "../screen.ts";
import { statusWords, wordOf } from "../../words.ts";

type Hit = OutputOf<typeof seller.searchRecords>["records"][number];

const kinds: Readonly<Record<Hit["kind"], readonly [word: string, path: string]>> = {
  approval: ["Approval", "approvals"],
  deal: ["Deal", "deals"],
  quote: ["Quote", "quotes"],
  negotiation: ["Price talk", "negotiations"],
  order: ["Order", "orders"],
  change_request: ["Change", "changes"],
  media_buy: ["Media buy", "media-buys"],
  product: ["Product", "products"],
  package: ["Package", "packages"],
  buyer: ["Buyer", "buyers"],
  webhook: ["Webhook", "webhooks"],
};

/** Where people look for a setting by its name. */
const namedSettings: readonly (readonly [name: string, path: string])[] = [
  ["Rate card", "setup"],
  ["Approval gates", "setup"],
  ["Ad server", "setup"],
  ["Publisher identity", "setup"],
  ["What was refused", "setup"],
  ["Theme, light or dark", "setup"],
  ["Sessions of this key", "setup"],
  ["Notifications, sound", "setup"],
  ["Keys of people", "keys"],
  ["Blocked agents", "buyers"],
];

const aboutOf = ({ kind, id, buyer, buyer_name: name, status }: Hit): string =>
  [
    kind === "buyer" ? plain(id, 60) : buyer === null ? null : buyerName(name, buyer),
    kind === "buyer" || kind === "product" ? null : plain(id, 40),
    status === null ? null : wordOf(statusWords, status).toLowerCase(),
  ]
    .filter((part) => part !== null)
    .join(", ");

const foundOf = (hit: Hit): FoundPlace => {
  const [word, path] = kinds[hit.kind];
  const title = hit.kind === "buyer" ? buyerName(hit.name, hit.id) : plain(hit.name ?? hit.id);
  return { href: screenOf(path, hit.id), kind: word, title, note: aboutOf(hit), isExact: hit.is_exact };
};

export const useSellerSearch: UseFound = (text) => {
  const read = useRead(seller.searchRecords, text.length < 2 ? null : { q: text }, [], false);
  const named = namedSettings
    .filter(([name]) => text !== "" && name.toLowerCase().includes(text.toLowerCase()))
    .map(([title, path]) => ({ href: screenOf(path), kind: "Setting", title, note: "", isExact: false }));
  return { found: [...(read.output?.records ?? []).map(foundOf), ...named], ...read, isLooking: read.isLoading };
};
