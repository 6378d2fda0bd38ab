import { apiKeyMachine } from "../../../machines/api-key/machine.ts";
import { step } from "../../../machines/step.ts";
import { isOperator, isSenior } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { readPage } from "../../../protocol/seam/paging.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import { raiseApproval } from "../approvals/gate.ts";
import { apiKeyEvent } from "./events.ts";
import { apiKeyKind, type ApiKeyRow, keyOwnerTerm, operatorLabelKind } from "./record.ts";
import { sha256Hex } from "../ids.ts";
import * as contract from "./contract.ts";
import {
  claimsIdentity,
  emptyIdentity,
  expiryMs,
  foreignKeyRefusal,
  identityFrom,
  mintKey,
  mismatchRefusal,
  waitingKey,
} from "./rules.ts";
import { apiKeyView, createdApiKeyView, isActive } from "./view.ts";
import type { SellerContext } from "../context.ts";

export const createApiKey = defineOperation(contract.createApiKey, async (context: SellerContext, input) => {
  const { settings } = context.ports;
  const identity = identityFrom(input);
  const mismatch = mismatchRefusal(context.caller, identity);
  if (mismatch !== null) return mismatch;
  const verified = isOperator(context.caller) || !settings.requireApprovalForUnregistered;
  const minted = mintKey(context, {
    role: "buyer",
    identity,
    verified,
    label: input.label == null || input.label === "" ? null : input.label,
    agentUrl: input.agent_url == null || input.agent_url === "" ? null : input.agent_url,
    expiresAtMs: expiryMs(input.expires_in_days, settings, context.nowMs),
  });
  const gate =
    !verified && claimsIdentity(identity) ? raiseApproval(context, waitingKey(minted.row, context.caller)) : null;
  const row = gate === null ? minted.row : { ...minted.row, approval_id: gate.approvalId };
  const changes: Change[] = [create(apiKeyKind, row.key_id, row)];
  const events = [apiKeyEvent("api_key.created", row)];
  if (gate !== null) {
    changes.push(gate.change);
    events.push(gate.event);
  }
  return { output: createdApiKeyView(row, minted.secret), changes, events };
});

/**
 * The row per label makes simultaneous creations conflict. A label is free again once its key is revoked or expired.
 */
const takeLabel = async (
  context: SellerContext,
  label: string,
  keyId: string,
): Promise<readonly Change[] | Refusal> => {
  if (label === "") return [];
  const id = sha256Hex(label);
  const taken = await context.load(operatorLabelKind, id);
  const row = { label, key_id: keyId };
  if (taken === null) return [create(operatorLabelKind, id, row)];
  const holder = await context.load(apiKeyKind, taken.body.key_id);
  if (holder !== null && isActive(holder.body, context.nowMs)) return refuse("label_in_use");
  return [update(operatorLabelKind, taken, row)];
};

export const createOperatorKey = defineOperation(contract.createOperatorKey, async (context: SellerContext, input) => {
  if (input.role === "senior" && !isSenior(context.caller)) {
    return refuse("senior_review_required", { message: "Only a senior operator issues a key with the role senior." });
  }
  const { row, secret } = mintKey(context, {
    role: input.role,
    identity: emptyIdentity,
    verified: true,
    label: input.label === "" ? null : input.label,
    agentUrl: null,
    expiresAtMs: expiryMs(input.expires_in_days, context.ports.settings, context.nowMs),
  });
  const labelChanges = await takeLabel(context, input.label, row.key_id);
  if ("refused" in labelChanges) return labelChanges;
  return {
    output: createdApiKeyView(row, secret),
    changes: [create(apiKeyKind, row.key_id, row), ...labelChanges],
    events: [apiKeyEvent("api_key.created", row)],
  };
});

export const listApiKeys = defineOperation(contract.listApiKeys, async (context: SellerContext, input) => {
  const term = input.buyer == null ? null : keyOwnerTerm(input.buyer);
  const { rows, page } = await readPage(context, { kind: apiKeyKind, term, order: "oldest" }, input);
  return { output: { keys: rows.map((loaded) => apiKeyView(loaded.body, context)), ...page } };
});

export const getApiKey = defineOperation(contract.getApiKey, async (context: SellerContext, input) => {
  const foreign = foreignKeyRefusal(context, input.key_id);
  if (foreign !== null) return foreign;
  const loaded = await context.own(apiKeyKind, input.key_id, "api_key_not_found");
  return { output: apiKeyView(loaded.body, context) };
});

export const revokeApiKey = defineOperation(contract.revokeApiKey, async (context: SellerContext, input) => {
  const foreign = foreignKeyRefusal(context, input.key_id);
  if (foreign !== null) return foreign;
  const loaded = await context.own(apiKeyKind, input.key_id, "api_key_not_found");
  if (loaded.body.role === "senior" && !isSenior(context.caller)) {
    return refuse("senior_review_required", { message: "Only a senior operator revokes a key with the role senior." });
  }
  const output = { key_id: loaded.body.key_id, status: "revoked" as const };
  const life = step(apiKeyMachine, loaded.body.life, { type: "REVOKE", nowMs: context.nowMs });
  if (life === null) return { output };
  const revoked: ApiKeyRow = { ...loaded.body, life };
  return {
    output,
    changes: [update(apiKeyKind, loaded, revoked)],
    events: [apiKeyEvent("api_key.revoked", revoked)],
  };
});
