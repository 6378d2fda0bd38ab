import { hash, randomUUID } from "node:crypto";
import { dayMs } from "../../../machines/inventory/dates.ts";
import { canonicalJson } from "../../../protocol/neutral/canonical.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Context, Loaded, Outcome } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import { type Found, type ReadContext, readOnly } from "./read-context.ts";
import {
  type Consent,
  type Draft,
  deskChange,
  deskId,
  deskKind,
  type DeskRow,
  type Option,
  type Taken,
} from "./record.ts";

/**
 * The only place where text writes. An agent gives a table of deeds, one for each operation that a conversation may do:
 *
 *     const gate = createGate([{ operation: "book_deal", orders: () => ["book"], render }]);
 *
 * and each message goes through the same five calls:
 *
 *     const desk = await gate.open(context, contextId);   // what is open here
 *     const pick = picked(gate, desk, { text, data });    // pick.ts: is the message a pick, exactly?
 *     const { desk: after, took } = await gate.take(context, desk, pick.takes, input);
 *     const shown = await gate.show(context, after, drafts, { arm: true });
 *     return { output, changes: [...others, ...gate.changes(shown.desk)] };
 *
 * `show` renders the terms from the records and signs them with a digest. `take` renders them again: equal digest, then
 * the operation is called with the option's id as idempotency key, and that it was taken is in the same commit;
 * unequal, then nothing is done and the new terms are shown. Words reach neither: an option is taken by id, never by
 * what the message says.
 */
export interface Deed {
  readonly operation: string;
  /** The lists of words in `words/consents.*.json` that name it: "book it" books. */
  readonly orders: (input: Draft["input"]) => readonly string[];
  /** What the caller reads, from the records alone. A refusal: it cannot be done, and no option is shown. */
  readonly render: (context: ReadContext, input: Draft["input"]) => Promise<Found<Rendered>>;
  /** A reference of the order that takes it, "under PO 5512", kept with the record. It changes no term. */
  readonly carry?: (input: Draft["input"], references: readonly string[]) => Draft["input"];
  /** The input that an id alone names, where the record holds all terms. Null: not a record of this deed. */
  readonly byId?: (id: string) => Draft["input"] | null;
}

export interface Rendered {
  readonly label: string;
  readonly terms: string;
  /** Of every record that the terms depend on: a state, a revision, a price, an end. */
  readonly revisions: readonly unknown[];
  readonly expiresAtMs?: number;
}

export interface Desk {
  /** Null: the caller named no conversation, and nothing can be kept open. */
  readonly contextId: string | null;
  readonly loaded: Loaded<DeskRow> | null;
  readonly row: DeskRow;
}

export interface Take {
  readonly option: Option;
  /** Null: shown in this conversation; else as the caller sent it. */
  readonly digest: string | null;
  readonly by: Consent;
  /** Of the order, in its words. */
  readonly references?: readonly string[];
}

export type Took =
  | { readonly kind: "done"; readonly option: Option; readonly output: unknown }
  | { readonly kind: "refused"; readonly option: Option; readonly refusal: Refusal; readonly status: number }
  /** Nothing was done: the terms are others by now, or none. */
  | { readonly kind: "changed"; readonly option: Option; readonly now: Option | null; readonly why: string };

export interface Gate {
  readonly deeds: ReadonlyMap<string, Deed>;
  open(context: Context, contextId: string | null): Promise<Desk>;
  /** An option for what is ordered by id: it is taken in the same breath, as its record shows its terms. */
  ofId(context: Context, draft: Draft): Promise<Found<Option>>;
  /**
   * `message`: the parsed input, the same for each attempt: a commit that loses its race takes nothing twice.
   * `along`: what the conversation no longer holds once it is taken, in the same commit.
   */
  take(context: Context, desk: Desk, takes: readonly Take[], message: object, along?: Along): Promise<After>;
  /** Call it in every reply, also with nothing: it disarms what the last reply asked. */
  show(context: Context, desk: Desk, drafts: readonly Numbered[], how?: ShowHow): Promise<Shown>;
  /** Drops what is open and fits. */
  close(desk: Desk, isClosed: (option: Option) => boolean): Desk;
  changes(desk: Desk): readonly Change[];
}

export type Along = (option: Option) => Promise<readonly Change[]>;

