import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import ipaddr from "ipaddr.js";
import { toHex } from "./hex.ts";

export const ecCookieName = "ts-ec";

const ecId = /^[0-9a-f]{64}\.[A-Za-z0-9]{6}$/;
const suffixChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const suffixLength = 6;
/** The largest multiple of 62 in a byte: what lies above would make some characters more likely. */
const fairBytes = 248;

const encoder = new TextEncoder();

export const isEcId = (text: string): boolean => ecId.test(text);

/** The id with its hash in lower case, as it is stored; `null` when it is no id. The suffix keeps its case. */
export const normalizeEcId = (text: string): string | null => {
  const dot = text.indexOf(".");
  const id = dot < 0 ? text : text.slice(0, dot).toLowerCase() + text.slice(dot);
  return isEcId(id) ? id : null;
};

export const hashOf = (id: string): string => id.slice(0, 64);

export const shownEc = (id: string): string => `${id.slice(0, 8)}…`;

/** IPv4 as it is; of IPv6 the /64, 16 hex characters: the rest changes from day to day. */
export const networkOf = (ip: string): string => {
  if (!ip.includes(":")) return ip;
  const address = ipaddr.parse(ip) as ipaddr.IPv6;
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16).padStart(4, "0"))
    .join("");
};

/** Hash part of an id: the same for one passphrase and one network, on every adapter. */
export const ecHash = (passphrase: string, ip: string): string =>
  toHex(hmac(sha256, encoder.encode(passphrase), encoder.encode(networkOf(ip))));

export const createEcId = (passphrase: string, ip: string, random: (bytes: number) => Uint8Array): string => {
  let suffix = "";
  while (suffix.length < suffixLength) {
    for (const byte of random(suffixLength)) {
      if (byte < fairBytes && suffix.length < suffixLength) suffix += suffixChars.charAt(byte % suffixChars.length);
    }
  }
  return `${ecHash(passphrase, ip)}.${suffix}`;
};

const yearS = 31_536_000;

export const ecCookie = (id: string, publisherDomain: string): string =>
  `${ecCookieName}=${id}; Domain=.${publisherDomain}; Path=/; Secure; SameSite=Lax; ` +
  `Max-Age=${id === "" ? 0 : yearS}; HttpOnly`;
