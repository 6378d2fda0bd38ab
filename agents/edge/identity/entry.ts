import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Geo } from "../platform.ts";
import type { Consent } from "../consent/consent.ts";
import type { IdentityRecord, IdentityWrite } from "../platform.ts";

const liveS = 31_536_000;
const tombstoneS = 86_400;
const unknownCountry = "ZZ";
export const longestUidBytes = 512;

export interface IdentityEntry {
  readonly v: 1;
  readonly created: number;
  readonly consent: { readonly tcf?: string; readonly gpp?: string; readonly ok: boolean; readonly updated: number };
  readonly geo?: { readonly country: string };
  readonly pub_properties?: unknown;
  readonly device?: { readonly is_mobile: number; readonly known_browser?: boolean };
  readonly network?: { readonly cluster_size?: number; readonly cluster_checked?: number };
  readonly ids?: Readonly<Record<string, { readonly uid: string }>>;
}

export interface Device {
  readonly is_mobile: 0 | 1 | 2;
  readonly ja4_class?: string;
  readonly h2_fp_hash?: string;
  /** Both fingerprints are those of one known browser; absent otherwise. */
  readonly known_browser?: true;
  readonly platform_class?: string;
}

/** A stored entry that cannot be read as version 1: nothing may be decided by it. */
class UnreadableEntry extends Error {}

const isOptional = (value: unknown, check: (value: unknown) => boolean): boolean => value === undefined || check(value);
const isNumber = (value: unknown): boolean => typeof value === "number";

const isUid = (uid: unknown): boolean =>
  typeof uid === "string" && uid !== "" && new TextEncoder().encode(uid).length <= longestUidBytes;

const areIds = (ids: unknown): boolean =>
  isMembers(ids) &&
  Object.entries(ids).every(
    ([domain, entry]) => /^[a-z0-9.-]{1,255}$/.test(domain) && isMembers(entry) && isUid(entry["uid"]),
  );

const isConsent = (consent: unknown): boolean =>
  isMembers(consent) &&
  typeof consent["ok"] === "boolean" &&
  isNumber(consent["updated"]) &&
  isOptional(consent["tcf"], (text) => typeof text === "string") &&
  isOptional(consent["gpp"], (text) => typeof text === "string");

const isNetwork = (network: unknown): boolean =>
  isMembers(network) &&
  isOptional(network["cluster_size"], isNumber) &&
  isOptional(network["cluster_checked"], isNumber);

const isDevice = (device: unknown): boolean =>
  isMembers(device) &&
  isNumber(device["is_mobile"]) &&
  isOptional(device["known_browser"], (known) => typeof known === "boolean");

const isEntry = (body: unknown): body is IdentityEntry =>
  isMembers(body) &&
  body["v"] === 1 &&
  isNumber(body["created"]) &&
  isConsent(body["consent"]) &&
  isOptional(body["geo"], (geo) => isMembers(geo) && typeof geo["country"] === "string") &&
  isOptional(body["device"], isDevice) &&
  isOptional(body["network"], isNetwork) &&
  isOptional(body["ids"], areIds);

/** Reads a stored entry; throws for everything but schema version 1, because nothing may be decided by it. */
export const parseEntry = (record: IdentityRecord): IdentityEntry => {
  let body: unknown;
  try {
    body = JSON.parse(record.body);
  } catch {
    throw new UnreadableEntry("the identity entry is no JSON");
  }
  if (!isEntry(body)) throw new UnreadableEntry("the identity entry does not have schema version 1");
  return body;
};

const metadataOf = (entry: IdentityEntry): object => ({
  ok: entry.consent.ok,
  country: entry.geo?.country ?? unknownCountry,
  v: 1,
  ...(entry.network?.cluster_size === undefined ? {} : { cluster_size: entry.network.cluster_size }),
  ...(entry.device === undefined ? {} : { is_mobile: entry.device.is_mobile }),
  ...(entry.device?.known_browser === undefined ? {} : { known_browser: entry.device.known_browser }),
});

export const writeOf = (id: string, entry: IdentityEntry): IdentityWrite => ({
  id,
  body: JSON.stringify(entry),
  metadata: JSON.stringify(metadataOf(entry)),
  ttlSeconds: entry.consent.ok ? liveS : tombstoneS,
});

const geoOf = (geo: Geo | null): { country: string } & Record<string, unknown> => ({
  country: geo?.country ?? unknownCountry,
  ...(geo?.region === undefined ? {} : { region: geo.region }),
  ...(geo?.asn === undefined ? {} : { asn: geo.asn }),
  ...(geo?.metro_code === undefined || geo.metro_code <= 0 ? {} : { dma: geo.metro_code }),
});

export const newEntry = (
  now: number,
  given: { consent: Consent; geo: Geo | null; device: Device; originDomain: string },
): IdentityEntry => ({
  v: 1,
  created: now,
  consent: {
    ...(given.consent.raw.tcf === undefined ? {} : { tcf: given.consent.raw.tcf }),
    ...(given.consent.raw.gpp === undefined ? {} : { gpp: given.consent.raw.gpp }),
    ok: true,
    updated: now,
  },
  geo: geoOf(given.geo),
  pub_properties: { origin_domain: given.originDomain, seen_domains: [given.originDomain] },
  device: { ...given.device },
});

/** What stays of a withdrawn identity for a day, so that a late write cannot bring it back. */
export const tombstone = (now: number): IdentityEntry => ({
  v: 1,
  created: now,
  consent: { ok: false, updated: now },
  geo: { country: unknownCountry },
});

export const isTombstone = (entry: IdentityEntry): boolean => !entry.consent.ok;

export const uidOf = (entry: IdentityEntry, domain: string): string | null => {
  const ids = entry.ids ?? {};
  return Object.hasOwn(ids, domain) ? (ids[domain]?.uid ?? null) : null;
};

export const withIds = (entry: IdentityEntry, ids: ReadonlyMap<string, string>): IdentityEntry | null => {
  const fresh = [...ids].filter(([domain, id]) => uidOf(entry, domain) !== id);
  if (fresh.length === 0) return null;
  return { ...entry, ids: { ...entry.ids, ...Object.fromEntries(fresh.map(([domain, id]) => [domain, { uid: id }])) } };
};
