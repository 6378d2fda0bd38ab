import { createHash } from "node:crypto";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import { create } from "../../../protocol/seam/changes.ts";
import { missing, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change, Kind } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";

export const accountStatuses = [
  "active",
  "pending_approval",
  "rejected",
  "payment_required",
  "suspended",
  "closed",
] as const;

export type AccountStatus = (typeof accountStatuses)[number];

/** Whom its owner buys for. It declares, and raises no tier: the key decides prices. */
export interface AccountRow {
  readonly account_id: string;
  readonly owner: string;
  readonly brand_domain: string;
  readonly brand_id: string | null;
  readonly operator: string;
  readonly billing: string;
  readonly status: AccountStatus;
  readonly created_at_ms: number;
  readonly revision: number;
  readonly sandbox: boolean;
}

export const accountKind: Kind<AccountRow> = {
  name: "account",
  terms: ({ owner, status, sandbox }) => selectionTerms([owner, status, String(sandbox)]),
  dueAtMs: () => null,
  owner: ({ owner }) => owner,
  facts: ({ status, billing }) => ({ status, billing }),
};

/** By id, or by the names that it has once it was used. */
export type AccountNamed =
  | { readonly account_id: string }
  | {
      readonly brand_domain: string;
      readonly brand_id?: string | null | undefined;
      readonly operator: string;
      readonly sandbox?: boolean | null | undefined;
    };

/** The same for the same names of one owner, so that an account needs not be looked up to be named. */
export const idOfAccount = (owner: string, named: AccountNamed): string => {
  if ("account_id" in named) return named.account_id;
  const { brand_domain: domain, brand_id: brandId, operator, sandbox } = named;
  const names = JSON.stringify([owner, domain, brandId ?? null, operator, sandbox === true]);
  return `acc-${createHash("sha256").update(names).digest("hex").slice(0, 24)}`;
};

export const newAccount = (
  context: SellerContext,
  named: Exclude<AccountNamed, { readonly account_id: string }>,
  billing: string,
): AccountRow => ({
  account_id: idOfAccount(context.caller.owner, named),
  owner: context.caller.owner,
  brand_domain: named.brand_domain,
  brand_id: named.brand_id ?? null,
  operator: named.operator,
  billing,
  status: "active",
  created_at_ms: context.nowMs,
  revision: 1,
  sandbox: named.sandbox === true || context.ports.settings.sandbox,
});

const closedRefusal = ({ status }: AccountRow): Refusal | null => {
  if (status === "active") return null;
  return status === "payment_required"
    ? refuse("account_payment_required")
    : refuse("account_not_active", { extras: { account_status: status } });
};

export interface UsedAccount {
  readonly row: AccountRow;
  /** Of one that is named for the first time. */
  readonly changes: readonly Change[];
}

/** An account that is named and not there yet is opened with what it is used for. */
export const usedAccount = async (context: SellerContext, named: AccountNamed): Promise<UsedAccount | Refusal> => {
  const id = idOfAccount(context.caller.owner, named);
  const loaded: Loaded<AccountRow> | null = await context.load(accountKind, id);
  if (loaded !== null && loaded.body.owner === context.caller.owner) {
    return closedRefusal(loaded.body) ?? { row: loaded.body, changes: [] };
  }
  if ("account_id" in named) return missing("account_not_found", id);
  const row = newAccount(context, named, "operator");
  return { row, changes: [create(accountKind, row.account_id, row)] };
};
