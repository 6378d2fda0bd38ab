/** Null: REST first, then MCP or A2A, whichever it answers. */
export type SellerWire = "rest" | "mcp" | "a2a" | "adcp-mcp" | "adcp-a2a";

export interface SellerAddress {
  readonly url: string;
  readonly wire: SellerWire | null;
}

const prefixed = /^((?:adcp-)?(?:mcp|a2a))\+(?=https?:)/i;

const names = "([0-9A-Za-z_]([-0-9A-Za-z_]*[0-9A-Za-z_])?\\.)*[A-Za-z_]([-0-9A-Za-z_]*[0-9A-Za-z_])?\\.?";
const byte = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const ipv4 = `${byte}(\\.${byte}){3}`;
const group = "[0-9A-Fa-f]{1,4}";
const shortened = [1, 2, 3, 4, 5, 6].map((after) => `(${group}:){1,${7 - after}}(:${group}){1,${after}}`);
const ipv6 = `\\[((${group}:){7}${group}|(${group}:){1,7}:|:((:${group}){1,7}|:)|${shortened.join("|")})\\]`;
const port = ":([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";

/** The form that documents show; what it takes, the URL parser takes (WHATWG URL, 4.4). */
export const sellerAddressPattern =
  "^ *(([Aa][Dd][Cc][Pp]-)?([Mm][Cc][Pp]|[Aa]2[Aa])\\+)?[Hh][Tt][Tt][Pp][Ss]?://" +
  `(${names}|${ipv4}|${ipv6})(${port})?(/[!-"$->@-~]*)? *$`;

const form = new RegExp(sellerAddressPattern);

/**
 * `[mcp+|a2a+|adcp-mcp+|adcp-a2a+]http(s)://host[:port][/path]`: lower-case host, no default port, no final slash.
 * Null for anything else; a user, a query or a fragment would show in logs and lists.
 */
export const readSellerAddress = (text: string): SellerAddress | null => {
  const given = text.trim();
  const prefix = prefixed.exec(given)?.[1]?.toLowerCase() as SellerWire | undefined;
  const address = given.replace(prefixed, "");
  if (text.length > 2048 || !form.test(text) || !URL.canParse(address)) return null;
  const url = new URL(address);
  return { url: url.origin + url.pathname.replace(/\/+$/, ""), wire: prefix ?? null };
};

/** Keys belong to an origin (RFC 6454). */
export const originOf = (url: string): string => new URL(url).origin;
