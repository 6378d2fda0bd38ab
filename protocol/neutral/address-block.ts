import ipaddr from "ipaddr.js";
import { plainAddress } from "./address-guard.ts";

/**
 * The network that rate limits count. An IPv6 host has at least a /64 to itself (RFC 6177) and takes another of its
 * addresses for each request if it likes, so the first 64 bits count; IPv4 written as IPv6 counts as IPv4.
 */
export const addressBlock = (address: string): string => {
  const plain = plainAddress(address);
  if (!ipaddr.IPv6.isValid(plain)) return plain;
  const groups = ipaddr.IPv6.parse(plain).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
};
