import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { maybeHttpUrl } from "../../../protocol/neutral/url-text.ts";
import { keyUseOutput } from "../../../protocol/seam/key-use.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";

const identityText = z.string().trim().max(255).nullish();

const label = z.string().trim().max(255).describe("A name for people.");

/** 100 years: longer would leave the range of dates. */
const mostExpiryDays = 36_500;

const expiresInDays = z
  .int()
  .min(1, "At least 1 day; leave it out for a key without end.")
  .max(mostExpiryDays)
  .nullish()
  .describe("Days until the key expires; left out or null: the seller's default.");

/** Every member is present, null where unknown. */
const keyIdentity = z.looseObject({
  seat_id: z.string().nullable(),
  agency_id: z.string().nullable(),
  advertiser_id: z.string().nullable(),
});

export const apiKey = z.looseObject({
  key_id: z.string(),
  seat_id: fromOthers(z.string().nullable()),
  agency_id: fromOthers(z.string().nullable()),
  advertiser_id: fromOthers(z.string().nullable()),
  label: fromOthers(z.string().nullable()),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  is_active: z.boolean(),
  ...keyUseOutput,
  role: z.string(),
  verified: z.boolean(),
  revoked: z.boolean(),
  key_prefix_hint: z.string(),
  identity: fromOthers(keyIdentity),
});

/** The only answer that ever carries the secret. */
export const createdApiKey = z.looseObject({
  key_id: z.string().nullable(),
  api_key: z.string().nullable(),
  seat_id: z.string().nullable(),
  agency_id: z.string().nullable(),
  advertiser_id: z.string().nullable(),
  label: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  role: z.string(),
  verified: z.boolean(),
  approval_id: z.string().nullable(),
  warning: z.string(),
  identity: keyIdentity,
});

const keyId = z.string().min(1).max(128).describe("Id of the key, not its secret.");

export const createApiKey = defineContract({
  name: "create_api_key",
  group: "api-keys",
  summary:
    "Issues an API key for a buyer and shows its secret once. An operator's key carries the identity at once; any " +
    "other key works at the public tier until an operator approves its identity. A buyer's key cannot ask for the " +
    "identity of another agency.",
  effect: "write",
  access: "public",
  input: z.object({
    seat_id: identityText.describe("DSP seat of the buyer; alone it gives the seat tier."),
    seat_name: identityText.describe("Name of the seat, for people."),
    dsp_platform: identityText.describe("DSP that the seat is on."),
    agency_id: identityText.describe("Agency of the buyer; it gives the agency tier."),
    agency_name: identityText.describe("Name of the agency, for people."),
    agency_holding_company: identityText.describe("Holding company of the agency, for people."),
    advertiser_id: identityText.describe("Advertiser; beside an agency_id it gives the advertiser tier."),
    advertiser_name: identityText.describe("Name of the advertiser, for people."),
    label: label.nullish().describe("A name for the key, for people."),
    expires_in_days: expiresInDays,
    agent_url: maybeHttpUrl.nullish().describe("URL of the agent that will use the key; its trust caps it."),
  }),
  output: createdApiKey,
  refusals: { identity_mismatch: 403 },
  secretOutput: ["api_key"],
  rest: { method: "POST", path: "/auth/api-keys" },
  tool: {
    title: "Create an API key",
    readOnly: false,
    destructive: false,
    idempotent: false,
    openWorld: false,
    argumentAliases: { name: "label" },
  },
});

export const createOperatorKey = defineContract({
  name: "create_operator_key",
  group: "api-keys",
  summary:
    "Issues an operator key and shows its secret once. Operators only; a key with the role senior is issued by a " +
    "senior. Two active operator keys cannot have the same label.",
  effect: "write",
  access: "operator",
  input: z.object({
    label: label.default(""),
    role: z
      .enum(["edge", "viewer", "operator", "senior"])
      .default("operator")
      .describe(
        "edge is for an edge server: it lists active deals and reports deliveries. viewer reads only; senior may " +
          "decide critical changes.",
      ),
    expires_in_days: expiresInDays,
  }),
  output: createdApiKey,
  refusals: { label_in_use: 409, senior_review_required: 403 },
  secretOutput: ["api_key"],
  rest: { method: "POST", path: "/auth/api-keys/operator" },
  tool: { title: "Create an operator key", readOnly: false, destructive: false, idempotent: false, openWorld: false },
});

export const listApiKeys = defineContract({
  name: "list_api_keys",
  group: "api-keys",
  summary:
    "Lists all API keys in creation order, revoked ones included, a page at a time, without secrets. Operators only.",
  effect: "read",
  access: "operator",
  input: z.object({
    ...pageInput,
    buyer: z.string().min(1).max(300).nullish().describe("Only this buyer's, for example agency:agency-2."),
  }),
  output: z.looseObject({
    keys: z.array(apiKey),
    ...pageOutput,
  }),
  refusals: {},
  rest: { method: "GET", path: "/auth/api-keys" },
  tool: {
    title: "List API keys",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    rows: {
      keys: [
        "key_id",
        "label",
        "role",
        "seat_id",
        "agency_id",
        "advertiser_id",
        "verified",
        "revoked",
        "is_active",
        "created_at",
        "expires_at",
        "last_used_at",
        "use_count",
        "agent_url",
        "approval_id",
      ],
    },
  },
});

export const getApiKey = defineContract({
  name: "get_api_key",
  group: "api-keys",
  summary: "Returns a key's record without its secret. Operators see every key, a buyer its own alone.",
  effect: "read",
  access: "key",
  input: z.object({ key_id: keyId }),
  output: apiKey,
  refusals: { api_key_not_found: 404, operator_required: 403 },
  rest: { method: "GET", path: "/auth/api-keys/:key_id" },
  tool: { title: "Get an API key", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const revokeApiKey = defineContract({
  name: "revoke_api_key",
  group: "api-keys",
  summary:
    "Revokes a key for good: its next use answers 401. Revoking twice is the same as once. Operators revoke every " +
    "key, a buyer its own alone.",
  effect: "write",
  access: "key",
  input: z.object({ key_id: keyId }),
  output: z.looseObject({ key_id: z.string(), status: z.literal("revoked") }),
  refusals: { api_key_not_found: 404, operator_required: 403, senior_review_required: 403 },
  rest: { method: "DELETE", path: "/auth/api-keys/:key_id" },
  tool: { title: "Revoke an API key", readOnly: false, destructive: true, idempotent: true, openWorld: false },
});
