import ipaddr from "ipaddr.js";

/** True for a bare IPv4 or IPv6 text; octal, hexadecimal and short IPv4 forms are not addresses here. */
export const isBareIp = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(":") && !text.includes("%") && ipaddr.IPv6.isValid(text));

/**
 * True when a list of host patterns covers `host` (lower case, no brackets): `d` is that host alone, `*.d` the apex and
 * everything below it. Addresses match by exact entry only, or `*.0.0.1` would open a whole network.
 */
export const isHostListed = (patterns: readonly string[], host: string): boolean =>
  patterns.some((pattern) => {
    if (!pattern.startsWith("*.")) return pattern === host;
    const apex = pattern.slice(2);
    return (host === apex || host.endsWith(`.${apex}`)) && !isBareIp(host);
  });
