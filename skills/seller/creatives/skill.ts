import type { z } from "zod";
import { creativeMachine } from "../../../machines/creative/machine.ts";
import { step } from "../../../machines/step.ts";
import { isOperator, ownersOf } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation, type EventDraft, type Loaded } from "../../../protocol/seam/operation.ts";
import { isRefusal, missing, refuse } from "../../../protocol/neutral/refusals.ts";
import { emptySelection, readSelection, selectedTerms } from "../../../protocol/seam/selection.ts";
import type { Change } from "../../../storage/store.ts";
import { usedAccount } from "../accounts/record.ts";
import type { SellerContext } from "../context.ts";
import { assigned, type Assigned } from "./assigning.ts";
import * as contract from "./contract.ts";
import { creativeFormats } from "./formats.ts";
import { creativeKey, creativeKind, type CreativeRow } from "./record.ts";
import { assetDefect, checkedLife, formatOf, isSameCreative } from "./rules.ts";
import { creativeView } from "./view.ts";

export const listCreativeFormats = defineOperation(
  contract.listCreativeFormats,
  async (context: SellerContext, input) => {
    const { format_ids: ids, assets, name } = input;
    const all = [...(context.ports.fixtures?.formats() ?? []), ...creativeFormats];
    const found = all.filter(
      (format) =>
        (ids == null || ids.includes(format.format_id)) &&
        (assets == null || assets.includes(format.asset)) &&
        (name == null || format.name.toLowerCase().includes(name.toLowerCase())),
    );
    const from = input.cursor == null ? input.offset : Number(input.cursor);
    const formats = found.slice(from, from + input.limit);
    const end = from + formats.length;
    return {
      output: {
        formats: formats.map((format) => ({ ...format })),
        total: found.length,
        count: formats.length,
        next_cursor: formats.length > 0 && end < found.length ? String(end) : null,
      },
    };
  },
);

type Sent = z.output<typeof contract.syncCreatives.input>["creatives"][number];
type Synced = z.input<typeof contract.syncCreatives.output>["creatives"][number];

interface Stored {
  readonly row: CreativeRow | null;
  readonly action: Synced["action"];
  readonly error: string | null;
  readonly change: Change | null;
}

const failedCreative = (error: string): Stored => ({ row: null, action: "failed", error, change: null });

const defectOf = (context: SellerContext, { format_id: formatId, assets }: Sent): string | null => {
  const format = formatOf(context, formatId);
  if (format === null) return `There is no format ${formatId}: read the list of creative formats.`;
  return assetDefect(format, assets);
};

const stored = async (context: SellerContext, sent: Sent, accountId: string | null): Promise<Stored> => {
  const defect = defectOf(context, sent);
  if (defect !== null) return failedCreative(defect);
  const { caller, nowMs } = context;
  const { creative_id, name, format_id, assets } = sent;
  const key = creativeKey(caller.owner, creative_id);
  const loaded = await context.load(creativeKind, key);
  if (loaded !== null && isSameCreative(loaded.body, sent)) {
    return { row: loaded.body, action: "unchanged", error: null, change: null };
  }
  const before = loaded?.body ?? null;
  const row: CreativeRow = {
    creative_id,
    owner: caller.owner,
    account_id: accountId ?? before?.account_id ?? null,
    name,
    format_id,
    assets,
    created_at_ms: before?.created_at_ms ?? nowMs,
    updated_at_ms: nowMs,
    revision: (before?.revision ?? 0) + 1,
    sandbox: context.ports.settings.sandbox,
    life: checkedLife(context, before?.life ?? null),
  };
  return {
    row,
    action: loaded === null ? "created" : "updated",
    error: null,
    change: loaded === null ? create(creativeKind, key, row) : update(creativeKind, loaded, row),
  };
};

const syncedView = (sent: Pick<Sent, "creative_id">, of: Stored, { done, errors }: Assigned): Synced => ({
  creative_id: sent.creative_id,
  action: of.action,
  status: of.row?.life.value ?? null,
  error: of.error,
  assigned_to: [...(done.get(sent.creative_id) ?? [])],
  assignment_errors: { ...errors.get(sent.creative_id) },
});

const mostOfOwner = 500;

const archived = async (context: SellerContext, kept: ReadonlySet<string>): Promise<readonly Loaded<CreativeRow>[]> => {
  const [term = null] = selectedTerms([[context.caller.owner], null]);
  const query = { terms: term === null ? [] : [term], order: "newest", limit: mostOfOwner } as const;
  return (await context.list(creativeKind, query)).filter(
    ({ body }) => !kept.has(body.creative_id) && body.life.value === "approved",
  );
};

