import { z } from "zod";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { AuditRecord } from "../../../storage/store.ts";
import { apiKeyKind } from "../api-keys/record.ts";
import { buyerOfKey } from "../buyers/view.ts";
import { isWithin, type TimeSpan } from "../date-filter.ts";
import { buyerNameIn } from "../portfolio/buyer-names.ts";
import type { SellerContext } from "../context.ts";
import type { listAudit } from "./contract.ts";

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

const view = ({ principal, prev, ...record }: AuditRecord, names: ReadonlyMap<string, string | null>) => ({
  ...record,
  changed: (record.changed ?? []).map((one) => ({ ...one })),
  actor: principal,
  actor_name: names.get(principal) ?? null,
  previous_hash: prev,
});

const ofKey = /^key:/;

const nameOfKey = async (context: SellerContext, principal: string): Promise<string | null> => {
  const key = await context.load(apiKeyKind, principal.replace(ofKey, ""));
  return key === null ? null : (key.body.label ?? buyerNameIn(buyerOfKey(key.body), key.body));
};

const actorNames = async (context: SellerContext, records: readonly AuditRecord[]) => {
  const keys = [...new Set(records.map(({ principal }) => principal))].filter((principal) => ofKey.test(principal));
  return new Map(await Promise.all(keys.map(async (one) => [one, await nameOfKey(context, one)] as const)));
};

export const auditPage = async (context: SellerContext, input: Input, times: TimeSpan): Promise<Page | Refusal> => {
  const { actor, operation, record_id: recordId, limit } = input;
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
    if (isWanted && isWithin(atMs, times)) records.push(record);
  }
  const names = await actorNames(context, records);
  const shown = records.map((record) => view(record, names));
  return { records: shown, count: shown.length, next_cursor: isLast ? null : cursorOf(found) };
};
