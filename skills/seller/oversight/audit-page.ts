import { z } from "zod";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { AuditRecord } from "../../../storage/store.ts";
import type { Role } from "../../../protocol/seam/caller.ts";
import { apiKeyKind, type ApiKeyRow } from "../api-keys/record.ts";
import { buyerOfKey } from "../buyers/view.ts";
import { isWithin, type TimeSpan } from "../date-filter.ts";
import { buyerNameIn } from "../portfolio/buyer-names.ts";
import type { SellerContext } from "../context.ts";
import type { auditMakers, listAudit } from "./contract.ts";

type Input = z.output<typeof listAudit.input>;
type Page = z.input<typeof listAudit.output>;

const mostLookedAt = 2_000;

/** Commits of several processes get their numbers a moment after their times. */
const disorderMs = 60_000;

/** Each chain with the number below which the next page goes on. */
const places = z.array(z.tuple([z.string(), z.int()])).max(1_000);

type Places = Map<string, number>;

const cursorOf = (found: Places): string => Buffer.from(JSON.stringify([...found])).toString("base64url");

const readCursor = (text: string): Places | Refusal => {
  try {
    return new Map(places.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8"))));
  } catch {
    return fieldRefusal("cursor", "Send the next_cursor of the page before.");
  }
};

const startOf = async ({ ports }: SellerContext, cursor: string | null | undefined): Promise<Places | Refusal> => {
  if (cursor != null) return readCursor(cursor);
  const heads = await ports.store.auditHeads();
  return new Map(heads.map(({ chain, seq }) => [chain, seq + 1]));
};

type Maker = (typeof auditMakers)[number];

const ofKey = /^key:/;

const makersByRole: Readonly<Record<Role, Maker>> = {
  buyer: "buyer",
  edge: "machine",
  viewer: "person",
  operator: "person",
  senior: "person",
};

/** Each key is loaded once. */
const keyReader = (context: SellerContext) => {
  const found = new Map<string, Promise<ApiKeyRow | null>>();
  return (principal: string): Promise<ApiKeyRow | null> => {
    const known = found.get(principal);
    if (known !== undefined) return known;
    const loaded = ofKey.test(principal)
      ? context.load(apiKeyKind, principal.replace(ofKey, "")).then((key) => key?.body ?? null)
      : Promise.resolve(null);
    found.set(principal, loaded);
    return loaded;
  };
};

const makerOf = ({ door, principal }: AuditRecord, key: ApiKeyRow | null): Maker => {
  if (principal === "host") return "person";
  if (door === "timer" || principal === "system" || principal === "approval") return "machine";
  return key === null ? "buyer" : makersByRole[key.role];
};

const view = ({ principal, prev, ...record }: AuditRecord, key: ApiKeyRow | null) => ({
  ...record,
  changed: (record.changed ?? []).map((one) => ({ ...one })),
  actor: principal,
  actor_name: key === null ? null : (key.label ?? buyerNameIn(buyerOfKey(key), key)),
  by: makerOf({ ...record, principal, prev }, key),
  previous_hash: prev,
});

export const auditPage = async (context: SellerContext, input: Input, times: TimeSpan): Promise<Page | Refusal> => {
  const { actor, by, operation, record_id: recordId, limit } = input;
  const keyOf = keyReader(context);
  const found = await startOf(context, input.cursor);
  if (!(found instanceof Map)) return found;
  const records: AuditRecord[] = [];
  let looked = 0;
  let isLast = true;
  for await (const record of context.ports.store.auditTrailBack(found)) {
    if (records.length === limit || looked === mostLookedAt) {
      isLast = false;
      break;
    }
    const atMs = Date.parse(record.at);
    if (times.fromMs !== null && atMs < times.fromMs - disorderMs) break;
    looked += 1;
    found.set(record.chain, record.seq);
    const isWanted =
      (actor == null || record.principal === actor) &&
      (operation == null || record.operation === operation) &&
      (recordId == null || record.changed?.some(({ id }) => id === recordId) === true);
    if (!isWanted || !isWithin(atMs, times)) continue;
    if (by == null || makerOf(record, await keyOf(record.principal)) === by) records.push(record);
  }
  const shown = await Promise.all(records.map(async (record) => view(record, await keyOf(record.principal))));
  return { records: shown, count: shown.length, next_cursor: isLast ? null : cursorOf(found) };
};
