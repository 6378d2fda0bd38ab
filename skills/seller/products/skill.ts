import { isOperator } from "../../../protocol/seam/caller.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { missing } from "../../../protocol/neutral/refusals.ts";
import { plannedChanges } from "../product-changes/view.ts";
import * as contract from "./contract.ts";
import { productView, productViews } from "./view.ts";
import type { SellerContext } from "../context.ts";

export const listProducts = defineOperation(contract.listProducts, async (context: SellerContext, input) => {
  const offset = input.cursor == null ? input.offset : Number(input.cursor);
  const page = context.ports.catalog.page({ inventoryTypes: [], offset, limit: input.limit });
  const end = offset + page.products.length;
  return {
    output: {
      products: productViews(context, page.products),
      total_count: page.total,
      total: page.total,
      count: page.products.length,
      limit: input.limit,
      offset,
      next_cursor: page.products.length > 0 && end < page.total ? String(end) : null,
    },
  };
});

export const getProduct = defineOperation(contract.getProduct, async (context: SellerContext, input) => {
  const item = context.ports.catalog.get(input.product_id);
  if (item === null) return missing("product_not_found", input.product_id);
  const shown = productView(context, item);
  if (!isOperator(context.caller)) return { output: shown };
  return { output: { ...shown, planned_changes: await plannedChanges(context, item) } };
});
