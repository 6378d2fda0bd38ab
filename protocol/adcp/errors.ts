import { helpPage } from "../neutral/refusal-body.ts";
import type { RefusalCode, Refusal, SchemaIssue } from "../neutral/refusals.ts";
import type { Fault, Recovery } from "./fault.ts";
import type { Release } from "./release.ts";

interface Coded {
  readonly code: string;
  readonly recovery: Recovery;
  /** The word of 3.0, where it has another. */
  readonly before?: string;
}

const correctable = (code: string, before?: string): Coded =>
  before === undefined ? { code, recovery: "correctable" } : { code, recovery: "correctable", before };
const terminal = (code: string, before?: string): Coded =>
  before === undefined ? { code, recovery: "terminal" } : { code, recovery: "terminal", before };
const transient = (code: string): Coded => ({ code, recovery: "transient" });

const table: Readonly<Partial<Record<RefusalCode, Coded>>> = {
  product_not_found: correctable("PRODUCT_NOT_FOUND"),
  inventory_unavailable: correctable("PRODUCT_UNAVAILABLE"),
  pricing_option_not_found: correctable("INVALID_PRICING_OPTION", "INVALID_REQUEST"),
  currency_mismatch: correctable("INVALID_PRICING_OPTION", "INVALID_REQUEST"),
  plan_not_found: correctable("PROPOSAL_NOT_FOUND", "REFERENCE_NOT_FOUND"),
  plan_expired: correctable("PROPOSAL_EXPIRED"),
  plan_not_committed: correctable("PROPOSAL_NOT_COMMITTED"),
  plan_already_booked: correctable("INVALID_STATE"),
  quote_expired: correctable("PROPOSAL_EXPIRED"),
  negotiation_not_allowed: correctable("PERMISSION_DENIED"),
  exact_price_required: correctable("PERMISSION_DENIED"),
  terms_rejected: correctable("TERMS_REJECTED"),
  budget_too_low: correctable("BUDGET_TOO_LOW"),
  media_buy_not_found: correctable("MEDIA_BUY_NOT_FOUND"),
  media_buy_package_not_found: correctable("PACKAGE_NOT_FOUND"),
  task_not_found: correctable("REFERENCE_NOT_FOUND"),
  invalid_transition: correctable("INVALID_STATE"),
  not_cancellable: correctable("NOT_CANCELLABLE"),
  requote_required: correctable("REQUOTE_REQUIRED"),
  revision_mismatch: transient("CONFLICT"),
  concurrent_update: transient("CONFLICT"),
  creative_not_found: correctable("CREATIVE_NOT_FOUND"),
  creative_format_not_found: correctable("REFERENCE_NOT_FOUND"),
  account_not_found: terminal("ACCOUNT_NOT_FOUND"),
  account_not_active: terminal("ACCOUNT_SUSPENDED"),
  account_payment_required: terminal("ACCOUNT_PAYMENT_REQUIRED"),
  authentication_required: { code: "AUTH_MISSING", recovery: "correctable", before: "AUTH_REQUIRED" },
  invalid_api_key: terminal("AUTH_INVALID", "AUTH_REQUIRED"),
  api_key_revoked: terminal("AUTH_INVALID", "AUTH_REQUIRED"),
  api_key_expired: terminal("AUTH_INVALID", "AUTH_REQUIRED"),
  agent_blocked: terminal("AGENT_BLOCKED", "PERMISSION_DENIED"),
  operator_required: correctable("PERMISSION_DENIED"),
  insufficient_scope: correctable("PERMISSION_DENIED"),
  rate_limited: transient("RATE_LIMITED"),
  price_probe_limited: transient("RATE_LIMITED"),
  unavailable: transient("SERVICE_UNAVAILABLE"),
  outcome_unknown: transient("SERVICE_UNAVAILABLE"),
  idempotency_in_flight: transient("IDEMPOTENCY_IN_FLIGHT"),
};

const longestWait = 3600;

const fieldOf = (path: readonly (string | number)[]): string =>
  path.map((part, place) => (typeof part === "number" ? `[${part}]` : place === 0 ? part : `.${part}`)).join("");

const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The first part of a place is where in the HTTP request it stands. */
const issueOf = ({ loc: [, ...path], msg, type }: SchemaIssue) => ({
  pointer: pointerOf(path),
  message: msg,
  keyword: type,
});

/** Members that operations call otherwise. */
const adcpNames: Readonly<Record<string, string>> = {
  offer_id: "product_id",
  option_id: "pricing_option_id",
  plan_id: "proposal_id",
  measurement_variance_pct: "measurement_terms",
  brand_domain: "brand.domain",
};

const adcpField = (field: string): string => field.replace(/[a-z_]+$/, (name) => adcpNames[name] ?? name);

const namedField = ({ extras, issues }: Refusal): string | undefined => {
  const { field } = extras;
  if (typeof field === "string") return adcpField(field);
  const [first] = issues ?? [];
  return first === undefined || first.loc.length < 2 ? undefined : adcpField(fieldOf(first.loc.slice(1)));
};

/** Who reads it learns nothing of the first request: its key alone is no proof of having made it. */
const conflict: Fault = {
  code: "IDEMPOTENCY_CONFLICT",
  message: "The key was used for another request. Send the first request again, or this one under a new key.",
};

const messageOf = ({ message, issues = [] }: Refusal): string => {
  const [first] = issues;
  return first === undefined ? message : `${fieldOf(first.loc.slice(1))}: ${first.msg}`;
};

export const faultOf = (refusal: Refusal, release: Release): Fault => {
  const { code, issues = [], retryAfterSeconds } = refusal;
  if (code === "idempotency_conflict") return conflict;
  const coded = table[code] ?? correctable("INVALID_REQUEST");
  const field = namedField(refusal);
  const wait = coded.recovery === "transient" ? (retryAfterSeconds ?? 1) : undefined;
  return {
    code: release === "3.0" ? (coded.before ?? coded.code) : coded.code,
    message: messageOf(refusal),
    recovery: coded.recovery,
    ...(field === undefined ? {} : { field }),
    ...(wait === undefined ? {} : { retry_after: Math.min(longestWait, Math.max(1, Math.ceil(wait))) }),
    ...(issues.length === 0 ? {} : { issues: issues.map(issueOf) }),
    // Several of ours share one code of AdCP; the page is on the code of ours.
    details: { refusal: code, help: helpPage(code) },
  };
};

export const bugFault = (requestId: string): Fault => ({
  code: "SERVICE_UNAVAILABLE",
  message: `The agent failed. Name the request ${requestId} to its operator.`,
  recovery: "transient",
  retry_after: 5,
  details: { help: helpPage("internal_error") },
});
