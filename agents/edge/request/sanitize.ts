import type { EdgeConfig } from "../config.ts";
import type { EdgeTraits } from "../platform.ts";

/**
 * Headers that only a proxy in front may set, in the spelling of each platform. A client's copy of any of them would
 * forge its address, location, scheme or identity, so none passes, on no adapter.
 */
const spoofable = [
  "forwarded",
  "fastly-ssl",
  "fastly-client-ip",
  "true-client-ip",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-original-url",
  "x-rewrite-url",
];

const spoofablePrefixes = ["x-forwarded-", "x-ts-", "x-geo-", "cf-", "spin-"];

/** The name as an expression. Servers behind us may take `_` for `-`, so that both spellings are one name. */
const spelled = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("-", "[-_]");

/** Names that no client may send, the configured trusted headers among them, as one expression over lower case. */
export const forgeableNames = (config: EdgeConfig): RegExp => {
  const rule = config.trusted_client_ip;
  const { ip_header, auth_header, ja4_header, h2_header } = rule ?? {};
  const named = [ip_header, auth_header, ja4_header, h2_header].filter((name) => name !== undefined);
  const whole = [...spoofable, ...named].map(spelled).join("|");
  return new RegExp(`^(?:(?:${whole})$|(?:${spoofablePrefixes.map(spelled).join("|")}))`);
};

/** What one pass over the headers finds: their length as lines, and the names that have to go. */
export const inspectHeaders = (headers: Headers, forgeable: RegExp): { bytes: number; forged: string[] } => {
  let bytes = 0;
  const forged: string[] = [];
  for (const [name, value] of headers) {
    bytes += name.length + value.length + 4;
    if (forgeable.test(name)) forged.push(name);
  }
  return { bytes, forged };
};

const lastUrl = (value: string): string =>
  value
    .split(/,\s*(?=https?:\/\/)/i)
    .at(-1)
    ?.trim() ?? "";

/** Public URL of the request, folded once for every reader; `null` when it is no URL. */
export const publicUrl = (requestUrl: string, headers: Headers, traits: EdgeTraits): URL | null => {
  if (!URL.canParse(requestUrl)) return null;
  const url = new URL(requestUrl);
  url.hash = "";
  if (traits.clientSource !== "spin-headers") return url;
  const full = headers.get("spin-full-url");
  if (full === null) return url;
  const last = lastUrl(full);
  if (!URL.canParse(last)) return url;
  const named = new URL(last);
  if (!/^https?:$/.test(named.protocol)) return url;
  return new URL(`${named.protocol}//${named.host}${url.pathname}${url.search}`);
};
