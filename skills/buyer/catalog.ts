import { z } from "zod";
import { defineContract } from "../../protocol/seam/operation.ts";
import { listProducts } from "../seller/products/contract.ts";
import type { SellerCallResult, SellerCall, SellerDoor } from "./seller-door.ts";

/** Items are read one by one, so that one odd product does not hide a catalog; a bare list is accepted as a page. */
export const openListing = defineContract({
  ...listProducts,
  output: z.union([
    z.array(z.unknown()).transform((products) => ({ products, total: null })),
    z.looseObject({ products: z.array(z.unknown()), total: z.int().nullish(), total_count: z.int().nullish() }),
  ]),
});

const shortDealTypes = new Map([
  ["programmaticguaranteed", "PG"],
  ["preferreddeal", "PD"],
  ["privateauction", "PA"],
]);

/** As quotes take it; product lists write it out. */
export const shortDealType = (type: string): string => shortDealTypes.get(type) ?? type;

const pageSize = 100;
const mostPages = 20;

/** At most 2,000 items. */
export const readCatalog = async (
  door: SellerDoor,
  sellerUrl: string,
  of: SellerCall,
): Promise<SellerCallResult<readonly unknown[]>> => {
  const products: unknown[] = [];
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await door.call(sellerUrl, openListing, { limit: pageSize, offset: products.length }, of);
    if (!answer.ok) return answer;
    const { products: received, total } = answer.value;
    products.push(...received);
    const end = total ?? ("total_count" in answer.value ? (answer.value.total_count ?? null) : null);
    if (received.length === 0 || (end === null ? received.length < pageSize : products.length >= end)) break;
  }
  return { ok: true, value: products };
};
