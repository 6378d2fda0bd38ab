import { parseJson, readBody } from "../http/body.ts";
import type { PartnerConfig } from "../config/identity.ts";
import type { EdgeContext } from "../context.ts";
import { plainHost } from "../../../protocol/neutral/address-guard.ts";
import { hashOf, shownEc } from "./ec.ts";
import { longestUidBytes, isTombstone, uidOf } from "./entry.ts";
import { readEntry, upsertIds } from "./identity-writes.ts";

const mostBytes = 65_536;
const pullMs = 5_000;
const hourS = 3_600;

/** Starts each hour with another partner, so that the last ones are not always the ones that time runs out for. */
const inTurn = (partners: readonly PartnerConfig[], nowS: number): PartnerConfig[] => {
  const sorted = partners.toSorted((a, b) => (a.source_domain < b.source_domain ? -1 : 1));
  const first = sorted.length === 0 ? 0 : Math.floor(nowS / hourS) % sorted.length;
  return [...sorted.slice(first), ...sorted.slice(0, first)];
};

const pullUrl = (partner: PartnerConfig, id: string): URL | null => {
  if (partner.pull_sync_url === undefined) return null;
  const url = new URL(partner.pull_sync_url);
  const allowed = partner.pull_sync_allowed_domains;
  if (allowed.length > 0 && !allowed.includes(plainHost(url))) return null;
  url.searchParams.set("ec_id", id);
  return url;
};

const uidFrom = (bytes: Uint8Array): string | null => {
  const body = parseJson(bytes);
  const uid = typeof body === "object" && body !== null && "uid" in body ? body.uid : null;
  if (typeof uid !== "string" || uid.trim() === "") return null;
  return new TextEncoder().encode(uid).length <= longestUidBytes ? uid : null;
};

/** Asks one partner for its id; `null` when it has none or cannot say. */
const pullUid = async (partner: PartnerConfig, url: URL, context: EdgeContext): Promise<string | null> => {
  const headers = new Headers({
    authorization: `Bearer ${partner.ts_pull_token ?? ""}`,
    accept: "application/json",
    "accept-encoding": "identity",
  });
  const result = await context.env.send({
    url,
    method: "GET",
    headers,
    body: null,
    idleMs: pullMs,
    totalMs: pullMs,
    trust: "operator",
  });
  if (!result.ok) return null;
  const body = await readBody(result.body, mostBytes, result.headers);
  return body.ok && result.status >= 200 && result.status < 300 ? uidFrom(body.bytes) : null;
};

const perMinute = (perHour: number): number => Math.max(1, Math.ceil(perHour / 60));

const pullOne = async (partner: PartnerConfig, id: string, context: EdgeContext): Promise<void> => {
  const url = pullUrl(partner, id);
  if (url === null || context.identity === null || context.counter === null) return;
  const { source_domain: domain } = partner;
  const key = `pull:${domain}:${hashOf(id)}`;
  try {
    if (!(await context.counter.take(key, perMinute(partner.pull_sync_rate_limit)))) return;
    const uid = await pullUid(partner, url, context);
    if (uid !== null) await upsertIds(context.identity, id, new Map([[domain, uid]]));
    context.metrics.add("edge_pull_sync_total", { partner: domain, outcome: uid === null ? "none" : "stored" });
  } catch (error) {
    const reason = String(error);
    context.env.log({ level: "warn", event: "pull_sync_failed", partner: domain, ec: shownEc(id), reason });
  }
};

/**
 * Asks every partner that offers it for the id that is still missing, `pull_sync_concurrency` at a
 * time. Runs after the answer was sent and never rejects.
 */
export const pullSync = async (id: string, context: EdgeContext): Promise<void> => {
  const { ec } = context.config;
  const offering = ec.partners.filter((partner) => partner.pull_sync_enabled);
  if (offering.length === 0 || context.identity === null) return;
  let found;
  try {
    found = await readEntry(context.identity, id);
  } catch {
    return;
  }
  if (found === null || isTombstone(found.entry)) return;
  const { entry } = found;
  const missing = offering.filter((partner) => uidOf(entry, partner.source_domain) === null);
  const queue = inTurn(missing, Math.floor(context.env.now() / 1_000));
  for (let at = 0; at < queue.length; at += ec.pull_sync_concurrency) {
    await Promise.all(queue.slice(at, at + ec.pull_sync_concurrency).map((partner) => pullOne(partner, id, context)));
  }
};
