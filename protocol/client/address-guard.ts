import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Where a request may go besides public addresses: hosts, each with one port or with any (null). */
export type AllowList = readonly { readonly host: string; readonly port: number | null }[];

/** What the guard says of a target before anything is connected; `resolve` means that its addresses decide. */
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
 * Whether an address is one of the public internet (decision 20). IPv4-mapped addresses are judged as what they map
 * to. IPv6 outside 2000::/3 is never global unicast (RFC 4291, 2.4), which also shuts the old IPv4-compatible form.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
};

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "").toLowerCase();

const entryForm = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?$/i;

const readEntry = (text: string): AllowList[number] | null => {
  const entry = text.split(":").length > 2 && !text.startsWith("[") ? `[${text}]` : text;
  const match = entryForm.exec(entry);
  const host = match?.[1];
  const port = match?.[2] === undefined ? null : Number(match[2]);
  if (host === undefined || (port !== null && (port < 1 || port > 65_535)) || !URL.canParse(`http://${host}/`)) {
    return null;
  }
  return { host: bare(new URL(`http://${host}/`).hostname), port };
};

/** What is wrong with an entry of the allow list, or null. */
export const allowEntryDefect = (text: string): string | null =>
  readEntry(text) === null
    ? `${JSON.stringify(text)} is neither a host nor host:port. Write for example 127.0.0.1:8000.`
    : null;

const entryOf = (text: string): AllowList[number] => {
  const entry = readEntry(text);
  if (entry === null) throw new Error(`OUTBOUND_ALLOW: ${allowEntryDefect(text)}`);
  return entry;
};

/** Reads `OUTBOUND_ALLOW`: a comma list of hosts, with or without a port (decision 32). Throws on any other entry. */
export const readAllowList = (text: string): AllowList =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map(entryOf);

const portOf = (url: URL): number => (url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port));

/** The host and port of an http(s) URL that an operator configured: what it names is meant to be reached. */
export const allowedTarget = (target: string): AllowList[number] => {
  const url = new URL(target);
  return { host: bare(url.hostname), port: portOf(url) };
};

/**
 * Judges a target by its URL. A literal address is judged here, because a connector asks no resolver for it; a name
 * is judged by the addresses that are then connected to, so that an answer that changes in between gains nothing.
 */
export const judgeTarget = (target: string | URL, allow: AllowList): Judgement => {
  if (!URL.canParse(String(target))) return "refused";
  const url = new URL(target);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "refused";
  const host = bare(url.hostname);
  const port = portOf(url);
  if (allow.some((entry) => entry.host === host && (entry.port === null || entry.port === port))) return "allowed";
  if (isIP(host) === 0) return "resolve";
  return isPublicAddress(host) ? "public" : "refused";
};