export interface ShowHow {
  /** The reply asks about the one option that it shows. */
  readonly arm?: boolean;
  /** The reply is about another thing than what is open, which an order without a name can no longer mean. */
  readonly isElsewhere?: boolean;
  /** The reply numbers other things, so that no number means an option: it is taken by a yes, an order or its id. */
  readonly isUnnumbered?: boolean;
  /** The last number that the reply gives to something else: options go on behind it. */
  readonly after?: number;
}

export interface After {
  readonly desk: Desk;
  readonly took: readonly Took[];
}

/** Where the reply numbers its lines itself. */
export interface Numbered extends Draft {
  readonly n?: number;
}

export interface Shown {
  readonly desk: Desk;
  readonly options: readonly Option[];
  /** What could not be offered, and why. */
  readonly refused: readonly { readonly draft: Draft; readonly refusal: Refusal }[];
}

const mostOpen = 40;
const mostTaken = 50;

const signed = (draft: Draft, { label, terms, revisions, expiresAtMs }: Rendered, nowMs: number): Option => ({
  option: `o-${randomUUID()}`,
  n: 1,
  label,
  ...draft,
  terms,
  digest: `sha256:${hash("sha256", canonicalJson([draft.operation, draft.input, revisions, terms]))}`,
  expires_at: isoTime(Math.min(nowMs + dayMs, expiresAtMs ?? Infinity)),
});

export const isExpired = ({ expires_at: at }: Option, nowMs: number): boolean => Date.parse(at) <= nowMs;

const isSameDraft = (left: Draft, right: Draft): boolean =>
  left.operation === right.operation && canonicalJson(left.input) === canonicalJson(right.input);

const without = (row: DeskRow, { option }: Option): DeskRow => ({
  ...row,
  open: row.open.filter((one) => one.option !== option),
  armed: row.armed === option ? null : row.armed,
});

const withTaken = (row: DeskRow, option: Option, by: Consent, nowMs: number): DeskRow => {
  const taken: Taken = { ...option, by, at_ms: nowMs };
  return { ...without(row, option), taken: [...row.taken, taken].slice(-mostTaken), updated_at_ms: nowMs };
};

const takenAlready = refuse("invalid_status", { message: "This was taken already, by another message." });

/** Compare and set: of two messages at once one finds it open. By id it was never open, and may be taken once. */
const markTaken = async (context: Context, desk: Desk, { option, by }: Take): Promise<readonly Change[] | Refusal> => {
  if (desk.contextId === null) return [];
  const loaded = await context.load(deskKind, deskId(context.caller.owner, desk.contextId));
  const row = loaded?.body ?? desk.row;
  const isThere = (one: Option): boolean => one.option === option.option;
  if (by === "id" ? row.taken.some(isThere) : !row.open.some(isThere)) return takenAlready;
  return [deskChange(loaded, withTaken(row, option, by, context.nowMs))];
};

const emptyDesk = { open: [], listed: [], isListNew: false, takesOrders: false, armed: null, taken: [] };

const opened = async (context: Context, contextId: string | null): Promise<Desk> => {
  const { owner } = context.caller;
  const loaded = contextId === null ? null : await context.load(deskKind, deskId(owner, contextId));
  const row = loaded?.body ?? { owner, context_id: contextId ?? "", ...emptyDesk };
  return { contextId, loaded, row: { ...row, updated_at_ms: context.nowMs } };
};

type Deeds = ReadonlyMap<string, Deed>;

const rendered = async (deeds: Deeds, context: Context, draft: Draft): Promise<Found<Option>> => {
  const deed = deeds.get(draft.operation);
  if (deed === undefined) throw new Error(`no deed of a conversation: ${draft.operation}`);
  const found = await deed.render(readOnly(context), draft.input);
  return found.kind === "refused" ? found : { ...found, output: signed(draft, found.output, context.nowMs) };
};

/** Null: as it was shown. */
const changedSince = async (deeds: Deeds, context: Context, { option, digest, by }: Take): Promise<Took | null> => {
  const { operation, input } = option;
  if (digest !== null && digest !== option.digest)
    return { kind: "changed", option, now: option, why: "The digest is not that of the terms shown." };
  if (by === "id") return null;
  const found = await rendered(deeds, context, { operation, input });
  if (found.kind === "refused") return { kind: "changed", option, now: null, why: found.refusal.message };
  if (isExpired(option, context.nowMs))
    return { kind: "changed", option, now: found.output, why: "What was shown has expired." };
  if (found.output.digest === option.digest) return null;
  return {
    kind: "changed",
    option,
    now: found.output,
    why: `The terms have changed since they were shown: ${option.terms}`,
  };
};

