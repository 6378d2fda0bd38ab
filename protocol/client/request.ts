import type { Contract } from "../seam/operation.ts";
import type { Members } from "../neutral/members.ts";

/** With both credentials the API key wins (buyer spec, Outbound calls). */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey?: string | null;
  readonly bearer?: string | null;
  /** Asked for a sandbox, and nothing else. */
  readonly isSandbox?: boolean;
}

/** The same for each attempt. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface RequestOptions {
  readonly idempotencyKey?: string;
  readonly requestId?: string;
  readonly traceparent?: string;
  /** The first is sent, any is accepted. */
  readonly mediaTypes?: readonly string[];
}

/** The message holds no credential. */
export class InvalidRequest extends Error {}

/** Only http(s), and no credential that a log would show. */
export const baseOf = (baseUrl: string): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new InvalidRequest("The seller's URL must be an http or https URL.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new InvalidRequest("The seller's URL must have no user, password, query or fragment.");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
};

const asText = (member: string, value: unknown): string => {
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  throw new InvalidRequest(`${member} has no text form and cannot stand in a URL.`);
};

/** `.` and `..` would reach another route, however escaped. */
const segmentOf = (member: string, value: unknown): string => {
  const text = value === undefined || value === null ? "" : asText(member, value);
  if (text === "" || text === "." || text === "..") throw new InvalidRequest(`${member} is no usable path segment.`);
  return encodeURIComponent(text);
};

const queryOf = (members: readonly (readonly [string, unknown])[]): string => {
  const query = new URLSearchParams();
  for (const [member, value] of members) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(member, asText(member, item));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
};

const credentialOf = (target: Target): Readonly<Record<string, string>> => {
  if (target.apiKey !== undefined && target.apiKey !== null && target.apiKey !== "") {
    return { "x-api-key": target.apiKey };
  }
  const hasBearer = target.bearer !== undefined && target.bearer !== null && target.bearer !== "";
  return hasBearer ? { authorization: `Bearer ${target.bearer}` } : {};
};

const visibleText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const checkedHeaders = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    if (!visibleText.test(value)) throw new InvalidRequest(`The value of the header ${name} cannot be sent.`);
    checked[name] = value;
  }
  return checked;
};

/** Whoever asks, and for which call; the same on every wire. */
export const callHeaders = (target: Target, options: RequestOptions): Record<string, string> =>
  checkedHeaders({
    "accept-encoding": "identity",
    "user-agent": "parley",
    ...credentialOf(target),
    "request-id": options.requestId,
    traceparent: options.traceparent,
    "x-parley-sandbox": target.isSandbox === true ? "true" : undefined,
  });

/** Path members by name; the rest as query on GET and DELETE, else as JSON body. Throws `InvalidRequest`. */
export const writeRequest = (
  target: Target,
  contract: Contract,
  input: unknown,
  options: RequestOptions,
): WireRequest => {
  const route = contract.rest;
  if (route === undefined) throw new InvalidRequest(`${contract.name} has no REST route.`);
  const members = (input ?? {}) as Members;
  const inPath = new Set<string>();
  const path = route.path.replace(/:(\w+)/g, (_whole, member: string) => {
    inPath.add(member);
    return segmentOf(member, members[member]);
  });
  const rest = Object.entries(members).filter(([member]) => !inPath.has(member));
  const isBodyless = route.method === "GET" || route.method === "DELETE";
  const mediaTypes = options.mediaTypes ?? ["application/json"];
  const headers = {
    ...callHeaders(target, options),
    ...checkedHeaders({
      accept: mediaTypes.join(", "),
      "content-type": isBodyless ? undefined : mediaTypes[0],
      "idempotency-key": options.idempotencyKey,
    }),
  };
  return {
    method: route.method,
    url: baseOf(target.baseUrl) + path + (isBodyless ? queryOf(rest) : ""),
    headers,
    body: isBodyless ? null : JSON.stringify(Object.fromEntries(rest)),
  };
};
