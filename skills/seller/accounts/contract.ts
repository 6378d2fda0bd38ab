import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { selectionInput, selectionOutput } from "../../../protocol/seam/selection.ts";
import { idText } from "../free-form.ts";
import { reads } from "../tool-hints.ts";
import { accountStatuses } from "./record.ts";

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, "Send a domain, for example acme.example.");

const names = {
  brand_domain: domain.describe("Domain of the advertiser's brand."),
  brand_id: idText.describe("Where the domain has several brands."),
  operator: domain.describe("Domain of the company that buys for it, or of the brand itself."),
  sandbox: z.boolean().nullish().describe("True: for tests, nothing is delivered or charged."),
};

/** By id or by its names; names that were never used open the account. */
export const accountNamed = z.union([
  z.object({ account_id: z.string().min(1).max(128).describe("Id from list_accounts.") }),
  z.object(names),
]);

export const account = z.looseObject({
  account_id: z.string(),
  name: z.string(),
  brand_domain: z.string(),
  brand_id: z.string().nullable(),
  operator: z.string(),
  billing: z.string(),
  status: z.enum(accountStatuses),
  sandbox: z.boolean(),
  revision: z.int().optional(),
});

export const syncAccounts = defineContract({
  name: "sync_accounts",
  group: "accounts",
  summary:
    "Declares whom you buy for: an advertiser's brand through the company that operates. An account is the same " +
    "whenever it is named; it changes no price, which your key decides. What the seller does not take is answered " +
    "with action failed, the others are stored.",
  effect: "write",
  access: "key",
  input: z.object({
    accounts: z
      .array(z.object({ ...names, billing: z.string().min(1).max(64).describe("operator is what is taken.") }))
      .min(1)
      .max(500),
    delete_missing: z.boolean().default(false).describe("True: those that are not named are closed."),
  }),
  output: z.looseObject({
    accounts: z.array(
      account.extend({
        action: z.enum(["created", "updated", "unchanged", "failed"]),
        error: z.string().nullable().describe("Why it failed."),
      }),
    ),
  }),
  refusals: {},
  rest: { method: "POST", path: "/api/v1/accounts/sync" },
  tool: { title: "Declare accounts", readOnly: false, destructive: false, idempotent: true, openWorld: false },
});

export const listAccounts = defineContract({
  name: "list_accounts",
  group: "accounts",
  summary: "Lists whom you buy for, newest first, a page at a time; operators see all accounts. Changes nothing.",
  effect: "read",
  access: "key",
  input: z.object({
    ...selectionInput,
    status: z.enum(accountStatuses).nullish(),
    sandbox: z.boolean().nullish().describe("True or false: only those that are, or are not, for tests."),
  }),
  output: z.looseObject({ accounts: z.array(account), ...selectionOutput }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/accounts" },
  tool: { title: "List accounts", ...reads },
});