const archive = (context: SellerContext, loaded: Loaded<CreativeRow>): Change => {
  const { body } = loaded;
  const life = step(creativeMachine, body.life, { type: "ARCHIVE", nowMs: context.nowMs }) ?? body.life;
  return update(creativeKind, loaded, { ...body, life, updated_at_ms: context.nowMs, revision: body.revision + 1 });
};

const creativeEvent = (row: CreativeRow): EventDraft => ({
  event_type: "creative.changed",
  flow_id: row.creative_id,
  flow_type: "creative",
  owner: row.owner,
  payload: { creative_id: row.creative_id, format_id: row.format_id, status: row.life.value },
});

export const syncCreatives = defineOperation(contract.syncCreatives, async (context: SellerContext, input) => {
  const account = input.account == null ? null : await usedAccount(context, input.account);
  if (isRefusal(account)) return account;
  // The last of those with one id counts.
  const sent = [...new Map(input.creatives.map((one) => [one.creative_id, one])).values()];
  const all = await Promise.all(sent.map((one) => stored(context, one, account?.row.account_id ?? null)));
  const assigns = await assigned(context, input.assignments ?? []);
  const ids = new Set(sent.map(({ creative_id: id }) => id));
  const gone = input.delete_missing ? await archived(context, ids) : [];
  const deleted = gone.map(({ body }) =>
    syncedView(body, { row: null, action: "deleted", error: null, change: null }, assigns),
  );
  const written = all.flatMap(({ row, change }) => (row === null || change === null ? [] : [{ row, change }]));
  return {
    output: { creatives: [...sent.map((one, place) => syncedView(one, all[place] as Stored, assigns)), ...deleted] },
    changes: [
      ...(account?.changes ?? []),
      ...written.map(({ change }) => change),
      ...assigns.changes,
      ...gone.map((loaded) => archive(context, loaded)),
    ],
    events: [...written.map(({ row }) => creativeEvent(row)), ...assigns.events],
  };
});

const namedCreatives = async (context: SellerContext, ids: readonly string[]) => {
  const { owner } = context.caller;
  const rows = await Promise.all([...new Set(ids)].map((id) => context.load(creativeKind, creativeKey(owner, id))));
  return rows.filter((loaded) => loaded !== null);
};

export const listCreatives = defineOperation(contract.listCreatives, async (context: SellerContext, input) => {
  const { creative_ids: ids, statuses } = input;
  if (ids != null) {
    const rows = (await namedCreatives(context, ids)).filter(
      ({ body }) => statuses == null || statuses.includes(body.life.value),
    );
    const page = { ...emptySelection.page, total: rows.length, count: rows.length };
    return { output: { creatives: rows.map(({ body }) => creativeView(body)), ...page } };
  }
  const owners = isOperator(context.caller) ? null : ownersOf(context.caller);
  const terms = selectedTerms([owners, statuses ?? null]);
  const selection = { kind: creativeKind, terms, createdAtMs: (row: CreativeRow) => row.created_at_ms };
  const { rows, page } = await readSelection(context, selection, input);
  return { output: { creatives: rows.map(({ body }) => creativeView(body)), ...page } };
});

export const reviewCreative = defineOperation(contract.reviewCreative, async (context: SellerContext, input) => {
  const loaded = await context.load(creativeKind, creativeKey(input.buyer, input.creative_id));
  if (loaded === null) return missing("creative_not_found", input.creative_id);
  const { body } = loaded;
  const { nowMs } = context;
  const reason = input.reason == null || input.reason === "" ? "Not approved by the seller" : input.reason;
  const event =
    input.decision === "approve" ? ({ type: "APPROVE", nowMs } as const) : ({ type: "REJECT", nowMs, reason } as const);
  const life = step(creativeMachine, body.life, event);
  if (life === null) {
    const message = `A creative that is ${body.life.value} cannot be moved so.`;
    return refuse("invalid_transition", { message, extras: { current_status: body.life.value } });
  }
  const row = { ...body, life, updated_at_ms: nowMs, revision: body.revision + 1 };
  return {
    output: creativeView(row),
    meta: { revision: row.revision },
    changes: [update(creativeKind, loaded, row)],
    events: [creativeEvent(row)],
  };
});