const takeOne = async (deeds: Deeds, context: Context, desk: Desk, taking: Take, along: Along): Promise<Took> => {
  const changed = await changedSince(deeds, context, taking);
  if (changed !== null) return changed;
  const { option, references = [] } = taking;
  const carry = references.length === 0 ? undefined : deeds.get(option.operation)?.carry;
  const input = carry?.(option.input, references) ?? option.input;
  const beside = async () => {
    const marked = await markTaken(context, desk, taking);
    return isRefusal(marked) ? marked : [...marked, ...(await along(option))];
  };
  const outcome: Outcome = await context.call(option.operation, input, { key: option.option, beside });
  if (outcome.kind === "bug") throw new Error(`${option.operation} failed`);
  return outcome.kind === "done"
    ? { kind: "done", option, output: outcome.output }
    : { kind: "refused", option, refusal: outcome.refusal, status: outcome.status };
};

const takeAll = async (
  deeds: Deeds,
  context: Context,
  desk: Desk,
  takes: readonly Take[],
  along: Along,
): Promise<readonly Took[]> => {
  const took: Took[] = [];
  for (const one of takes) took.push(await takeOne(deeds, context, desk, one, along));
  return took;
};

/** No two things of a reply have the same number: what has none of its own, or another's, takes the next free one. */
const numbering = (drafts: readonly Numbered[], after: number): ((own: number | undefined) => number) => {
  const given = new Set(drafts.flatMap(({ n }) => n ?? []));
  const used = new Set<number>();
  return (own) => {
    let n = own ?? after + 1;
    while (used.has(n) || (n !== own && given.has(n))) n += 1;
    used.add(n);
    return n;
  };
};

/** What is shown again unchanged keeps its id, so that a button of an earlier reply still works. */
const shownOf = async (deeds: Deeds, context: Context, { row }: Desk, drafts: readonly Numbered[], after: number) => {
  const options: Option[] = [];
  const refused: { draft: Draft; refusal: Refusal }[] = [];
  const numberOf = numbering(drafts, after);
  for (const { n, ...draft } of drafts) {
    const found = await rendered(deeds, context, draft);
    if (found.kind === "refused") refused.push({ draft, refusal: found.refusal });
    else if (!options.some((one) => isSameDraft(one, draft))) {
      const known = row.open.find((one) => isSameDraft(one, draft) && one.digest === found.output.digest);
      const { option } = known === undefined || isExpired(known, context.nowMs) ? found.output : known;
      options.push({ ...found.output, option, n: numberOf(n) });
    }
  }
  return { options, refused };
};

export const createGate = (table: readonly Deed[]): Gate => {
  const deeds: Deeds = new Map(table.map((deed) => [deed.operation, deed]));
  const done = new WeakMap<object, Promise<readonly Took[]>>();
  return {
    deeds,
    open: opened,
    ofId: (context, draft) => rendered(deeds, context, draft),
    take: async (context, desk, takes, message, along = async () => []) => {
      const taking = done.get(message) ?? takeAll(deeds, context, desk, takes, along);
      done.set(message, taking);
      const took = await taking;
      const after = await opened(context, desk.contextId);
      const gone = took.filter(({ kind }) => kind === "changed").map(({ option }) => option);
      return { desk: { ...after, row: gone.reduce(without, { ...after.row, armed: null }) }, took };
    },
    show: async (context, desk, drafts, how = {}) => {
      const { row } = desk;
      const { arm = false, isElsewhere = false, isUnnumbered = false, after = 0 } = how;
      const { options, refused } = await shownOf(deeds, context, desk, drafts, after);
      const isOld = (one: Option): boolean => isExpired(one, context.nowMs) || options.some((o) => isSameDraft(o, one));
      const open = [...row.open.filter((one) => !isOld(one)), ...options].slice(-mostOpen);
      const numbered = options.length === 0 ? row.listed : options.map(({ option }) => option);
      const listed = isUnnumbered ? [] : numbered;
      const armed = arm && options.length === 1 ? (options[0]?.option ?? null) : null;
      const isListNew = options.length > 0 && !isUnnumbered;
      const takesOrders = !isElsewhere && (options.length > 0 || row.takesOrders);
      return { desk: { ...desk, row: { ...row, open, listed, isListNew, takesOrders, armed } }, options, refused };
    },
    close: (desk, isClosed) => ({ ...desk, row: desk.row.open.filter(isClosed).reduce(without, desk.row) }),
    changes: ({ contextId, loaded, row }) => (contextId === null ? [] : [deskChange(loaded, row)]),
  };
};
