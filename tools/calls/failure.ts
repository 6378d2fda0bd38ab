import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Refusal, RefusalCode, SchemaIssue } from "../../protocol/neutral/refusals.ts";
import { refusalBody } from "../../protocol/neutral/refusal-body.ts";
import type { Contract, Outcome } from "../../protocol/seam/operation.ts";
import type { ToolCatalog } from "../catalog.ts";
import type { ToolView } from "../listing.ts";
import { type UnknownArgument, unknownText } from "./arguments.ts";

/** The first that the agent has. */
const toolsInstead: Readonly<Partial<Record<RefusalCode, readonly string[]>>> = {
  product_not_found: ["list_products", "search_products"],
  package_not_found: ["list_packages", "search_media_kit", "list_seller_packages"],
  quote_not_found: ["list_quotes", "request_quote"],
  quote_expired: ["request_quote"],
  quote_declined: ["request_quote"],
  quote_already_booked: ["list_deals"],
  deal_not_found: ["list_deals"],
  order_not_found: ["list_orders"],
  proposal_not_found: ["list_proposals", "submit_proposal"],
  proposal_not_accepted: ["get_proposal"],
  proposal_already_booked: ["list_deals"],
  proposal_expired: ["submit_proposal"],
  negotiation_not_found: ["list_negotiations"],
  negotiation_open: ["negotiate"],
  negotiation_closed: ["request_quote"],
  round_mismatch: ["get_negotiation_status"],
  approval_pending: ["get_negotiation_status"],
  approval_not_found: ["list_approvals"],
  approval_already_decided: ["get_approval"],
  approval_not_decided: ["approve_or_reject"],
  change_request_not_found: ["list_change_requests"],
  not_pending_approval: ["get_change_request"],
  change_pending: ["get_change_request"],
  api_key_not_found: ["list_api_keys", "list_operator_keys"],
  agent_not_found: ["list_buyer_agents", "list_sellers"],
  event_not_found: ["list_events"],
  webhook_not_found: ["list_webhooks"],
  session_not_found: ["create_session", "open_seller_session"],
  inventory_unavailable: ["check_avails"],
  invalid_deal_type: ["get_product"],
  pg_requires_impressions: ["check_avails"],
  below_minimum_impressions: ["get_product"],
  unresolvable_product_ids: ["list_products"],
  invalid_status: ["get_booking"],
  invalid_products: ["get_booking"],
  invalid_transition: ["get_deal", "get_order"],
  auth_error: ["rotate_seller_key"],
  seller_key_not_found: ["set_seller_key"],
  identity_required: ["get_setup_status"],
  seller_unreachable: ["list_sellers"],
};

const idsFrom = "Take an id from {tool}.";

/** Where the message alone names no way on. `{tool}` is the tool that the caller may call instead. */
const cures: Readonly<Partial<Record<RefusalCode, string>>> = {
  invalid_api_key: "Send the key as it was issued, or none for what is public.",
  operator_required: "Your key cannot do this: the operators of this agent do. Ask them, or use a tool of your list.",
  not_found: "Check the id.",
  product_not_found: idsFrom,
  package_not_found: idsFrom,
  quote_not_found: idsFrom,
  deal_not_found: idsFrom,
  order_not_found: idsFrom,
  proposal_not_found: idsFrom,
  negotiation_not_found: idsFrom,
  approval_not_found: idsFrom,
  change_request_not_found: idsFrom,
  api_key_not_found: idsFrom,
  agent_not_found: idsFrom,
  event_not_found: idsFrom,
  webhook_not_found: idsFrom,
  quote_already_booked: "{tool} shows the deal that it became.",
  proposal_already_booked: "{tool} shows the deal that it became.",
  proposal_not_accepted: "{tool} shows where it stands.",
  approval_already_decided: "{tool} shows the decision.",
  not_pending_approval: "{tool} shows where it stands.",
  invalid_status: "{tool} shows where it stands.",
  seller_unreachable: "Check its address with {tool}, or try again later.",
};

const pathOf = ({ loc }: SchemaIssue): string => loc.slice(1).join(".");

const endedSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const issueText = (issue: SchemaIssue): string => {
  const path = pathOf(issue);
  return endedSentence(path === "" ? issue.msg : `${path}: ${issue.msg}`);
};

const mostTexts = 8;

const wayOn = (code: RefusalCode, tool: string | undefined): readonly string[] => {
  const text = cures[code];
  if (text === undefined || (tool === undefined && text.includes("{tool}"))) return [];
  return [text.replace("{tool}", tool ?? "")];
};

const cureOf = (
  { code, issues = [], message }: Refusal,
  tool: string | undefined,
  unknown: readonly UnknownArgument[],
): string => {
  const [more] = wayOn(code, tool);
  const plain = more === undefined ? [message] : [endedSentence(message), more];
  const texts = issues.length === 0 ? plain : issues.slice(0, mostTexts).map(issueText);
  return [...texts, ...unknown.map(unknownText)].join(" ");
};

export interface FailedTool {
  readonly catalog: ToolCatalog;
  /** Null: the credential was refused. */
  readonly view: ToolView | null;
  readonly contract: Contract | null;
}

/** Rather one that the caller was shown. */
const instead = ({ catalog, view }: FailedTool, { code }: Refusal): string | undefined => {
  const found = (toolsInstead[code] ?? []).flatMap((name) => catalog.byName.get(name) ?? []);
  if (view === null) return found[0]?.name;
  return (found.find(view.lists) ?? found.find(view.mayCall))?.name;
};

/** A caller looks for the name that it sent, not for the one that this is an alias of. */
const namedAsSent = (refusal: Refusal, contract: Contract | null, sent: unknown): Refusal => {
  const aliases = Object.entries(contract?.tool?.argumentAliases ?? {});
  if (refusal.issues === undefined || !isMembers(sent) || aliases.length === 0) return refusal;
  const issues = refusal.issues.map(({ loc: [source = "body", member, ...rest], ...issue }): SchemaIssue => {
    const used = aliases.find(([alias, name]) => name === member && sent[name] == null && sent[alias] != null)?.[0];
    return { ...issue, loc: [source, ...(member === undefined ? [] : [used ?? member]), ...rest] };
  });
  return { ...refusal, issues };
};

interface Failed {
  readonly outcome: Extract<Outcome, { kind: "refused" }>;
  readonly sent: unknown;
  readonly unknown: readonly UnknownArgument[];
}

/** Existing clients read `detail`: defects, else the sentence. */
export const failureBody = (of: FailedTool, { outcome, sent, unknown }: Failed): Readonly<Record<string, unknown>> => {
  const { status } = outcome;
  const refusal = namedAsSent(outcome.refusal, of.contract, sent);
  const field = refusal.issues?.map(pathOf).find((path) => path !== "");
  const tool = refusal.issues === undefined ? instead(of, refusal) : of.contract?.name;
  return {
    detail: refusal.message,
    ...refusalBody(refusal),
    ...(field === undefined ? {} : { field }),
    ...(unknown.length === 0 ? {} : { unknown_arguments: unknown.map(({ name }) => name) }),
    cure: cureOf(refusal, tool, unknown),
    ...(tool === undefined ? {} : { next_tool: tool }),
    status,
  };
};
