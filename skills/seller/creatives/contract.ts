import { z } from "zod";
import { creativeStatuses } from "../../../machines/creative/machine.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { selectionInput, selectionOutput } from "../../../protocol/seam/selection.ts";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { accountNamed } from "../accounts/contract.ts";
import { isSmall, reasonText } from "../free-form.ts";
import { reads } from "../tool-hints.ts";

const id = z.string().min(1).max(160);
const mostSynced = 100;

const format = z.looseObject({
  format_id: z.string(),
  name: z.string(),
  asset: z.enum(["image", "video"]).describe("The kind of asset that a creative of it must have."),
  width: z.int().nullable(),
  height: z.int().nullable(),
  seconds: z.int().nullable(),
});

export const listCreativeFormats = defineContract({
  name: "list_creative_formats",
  group: "creatives",
  summary: "Lists the creative formats that this seller takes, a page at a time. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    ...pageInput,
    format_ids: z.array(z.string().max(128)).max(100).nullish().describe("Only these."),
    assets: z.array(z.string().max(64)).max(50).nullish().describe("Only those of these assets: image, video."),
    name: z.string().max(128).nullish().describe("Only those whose name has this text."),
  }),
  output: z.looseObject({ formats: z.array(format), ...pageOutput }),
  refusals: {},
  rest: { method: "POST", path: "/api/v1/creative-formats/search" },
  tool: { title: "List creative formats", ...reads },
});

const creative = z.looseObject({
  creative_id: fromOthers(z.string()),
  name: fromOthers(z.string()),
  format_id: z.string(),
  status: z.enum(creativeStatuses),
  rejection_reason: z.string().nullable(),
  assets: fromOthers(z.looseObject({})),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.int(),
});

export const syncCreatives = defineContract({
  name: "sync_creatives",
  group: "creatives",
  summary:
    "Puts creatives into your library, and assigns them to packages of your media buys. Assets are addresses. " +
    "Each is answered by itself: what is wrong has action failed, the others are stored. A changed one is reviewed " +
    "again.",
  effect: "write",
  access: "key",
  input: z.object({
    account: accountNamed.nullish(),
    creatives: z
      .array(
        z.object({
          creative_id: id.describe("Of your choice."),
          name: z.string().min(1).max(255),
          format_id: z.string().min(1).max(128).describe("Of list_creative_formats."),
          assets: z
            .record(z.string().max(64), z.looseObject({}))
            .refine(isSmall, "The assets are too large: send addresses, not files.")
            .describe("By the name of their place: {asset_type, url} and more."),
        }),
      )
      .min(1)
      .max(mostSynced),
    assignments: z
      .array(z.object({ creative_id: id, package_id: id }))
      .max(500)
      .nullish()
      .describe("Added to what is assigned."),
    delete_missing: z.boolean().default(false).describe("True: those that are not named are archived."),
  }),
  output: z.looseObject({
    creatives: z.array(
      z.looseObject({
        creative_id: fromOthers(z.string()),
        action: z.enum(["created", "updated", "unchanged", "failed", "deleted"]),
        status: z.enum(creativeStatuses).nullable(),
        error: z.string().nullable(),
        assigned_to: z.array(z.string()),
        assignment_errors: z.record(z.string(), z.string()),
      }),
    ),
  }),
  refusals: { account_not_found: 404, account_not_active: 409, account_payment_required: 409 },
  rest: { method: "POST", path: "/api/v1/creatives/sync" },
  tool: { title: "Send creatives", readOnly: false, destructive: false, idempotent: true, openWorld: false },
});

export const listCreatives = defineContract({
  name: "list_creatives",
  group: "creatives",
  summary: "Lists your creatives, newest first, a page at a time; operators see all. Changes nothing.",
  effect: "read",
  access: "key",
  input: z.object({
    ...selectionInput,
    creative_ids: z.array(id).max(100).nullish().describe("Only these of yours."),
    statuses: z.array(z.enum(creativeStatuses)).max(creativeStatuses.length).nullish(),
  }),
  output: z.looseObject({ creatives: z.array(creative), ...selectionOutput }),
  refusals: {},
  rest: { method: "POST", path: "/api/v1/creatives/search" },
  tool: { title: "List creatives", ...reads },
});

export const reviewCreative = defineContract({
  name: "review_creative",
  group: "creatives",
  summary:
    "Approves or rejects a creative of a buyer. Operators only; what runs with a rejected one waits for another.",
  effect: "write",
  access: "operator",
  input: z.object({
    buyer: z.string().min(1).max(255).describe("Its owner, as list_creatives names it."),
    creative_id: id,
    decision: z.enum(["approve", "reject"]),
    reason: reasonText.nullish().describe("Why it is rejected, in words that the buyer reads."),
  }),
  output: creative,
  refusals: { creative_not_found: 404, invalid_transition: 409 },
  rest: { method: "POST", path: "/api/v1/creatives/review" },
  tool: { title: "Review a creative", readOnly: false, destructive: false, idempotent: false, openWorld: false },
});
