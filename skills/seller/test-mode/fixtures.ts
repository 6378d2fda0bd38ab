import type { Product } from "../products/record.ts";

/** What a buyer's test puts into a seller in test mode. In memory: gone with the process. */
export interface Fixtures {
  product(productId: string): Product | null;
  /** Null: the product has the options of any other. */
  optionIds(productId: string): readonly string[] | null;
  formatIds(productId: string): readonly string[] | null;
}
