import { join } from "node:path";
import { expect, test } from "vitest";
import { sellerExamples } from "../../agents/seller/examples.ts";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { collectExamples } from "./examples.ts";

const file = join(import.meta.dirname, "../../docs/surface/seller/examples.json");

test("openapi: every operation has an example, which is what its exemplary case sends and gets", async () => {
  const operations = sellerOperations.map(({ contract }) => contract.name);
  const examples = await collectExamples(operations, sellerExamples());
  expect(operations.filter((operation) => examples[operation] === undefined)).toEqual([]);
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(file);
});
