import { createHash, randomBytes, randomUUID } from "node:crypto";
import { apiKeyMachine, newApiKey } from "../../../machines/api-key/machine.ts";
import { step } from "../../../machines/step.ts";
import { isSenior } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { type Context, defineOperation } from "../../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import type { BuyerContext } from "../ports.ts";
import * as contract from "./contract.ts";
import { isActive, labelKind, operatorKeyKind, type OperatorKeyRow } from "./record.ts";
import { expiryOf, operatorKeyView } from "./view.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

const hintLength = 12;

const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");

/** 256 random bits, returned once. */
const newSecret = (): string => `abk_live_${randomBytes(32).toString("base64url")}`;

const newKeyId = (): string => `key-${randomUUID().slice(0, 8)}`;

/** Rejected while an active key has it. The row per label makes concurrent creations conflict, so that one wins. */
const takeLabel = async (context: Context, label: string, keyId: string): Promise<Change | Refusal> => {
  const id = sha256Hex(label);
  const taken = await context.load(labelKind, id);
  const row = { label, key_id: keyId };
  if (taken === null) return create(labelKind, id, row);
  const holder = await context.load(operatorKeyKind, taken.body.key_id);
  if (holder !== null && isActive(holder.body, context.nowMs)) return refuse("label_in_use");
  return update(labelKind, taken, row);
};

export const createOperatorKey = defineOperation(contract.createOperatorKey, async (context, input) => {
  if (input.role === "senior" && !isSenior(context.caller)) {
    return refuse("senior_review_required", { message: "Only a senior operator issues a key with the role senior." });
  }
  const secret = context.mint(newSecret);
  const expiresAtMs = input.expires_in_days == null ? null : context.nowMs + input.expires_in_days * dayMs;
  const row: OperatorKeyRow = {
    key_id: context.mint(newKeyId),
    secret_sha256: sha256Hex(secret),
    prefix_hint: `${secret.slice(0, hintLength)}...`,
    role: input.role,
    label: input.label,
    created_at_ms: context.nowMs,
    revoked_at_ms: null,
    life: newApiKey({ expiresAtMs, verified: true }),
  };
  const label = await takeLabel(context, input.label, row.key_id);
  if ("refused" in label) return label;
  return {
    output: {
      key_id: row.key_id,
      api_key: secret,
      role: row.role,
      label: row.label,
      expires_at: expiryOf(row),
      warning: "Store this key securely. It will not be shown again.",
    },
    changes: [create(operatorKeyKind, row.key_id, row), label],
  };
});

export const listOperatorKeys = defineOperation(contract.listOperatorKeys, async (context: BuyerContext, input) => {
  const { limit, offset } = input;
  const page = await context.list(operatorKeyKind, { order: "oldest", limit, offset });
  const keys = page.map((loaded) => operatorKeyView(loaded.body, context));
  return { output: { keys, count: keys.length, total: await context.count(operatorKeyKind, null) } };
});

export const getOperatorKey = defineOperation(contract.getOperatorKey, async (context: BuyerContext, input) => {
  const loaded = await context.own(operatorKeyKind, input.key_id, "api_key_not_found");
  return { output: operatorKeyView(loaded.body, context) };
});

export const revokeOperatorKey = defineOperation(contract.revokeOperatorKey, async (context: BuyerContext, input) => {
  const loaded = await context.own(operatorKeyKind, input.key_id, "api_key_not_found");
  if (loaded.body.role === "senior" && !isSenior(context.caller)) {
    return refuse("senior_review_required", { message: "Only a senior operator revokes a key with the role senior." });
  }
  const life = step(apiKeyMachine, loaded.body.life, { type: "REVOKE", nowMs: context.nowMs });
  const key: OperatorKeyRow = life === null ? loaded.body : { ...loaded.body, life, revoked_at_ms: context.nowMs };
  return {
    output: { revoked: true as const, key: operatorKeyView(key, context) },
    ...(life === null ? {} : { changes: [update(operatorKeyKind, loaded, key)] }),
  };
});
