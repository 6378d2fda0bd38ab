import { z } from "zod";
import { membersOf, type Members } from "../../neutral/members.ts";
import { accountRef, formatRef, pageOf, paged, pagination, requestOf } from "../request.ts";
import { type Asked, defineTask } from "../task.ts";
import { namedAccount } from "./accounts.ts";

const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

const id = z.string().min(1).max(160);

const formatId = (format: unknown, { facts }: Asked): Members => ({ agent_url: facts.agentUrl, id: format });

const rendersOf = (format: Members): Members => {
  const { width, height } = format;
  return width === null ? {} : { renders: [{ role: "primary", dimensions: { width, height } }] };
};

const formatOf = (format: Members, asked: Asked): Members => ({
  format_id: formatId(format["format_id"], asked),
  name: format["name"],
  ...rendersOf(format),
  assets: [{ item_type: "individual", asset_type: format["asset"], asset_id: format["asset"], required: true }],
});

export const listFormatsTask = defineTask({
  name: "list_creative_formats",
  title: "List creative formats",
  summary: "The creative formats that this seller takes.",
  writes: false,
  request: requestOf({
    format_ids: z.array(formatRef).max(100).nullish(),
    asset_types: z.array(z.string().max(64)).max(50).nullish(),
    name_search: z.string().max(128).nullish(),
    pagination: pagination.nullish(),
  }),
  toCall: ({ format_ids: ids, asset_types: assets, name_search: name, pagination: page }) => ({
    operation: "list_creative_formats",
    input: {
      ...pageOf(page),
      format_ids: ids == null ? null : ids.map((one) => one.id),
      assets: assets ?? null,
      name: name ?? null,
    },
  }),
  toAnswer: (output, asked) => ({
    formats: listOf(output["formats"]).map((format) => formatOf(format, asked)),
    ...paged(output["next_cursor"]),
  }),
});

const syncedCreative = (row: Members): Members => {
  const { assigned_to: assigned, assignment_errors: errors, error } = row;
  return {
    creative_id: row["creative_id"],
    action: row["action"],
    ...(row["status"] === null ? {} : { status: row["status"] }),
    ...(error === null ? {} : { errors: [{ code: "CREATIVE_REJECTED", message: error, recovery: "correctable" }] }),
    ...(Array.isArray(assigned) && assigned.length > 0 ? { assigned_to: assigned } : {}),
    ...(Object.keys(membersOf(errors)).length === 0 ? {} : { assignment_errors: errors }),
  };
};

export const syncCreativesTask = defineTask({
  name: "sync_creatives",
  title: "Sync creatives",
  summary: "Puts creatives into the buyer's library, and assigns them to packages.",
  writes: true,
  isKeyed: true,
  request: requestOf({
    account: accountRef.nullish(),
    creatives: z
      .array(
        z.looseObject({
          creative_id: id,
          name: z.string().min(1).max(255),
          format_id: formatRef,
          assets: z.record(z.string().max(64), z.looseObject({})),
        }),
      )
      .min(1)
      .max(100),
    assignments: z
      .array(z.looseObject({ creative_id: id, package_id: id }))
      .max(500)
      .nullish(),
    delete_missing: z.boolean().nullish(),
    dry_run: z.boolean().nullish(),
  }),
  toCall: ({ account, creatives, assignments, delete_missing: deletes, dry_run: dryRun }) => ({
    operation: "sync_creatives",
    input: {
      account: account == null ? null : namedAccount(account),
      creatives: creatives.map((one) => ({
        creative_id: one.creative_id,
        name: one.name,
        format_id: one.format_id.id,
        assets: one.assets,
      })),
      assignments:
        assignments == null ? null : assignments.map(({ creative_id, package_id }) => ({ creative_id, package_id })),
      delete_missing: deletes === true,
    },
    dryRun: dryRun === true,
  }),
  toAnswer: (output, _asked, given) => ({
    creatives: listOf(output["creatives"]).map(syncedCreative),
    ...(given.dry_run === true ? { dry_run: true } : {}),
  }),
});

const statuses = ["processing", "pending_review", "approved", "rejected", "archived"] as const;

const listedCreative = (row: Members, asked: Asked): Members => ({
  creative_id: row["creative_id"],
  name: row["name"],
  format_id: formatId(row["format_id"], asked),
  status: row["status"],
  created_date: row["created_at"],
  updated_date: row["updated_at"],
  assets: row["assets"],
});

export const listCreativesTask = defineTask({
  name: "list_creatives",
  title: "List creatives",
  summary: "The buyer's creatives with their state.",
  writes: false,
  request: requestOf({
    account: accountRef.nullish(),
    filters: z
      .looseObject({
        creative_ids: z.array(id).max(100).nullish(),
        statuses: z.array(z.enum(statuses)).nullish(),
      })
      .nullish(),
    pagination: pagination.nullish(),
  }),
  toCall: ({ filters, pagination: page }) => ({
    operation: "list_creatives",
    input: { ...pageOf(page), creative_ids: filters?.creative_ids ?? null, statuses: filters?.statuses ?? null },
  }),
  toAnswer: (output, asked) => {
    const creatives = listOf(output["creatives"]).map((row) => listedCreative(row, asked));
    const total = typeof output["total"] === "number" ? output["total"] : creatives.length;
    return {
      query_summary: { total_matching: total, returned: creatives.length },
      creatives,
      ...paged(output["next_cursor"]),
    };
  },
});
