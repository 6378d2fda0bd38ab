import { isIPv6 } from "node:net";

const groupsOf = (text: string): readonly string[] => (text === "" ? [] : text.split(":"));

/** All eight groups of an IPv6 address, `::` written out. */
const expanded = (address: string): readonly string[] => {
  const [head = "", tail] = address.split("::");
  if (tail === undefined) return groupsOf(head);
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => "0"), ...last];
};

/**
 * What limits count of an address. An IPv6 host has at least a /64 to itself (RFC 6177) and takes another of its
 * addresses for each request if it likes, so the first 64 bits count; IPv4 written as IPv6 counts as IPv4.
 */
export const addressBlock = (address: string): string => {
  const bare = address.replace(/%.*$/, "");
  if (!isIPv6(bare)) return bare;
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  const groups = expanded(bare).slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
};
