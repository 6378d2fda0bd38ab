import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { sellerRefusals, sellerUrlInput } from "../seller-refusal.ts";

const keyView = {
  seller_url: z.string(),
  masked_key: z.string(),
  header_type: z.enum(["api_key", "bearer"]),
  key_id: z.string().nullable(),
  expires_at: z.string().nullable(),
  needs_reauth: z.boolean(),
};

const headerType = z
  .enum(["api_key", "bearer"])
  .default("api_key")
  .describe("How it is sent: as X-Api-Key, or as Authorization: Bearer.");

const expiresInDays = z.int().min(1).max(36_500).nullish().describe("Days until it expires; the seller's default.");

export const setSellerKey = defineContract({
  name: "set_seller_key",
  group: "seller-keys",
  summary:
    "Stores the key for a seller, encrypted, in the place of the one before. It is sent with every call to the " +
    "seller's scheme, host and port, and never shown again.",
  effect: "write",
  access: "operator",
  input: z.object({
    seller_url: sellerUrlInput,
    api_key: z
      .string()
      .max(4096)
      .regex(/^[\x21-\x7e]+$/, "A key has printable ASCII characters only, and no blanks.")
      .describe("The key that the seller issued."),
    header_type: headerType,
  }),
  output: z.looseObject({ ...keyView, created: z.boolean() }),
  refusals: { key_storage_unavailable: 409 },
  rest: { method: "POST", path: "/sellers/keys" },
  tool: {
    title: "Set a seller's key",
    readOnly: false,
    destructive: true,
    idempotent: true,
    openWorld: false,
    aliases: ["create_api_key"],
  },
});

export const listSellerKeys = defineContract({
  name: "list_seller_keys",
  group: "seller-keys",
  summary:
    "Lists the sellers that have a key, masked: stored ones, and those of SELLER_API_KEYS. needs_reauth marks a key " +
    "that its seller refused. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({}),
  output: z.looseObject({
    keys: z.array(z.looseObject({ ...keyView, source: z.enum(["stored", "configured"]) })),
    total: z.int(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/sellers/keys" },
  tool: {
    title: "List seller keys",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    aliases: ["list_api_keys"],
  },
});

export const removeSellerKey = defineContract({
  name: "remove_seller_key",
  group: "seller-keys",
  summary:
    "Forgets the stored key for a seller; removed says whether there was one. The key stays valid at the seller. " +
    "A key of SELLER_API_KEYS counts again.",
  effect: "write",
  access: "operator",
  input: z.object({ seller_url: sellerUrlInput }),
  output: z.looseObject({ seller_url: z.string(), removed: z.boolean() }),
  refusals: {},
  rest: { method: "DELETE", path: "/sellers/keys" },
  tool: {
    title: "Remove a seller's key",
    readOnly: false,
    destructive: true,
    idempotent: true,
    openWorld: false,
    aliases: ["revoke_api_key"],
  },
});

export const acquireSellerKey = defineContract({
  name: "acquire_seller_key",
  group: "seller-keys",
  summary:
    "Asks a seller for a key in the name of this buyer's identity and stores it at once. Until the seller approves " +
    "the identity the key may buy at the public tier only.",
  effect: "write",
  access: "operator",
  input: z.object({ seller_url: sellerUrlInput, expires_in_days: expiresInDays }),
  output: z.looseObject({ ...keyView, verified: z.boolean().nullable(), approval_id: z.string().nullable() }),
  refusals: { key_storage_unavailable: 409, identity_required: 409, ...sellerRefusals },
  rest: { method: "POST", path: "/sellers/keys/acquire" },
  tool: { title: "Acquire a seller's key", readOnly: false, destructive: true, idempotent: false, openWorld: true },
});

export const rotateSellerKey = defineContract({
  name: "rotate_seller_key",
  group: "seller-keys",
  summary:
    "Replaces the key for a seller: acquires a new one, stores it, and then revokes the old one at the seller. With " +
    "api_key that one is stored instead. When the seller gives no new key the old one stays.",
  effect: "write",
  access: "operator",
  input: z.object({
    seller_url: sellerUrlInput,
    api_key: setSellerKey.input.shape.api_key.nullish().describe("A key that the seller issued already."),
    expires_in_days: expiresInDays,
    revoke_old: z.boolean().default(true).describe("Revoke the old key at the seller, where its id is known."),
  }),
  output: z.looseObject({ ...keyView, old_key_revoked: z.boolean() }),
  refusals: {
    seller_key_not_found: 404,
    key_storage_unavailable: 409,
    identity_required: 409,
    ...sellerRefusals,
  },
  rest: { method: "POST", path: "/sellers/keys/rotate" },
  tool: { title: "Rotate a seller's key", readOnly: false, destructive: true, idempotent: false, openWorld: true },
});
