import type { z } from "zod";
import { ownersOf } from "../../../protocol/seam/caller.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import { readSelection, selectedTerms } from "../../../protocol/seam/selection.ts";
import type { Change } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";
import * as contract from "./contract.ts";
import { accountKind, type AccountRow, idOfAccount, newAccount } from "./record.ts";
import { accountView } from "./view.ts";

type Declared = z.output<typeof contract.syncAccounts.input>["accounts"][number];
type Synced = z.input<typeof contract.syncAccounts.output>["accounts"][number];

interface Declaration {
  readonly answer: Synced;
  readonly change: Change | null;
}

const taken = "operator";

const declared = async (context: SellerContext, given: Declared): Promise<Declaration> => {
  const fresh = newAccount(context, given, given.billing);
  if (given.billing !== taken) {
    const error = `Billing ${given.billing} is not taken: send ${taken}.`;
    return { answer: { ...accountView({ ...fresh, status: "rejected" }), action: "failed", error }, change: null };
  }
  const loaded = await context.load(accountKind, fresh.account_id);
  if (loaded === null) {
    const change = create(accountKind, fresh.account_id, fresh);
    return { answer: { ...accountView(fresh), action: "created", error: null }, change };
  }
  const known = loaded.body;
  if (known.status !== "closed") {
    return { answer: { ...accountView(known), action: "unchanged", error: null }, change: null };
  }
  const row: AccountRow = { ...known, status: "active", revision: known.revision + 1 };
  return {
    answer: { ...accountView(row), action: "updated", error: null },
    change: update(accountKind, loaded, row),
  };
};

const mostOfOwner = 500;

const closed = async (context: SellerContext, kept: readonly string[]): Promise<readonly Change[]> => {
  const [term = null] = selectedTerms([[context.caller.owner], null, null]);
  const query = { terms: term === null ? [] : [term], order: "newest", limit: mostOfOwner } as const;
  const others = (await context.list(accountKind, query)).filter(
    ({ id, body }: Loaded<AccountRow>) => !kept.includes(id) && body.status !== "closed",
  );
  return others.map((loaded) =>
    update(accountKind, loaded, { ...loaded.body, status: "closed", revision: loaded.body.revision + 1 }),
  );
};

export const syncAccounts = defineOperation(contract.syncAccounts, async (context: SellerContext, input) => {
  const ids = input.accounts.map((given) => idOfAccount(context.caller.owner, given));
  // One that is named twice is one account.
  const given = input.accounts.filter((_, place) => ids.indexOf(ids[place] ?? "") === place);
  const all = await Promise.all(given.map((one) => declared(context, one)));
  const changes = all.flatMap(({ change }) => (change === null ? [] : [change]));
  return {
    output: { accounts: all.map(({ answer }) => answer) },
    changes: [...changes, ...(input.delete_missing ? await closed(context, ids) : [])],
  };
});

export const listAccounts = defineOperation(contract.listAccounts, async (context: SellerContext, input) => {
  const owners = isOperator(context.caller) ? null : ownersOf(context.caller);
  const { rows, page } = await readSelection(
    context,
    {
      kind: accountKind,
      terms: selectedTerms([
        owners,
        input.status == null ? null : [input.status],
        input.sandbox == null ? null : [String(input.sandbox)],
      ]),
      createdAtMs: (row) => row.created_at_ms,
    },
    input,
  );
  return { output: { accounts: rows.map(({ body }) => accountView(body)), ...page } };
});
