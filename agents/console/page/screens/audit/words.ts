import type * as contract from "../../../../../skills/audit/contract.ts";
import type { operation, OutputOf } from "../../agent/api.ts";
import { agent } from "../../agent/session.ts";
import { plain } from "../../form.ts";
import { wordOf } from "../../words.ts";

/** The operations of either agent. */
export interface Trail {
  readonly list: ReturnType<typeof operation<typeof contract.listAudit>>;
  readonly verify: ReturnType<typeof operation<typeof contract.verifyAudit>>;
}

export type AuditLine = OutputOf<Trail["list"]>["records"][number];

type Changed = AuditLine["changed"][number];

export const factText = (fact: Changed["from"]): string =>
  fact === null || fact === "" ? "none" : plain(String(fact), 200);

export const fieldText = ({ field }: Changed): string => wordOf({}, plain(field));

export const beforeAndAfter = (one: Changed): string => `${fieldText(one)} ${factText(one.from)} → ${factText(one.to)}`;

const operationWords: Readonly<Record<string, string>> = {
  converse: "Talked",
  book_deal: "Booked a deal",
  request_quote: "Asked for a quote",
  negotiate: "Bargained",
  transition_deal: "Moved a deal",
  reschedule_deal: "Rescheduled a deal",
  change_deal: "Changed a deal",
  cancel_deal: "Cancelled a deal",
  create_order: "Made an order",
  transition_order: "Moved an order",
  set_agent_trust: "Set the trust in an agent",
  block_agent: "Blocked an agent",
  approve_or_reject: "Decided an approval",
  create_change_request: "Asked for a change",
  review_change_request: "Reviewed a change",
  apply_change_request: "Applied a change",
  update_product: "Changed a product",
  create_api_key: "Made a buyer's key",
  create_operator_key: "Made a key of a person",
  revoke_api_key: "Revoked a key",
  create_webhook: "Made a webhook",
  delete_webhook: "Deleted a webhook",
  create_package: "Made a package",
  update_package: "Changed a package",
  decline_quote: "Took a quote back",
  create_session: "Began a talk",
  open_console_session: "Signed in",
  end_console_session: "Signed out",
  note_day_counts: "Counted the day",
  note_key_uses: "Noted uses of keys",
  prune_events: "Forgot old events",
  sweep_quote: "Settled quotes",
  sweep_deal: "Settled deals",
  sweep_negotiation: "Settled price talk",
  sweep_approval: "Settled approvals",
  sweep_proposal: "Settled proposals",
  sweep_session: "Closed talks",
  send_session_message: "Talked",
  create_console_code: "Made a code to sign in",
  sweep_console_code: "Removed old codes",
  sweep_console_session: "Ended sessions",
  create_booking: "Sent a brief",
  decide_booking: "Chose lines",
  approve_booking: "Booked lines",
  approve_all_bookings: "Booked every line",
  replan_booking: "Planned the free money anew",
  cancel_booking: "Cancelled a campaign",
  cancel_booked_line: "Cancelled a line",
  ask_line_cancellation: "Asked to cancel a line",
  booking_flow: "Went on with a campaign",
  follow_deal: "Asked how deals stand",
  add_seller: "Added a seller",
  remove_seller: "Removed a seller",
  set_seller_key: "Stored a seller's key",
  acquire_seller_key: "Asked a seller for a key",
  rotate_seller_key: "Replaced a seller's key",
  remove_seller_key: "Removed a seller's key",
  open_seller_session: "Began a talk",
  close_seller_session: "Ended a talk",
  revoke_operator_key: "Revoked a key of a person",
};

/** "create_webhook" without a word of its own is "create webhook". */
export const didText = ({ operation }: AuditLine): string => wordOf(operationWords, plain(operation));

const doorWords: Readonly<Record<string, string>> = {
  rest: "console or REST",
  a2a: "agent (A2A)",
  mcp: "assistant (MCP)",
  timer: "by the clock",
  host: "command on the host",
  tool: "command on the store",
  job: "a campaign's own step",
};

export const doorText = ({ door }: AuditLine): string => wordOf(doorWords, plain(door));

export const whoText = ({ actor, actor_name: name, by }: AuditLine): string =>
  name === null && by === "machine" ? "Parley" : plain(name ?? actor);

const pages: Readonly<Record<"seller" | "buyer", Readonly<Record<string, string>>>> = {
  buyer: { booking: "campaigns" },
  seller: {
    deal: "deals",
    order: "orders",
    quote: "quotes",
    change_request: "changes",
    approval: "approvals",
    product: "products",
    package: "packages",
    webhook: "webhooks",
  },
};

/** The screen of the record that was changed, where it has one. */
export const screenOfKind = (kind: string): string | null =>
  Object.hasOwn(pages[agent], kind) ? (pages[agent][kind] ?? null) : null;
