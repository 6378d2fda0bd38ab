import { z } from "zod";
import { keyUseOutput } from "../../../protocol/seam/key-use.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";

/** 100 years: longer is a mistake, and would leave the range of dates. */
const mostExpiryDays = 36_500;

export const operatorKey = z.looseObject({
  key_id: z.string(),
  key_prefix_hint: z.string(),
  role: z.string(),
  label: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked: z.boolean(),
  is_active: z.boolean(),
  ...keyUseOutput,
});

const keyId = z.string().min(1).max(128).describe("Id of the key, not its secret.");

export const createOperatorKey = defineContract({
  name: "create_operator_key",
  group: "operator-keys",
  summary:
    "Issues an operator key and shows its secret once. Operators only; a key with the role senior is issued by a " +
    "senior. Two active keys cannot have the same label, the empty one included.",
  effect: "write",
  access: "operator",
  input: z.object({
    label: z.string().trim().max(255).default("").describe("Who the key is for."),
    role: z
      .enum(["viewer", "operator", "senior"])
      .default("operator")
      .describe("viewer reads only; senior may issue further senior keys."),
    expires_in_days: z
      .int()
      .min(1, "At least 1 day; leave it out for a key without end.")
      .max(mostExpiryDays)
      .nullish()
      .describe("Days until the key expires; left out or null: never."),
  }),
  output: z.looseObject({
    key_id: z.string(),
    api_key: z.string().nullable(),
    role: z.string(),
    label: z.string(),
    expires_at: z.string().nullable(),
    warning: z.string(),
  }),
  refusals: { label_in_use: 409, senior_review_required: 403 },
  secretOutput: ["api_key"],
  rest: { method: "POST", path: "/auth/api-keys/operator" },
  tool: { title: "Create an operator key", readOnly: false, destructive: false, idempotent: false, openWorld: false },
});

export const listOperatorKeys = defineContract({
  name: "list_operator_keys",
  group: "operator-keys",
  summary: "Lists the operator keys in creation order, revoked ones included, without secrets. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    limit: z.int().min(1).max(500).default(50).describe("Keys on a page, 1 to 500."),
    offset: z.int().min(0).max(10_000_000).default(0).describe("Keys to leave out from the start."),
  }),
  output: z.looseObject({ keys: z.array(operatorKey), count: z.int(), total: z.int() }),
  refusals: {},
  rest: { method: "GET", path: "/auth/api-keys" },
  tool: { title: "List operator keys", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const getOperatorKey = defineContract({
  name: "get_operator_key",
  group: "operator-keys",
  summary: "Returns an operator key's record without its secret. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ key_id: keyId }),
  output: operatorKey,
  refusals: { api_key_not_found: 404 },
  rest: { method: "GET", path: "/auth/api-keys/:key_id" },
  tool: { title: "Get an operator key", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const revokeOperatorKey = defineContract({
  name: "revoke_operator_key",
  group: "operator-keys",
  summary:
    "Revokes an operator key for good: its next use answers 401. Revoking twice is the same as once. The last key " +
    "and one's own may be revoked; a new one is then minted on the host.",
  effect: "write",
  access: "operator",
  input: z.object({ key_id: keyId }),
  output: z.looseObject({ revoked: z.literal(true), key: operatorKey }),
  refusals: { api_key_not_found: 404, senior_review_required: 403 },
  rest: { method: "DELETE", path: "/auth/api-keys/:key_id" },
  tool: { title: "Revoke an operator key", readOnly: false, destructive: true, idempotent: true, openWorld: false },
});
