import { z } from "zod";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import { defineContract, defineOperation } from "../../../protocol/seam/operation.ts";
import { getAvailability } from "../../seller/avails/contract.ts";
import { readCatalog, shortDealType } from "../catalog.ts";
import type { BuyerContext } from "../ports.ts";
import { callFrom, catalogRefusal, failureView } from "../seller-refusal.ts";
import * as contract from "./contract.ts";
import { isWanted, priceOf } from "./rules.ts";
import type { Members } from "../../../protocol/neutral/members.ts";

export const searchProducts = defineOperation(contract.searchProducts, async (context: BuyerContext, input) => {
  const { search, sellers, events } = context.ports;
  const { limit, ...query } = input;
  if (search === null) {
    const message = "No seller is configured: set SELLER_ENDPOINTS or OPENDIRECT_BASE_URL.";
    return refuse("seller_unreachable", { message });
  }
  const { url, credential } = search;
  const call = { ...callFrom(context), ...(credential === null ? {} : { credential }) };
  const catalog = await readCatalog(sellers, url, call);
  if (!catalog.ok) return catalogRefusal(catalog);
  const products = catalog.value.filter(isMembers);
  const isPartial = products.length < catalog.value.length;
  const message = "a catalog has items that are no products";
  const log = isPartial ? [{ level: "warn" as const, fields: { seller: url }, message }] : [];
  const found = products.filter((product) => isWanted(product, query));
  const payload = { query, seller_url: url, sellers_found: 1, products_found: found.length };
  await events.emit("inventory.discovered", { payload });
  const results = found.slice(0, limit).map((product) => ({ ...product, seller_url: url }));
  return { output: { results, total: found.length, seller_url: url }, log };
});

const shortText = (value: unknown): string | null => (typeof value === "string" ? value.slice(0, 200) : null);
const countOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

const comparedView = (product: Members, sellerUrl: string) => {
  const ext = isMembers(product["ext"]) ? product["ext"] : {};
  const types = Array.isArray(product["deal_types"]) ? product["deal_types"] : [];
  return {
    product_id: String(product["product_id"]),
    name: shortText(product["name"]) ?? "",
    seller_url: sellerUrl,
    inventory_type: shortText(product["inventory_type"]) ?? shortText(ext["inventory_type"]),
    price: priceOf({ base_cpm: product["final_cpm"] }) ?? priceOf(product),
    currency: shortText(product["currency"]),
    deal_types: types.filter((type) => typeof type === "string").map(shortDealType),
    minimum_impressions: countOf(ext["minimum_impressions"]),
    available_impressions: countOf(product["available_impressions"]),
    unlimited: false,
  };
};

interface Left {
  readonly available_impressions: number | null;
  readonly unlimited: boolean;
}

const leftOver = z.looseObject({
  product_id: z.string(),
  available_impressions: z.int().nullish(),
  unlimited: z.boolean().nullish(),
});

/** Sellers of other makers have no such operation. */
const asksLeft = defineContract({ ...getAvailability, output: z.looseObject({ products: z.array(leftOver) }) });

const mostAsked = 20;

/** By product; without a flight, or where the seller does not say, nothing. */
const readLeft = async (
  context: BuyerContext,
  url: string,
  ids: readonly string[],
  { flight_start: from, flight_end: to }: Compared,
): Promise<ReadonlyMap<string, Left>> => {
  const left = new Map<string, Left>();
  for (let at = 0; from != null && to != null && at < ids.length; at += mostAsked) {
    const asked = { product_id: ids.slice(at, at + mostAsked), from, to, step: "week" as const };
    const answer = await context.ports.sellers.call(url, asksLeft, asked, callFrom(context));
    if (!answer.ok) break;
    for (const { product_id, available_impressions = null, unlimited } of answer.value.products) {
      left.set(product_id, { available_impressions, unlimited: unlimited === true });
    }
  }
  return left;
};

type Compared = z.output<typeof contract.compareProducts.input>;

const mostShown = 100;

/** Without ids: all that a seller lists, up to a number. */
const compareOf = async (context: BuyerContext, url: string, wanted: ReadonlySet<string> | null, input: Compared) => {
  const catalog = await readCatalog(context.ports.sellers, url, callFrom(context));
  if (!catalog.ok) return { products: [], warnings: [failureView(url, catalog)] };
  const products = catalog.value
    .filter(isMembers)
    .map((product) => comparedView(product, url))
    .filter(({ product_id }) => wanted?.has(product_id) ?? true)
    .slice(0, wanted?.size ?? mostShown);
  const left = await readLeft(
    context,
    url,
    products.map(({ product_id }) => product_id),
    input,
  );
  const filled = products.map((product) => ({ ...product, ...left.get(product.product_id) }));
  return { products: filled, warnings: [] };
};

export const compareProducts = defineOperation(contract.compareProducts, async (context: BuyerContext, input) => {
  const wanted = input.product_ids == null ? null : new Set(input.product_ids);
  const { configured } = context.ports.sellers;
  const compared = await Promise.all(configured.map((url) => compareOf(context, url, wanted, input)));
  const products = compared.flatMap((one) => one.products);
  const found = new Set(products.map(({ product_id }) => product_id));
  return {
    output: {
      products: products.toSorted((left, right) => (left.price ?? Infinity) - (right.price ?? Infinity)),
      missing: [...(wanted ?? [])].filter((id) => !found.has(id)),
      warnings: compared.flatMap((one) => one.warnings),
    },
  };
});
