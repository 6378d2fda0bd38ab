import { randomBytes, randomUUID } from "node:crypto";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import type { MovableStore, WholeRow } from "../../storage/content.ts";
import { erasingOperation, erasureOf } from "../../storage/erasure.ts";
import type { AuditedChange, AuditRecord, Change, Fact, Kind, StoredRow } from "../../storage/store.ts";
import { put } from "../../storage/store.ts";
import { type Forgetting, type ForgetRule, type Subject, withoutWordsIn, wordless } from "./forget-rules.ts";

/** How rows know a buyer, and what becomes of each kind, in the order in which they are asked. */
export interface ForgetRules {
  find(store: MovableStore, named: string): Promise<Subject>;
  readonly rules: readonly ForgetRule[];
  /** Of kinds that lead to the buyer: they change in the last commit, so that a repeated command finds it again. */
  readonly last: readonly ForgetRule[];
}

interface KindCount {
  readonly kind: string;
  readonly removed: number;
  readonly replaced: number;
}

/** `records`: of the audit trail, that lose words. `standing`: why the buyer cannot be forgotten yet. */
export interface Forgotten {
  readonly shown: string;
  readonly pseudonym: string;
  readonly kinds: readonly KindCount[];
  readonly records: number;
  readonly standing: readonly string[];
}

/** There while a buyer is being forgotten: an interruption goes on under the same pseudonym. */
interface MarkRow {
  readonly buyer: string;
  readonly pseudonym: string;
}

const markKind: Kind<MarkRow> = { name: "forgetting", terms: () => [], dueAtMs: () => null, owner: () => null };
const markId = "buyer";

const markOf = async ({ store }: MovableStore): Promise<StoredRow<MarkRow> | null> =>
  (await store.get(markKind.name, markId)) as StoredRow<MarkRow> | null;

const rowOf = ({ kind, id, n, version, json }: WholeRow): StoredRow => ({
  kind,
  id,
  n,
  version,
  body: JSON.parse(json) as unknown,
});

interface RowStep {
  readonly kind: string;
  readonly removed: boolean;
  readonly changes: readonly Change[];
  readonly standing: string | null;
}

const rowStepOf = (rule: ForgetRule, row: StoredRow, of: Forgetting): RowStep | null => {
  const fate = rule.fate(row, of);
  if (fate === null) return null;
  of.ids.add(row.id);
  const { kind, id, version } = row;
  const changes: readonly Change[] = fate === "removed" ? [{ op: "remove", kind, id, expect: version }] : fate.replaced;
  return { kind, removed: fate === "removed", changes, standing: rule.standing?.(row, of) ?? null };
};

async function* stepsOf(movable: MovableStore, rules: readonly ForgetRule[], of: Forgetting): AsyncGenerator<RowStep> {
  const content = await movable.read();
  try {
    for (const rule of rules) {
      for await (const page of content.rows(rule.kind, -1)) {
        for (const row of page) {
          const step = rowStepOf(rule, rowOf(row), of);
          if (step !== null) yield step;
        }
      }
    }
  } finally {
    await content.close();
  }
}

/** The id of a conversation's row is its owner and its context. */
const isOfOwner = (id: string, { owners }: Subject): boolean => {
  try {
    const parts: unknown = JSON.parse(id);
    return Array.isArray(parts) && typeof parts[0] === "string" && owners.has(parts[0]);
  } catch {
    return false;
  }
};

const withoutText = (fact: AuditedChange): AuditedChange => {
  const bare = (value: Fact): Fact => (typeof value === "string" ? withoutWordsIn(fact.field, value) : value);
  return { ...fact, from: bare(fact.from), to: bare(fact.to) };
};

/** The record as it will stand; null: it says nothing of the buyer in words. */
const erased = (record: AuditRecord, { subject, ids }: Forgetting): AuditRecord | null => {
  const { principal, changed } = record;
  const isTheirs = principal.startsWith("key:") && subject.keyIds.has(principal.slice("key:".length));
  const after = changed?.map((fact) => {
    const isTalk = isOfOwner(fact.id, subject);
    const bare = isTheirs || isTalk || ids.has(fact.id) ? withoutText(fact) : fact;
    return isTalk ? { ...bare, id: wordless(bare.id) } : bare;
  });
  if (after === undefined || JSON.stringify(after) === JSON.stringify(changed)) return null;
  return { ...record, changed: after, erased: true };
};

const erasedIn = async (movable: MovableStore, of: Forgetting): Promise<readonly AuditRecord[]> => {
  const content = await movable.read();
  try {
    const found: AuditRecord[] = [];
    for await (const record of content.trail()) {
      const after = erased(record, of);
      if (after !== null) found.push(after);
    }
    return found;
  } finally {
    await content.close();
  }
};

