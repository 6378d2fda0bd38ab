import { pushConfigKind } from "../../protocol/a2a/push/record.ts";
import { taskKind } from "../../protocol/a2a/tasks/task-row.ts";
import { eventKind } from "../../protocol/seam/events.ts";
import { idempotencyKind } from "../../protocol/seam/run/idempotency.ts";
import { type BookingRow, bookingKind, isWorking } from "../../skills/buyer/bookings/record.ts";
import { labelKind, operatorKeyKind, type OperatorKeyRow } from "../../skills/buyer/operator-keys/record.ts";
import { talkKind } from "../../skills/buyer/talk/record.ts";
import { deskKind } from "../../skills/talk/gate/record.ts";
import { put, type StoredRow } from "../../storage/store.ts";
import { consoleCodeKind, consoleSessionKind } from "../console/session-row.ts";
import {
  about,
  type Forgetting,
  type ForgetRule,
  isOwn,
  keeping,
  ofMember,
  type Subject,
  wordless,
} from "../host/forget-rules.ts";
import type { ForgetRules } from "../host/forgetting.ts";

const advertiserLead = "advertiser:";

/** A person or program behind an operator key, or the advertiser that briefs name. */
const findBuyer = (named: string): Subject => {
  const none = { parties: new Set<string>(), agentIds: new Set<string>() };
  if (named.startsWith(advertiserLead)) {
    const value = named.slice(advertiserLead.length);
    return { ...none, shown: named, value, owners: new Set(), keyIds: new Set(), names: new Set([value]) };
  }
  const value = named.replace(/^key:/, "");
  const shown = `key:${value}`;
  return { ...none, shown, value, owners: new Set([shown]), keyIds: new Set([value]), names: new Set() };
};

const isFor = ({ brief }: BookingRow, { subject, pseudonym }: Forgetting): boolean =>
  brief.advertiser != null && (subject.names.has(brief.advertiser) || brief.advertiser === pseudonym);

const bareBrief = (brief: BookingRow["brief"], pseudonym: string): BookingRow["brief"] => ({
  ...brief,
  name: wordless(brief.name),
  advertiser: pseudonym,
  objectives: [],
  target_audience: {},
  kpis: {},
});

/** What was bought stays, as its sellers bill it. */
const bookings = keeping<BookingRow>(bookingKind, {
  belongs: (row, of) => isOwn(row, of) || isFor(row.body as BookingRow, of),
  goes: (job) => job.booked_lines.length === 0,
  isDone: ({ brief }, { pseudonym }) => brief.advertiser === pseudonym,
  replaced: (job, { subject, pseudonym }) => ({
    ...job,
    owner: subject.owners.has(job.owner) ? pseudonym : job.owner,
    brief: bareBrief(job.brief, pseudonym),
    traceparent: null,
    findings: [],
    passed_over: [],
    warnings: [],
    booked_lines: job.booked_lines.map((line) => ({
      ...line,
      cancellation:
        line.cancellation === null ? null : { ...line.cancellation, reason: wordless(line.cancellation.reason) },
    })),
  }),
  standing: (job) =>
    isWorking(job) ? `campaign ${job.job_id} is being worked on: wait for its end, or cancel it` : null,
});

/** It stays: without any, the agent would take its legacy key again. */
const keys: ForgetRule = {
  kind: operatorKeyKind.name,
  fate: (row, { subject, pseudonym }) => {
    const { id, version, body } = row as StoredRow<OperatorKeyRow>;
    if (!subject.keyIds.has(body.key_id) || body.label.startsWith("forgotten:")) return null;
    return { replaced: [put(operatorKeyKind, id, version, { ...body, label: pseudonym })] };
  },
  standing: ({ body }) => {
    const { key_id: id, life } = body as OperatorKeyRow;
    return life.value === "active" ? `the key ${id} is active: revoke it with parley key revoke` : null;
  },
};

const ids = (of: Forgetting): ReadonlySet<string> => of.ids;
const keyIds = ({ subject }: Forgetting): ReadonlySet<string> => subject.keyIds;

/** What becomes of each kind of rows that may name a client of this agent; docs/data.md says why. */
export const buyerForgetRules: ForgetRules = {
  find: (_store, named) => Promise.resolve(findBuyer(named)),
  rules: [
    bookings,
    ...[talkKind, deskKind, taskKind].map(({ name }) => about(name)),
    ofMember(pushConfigKind.name, "task_row", ids),
    ofMember("a2a_push_delivery", "task_row", ids),
    about(eventKind.name),
    ofMember(consoleSessionKind.name, "key_id", keyIds),
    ofMember(consoleCodeKind.name, "key_id", keyIds),
    about(idempotencyKind.name),
    ofMember(labelKind.name, "key_id", keyIds),
  ],
  last: [keys],
};
