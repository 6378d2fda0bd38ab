import { mostProducts } from "../reading/product-finder.ts";
import type { Slots } from "../reading/slots.ts";
import type { Listed } from "./inventory-talk.ts";
import type { Talk } from "./speech.ts";

export interface Priced extends Listed {
  readonly cpm: number;
  readonly output: Slots;
  readonly currency: unknown;
}

/** The caller's own price; null where none is set for it. */
export const pricedOf = async (talk: Talk, item: Listed, volume: number): Promise<Priced | null> => {
  const outcome = await talk.context.call("get_pricing", { product_id: item.product_id, volume });
  if (outcome.kind !== "done") return null;
  const output = outcome.output as Slots;
  return { ...item, cpm: Number(output["final_price"]), currency: output["currency"], output };
};

export const pricedOfAll = async (talk: Talk, items: readonly Listed[]): Promise<readonly Priced[]> => {
  const all = await Promise.all(items.slice(0, mostProducts).map((item) => pricedOf(talk, item, 0)));
  return all.filter((item) => item !== null);
};
