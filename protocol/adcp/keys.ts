import { isMembers } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import { accountIdOf } from "../seam/account-id.ts";
import type { Caller } from "../seam/caller.ts";
import type { KeyedAs } from "../seam/operation.ts";
import { invalid } from "./fault.ts";
import { accountRef } from "./request.ts";

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

const accountOf = (caller: Caller, { account }: Members): string => {
  const read = accountRef.safeParse(account);
  if (!read.success) return "";
  return "account_id" in read.data ? String(read.data["account_id"]) : accountIdOf(caller.owner, natural(read.data));
};

const natural = (ref: Exclude<ReturnType<typeof accountRef.parse>, { readonly account_id: string }>) => ({
  brandDomain: ref.brand.domain,
  brandId: ref.brand.brand_id ?? null,
  operator: ref.operator,
  sandbox: ref.sandbox === true,
});

/** A key is one of the account, whatever the task; the request is compared as it was sent. */
export const keyedAs = (task: string, args: Members, caller: Caller): KeyedAs => ({
  scope: `adcp/${accountOf(caller, args)}`,
  request: [task, withoutAttempt(args)],
});
