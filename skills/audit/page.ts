import { z } from "zod";
import type { Refusal } from "../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../protocol/neutral/validation.ts";
import type { Role } from "../../protocol/seam/caller.ts";
import type { AuditRecord } from "../../storage/store.ts";
import { isWithin, type TimeSpan } from "../date-filter.ts";
import { auditForward, placesAt } from "./forward.ts";
import type { auditMakers, listAudit } from "./contract.ts";
import type { AuditPorts, KnownCaller } from "./ports.ts";

type Input = z.output<typeof listAudit.input>;
type Page = z.input<typeof listAudit.output>;

const mostLookedAt = 2_000;

/** Commits of several processes get their numbers a moment after their times. */
const disorderMs = 60_000;

/** Each chain with the number behind which the next page goes on. */
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

const startOf = async (
  { audit }: AuditPorts,
  { cursor, reversed }: Pick<Input, "cursor" | "reversed">,
  fromMs: number | null,
): Promise<Places | Refusal> => {
  if (cursor != null) return readCursor(cursor);
  if (reversed === true) return placesAt(audit, fromMs === null ? null : fromMs - disorderMs);
  const heads = await audit.heads();
  return new Map(heads.map(({ chain, seq }) => [chain, seq + 1]));
};

/** No record behind one of this time is within the span. */
const isPast = (atMs: number, { fromMs, toMs }: TimeSpan, isForward: boolean): boolean =>
  isForward ? toMs !== null && atMs > toMs + disorderMs : fromMs !== null && atMs < fromMs - disorderMs;

type Maker = (typeof auditMakers)[number];

const makersByRole: Readonly<Record<Role, Maker>> = {
  buyer: "buyer",
  edge: "machine",
  viewer: "person",
  operator: "person",
  senior: "person",
};

/** Commands on the host write as `host`, those that work on a whole store through the door `tool`. */
const makerOf = ({ door, principal }: AuditRecord, caller: KnownCaller | null): Maker => {
  if (principal === "host" || door === "tool") return "person";
  if (door === "timer" || door === "job" || principal === "system" || principal === "approval") return "machine";
  return caller === null ? "buyer" : makersByRole[caller.role];
};

const view = ({ principal, prev, ...record }: AuditRecord, caller: KnownCaller | null) => ({
  ...record,
  changed: (record.changed ?? []).map((one) => ({ ...one })),
  actor: principal,
  actor_name: caller?.name ?? null,
  by: makerOf({ ...record, principal, prev }, caller),
  previous_hash: prev,
});

type CallerOf = (principal: string) => Promise<KnownCaller | null>;

/** Each caller is looked up once. */
const once = (callerOf: CallerOf): CallerOf => {
  const found = new Map<string, Promise<KnownCaller | null>>();
  return (principal) => {
    const asked = found.get(principal) ?? callerOf(principal);
    found.set(principal, asked);
    return asked;
  };
};

export const auditPage = async (
  ports: AuditPorts,
  lookUp: CallerOf,
  input: Input,
  times: TimeSpan,
): Promise<Page | Refusal> => {
  const { actor, by, operation, record_id: recordId, limit } = input;
  const isForward = input.reversed === true;
  const callerOf = once(lookUp);
  const found = await startOf(ports, input, times.fromMs);
  if (!(found instanceof Map)) return found;
  const records: AuditRecord[] = [];
  let looked = 0;
  let isLast = true;
  for await (const record of isForward ? auditForward(ports.audit, found) : ports.audit.back(found)) {
    if (records.length === limit || looked === mostLookedAt) {
      isLast = false;
      break;
    }
    const atMs = Date.parse(record.at);
    if (isPast(atMs, times, isForward)) break;
    looked += 1;
    found.set(record.chain, record.seq);
    const isWanted =
      (actor == null || record.principal === actor) &&
      (operation == null || record.operation === operation) &&
      (recordId == null || record.changed?.some(({ id }) => id === recordId) === true);
    if (!isWanted || !isWithin(atMs, times)) continue;
    if (by == null || makerOf(record, await callerOf(record.principal)) === by) records.push(record);
  }
  const shown = await Promise.all(records.map(async (record) => view(record, await callerOf(record.principal))));
  return { records: shown, count: shown.length, next_cursor: isLast ? null : cursorOf(found) };
};
