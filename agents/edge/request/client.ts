import { sha256 } from "@noble/hashes/sha2.js";
import ipaddr from "ipaddr.js";
import type { EdgeConfig } from "../config.ts";
import type { EdgeTraits, Geo } from "../platform.ts";
import { isBareIp } from "../proxy/host-list.ts";

/** Compares digests, so that the time taken says nothing about where two texts differ. */
export const sameSecret = (given: string, wanted: string): boolean => {
  const encoder = new TextEncoder();
  const [a, b] = [sha256(encoder.encode(given)), sha256(encoder.encode(wanted))];
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  return difference === 0;
};

const lastCopy = (value: string | null): string | null => value?.split(",").at(-1)?.trim() || null;

const withoutPort = (text: string | null): string | null => {
  if (text === null) return null;
  const ip = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isBareIp(ip) ? ip : null;
};

export type Client = Readonly<Record<"ip" | "ja4" | "h2", string | null>>;

const at = (ip: string | null): Client => ({ ip, ja4: null, h2: null });

const ja4 = /^[A-Za-z0-9_]{1,128}$/;
const h2Settings = /^\d{1,5}:\d{1,10}(?:;\d{1,5}:\d{1,10}){0,31}$/;

const fingerprint = (headers: Headers, name: string | undefined, form: RegExp): string | null => {
  const text = name === undefined ? null : headers.get(name);
  return text !== null && form.test(text) ? text : null;
};

/**
 * The trusted proxy's headers count only when the secret is right and each header holds exactly one value; in every
 * other case the peer's address is used without a word. Copies are joined by `, `, which neither a
 * bare address nor a secret can hold.
 */
const fromTrustedHeader = (headers: Headers, config: EdgeConfig, peer: string | null): Client => {
  const rule = config.trusted_client_ip;
  if (rule === undefined) return at(peer);
  const auth = headers.get(rule.auth_header);
  if (auth === null || !sameSecret(auth, rule.shared_secret)) return at(peer);
  const named = headers.get(rule.ip_header);
  return {
    ip: named !== null && isBareIp(named) ? named : peer,
    ja4: fingerprint(headers, rule.ja4_header, ja4),
    h2: fingerprint(headers, rule.h2_header, h2Settings),
  };
};

export const readClient = (headers: Headers, traits: EdgeTraits, config: EdgeConfig, peer: string | null): Client => {
  if (traits.clientSource === "trusted-header") return fromTrustedHeader(headers, config, peer);
  if (traits.clientSource === "cloudflare-headers") {
    const named = headers.get("cf-connecting-ip");
    return at(named !== null && isBareIp(named) ? named : peer);
  }
  if (traits.clientSource === "spin-headers") {
    return at(withoutPort(lastCopy(headers.get("spin-client-addr"))) ?? peer);
  }
  return at(peer);
};

const numberOrNothing = (text: string | null): number | undefined => {
  const number = Number(text ?? "");
  return text === null || text.trim() === "" || !Number.isFinite(number) ? undefined : number;
};

const cloudflareGeo = (headers: Headers): Geo | null => {
  const country = (headers.get("cf-ipcountry") ?? "").toUpperCase();
  if (!/^[A-Z][A-Z0-9]$/.test(country) || country === "XX") return null;
  const city = headers.get("cf-ipcity");
  const continent = headers.get("cf-ipcontinent");
  const latitude = numberOrNothing(headers.get("cf-iplatitude"));
  const longitude = numberOrNothing(headers.get("cf-iplongitude"));
  return {
    country,
    ...(city === null ? {} : { city }),
    ...(continent === null ? {} : { continent }),
    ...(latitude === undefined ? {} : { latitude }),
    ...(longitude === undefined ? {} : { longitude }),
  };
};

interface Network {
  readonly cidr: [ipaddr.IPv4 | ipaddr.IPv6, number];
  readonly geo: Geo;
}

/** Prepares the configured networks once, so that a request only compares. */
export const createGeoLookup = (config: EdgeConfig): ((ip: string | null) => Geo | null) => {
  const networks: Network[] = config.geo.networks.map(({ cidr, ...rest }) => ({
    cidr: ipaddr.parseCIDR(cidr),
    geo: Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as unknown as Geo,
  }));
  return (ip) => {
    if (ip === null || networks.length === 0) return null;
    const address = ipaddr.process(ip);
    const hit = networks.find(({ cidr: [base, bits] }) => {
      if (base.kind() !== address.kind()) return false;
      return address.match(base as ipaddr.IPv4 & ipaddr.IPv6, bits);
    });
    return hit?.geo ?? null;
  };
};

export const readGeo = (
  headers: Headers,
  traits: EdgeTraits,
  ip: string | null,
  lookup: (ip: string | null) => Geo | null,
): Geo | null => {
  if (traits.clientSource === "cloudflare-headers") return cloudflareGeo(headers);
  return traits.geoHeaders === "full" ? lookup(ip) : null;
};
