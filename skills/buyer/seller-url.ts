/** How a seller is spoken to; null: REST first, then whatever of MCP and A2A it answers. */
export type SellerWire = "rest" | "mcp" | "a2a";

/** A seller's address: the base URL in its one spelling, and the wire that a prefix names. */
export interface SellerAddress {
  readonly url: string;
  readonly wire: SellerWire | null;
}

const prefixed = /^(mcp|a2a)\+(?=https?:)/i;

/**
 * Reads `[mcp+|a2a+]http(s)://host[:port][/path]`: lower-case host, no default port, no slash at the end. Null for
 * anything else, and for an address with a user, a query or a fragment, which logs and lists would show.
 */
export const readSellerAddress = (text: string): SellerAddress | null => {
  const given = text.trim();
  const prefix = prefixed.exec(given)?.[1]?.toLowerCase() as SellerWire | undefined;
  const address = given.replace(prefixed, "");
  if (address.length > 2048 || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return null;
  return { url: url.origin + url.pathname.replace(/\/+$/, ""), wire: prefix ?? null };
};

/** Keys belong to an origin: scheme, host and port. */
export const originOf = (url: string): string => new URL(url).origin;
