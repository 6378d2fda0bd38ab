/** Entries of `OUTBOUND_ALLOW`, lower case; empty ones are dropped. */
export const parseOutboundAllow = (text: string | undefined): readonly string[] =>
  (text ?? "")
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "");

/** Host of a URL as it is written in lists: lower case, no brackets, no final dot. */
export const plainHost = (url: URL): string =>
  url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();

const portOf = (url: URL): string => url.port || (url.protocol === "https:" ? "443" : "80");

/** True when `OUTBOUND_ALLOW` lists the host of `url`, alone or with its port. An address stands for itself only. */
export const isOutboundAllowed = (allow: readonly string[], url: URL, host = plainHost(url)): boolean => {
  const withPort = host.includes(":") ? `[${host}]:${portOf(url)}` : `${host}:${portOf(url)}`;
  return allow.some((entry) => entry === host || entry === `[${host}]` || entry === withPort);
};
