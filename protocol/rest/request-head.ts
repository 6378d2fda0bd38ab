import type { IncomingMessage } from "node:http";
import { type Refusal, refuse } from "../neutral/refusals.ts";

const isHost = (name: string): boolean => name === "Host" || name === "host" || name.toLowerCase() === "host";

const hostsIn = (rawHeaders: readonly string[]): number => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && isHost(name)) hosts += 1;
  }
  return hosts;
};

/**
 * Why the header of a request cannot be taken, null where it can: HTTP/1.1 names its host once (RFC 9112, 3.2), and
 * the one expectation that is met is `100-continue` (RFC 9110, 10.1.1).
 */
const headerRefusal = (request: IncomingMessage): Refusal | null => {
  const { rawHeaders, httpVersion } = request;
  const hosts = hostsIn(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion !== "1.0")) {
    return refuse("malformed_request", { message: "Send exactly one Host header." });
  }
  const { expect } = request.headers;
  return expect === undefined || /100-continue/i.test(expect) ? null : refuse("expectation_failed");
};

/** No fragment and no blank: RFC 9112, 3.2, has neither in a target, and Koa's URL parser may throw on them. */
const isDecodable = (url: string): boolean => {
  if (/[#\s]/.test(url)) return false;
  if (!url.includes("%")) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
};

/** The path and query of an absolute target (RFC 9112, 3.2.2); null where its scheme or host is none of ours. */
const ofAbsolute = (target: string): string | null => {
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined || !URL.canParse(authority)) return null;
  const rest = target.slice(authority.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
};

/** The target of a request as path and query, or `*`; the refusal of one whose target or header cannot be taken. */
export const readTarget = (request: IncomingMessage): string | Refusal => {
  const target = request.url ?? "/";
  const form = target.startsWith("/") || target === "*" ? target : ofAbsolute(target);
  if (form === null) return refuse("malformed_url", { message: "The URL has no host that can be read." });
  return isDecodable(form) ? (headerRefusal(request) ?? form) : refuse("malformed_url");
};
