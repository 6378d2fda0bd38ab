import { askedSteps } from "../../../machines/inventory/day-steps.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { isRefusal, missing } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { approvalKind, settledApproval } from "../approvals/record.ts";
import { ownersShown } from "../portfolio/filters.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { activityOf } from "./activity.ts";
import { briefOf } from "./brief.ts";
import { capacityOf, monthsFrom } from "./capacity.ts";
import * as contract from "./contract.ts";
import { deskTiles } from "./tiles.ts";

export const getDeskStatus = defineOperation(contract.getDeskStatus, async (context: SellerContext) => ({
  output: { at: isoTime(context.nowMs), ...(await deskTiles(context)) },
}));

export const getActivity = defineOperation(contract.getActivity, async (context: SellerContext, input) => {
  const asked = askedSteps(input, context.nowMs);
  if (!("spans" in asked)) return fieldRefusal(asked.field, asked.message);
  const shown = ownersShown(context, input.buyer);
  if (isRefusal(shown)) return shown;
  const scope = { owners: shown?.owners ?? null, productId: input.product_id ?? null };
  return { output: await activityOf(context, input, asked.spans, scope) };
});

const pageProducts = 50;

export const getCapacityReport = defineOperation(contract.getCapacityReport, async (context: SellerContext, input) => {
  const { catalog } = context.ports;
  const months = monthsFrom(input.from, input.months, context.nowMs);
  if (isRefusal(months)) return months;
  const named = input.product_id?.map((id) => catalog.get(id)) ?? null;
  const unknown = input.product_id?.find((_, place) => named?.[place] === null);
  if (unknown !== undefined) return missing("product_not_found", unknown);
  const page = catalog.page({ inventoryTypes: [], offset: input.offset, limit: pageProducts });
  const products = named === null ? page.products : named.filter((one): one is Product => one !== null);
  const end = input.offset + page.products.length;
  return {
    output: {
      products: await Promise.all(
        products.map(async (product) => ({
          product_id: product.product_id,
          name: product.name,
          months: [...(await capacityOf(context, product, months))],
        })),
      ),
      total: named === null ? page.total : products.length,
      next_offset: named === null && end < page.total ? end : null,
    },
  };
});

export const getApprovalBrief = defineOperation(contract.getApprovalBrief, async (context: SellerContext, input) => {
  const loaded = await context.own(approvalKind, input.approval_id, "approval_not_found");
  const brief = await briefOf(context, settledApproval(loaded.body, context.nowMs));
  return { output: brief, meta: { revision: brief.revision } };
});