const countedRows = async (movable: MovableStore, of: Forgetting, { rules, last }: ForgetRules) => {
  const kinds = new Map<string, KindCount>();
  const standing: string[] = [];
  for await (const step of stepsOf(movable, [...rules, ...last], of)) {
    const { kind, removed, replaced } = kinds.get(step.kind) ?? { kind: step.kind, removed: 0, replaced: 0 };
    kinds.set(kind, { kind, removed: removed + Number(step.removed), replaced: replaced + Number(!step.removed) });
    if (step.standing !== null) standing.push(step.standing);
  }
  return { kinds: [...kinds.values()], standing };
};

const committed = async ({ store }: MovableStore, changes: readonly Change[], changed?: readonly AuditedChange[]) => {
  const audit = {
    at: new Date().toISOString(),
    request_id: randomUUID(),
    operation: erasingOperation,
    door: "tool",
    principal: "system:store",
    ...(changed === undefined ? {} : { changed }),
  };
  const { ok } = await store.commit({ changes, audit });
  if (!ok) throw new StartFailure("The store was changed meanwhile. Stop its agents and repeat the command.");
};

const mostChanges = 200;
const mostFacts = 500;

/** What they become is named in the trail first: a record that is erased and not named is a fault. */
const eraseRecords = async (movable: MovableStore, records: readonly AuditRecord[]): Promise<void> => {
  for (let at = 0; at < records.length; at += mostFacts) {
    await committed(movable, [], records.slice(at, at + mostFacts).map(erasureOf));
  }
  await movable.eraser.records(records);
};

const apply = async (movable: MovableStore, of: Forgetting, rules: readonly ForgetRule[]): Promise<void> => {
  let waiting: Change[] = [];
  for await (const { changes } of stepsOf(movable, rules, of)) {
    waiting.push(...changes);
    if (waiting.length < mostChanges) continue;
    await committed(movable, waiting);
    waiting = [];
  }
  if (waiting.length > 0) await committed(movable, waiting);
};

const finish = async (
  movable: MovableStore,
  of: Forgetting,
  last: readonly ForgetRule[],
  kinds: readonly KindCount[],
) => {
  const changes: Change[] = [];
  for await (const step of stepsOf(movable, last, of)) changes.push(...step.changes);
  const mark = await markOf(movable);
  if (mark !== null) changes.push({ op: "remove", kind: markKind.name, id: markId, expect: mark.version });
  const fact = (field: string, to: number): AuditedChange => ({
    kind: "buyer",
    id: of.pseudonym,
    field,
    from: null,
    to,
  });
  const facts = kinds.flatMap(({ kind, removed, replaced }) => [
    ...(removed === 0 ? [] : [fact(`${kind} removed`, removed)]),
    ...(replaced === 0 ? [] : [fact(`${kind} replaced`, replaced)]),
  ]);
  await committed(movable, changes, facts);
};

const begun = async (movable: MovableStore, { shown }: Subject): Promise<string> => {
  const mark = await markOf(movable);
  if (mark === null) return `forgotten:${randomBytes(8).toString("hex")}`;
  if (mark.body.buyer === shown) return mark.body.pseudonym;
  const cure = `Repeat that one first: --buyer ${JSON.stringify(mark.body.buyer)}.`;
  throw new StartFailure(`Forgetting another buyer was interrupted here. ${cure}`);
};

interface ForgetRequest {
  readonly movable: MovableStore;
  readonly rules: ForgetRules;
  readonly buyer: string;
  /** False: counts alone. */
  readonly isMeant: boolean;
  readonly nowMs: number;
}

const isEmpty = ({ kinds, records }: Pick<Forgotten, "kinds" | "records">): boolean =>
  kinds.length === 0 && records === 0;

/**
 * Removes what a store holds of a buyer, and takes names and words out of what must stay. It may end at any point and
 * goes on when it is called again. Throws `StartFailure` with the cure, also where a sale is not over.
 */
export const forgetBuyer = async ({ movable, rules, buyer, isMeant, nowMs }: ForgetRequest): Promise<Forgotten> => {
  await movable.expectUnused();
  const subject = await rules.find(movable, buyer);
  const pseudonym = await begun(movable, subject);
  const of: Forgetting = { subject, pseudonym, ids: new Set(), kept: new Set(), nowMs };
  const { kinds, standing } = await countedRows(movable, of, rules);
  const records = await erasedIn(movable, of);
  const forgotten = { shown: subject.shown, pseudonym, kinds, standing, records: records.length };
  if (!isMeant) return forgotten;
  if (standing.length > 0) return forgotten;
  await movable.eraser.expectPermitted();
  if (!isEmpty(forgotten)) {
    if ((await markOf(movable)) === null) {
      await committed(movable, [put(markKind, markId, 0, { buyer: subject.shown, pseudonym })]);
    }
    await eraseRecords(movable, records);
    await apply(movable, of, rules.rules);
    await finish(movable, of, rules.last, kinds);
  }
  await movable.eraser.purge();
  return forgotten;
};
