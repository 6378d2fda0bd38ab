import { isMembers } from "../../../protocol/neutral/json-input.ts";
import { parseJson } from "../http/body.ts";
import type { PartnerConfig } from "../config/identity.ts";
import { fromBase64 } from "../signing/encoding.ts";

export interface Eid {
  readonly source: string;
  readonly uids: readonly {
    readonly id: string;
    readonly atype?: number;
    readonly ext?: Readonly<Record<string, unknown>>;
  }[];
}

const mostSources = 64;
const mostUids = 32;
const longestSource = 255;
const longestUid = 512;
const longestCookie = 8_192;
const sharedIdSource = "sharedid.org";

export const eidsCookie = "ts-eids";
export const sharedIdCookie = "sharedId";

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

const readUid = (value: unknown): Eid["uids"][number] | null => {
  if (!isMembers(value) || typeof value["id"] !== "string") return null;
  const { id, atype, ext } = value;
  if (id === "" || byteLength(id) > longestUid) return null;
  const hasAtype = typeof atype === "number" && Number.isSafeInteger(atype) && atype >= 0;
  return { id, ...(hasAtype ? { atype } : {}), ...(isMembers(ext) ? { ext } : {}) };
};

const readEid = (value: unknown): Eid | null => {
  if (!isMembers(value) || typeof value["source"] !== "string") return null;
  const source = value["source"];
  if (source === "" || byteLength(source) > longestSource) return null;
  const listed = Array.isArray(value["uids"]) ? (value["uids"] as unknown[]) : [value];
  return {
    source,
    uids: listed
      .slice(0, mostUids)
      .map(readUid)
      .filter((uid) => uid !== null),
  };
};

export const readEids = (value: unknown): Eid[] =>
  Array.isArray(value)
    ? (value as unknown[])
        .slice(0, mostSources)
        .map(readEid)
        .filter((eid) => eid !== null)
    : [];

/** The `ts-eids` cookie: standard base64 of a JSON list. Sources without a usable uid are kept, with no uids. */
export const parseEidsCookie = (cookie: string): { ok: true; eids: Eid[] } | { ok: false; reason: string } => {
  if (cookie.length > longestCookie) return { ok: false, reason: `it is longer than ${longestCookie} bytes` };
  const bytes = fromBase64(cookie);
  if (bytes === null) return { ok: false, reason: "it is no standard base64" };
  const list = parseJson(bytes);
  if (list === undefined) return { ok: false, reason: "it holds no JSON" };
  return Array.isArray(list) ? { ok: true, eids: readEids(list) } : { ok: false, reason: "it holds no JSON list" };
};

export interface EidIngest {
  readonly matched: ReadonlyMap<string, string>;
  readonly unmatched: readonly { readonly source: string; readonly reason: "no_partner" | "no_valid_uid" }[];
}

/** First usable uid of each source that a partner owns; of two sources of one partner the last counts. */
export const planIngest = (
  eids: readonly Eid[],
  sharedId: string | undefined,
  partners: readonly PartnerConfig[],
): EidIngest => {
  const domains = new Set(partners.map((partner) => partner.source_domain));
  const matched = new Map<string, string>();
  const unmatched: { source: string; reason: "no_partner" | "no_valid_uid" }[] = [];
  const all = sharedId === undefined ? eids : [...eids, { source: sharedIdSource, uids: [{ id: sharedId }] }];
  for (const { source, uids } of all) {
    const domain = source.toLowerCase();
    const id = uids.find((uid) => uid.id.trim() !== "" && byteLength(uid.id) <= longestUid)?.id;
    if (!domains.has(domain)) unmatched.push({ source, reason: "no_partner" });
    else if (id === undefined) unmatched.push({ source, reason: "no_valid_uid" });
    else matched.set(domain, id);
  }
  return { matched, unmatched };
};

/** The same for the cookies of a request; a cookie that cannot be read counts as empty. */
export const ingestOfCookies = (
  cookies: ReadonlyMap<string, string>,
  partners: readonly PartnerConfig[],
): EidIngest => {
  const parsed = parseEidsCookie(cookies.get(eidsCookie) ?? "");
  return planIngest(parsed.ok ? parsed.eids : [], cookies.get(sharedIdCookie) || undefined, partners);
};
