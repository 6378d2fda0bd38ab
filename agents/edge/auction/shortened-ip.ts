import ipaddr from "ipaddr.js";

const keptBytes = { ipv4: 3, ipv6: 7 } as const;

/** An address of which 24 bits (IPv4) or 56 bits (IPv6) are left, the rest zero: a neighbourhood, no visitor. */
export const shortenedIp = (ip: string | null): string | null => {
  if (ip === null || !ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  const kept = keptBytes[address.kind()];
  return ipaddr.fromByteArray(address.toByteArray().map((byte, index) => (index < kept ? byte : 0))).toString();
};
