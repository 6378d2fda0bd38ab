import { isMembers } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import type { KeyedAs } from "../seam/operation.ts";
import { invalid } from "./fault.ts";

const keyForm = /^[A-Za-z0-9_.:-]{16,255}$/;

/** Of a task that must have one. Throws `Faulty`. */
export const requiredKey = ({ idempotency_key: key }: Members): string => {
  if (typeof key === "string" && keyForm.test(key)) return key;
  const cure = "Send 16 to 255 letters, digits or one of _ . : -, the same with each attempt.";
  throw invalid(`The task needs an idempotency_key. ${cure}`, "idempotency_key");
};

/** What may differ between two attempts of one request. */
const withoutAttempt = (args: Members): Members => {
  const { idempotency_key: _key, context: _context, governance_context: _governance, ...request } = args;
  const { push_notification_config: push } = request;
  if (!isMembers(push) || !isMembers(push["authentication"])) return request;
  const { credentials: _credentials, ...authentication } = push["authentication"];
  return { ...request, push_notification_config: { ...push, authentication } };
};

/**
 * A key is one of the caller, whatever the task or the account: the public tests want a conflict where another account
 * is named under it. The request is compared as it was sent.
 */
export const keyedAs = (task: string, args: Members): KeyedAs => ({
  scope: "adcp",
  request: [task, withoutAttempt(args)],
});
