import type { CreativeFormat } from "../creatives/formats.ts";
import type { Product } from "../products/record.ts";

/** What a buyer's test puts into a seller in test mode. In memory: gone with the process. */
export interface Fixtures {
  product(productId: string): Product | null;
  /** Null: the product has the options of any other. */
  optionIds(productId: string): readonly string[] | null;
  formatIds(productId: string): readonly string[] | null;
  formats(): readonly CreativeFormat[];
  format(formatId: string): CreativeFormat | null;
  /** The task id with which the next media buy waits, taken once; null: it does not. */
  nextTask(): string | null;
  putProduct(product: Product, formatIds: readonly string[]): void;
  putOption(productId: string, optionId: string): void;
  putFormat(format: CreativeFormat): void;
  putNextTask(taskId: string): void;
}

/** Anybody may put some in, so the oldest give way. */
const mostKept = 1000;

const keep = <T>(kept: Map<string, T>, id: string, value: T): void => {
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= mostKept && !kept.has(id)) kept.delete(oldest);
  kept.set(id, value);
};

/** `test-product` with `test-pricing` is in every public test of AdCP. */
export const createFixtures = (standing: readonly Product[]): Fixtures => {
  const always = new Map(standing.map((product) => [product.product_id, product]));
  const products = new Map<string, Product>();
  const options = new Map([["test-product", ["test-pricing", "default"]]]);
  const formatsOf = new Map<string, readonly string[]>();
  const formats = new Map<string, CreativeFormat>();
  let task: string | null = null;
  return {
    product: (id) => products.get(id) ?? always.get(id) ?? null,
    optionIds: (id) => options.get(id) ?? null,
    formatIds: (id) => formatsOf.get(id) ?? null,
    formats: () => [...formats.values()],
    format: (id) => formats.get(id) ?? null,
    nextTask: () => {
      const taken = task;
      task = null;
      return taken;
    },
    putProduct: (product, formatIds) => {
      keep(products, product.product_id, product);
      if (formatIds.length > 0) keep(formatsOf, product.product_id, formatIds);
    },
    putOption: (productId, optionId) => {
      keep(options, productId, [...new Set([...(options.get(productId) ?? []), optionId])].slice(-50));
    },
    putFormat: (format) => {
      keep(formats, format.format_id, format);
    },
    putNextTask: (taskId) => {
      task = taskId;
    },
  };
};
