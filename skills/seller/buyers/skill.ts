import { slotOfTime } from "../../../machines/inventory/dates.ts";
import { missing } from "../../../protocol/neutral/refusals.ts";
import { defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import { readSelection } from "../../../protocol/seam/selection.ts";
import { apiKeyKind, type ApiKeyRow } from "../api-keys/record.ts";
import { apiKeyView } from "../api-keys/view.ts";
import { countsIn } from "../oversight/day-counts.ts";
import { isFoundIn } from "../portfolio/filters.ts";
import type { SellerContext } from "../context.ts";
import * as contract from "./contract.ts";
import { type Buyer, buyerOfKey, buyerView, newestKeysOf } from "./view.ts";

const lastDays = 7;

const refusedByBuyer = async (context: SellerContext) => {
  const toSlot = slotOfTime(context.nowMs);
  return (await countsIn(context, { fromSlot: toSlot - lastDays + 1, toSlot })).buyer;
};

const buyerOf = async (context: SellerContext, owner: string): Promise<Buyer | null> => {
  const [newest, ...others] = await newestKeysOf(context, owner);
  return newest?.role === "buyer" ? { owner, keys: [newest, ...others] } : null;
};

const textsIn = (row: ApiKeyRow): readonly (string | null)[] => {
  const { identity, label, agent_url: agentUrl } = row;
  const names = [identity.seat_name, identity.agency_name, identity.advertiser_name, identity.agency_holding_company];
  return [buyerOfKey(row), label, agentUrl, ...names];
};

/** Its newest key stands for a buyer in the list, the others are passed over. */
const standsFor = async (context: SellerContext, { body }: Loaded<ApiKeyRow>): Promise<Buyer | null> => {
  const buyer = await buyerOf(context, buyerOfKey(body));
  return buyer?.keys[0].key_id === body.key_id ? buyer : null;
};

export const listBuyers = defineOperation(contract.listBuyers, async (context: SellerContext, input) => {
  const { q, verified } = input;
  const { rows, page } = await readSelection(
    context,
    {
      kind: apiKeyKind,
      terms: [null],
      createdAtMs: (row) => row.created_at_ms,
      keep: (row) =>
        row.role === "buyer" &&
        (verified == null || row.life.context.verified === verified) &&
        (q == null || isFoundIn(q, textsIn(row))),
    },
    input,
  );
  const found = (await Promise.all(rows.map((row) => standsFor(context, row)))).filter((one) => one !== null);
  const refused = await refusedByBuyer(context);
  const buyers = await Promise.all(found.map((one) => buyerView(context, one, refused)));
  return { output: { buyers, ...page, count: buyers.length } };
});

export const getBuyer = defineOperation(contract.getBuyer, async (context: SellerContext, { owner }) => {
  const buyer = await buyerOf(context, owner);
  if (buyer === null) return missing("not_found", owner, "Buyer");
  const view = await buyerView(context, buyer, await refusedByBuyer(context));
  return { output: { ...view, api_keys: buyer.keys.map((row) => apiKeyView(row, context)) } };
});
