import { noStore } from "../http/cache-policy.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { EdgeConfig } from "../config.ts";
import type { EdgeContext, EdgeHandler } from "../context.ts";
import { isEcId } from "../identity/ec.ts";
import { isTombstone, parseEntry, type IdentityEntry } from "../identity/entry.ts";
import type { EdgeResponse, IdentityRecord } from "../platform.ts";
import { jsonAnswer, refuse } from "../http/refusals.ts";

const answer = (status: number, body: unknown): EdgeResponse => jsonAnswer(status, body, noStore);

/** What stands where there is no identity store: on the other adapters, and on A without `ec.ec_store`. */
export const declineEntry: EdgeHandler = async () =>
  answer(501, { error: "EC identity graph is not configured on this deployment" });

interface Skipped {
  readonly source_domain: string;
  readonly reason: "empty_uid" | "not_in_registry" | "bidstream_disabled";
}

/** Which partner ids of an entry an auction would send, and why it would not send the others. */
const auctionView = (entry: IdentityEntry, config: EdgeConfig) => {
  const eids: { source: string; uids: { id: string; atype: number }[] }[] = [];
  const skipped: Skipped[] = [];
  for (const [domain, { uid }] of Object.entries(entry.ids ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const partner = config.ec.partners.find((candidate) => candidate.source_domain === domain);
    if (uid.trim() === "") skipped.push({ source_domain: domain, reason: "empty_uid" });
    else if (partner === undefined) skipped.push({ source_domain: domain, reason: "not_in_registry" });
    else if (!partner.bidstream_enabled) skipped.push({ source_domain: domain, reason: "bidstream_disabled" });
    else eids.push({ source: domain, uids: [{ id: uid, atype: partner.openrtb_atype }] });
  }
  return { eids, skipped };
};

const isoOf = (seconds: unknown): string | undefined => {
  if (typeof seconds !== "number" || !Number.isFinite(seconds) || Math.abs(seconds) > 8.64e12) return undefined;
  return new Date(seconds * 1_000).toISOString();
};

const withIso = (table: Record<string, unknown>, from: string, name: string): Record<string, unknown> => {
  const iso = isoOf(table[from]);
  return iso === undefined || Object.hasOwn(table, name) ? table : { ...table, [name]: iso };
};

const readable = (stored: unknown): unknown => {
  if (!isMembers(stored)) return stored;
  const entry = withIso(stored, "created", "created_iso");
  return isMembers(entry.consent) ? { ...entry, consent: withIso(entry.consent, "updated", "updated_iso") } : entry;
};

const parsed = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

const usable = (record: IdentityRecord): IdentityEntry | string => {
  try {
    return parseEntry(record);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const view = (id: string, record: IdentityRecord, context: EdgeContext): Record<string, unknown> => {
  const entry = usable(record);
  const body = parsed(record.body);
  const metadata = parsed(record.metadata);
  return {
    ec_id: id,
    store: context.identity?.name,
    generation: record.generation,
    ...(typeof entry === "string" ? {} : { tombstone: isTombstone(entry) }),
    ...(body === null ? {} : { entry: readable(body.value) }),
    ...(typeof entry === "string" ? { entry_error: entry } : {}),
    ...(body === null ? { raw_body: record.body } : {}),
    ...(metadata === null ? { metadata_error: "the metadata is no JSON" } : { metadata: metadata.value }),
    ...(typeof entry === "string" ? {} : { auction: auctionView(entry, context.config) }),
  };
};

const explicitForm = "no ts-ec cookie on this request; use /_ts/admin/ec/{id} with an explicit id";

export const handleAdminEntry: EdgeHandler = async (request, context) => {
  const { identity, url } = context;
  if (identity === null) return declineEntry(request, context);
  const fromPath = /^\/_ts\/admin\/ec\/([^/]+)$/.exec(url.pathname)?.[1];
  const id = fromPath ?? context.cookies.get("ts-ec");
  if (id === undefined || id === "") return answer(404, { error: explicitForm });
  if (!isEcId(id)) return answer(400, { error: "invalid EC ID format (expected {64hex}.{6alnum})" });
  let record: IdentityRecord | null;
  try {
    record = await identity.get(id);
  } catch (error) {
    context.env.log({ level: "error", event: "identity_read_failed", cause: String(error) });
    return refuse("store_unavailable");
  }
  if (record === null) {
    return answer(404, { error: "EC ID not found; the store is eventually consistent, so it may show up later" });
  }
  return answer(200, view(id, record, context));
};
