import { membersOrNull } from "../neutral/members.ts";
/** Buyer spec, Outbound calls. */
export interface UnsupportedPart {
  readonly path: string;
  readonly reason: string;
}

/**
 * A failure as a value. `status` 0: no answer; `code` is the seller's, or `connect_error`, `timeout`, `http_error`,
 * `aborted`, `target_not_allowed`, `redirect_refused`, `response_too_large`, `invalid_response`, `invalid_request`,
 * `http_<status>`. `detail` has at most 500 characters, none of control. `needsReauth`: a 401 (buyer spec, Outbound,
 * rule 3).
 */
export interface ClientFailure {
  readonly ok: false;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly unsupported: readonly UnsupportedPart[];
  readonly retryAfterSeconds: number | null;
  readonly needsReauth: boolean;
  readonly sellerUrl: string;
}

interface ClientSuccess<T> {
  readonly ok: true;
  readonly status: number;
  readonly output: T;
  /** A stored first answer was returned again. */
  readonly replayed: boolean;
}

export type ClientResult<T> = ClientSuccess<T> | ClientFailure;

const longestDetail = 500;
const mostUnsupported = 100;

/** The other side's text, on one line of bounded length for logs. */
export const boundedText = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .slice(0, longestDetail)
    .trim();

export const failureOf = (
  sellerUrl: string,
  status: number,
  code: string,
  detail: string,
  more: { unsupported?: readonly UnsupportedPart[]; retryAfterSeconds?: number | null } = {},
): ClientFailure => ({
  ok: false,
  status,
  code: boundedText(code),
  detail: boundedText(detail),
  unsupported: more.unsupported ?? [],
  retryAfterSeconds: more.retryAfterSeconds ?? null,
  needsReauth: status === 401,
  sellerUrl,
});

const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

const issueText = (issue: unknown): string => {
  const members = membersOrNull(issue);
  const loc = Array.isArray(members?.["loc"]) ? members["loc"].map(String).join(".") : "";
  const msg = textOrNull(members?.["msg"]) ?? "invalid";
  return loc === "" ? msg : `${loc}: ${msg}`;
};

const partOf = (value: unknown): UnsupportedPart | null => {
  const members = membersOrNull(value);
  const path = textOrNull(members?.["path"]);
  return path === null ? null : { path: boundedText(path), reason: boundedText(textOrNull(members?.["reason"]) ?? "") };
};

const unsupportedOf = (value: unknown): readonly UnsupportedPart[] =>
  Array.isArray(value)
    ? value
        .slice(0, mostUnsupported)
        .map(partOf)
        .filter((part) => part !== null)
    : [];

/** `{detail: {error, message}}`, `{error, detail}`, or plain text. */
export const readErrorBody = (
  sellerUrl: string,
  status: number,
  body: unknown,
  retryAfterSeconds: number | null,
): ClientFailure => {
  const top = membersOrNull(body) ?? {};
  const nested = membersOrNull(top["detail"]) ?? {};
  const issues = Array.isArray(top["detail"]) ? top["detail"].slice(0, 10).map(issueText).join("; ") : null;
  const code = textOrNull(nested["error"]) ?? textOrNull(top["error"]);
  const detail =
    textOrNull(nested["message"]) ??
    textOrNull(nested["detail"]) ??
    textOrNull(top["detail"]) ??
    textOrNull(issues) ??
    textOrNull(top["message"]) ??
    textOrNull(body) ??
    "";
  const unsupported = unsupportedOf(nested["unsupported"] ?? top["unsupported"]);
  const fallback = issues === null ? `http_${status}` : "validation_error";
  return failureOf(sellerUrl, status, code ?? fallback, detail, { unsupported, retryAfterSeconds });
};
