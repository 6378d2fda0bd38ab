import { toMicros } from "../../../machines/money.ts";
import type { CustomPrice } from "../../../machines/pricing/rules.ts";
import { type Refusal, missing } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { z } from "zod";
import type { Catalog } from "../products/catalog.ts";
import type { AgentRow } from "./record.ts";
import type { setAgentTrust } from "./contract.ts";

type TrustInput = z.output<typeof setAgentTrust.input>;
type GivenPrice = NonNullable<TrustInput["custom_prices"]>[number];

/** Null: finer than a micro. */
const readPrice = (price: GivenPrice): CustomPrice | null => {
  const productId = price.product_id ?? null;
  if (price.cpm == null) return { product_id: productId, cpm_micros: null, discount_pct: price.discount_pct ?? 0 };
  const micros = toMicros(price.cpm);
  return micros === null ? null : { product_id: productId, cpm_micros: micros, discount_pct: 0 };
};

const readPrices = (given: readonly GivenPrice[], catalog: Catalog): readonly CustomPrice[] | Refusal => {
  const prices = given.map(readPrice).filter((price) => price !== null);
  if (prices.length < given.length) return fieldRefusal("custom_prices", "A price has at most six decimals.");
  if (new Set(prices.map((price) => price.product_id)).size < prices.length) {
    return fieldRefusal("custom_prices", "Two prices are for the same product, or for all others.");
  }
  const unknown = prices.find(({ product_id: id }) => id !== null && catalog.get(id) === null);
  return unknown === undefined ? prices : missing("product_not_found", unknown.product_id ?? "");
};

/** Only a preferred agent has any (seller spec, Authentication, rule 4); without new ones the old stay. */
export const customPricesAfter = (
  before: AgentRow,
  input: TrustInput,
  catalog: Catalog,
): readonly CustomPrice[] | Refusal => {
  const given = input.custom_prices ?? null;
  if (input.trust_status === "preferred")
    return given === null ? (before.custom_prices ?? []) : readPrices(given, catalog);
  if (given === null || given.length === 0) return [];
  return fieldRefusal("custom_prices", "Only a preferred agent has prices of its own.");
};
