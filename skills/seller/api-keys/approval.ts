import { apiKeyMachine } from "../../../machines/api-key/machine.ts";
import { step } from "../../../machines/step.ts";
import { update } from "../../../protocol/seam/changes.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import type { ContinuedFlow, Continuation } from "../approvals/flow.ts";
import { apiKeyEvent } from "./events.ts";
import { apiKeyKind, type ApiKeyRow } from "./record.ts";

const keyResult = (row: ApiKeyRow): ContinuedFlow["result"] => ({
  status: row.life.value,
  key_id: row.key_id,
  verified: row.life.context.verified,
  status_text:
    row.life.value === "active" && row.life.context.verified
      ? "The key's identity is verified and counts from now on."
      : `The key is ${row.life.value}; its claimed identity does not count.`,
  next_step: "Nothing is left to do.",
});

/** A rejection revokes the key, a timeout leaves it public. */
export const carryKeyOn: Continuation = async (context, approval, verdict) => {
  if (verdict.decision === "counter") {
    return refuse("invalid_decision", { message: "A key is approved or rejected. Send approve or reject." });
  }
  const loaded = await context.load(apiKeyKind, approval.subject_id);
  if (loaded === null) throw new Error(`The key ${approval.subject_id} of an approval is gone.`);
  const unchanged = { changes: [], events: [], result: keyResult(loaded.body) };
  if (verdict.decision === "timeout") return unchanged;
  const isApproved = verdict.decision === "approve";
  const event = { type: isApproved ? "VERIFY" : "REVOKE", nowMs: context.nowMs } as const;
  const life = step(apiKeyMachine, loaded.body.life, event);
  if (life === null) return unchanged;
  const row: ApiKeyRow = { ...loaded.body, life };
  return {
    changes: [update(apiKeyKind, loaded, row)],
    events: [apiKeyEvent(isApproved ? "api_key.verified" : "api_key.revoked", row)],
    result: keyResult(row),
  };
};
