import { z } from "zod";
import { membersOf, type Members } from "../../neutral/members.ts";
import { accountRef, brand, pageOf, paged, pagination, requestOf } from "../request.ts";
import { type Asked, defineTask } from "../task.ts";

const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** As operations name an account. */
export const namedAccount = (ref: z.output<typeof accountRef>): Members =>
  "account_id" in ref
    ? { account_id: ref["account_id"] }
    : {
        brand_domain: ref.brand.domain,
        operator: ref.operator,
        ...(ref.brand.brand_id == null ? {} : { brand_id: ref.brand.brand_id }),
        ...(ref.sandbox == null ? {} : { sandbox: ref.sandbox }),
      };

export const accountOf = (row: Members): Members => ({
  account_id: row["account_id"],
  name: row["name"],
  brand: { domain: row["brand_domain"], ...(row["brand_id"] === null ? {} : { brand_id: row["brand_id"] }) },
  operator: row["operator"],
  billing: row["billing"],
  status: row["status"],
  account_scope: "operator_brand",
  ...(row["sandbox"] === true ? { sandbox: true } : {}),
});

const billing = (said: unknown): Members =>
  ["operator", "agent", "advertiser"].includes(String(said)) ? { billing: said } : {};

const syncedAccount = (row: Members, { release }: Asked): Members => {
  const { name: _name, billing: said, ...account } = accountOf(row);
  const error = { code: release === "3.0" ? "UNSUPPORTED_FEATURE" : "BILLING_NOT_SUPPORTED", message: row["error"] };
  return {
    ...account,
    ...billing(said),
    action: row["action"],
    ...(row["error"] === null ? {} : { errors: [{ ...error, recovery: "correctable" }] }),
  };
};

export const syncAccountsTask = defineTask({
  name: "sync_accounts",
  title: "Declare accounts",
  summary: "Whom the buyer buys for: a brand through an operator. The key decides prices, no account does.",
  writes: true,
  isKeyed: true,
  request: requestOf({
    accounts: z
      .array(
        z.looseObject({
          brand,
          operator: z.string().trim().toLowerCase().min(1).max(253),
          billing: z.string().min(1).max(64),
          sandbox: z.boolean().nullish(),
        }),
      )
      .min(1)
      .max(500),
    delete_missing: z.boolean().nullish(),
    dry_run: z.boolean().nullish(),
  }),
  toCall: ({ accounts, delete_missing: deletes, dry_run: dryRun }) => ({
    operation: "sync_accounts",
    input: {
      accounts: accounts.map((one) => ({ ...namedAccount(one), billing: one.billing })),
      delete_missing: deletes === true,
    },
    dryRun: dryRun === true,
  }),
  toAnswer: (output, asked, given) => ({
    accounts: listOf(output["accounts"]).map((row) => syncedAccount(row, asked)),
    ...(given.dry_run === true ? { dry_run: true } : {}),
  }),
});

const statuses = ["active", "pending_approval", "rejected", "payment_required", "suspended", "closed"] as const;

export const listAccountsTask = defineTask({
  name: "list_accounts",
  title: "List accounts",
  summary: "Whom the buyer buys for.",
  writes: false,
  request: requestOf({
    status: z.enum(statuses).nullish(),
    sandbox: z.boolean().nullish(),
    pagination: pagination.nullish(),
  }),
  toCall: ({ status, sandbox, pagination: page }) => ({
    operation: "list_accounts",
    input: { ...pageOf(page), status: status ?? null, sandbox: sandbox ?? null },
  }),
  toAnswer: (output) => ({
    accounts: listOf(output["accounts"]).map(accountOf),
    ...paged(output["next_cursor"]),
  }),
});
