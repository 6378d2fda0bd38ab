import { noStore } from "../http/cache-policy.ts";
import type { EdgeHandler } from "../context.ts";
import { eidsCookie, sharedIdCookie, ingestOfCookies, parseEidsCookie } from "../identity/eids.ts";
import { jsonAnswer } from "../http/refusals.ts";

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `GET /_ts/admin/eids`: what the edge makes of the caller's own EID cookies; always 200. */
export const handleAdminEids: EdgeHandler = async (_, context) => {
  const cookie = context.cookies.get(eidsCookie);
  const parsed = cookie === undefined ? null : parseEidsCookie(cookie);
  const { matched, unmatched } = ingestOfCookies(context.cookies, context.config.ec.partners);
  const body = {
    cookie_present: cookie !== undefined,
    ...(parsed?.ok === true ? { eids: parsed.eids } : {}),
    ...(parsed?.ok === false ? { parse_error: `failed to parse ts-eids cookie: ${parsed.reason}` } : {}),
    sharedid_present: context.cookies.has(sharedIdCookie),
    partners_configured: context.config.ec.partners.length,
    ingest: {
      matched: [...matched]
        .map(([sourceDomain, uid]) => ({ source_domain: sourceDomain, uid }))
        .toSorted((a, b) => byText(a.source_domain, b.source_domain)),
      unmatched: unmatched.toSorted((a, b) => byText(a.source, b.source)),
    },
  };
  return jsonAnswer(200, body, noStore);
};
