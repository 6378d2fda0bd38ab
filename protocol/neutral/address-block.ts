import ipaddr from "ipaddr.js";
import { plainAddress } from "./address-guard.ts";

/**
 * An IPv6 host has at least a /64 (RFC 6177) and could change its address on each request, so limits use the first 64
 * bits; mapped IPv4 is IPv4.
 */
export const addressBlock = (address: string): string => {
  const plain = plainAddress(address);
  if (!ipaddr.IPv6.isValid(plain)) return plain;
  const groups = ipaddr.IPv6.parse(plain).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
};
