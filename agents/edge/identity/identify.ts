import { readConsent } from "../consent/consent.ts";
import type { EdgeContext, EdgeHandler } from "../context.ts";
import type { PartnerConfig } from "../config/identity.ts";
import type { IdentityStore } from "../platform.ts";
import { jsonAnswer, refuse } from "../http/refusals.ts";
import { ecCookieName, normalizeEcId } from "./ec.ts";
import { isTombstone, uidOf } from "./entry.ts";
import { clusterSize, readEntry } from "./identity-writes.ts";
import { invalidToken, authenticatePartner } from "./partners.ts";

const privateHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  pragma: "no-cache",
  vary: "Origin, Authorization",
};

/** An https origin; the host as sent, because a browser always sends it in lower case. */
const originForm = /^https:\/\/([a-z0-9.-]+)(?::\d{1,5})?$/;

const originHeaders = (headers: Headers, publisherDomain: string): Record<string, string> | null => {
  const origin = headers.get("origin");
  if (origin === null) return { ...privateHeaders };
  const host = originForm.exec(origin)?.[1];
  const domain = publisherDomain.toLowerCase();
  if (host === undefined || (host !== domain && !host.endsWith(`.${domain}`))) return null;
  return {
    ...privateHeaders,
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "GET, OPTIONS",
    "access-control-allow-headers": "Authorization",
    "access-control-max-age": "600",
  };
};

const withHeaders = (response: Response, headers: Record<string, string>): Response => {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
};

interface Identity {
  degraded: boolean;
  source_domain: string;
  uid?: string;
  eid?: { source: string; uids: { id: string; atype: number }[] };
  cluster_size?: number;
}

const lookUp = async (
  store: IdentityStore,
  id: string,
  partner: PartnerConfig,
  context: EdgeContext,
): Promise<Identity> => {
  const domain = partner.source_domain;
  const result: Identity = { degraded: false, source_domain: domain };
  let found;
  try {
    found = await readEntry(store, id);
  } catch {
    return { ...result, degraded: true };
  }
  if (found === null || isTombstone(found.entry)) return result;
  const uid = uidOf(found.entry, domain);
  if (uid !== null) {
    result.uid = uid;
    result.eid = { source: domain, uids: [{ id: uid, atype: partner.openrtb_atype }] };
  }
  const time = { now: Math.floor(context.env.now() / 1_000), recheckS: context.config.ec.cluster_recheck_secs };
  const size = await clusterSize(store, id, found, time);
  return size === null ? result : { ...result, cluster_size: size };
};

const answerGet: EdgeHandler = async (request, context) => {
  if (context.identity === null) return withHeaders(refuse("store_unavailable"), privateHeaders);
  const headers = originHeaders(request.headers, context.config.publisher.domain);
  if (headers === null) return new Response(null, { status: 403, headers: privateHeaders });
  const partner = authenticatePartner(request.headers, context.config);
  if (partner === null) return jsonAnswer(401, invalidToken, headers);
  if (!readConsent(request.headers, context).isEcAllowed) return jsonAnswer(403, { consent: "denied" }, headers);
  const ec = normalizeEcId(context.cookies.get(ecCookieName) ?? "");
  if (ec === null) return new Response(null, { status: 204, headers });
  const identity = await lookUp(context.identity, ec, partner, context);
  return jsonAnswer(200, { ec, consent: "ok", ...identity }, headers);
};

export const handleIdentify: EdgeHandler = async (request, context) => {
  if (request.method !== "OPTIONS") return answerGet(request, context);
  const headers = originHeaders(request.headers, context.config.publisher.domain);
  return new Response(null, { status: headers === null ? 403 : 200, headers: headers ?? privateHeaders });
};
