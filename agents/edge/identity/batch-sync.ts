import { z } from "zod";
import { parseJson, readRequestBody } from "../http/body.ts";
import type { PartnerConfig } from "../config/identity.ts";
import type { EdgeHandler } from "../context.ts";
import type { IdentityStore } from "../platform.ts";
import { jsonAnswer, refuse } from "../http/refusals.ts";
import { normalizeEcId } from "./ec.ts";
import { longestUidBytes } from "./entry.ts";
import { planUpsert, upsertIds } from "./identity-writes.ts";
import { invalidToken, authenticatePartner } from "./partners.ts";

const mostBytes = 2_097_152;
const mostMappings = 1_000;

const requestSchema = z.object({
  mappings: z.array(
    z.object({ ec_id: z.string(), partner_uid: z.string(), timestamp: z.int("must be a whole number").min(0) }),
  ),
});

type Mapping = z.output<typeof requestSchema>["mappings"][number];
type Reason = "invalid_ec_id" | "invalid_partner_uid" | "ineligible" | "kv_unavailable";

interface Group {
  readonly id: string;
  readonly indexes: number[];
  uid: string;
}

const isUid = (text: string): boolean => text.trim() !== "" && new TextEncoder().encode(text).length <= longestUidBytes;

const groupMappings = (mappings: readonly Mapping[], reject: (index: number, reason: Reason) => void): Group[] => {
  const groups = new Map<string, Group>();
  for (const [index, mapping] of mappings.entries()) {
    const id = normalizeEcId(mapping.ec_id);
    if (id === null) reject(index, "invalid_ec_id");
    else if (!isUid(mapping.partner_uid)) reject(index, "invalid_partner_uid");
    else {
      const group = groups.get(id) ?? { id, indexes: [], uid: "" };
      group.indexes.push(index);
      group.uid = mapping.partner_uid;
      groups.set(id, group);
    }
  }
  return [...groups.values()];
};

type GroupOutcome = "accepted" | "ineligible" | "kv_unavailable";

/**
 * Updates one group after the other. The first infrastructure failure ends the batch: that group and every later one
 * stay as they are (rule 5).
 */
const updateInTurn = async (
  store: IdentityStore,
  domain: string,
  groups: readonly Group[],
): Promise<GroupOutcome[]> => {
  const outcomes: GroupOutcome[] = [];
  for (const group of groups) {
    try {
      const outcome = await upsertIds(store, group.id, new Map([[domain, group.uid]]));
      outcomes.push(outcome === "ineligible" ? "ineligible" : "accepted");
    } catch {
      break;
    }
  }
  return [...outcomes, ...groups.slice(outcomes.length).map((): GroupOutcome => "kv_unavailable")];
};

/**
 * The same outcome with one commit for the whole batch, or `null` when some read failed, another writer came between,
 * or the commit failed: then the batch is done group by group, which tells the groups apart.
 */
const updateAtOnce = async (
  store: IdentityStore,
  domain: string,
  groups: readonly Group[],
): Promise<GroupOutcome[] | null> => {
  try {
    const plans = [];
    for (const group of groups) plans.push(await planUpsert(store, group.id, new Map([[domain, group.uid]])));
    const writes = plans.filter((plan) => typeof plan !== "string");
    if (writes.length > 0 && !(await store.ifGenerations(writes))) return null;
    return plans.map((plan) => (plan === "ineligible" ? "ineligible" : "accepted"));
  } catch {
    return null;
  }
};

const syncBatch = async (store: IdentityStore, partner: PartnerConfig, mappings: readonly Mapping[]) => {
  const errors: { index: number; reason: Reason }[] = [];
  const reject = (index: number, reason: Reason): void => void errors.push({ index, reason });
  const groups = groupMappings(mappings, reject);
  const domain = partner.source_domain;
  const outcomes = (await updateAtOnce(store, domain, groups)) ?? (await updateInTurn(store, domain, groups));
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome !== "accepted") for (const index of groups[at]?.indexes ?? []) reject(index, outcome);
  }
  errors.sort((a, b) => a.index - b.index);
  return { accepted: mappings.length - errors.length, rejected: errors.length, errors };
};

export const handleBatchSync: EdgeHandler = async (request, context) => {
  if (context.identity === null || context.counter === null) return refuse("store_unavailable");
  const partner = authenticatePartner(request.headers, context.config);
  if (partner === null) return jsonAnswer(401, invalidToken);
  let isWithinRate: boolean;
  try {
    isWithinRate = await context.counter.take(`batch:${partner.source_domain}`, partner.batch_rate_limit);
  } catch {
    return refuse("store_unavailable");
  }
  if (!isWithinRate) return jsonAnswer(429, { error: "rate_limit_exceeded" }, { "retry-after": "60" });
  const body = await readRequestBody(request, mostBytes);
  if (!body.ok) {
    return body.fault === "too_large"
      ? jsonAnswer(413, { error: "body_too_large" })
      : refuse("bad_request", "Invalid request body: it ended early");
  }
  const parsed = requestSchema.safeParse(parseJson(body.bytes));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = issue?.path.join(".") ?? "";
    return refuse("bad_request", `Invalid request body: ${place === "" ? "" : `${place}: `}${issue?.message ?? ""}`);
  }
  const { mappings } = parsed.data;
  if (mappings.length > mostMappings) return jsonAnswer(400, { error: "batch_too_large" });
  const answer = await syncBatch(context.identity, partner, mappings);
  context.metrics.add("edge_batch_sync_accepted_total", { partner: partner.source_domain }, answer.accepted);
  context.metrics.add("edge_batch_sync_rejected_total", { partner: partner.source_domain }, answer.rejected);
  return jsonAnswer(answer.rejected === 0 ? 200 : 207, answer);
};
