import { screenOf } from "./address.ts";
import { agent } from "./agent/session.ts";
import { money, plain } from "./form.ts";
import { statusWords, wordOf } from "./words.ts";

interface Told {
  readonly event_type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly flow_id?: string | undefined;
  readonly flow_type?: string | undefined;
  readonly deal_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly product_name?: string | null | undefined;
  readonly buyer_name?: string | null | undefined;
}

/** As it stands in a list. */
export interface ListedEvent extends Told {
  readonly event_id: string;
  readonly timestamp: string;
}

const words: Readonly<Record<string, string>> = {
  "agent.discovered": "An agent was looked up",
  "agent.removed": "An agent was removed",
  "agent.trust_changed": "The trust in an agent was changed",
  "api_key.created": "A key was made",
  "api_key.revoked": "A key was revoked",
  "api_key.verified": "A key's identity was verified",
  "approval.denied": "An approval was denied",
  "approval.granted": "An approval was granted",
  "approval.requested": "An approval is asked for",
  "approval.timed_out": "An approval timed out",
  "booking.submitted": "A booking was sent",
  "budget.allocated": "A budget was split",
  "campaign.created": "A brief came in",
  "change_request.applied": "A change was applied",
  "change_request.approved": "A change was approved",
  "change_request.created": "A change is asked for",
  "change_request.failed": "A change failed",
  "change_request.rejected": "A change was rejected",
  "change_request.withdrawn": "A change was withdrawn",
  "deal.activated": "A deal became active",
  "deal.booked": "A deal was booked",
  "deal.cancelled": "A deal was cancelled",
  "deal.changed": "A deal was changed",
  "deal.completed": "A deal was completed",
  "deal.created": "A deal was booked",
  "deal.expired": "A deal expired",
  "deal.rejected": "A deal was rejected",
  "handover.answered": "A buyer that asked for a person was answered",
  "handover.requested": "A person is asked for",
  "inventory.discovered": "Products were found",
  "negotiation.concluded": "A price talk ended",
  "negotiation.round": "A round of price talk",
  "negotiation.started": "A price talk began",
  "order.created": "An order was made",
  "order.transitioned": "An order moved",
  "quote.received": "A quote came in",
  "quote.requested": "A quote is asked for",
  "quote.booked": "A quote was booked",
  "quote.created": "A quote was made",
  "quote.declined": "A quote was declined",
  "quote.expired": "A quote expired",
  "package.archived": "A package was archived",
  "package.created": "A package was made",
  "package.updated": "A package was changed",
  "product.updated": "A product was changed",
  "proposal.accepted": "A proposal was accepted",
  "proposal.countered": "A proposal was countered",
  "proposal.evaluated": "A proposal was evaluated",
  "proposal.received": "A proposal came in",
  "proposal.rejected": "A proposal was rejected",
  "session.closed": "A talk ended",
  "session.created": "A talk began",
  "session.resumed": "A talk went on",
};

const textIn = (payload: Told["payload"], name: string): string | null => {
  const value = payload[name];
  return typeof value === "string" && value !== "" ? plain(value) : null;
};

const priceIn = (payload: Told["payload"]): string | null => {
  const price = payload["buyer_price"] ?? payload["final_cpm"] ?? payload["price"];
  return typeof price === "number" ? money(price, textIn(payload, "currency")) : null;
};

const statusIn = (payload: Told["payload"]): string | null => {
  const status = textIn(payload, "to_status") ?? textIn(payload, "status");
  return status === null ? null : wordOf(statusWords, status).toLowerCase();
};

const outcomes: Readonly<Record<string, string>> = { error: "it failed", walked_away: "no agreement" };

const outcomeIn = (payload: Told["payload"]): string | null => {
  const outcome = textIn(payload, "outcome");
  return outcome === null ? null : wordOf(outcomes, outcome);
};

/** An event as a sentence; one of an unknown type is named by its type. */
export const sentenceOf = ({ event_type, payload, product_name: product, buyer_name: buyer }: Told): string => {
  const type = event_type === "deal.rejected" && payload["cancelled"] === true ? "deal.cancelled" : event_type;
  const begins = Object.hasOwn(words, type) ? words[type] : wordOf({}, type.replace(".", " "));
  const parts = [
    buyer == null ? null : plain(buyer),
    product == null ? textIn(payload, "product_name") : plain(product),
    priceIn(payload),
    payload["cancelled"] === true ? null : statusIn(payload),
    outcomeIn(payload),
    textIn(payload, "trust_status"),
    textIn(payload, "words"),
  ];
  const more = parts.filter((part) => part !== null);
  return more.length === 0 ? `${begins}` : `${begins}: ${more.join(", ")}`;
};

/** The pages of what an event is about, the nearest first. */
const pages: Readonly<Record<"seller" | "buyer", readonly (readonly [member: string, path: string])[]>> = {
  seller: [
    ["approval_id", "approvals"],
    ["change_request_id", "changes"],
    ["order_id", "orders"],
    ["deal_id", "deals"],
    ["bargain", "negotiations"],
    ["quote_id", "quotes"],
    ["package_id", "packages"],
    ["product_id", "products"],
    ["session_id", "talks"],
  ],
  buyer: [["job_id", "campaigns"]],
};

export const pageOf = ({ payload, flow_id, flow_type, deal_id, session_id }: Told): string | null => {
  const bargain = payload["proposal_id"] ?? ("negotiation_id" in payload ? payload["quote_id"] : null);
  const job = flow_type === "deal_booking" ? flow_id : null;
  const ids: Told["payload"] = { deal_id, session_id, bargain, job_id: job, ...payload };
  for (const [member, path] of pages[agent]) {
    const id = textIn(ids, member);
    if (id !== null) return screenOf(path, id);
  }
  return null;
};
