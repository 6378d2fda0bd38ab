import ipaddr from "ipaddr.js";

/** Hosts that requests may reach although they are not public, each with one port or with any (null). */
export type AllowList = readonly { readonly host: string; readonly port: number | null }[];

/** What is known of a target before anything is connected; `resolve` means that its addresses decide. */
export type Judgement = "allowed" | "public" | "resolve" | "refused";

/** The error of a target that may not be reached. It carries the host alone: never a path, a query or a credential. */
export class TargetRefused extends Error {
  readonly code = "TARGET_NOT_ALLOWED";

  constructor(host: string) {
    super(`${host} is not a permitted public target`);
    this.name = "TargetRefused";
  }
}

/**
 * Whether an address is one of the public internet. IPv4-mapped addresses count as what they map to. IPv6 outside
 * 2000::/3 is never global unicast (RFC 4291, section 2.4), which also shuts the old IPv4-compatible form.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
};

/** One spelling for an address: IPv4 inside IPv6 unwrapped, IPv6 shortened, no zone. Other texts stay as they are. */
export const plainAddress = (text: string): string => {
  const bare = text.replace(/%.*$/, "");
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : text;
};

/** Of a URL's host: one that ends in a number is an IPv4 address, or no host at all (URL standard, 3.5). */
const isAddress = (host: string): boolean => host.includes(":") || /(?:^|\.)\d+$/.test(host);

/** Host of a URL in one spelling: lower case, no brackets, no final dot, addresses as `plainAddress` writes them. */
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

/** What is wrong with an entry of the allow list, or null. */
export const allowEntryDefect = (text: string): string | null =>
  readEntry(text) === null
    ? `${JSON.stringify(text)} is neither a host nor host:port. Write for example 127.0.0.1:8000.`
    : null;

/** What is wrong with the entries of `OUTBOUND_ALLOW`, one message each. */
export const allowListDefects = (text: string): readonly string[] =>
  entriesOf(text)
    .map(allowEntryDefect)
    .filter((defect) => defect !== null);

/** The entries of `OUTBOUND_ALLOW`, a comma list of hosts, with or without a port. A broken entry opens nothing. */
export const allowListOf = (text: string): AllowList =>
  entriesOf(text)
    .map(readEntry)
    .filter((entry) => entry !== null);

const portOf = (url: URL): number => (url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port));

/** The host and port of an http(s) URL that an operator configured: what it names is meant to be reached. */
export const allowedTarget = (target: string): AllowList[number] => {
  const url = new URL(target);
  return { host: plainHost(url), port: portOf(url) };
};

/** Whether the list opens the host of `url`, or `host` in its stead (an address that it resolved to), at its port. */
export const isListed = (allow: AllowList, url: URL, host = plainHost(url)): boolean => {
  const port = portOf(url);
  return allow.some((entry) => entry.host === host && (entry.port === null || entry.port === port));
};

/**
 * Judges a target by its URL. A literal address is judged here, because a connector asks no resolver for it; a name
 * is judged by the addresses that are then connected to, so that an answer that changes in between gains nothing.
 */
export const judgeTarget = (target: string | URL, allow: AllowList): Judgement => {
  if (!URL.canParse(String(target))) return "refused";
  const url = new URL(target);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "refused";
  const host = plainHost(url);
  if (isListed(allow, url, host)) return "allowed";
  if (!isAddress(host)) return "resolve";
  return isPublicAddress(host) ? "public" : "refused";
};
