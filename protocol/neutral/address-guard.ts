import ipaddr from "ipaddr.js";

/** Each with one port or any (null). */
export type AllowList = readonly { readonly host: string; readonly port: number | null }[];

/** `resolve`: the name's addresses decide. */
export type Judgement = "allowed" | "public" | "resolve" | "refused";

/** Holds the host alone: never a path, query or credential. */
export class TargetRefused extends Error {
  readonly code = "TARGET_NOT_ALLOWED";

  constructor(host: string) {
    super(`${host} is not a permitted public target`);
    this.name = "TargetRefused";
  }
}

/** IPv4-mapped addresses are unwrapped. IPv6 outside 2000::/3 is never global unicast (RFC 4291, 2.4). */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
};

/** IPv4 inside IPv6 unwrapped, IPv6 shortened, no zone; other texts unchanged. */
export const plainAddress = (text: string): string => {
  const withoutZone = text.replace(/%.*$/, "");
  return ipaddr.isValid(withoutZone) ? ipaddr.process(withoutZone).toString() : text;
};

/** A host that ends in a number is IPv4 or invalid (URL standard, 3.5). */
const isAddress = (host: string): boolean => host.includes(":") || /(?:^|\.)\d+$/.test(host);

/** Lower case, no brackets, no final dot. */
export const plainHost = (url: URL): string => {
  const host = url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  return isAddress(host) ? plainAddress(host) : host;
};

const entryForm = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?$/i;

const readEntry = (text: string): AllowList[number] | null => {
  const entry = text.split(":").length > 2 && !text.startsWith("[") ? `[${text}]` : text;
  const match = entryForm.exec(entry);
  const host = match?.[1];
  const port = match?.[2] === undefined ? null : Number(match[2]);
  if (host === undefined || (port !== null && (port < 1 || port > 65_535)) || !URL.canParse(`http://${host}/`)) {
    return null;
  }
  return { host: plainHost(new URL(`http://${host}/`)), port };
};

const entriesOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

export const allowEntryDefect = (text: string): string | null =>
  readEntry(text) === null
    ? `${JSON.stringify(text)} is neither a host nor host:port. Write for example 127.0.0.1:8000.`
    : null;

export const allowListDefects = (text: string): readonly string[] =>
  entriesOf(text)
    .map(allowEntryDefect)
    .filter((defect) => defect !== null);

/** A broken entry allows nothing. */
export const allowListOf = (text: string): AllowList =>
  entriesOf(text)
    .map(readEntry)
    .filter((entry) => entry !== null);

const portOf = (url: URL): number => (url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port));

/** A URL that the operator configured is allowed. */
export const allowedTarget = (target: string): AllowList[number] => {
  const url = new URL(target);
  return { host: plainHost(url), port: portOf(url) };
};

/** `host` may be an address that the URL resolved to. */
export const isListed = (allow: AllowList, url: URL, host = plainHost(url)): boolean => {
  const port = portOf(url);
  return allow.some((entry) => entry.host === host && (entry.port === null || entry.port === port));
};

/**
 * Literal addresses are checked here, because a connector does not resolve them; names by the address connected to, so
 * that a changed answer gains nothing.
 */
export const judgeTarget = (target: string | URL, allow: AllowList): Judgement => {
  if (!URL.canParse(String(target))) return "refused";
  const url = new URL(target);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "refused";
  const host = plainHost(url);
  if (isListed(allow, url, host)) return "allowed";
  // Loopback by definition (RFC 6761, 6.3).
  if (host === "localhost" || host.endsWith(".localhost")) return "refused";
  if (!isAddress(host)) return "resolve";
  return isPublicAddress(host) ? "public" : "refused";
};

/** A private address is refused for discovery, webhooks, push and sessions alike. */
export interface TargetGuard {
  /** With `asksResolver` a name counts as what it resolves to now. */
  isPermitted(url: string, how: { readonly asksResolver: boolean }): Promise<boolean>;
}
