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

/** HTTP/1.1 names its host once (RFC 9112, 3.2); the only expectation met is `100-continue` (RFC 9110, 10.1.1). */
const headerRefusal = (request: IncomingMessage): Refusal | null => {
  const { rawHeaders, httpVersion } = request;
  const hosts = hostsIn(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion !== "1.0")) {
    return refuse("malformed_request", { message: "Send exactly one Host header." });
  }
  const { expect } = request.headers;
  return expect === undefined || /100-continue/i.test(expect) ? null : refuse("expectation_failed");
};

/** RFC 9112, 3.2, allows no fragment and no blank, and Koa's URL parser may throw on them. */
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

/** RFC 9112, 3.2.2; null for a foreign scheme or host. */
const ofAbsolute = (target: string): string | null => {
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined || !URL.canParse(authority)) return null;
  const rest = target.slice(authority.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
};

export const readTarget = (request: IncomingMessage): string | Refusal => {
  const target = request.url ?? "/";
  const form = target.startsWith("/") || target === "*" ? target : ofAbsolute(target);
  if (form === null) return refuse("malformed_url", { message: "The URL has no host that can be read." });
  return isDecodable(form) ? (headerRefusal(request) ?? form) : refuse("malformed_url");
};
