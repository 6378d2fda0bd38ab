import type { EdgeContext } from "../context.ts";
import { dropHopByHop, reduceAcceptEncoding } from "../http/outbound-headers.ts";
import { plainHost } from "../../../protocol/neutral/address-guard.ts";
import type { OutboundResult } from "../platform.ts";
import type { EdgeRefusalCode } from "../http/refusals.ts";
import { isHostListed } from "./host-list.ts";
import { parseTarget } from "./signed-url.ts";

type Fetched = Extract<OutboundResult, { ok: true }>;

export type FetchResult =
  | { readonly ok: true; readonly answer: Fetched; readonly url: URL }
  | { readonly ok: false; readonly code: EdgeRefusalCode; readonly reason: string };

const mostFollowed = 4;
const redirects = new Set([301, 302, 303, 307, 308]);
const idleMs = 15_000;
const forwarded = ["user-agent", "accept", "accept-language", "referer"] as const;

const headersFor = (headers: Headers, clientIp: string | null): Headers => {
  const kept = new Headers();
  for (const name of forwarded) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  if (clientIp !== null) kept.set("x-forwarded-for", clientIp);
  kept.set("accept-encoding", reduceAcceptEncoding(headers.get("accept-encoding")) ?? "identity");
  return kept;
};

const nextHop = (answer: Fetched, from: URL): URL | null => {
  const location = answer.headers.get("location") ?? "";
  if (!redirects.has(answer.status) || location.trim() === "" || !URL.canParse(location, from.href)) return null;
  return parseTarget(new URL(location, from.href).href);
};

const faultCodes = {
  timeout: "upstream_timeout",
  refused: "upstream_failed",
  broken: "upstream_failed",
  blocked: "allowlist_violation",
} as const;

/**
 * Fetches a target and follows its redirects. Every hop must be on the allowlist, and every address that it resolves to
 * must be public; the fifth redirect is answered as it is.
 */
export const fetchTarget = async (target: URL, headers: Headers, context: EdgeContext): Promise<FetchResult> => {
  const { allowed_domains: allowed, certificate_check: checkCertificate } = context.config.proxy;
  const sent = headersFor(headers, context.clientIp);
  let url = target;
  for (let followed = 0; ; followed += 1) {
    if (allowed.length > 0 && !isHostListed(allowed, plainHost(url))) {
      return { ok: false, code: "allowlist_violation", reason: `${plainHost(url)} is not in proxy.allowed_domains` };
    }
    const answer = await context.env.send({
      url,
      method: "GET",
      headers: new Headers(sent),
      body: null,
      idleMs: idleMs,
      trust: "foreign",
      checkCertificate,
    });
    if (!answer.ok) return { ok: false, code: faultCodes[answer.fault], reason: answer.reason };
    dropHopByHop(answer.headers);
    const next = followed < mostFollowed ? nextHop(answer, url) : null;
    if (next === null) return { ok: true, answer, url };
    await answer.body?.cancel().catch(() => undefined);
    url = next;
  }
};
