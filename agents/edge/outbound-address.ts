import ipaddr from "ipaddr.js";

/**
 * True for an address on the public internet. IPv4 inside IPv6 (mapped, NAT64, 6to4, Teredo) is never public here: it
 * would be a second spelling of an address that was meant to be refused (decision 20).
 */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress()) {
    return (address as ipaddr.IPv6).toIPv4Address().range() === "unicast";
  }
  return address.range() === "unicast";
};

/** The text of an address as lists write it: IPv4 inside IPv6 unwrapped, IPv6 shortened. */
export const plainAddress = (text: string): string => (ipaddr.isValid(text) ? ipaddr.process(text).toString() : text);
