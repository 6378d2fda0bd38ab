/** Null: REST first, then MCP or A2A, whichever it answers. */
export type SellerWire = "rest" | "mcp" | "a2a";

export interface SellerAddress {
  readonly url: string;
  readonly wire: SellerWire | null;
}

const prefixed = /^(mcp|a2a)\+(?=https?:)/i;

/**
 * `[mcp+|a2a+]http(s)://host[:port][/path]`: lower-case host, no default port, no final slash. Null for anything
 * else; a user, a query or a fragment would show in logs and lists.
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

/** Keys belong to an origin (RFC 6454). */
export const originOf = (url: string): string => new URL(url).origin;
