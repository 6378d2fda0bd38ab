import type { EventRow } from "../../../protocol/seam/events.ts";
import { quoted } from "../../../protocol/neutral/seen-text.ts";

/** What a template may name. Nothing else of an event or of this seller reaches a message. */
export const messageMembers = [
  "text",
  "link",
  "event_type",
  "event_id",
  "timestamp",
  "buyer",
  "product",
  "seller",
] as const;

export type MessageFacts = Readonly<Record<(typeof messageMembers)[number], string>>;

export type MessageTemplate = Readonly<Record<string, unknown>>;

const inBraces = /\{\{\s*([^{}]*?)\s*\}\}/g;

const isMember = (name: string): name is keyof MessageFacts => (messageMembers as readonly string[]).includes(name);

/** Calls `write` with each text of a template, at any depth, and returns the template with what it answers. */
const withTexts = (value: unknown, write: (text: string) => string): unknown => {
  if (typeof value === "string") return write(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, write));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTexts(member, write)]));
};

/** Names in `{{ }}` that no message has. */
export const unknownMembers = (template: MessageTemplate): readonly string[] => {
  const unknown = new Set<string>();
  withTexts(template, (text) => {
    for (const [, name = ""] of text.matchAll(inBraces)) if (!isMember(name)) unknown.add(name);
    return text;
  });
  return [...unknown];
};

export const renderMessage = (template: MessageTemplate, facts: MessageFacts): string =>
  JSON.stringify(
    withTexts(template, (text) =>
      text.replace(inBraces, (whole: string, name: string) => (isMember(name) ? facts[name] : whole)),
    ),
  );

/**
 * Of others' words what no chat reads as markup: brackets, slashes, `@`, `*` and their like become spaces, so that a
 * name is neither a link nor a call to everybody.
 */
const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{M}\p{N} .,'&-]/gu, " ")
    .replace(/\.(?=\S)/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 80);

/** The screens of what an event is about, the nearest first. */
const screens: readonly (readonly [member: string, path: string])[] = [
  ["approval_id", "approvals"],
  ["change_request_id", "changes"],
  ["media_buy_id", "media-buys"],
  ["order_id", "orders"],
  ["deal_id", "deals"],
  ["quote_id", "quotes"],
  ["package_id", "packages"],
  ["product_id", "products"],
  ["session_id", "talks"],
];

const consolePath = ({ event_type, payload, deal_id, session_id }: EventRow): string => {
  if (event_type.startsWith("handover.")) return "talks";
  const ids: EventRow["payload"] = { deal_id, session_id, ...payload };
  for (const [member, path] of screens) {
    const id = ids[member];
    if (typeof id === "string" && id !== "") return `${path}/${encodeURIComponent(id)}`;
  }
  return "home";
};

const eventPrice = ({ payload }: EventRow): string | null => {
  const price = payload["final_cpm"] ?? payload["price"];
  const { currency } = payload;
  if (typeof price !== "number") return null;
  return `${price.toFixed(2)} ${typeof currency === "string" ? currency : ""}`.trim();
};

const whatHappened = ({ event_type: type, flow_type: flow }: EventRow): string => {
  const words = type.replace(/[._]/g, " ");
  const of = type.startsWith("approval.") && flow !== undefined && flow !== "" ? ` (${flow.replaceAll("_", " ")})` : "";
  return words.charAt(0).toUpperCase() + words.slice(1) + of;
};

export interface MessageParts {
  readonly event: EventRow;
  readonly eventId: string;
  readonly buyer: string | null;
  readonly product: string | null;
  readonly seller: string;
  /** Where the console is, without a slash at its end. */
  readonly agentUrl: string;
}

/** One line for people: "Approval requested (deal): “Harbor Coffee”, CTV Premium, 31.50 USD". */
export const messageFacts = ({ event, eventId, buyer, product, seller, agentUrl }: MessageParts): MessageFacts => {
  const name = buyer === null ? "" : plainName(buyer);
  const parts = [name === "" ? null : quoted(name), product, eventPrice(event)].filter((part) => part !== null);
  return {
    text: parts.length === 0 ? whatHappened(event) : `${whatHappened(event)}: ${parts.join(", ")}`,
    link: `${agentUrl}/console/${consolePath(event)}`,
    event_type: event.event_type,
    event_id: eventId,
    timestamp: event.timestamp,
    buyer: name,
    product: product ?? "",
    seller,
  };
};
