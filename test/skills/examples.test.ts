import { join } from "node:path";
import { expect, test } from "vitest";
import { sellerExamples } from "../../agents/seller/examples.generated.ts";
import { sellerOperations } from "../../agents/seller/operations.ts";
import type { Examples } from "../../protocol/openapi/openapi.ts";
import { collectExamples } from "./examples.ts";

const file = join(import.meta.dirname, "../../agents/seller/examples.generated.ts");

const source = (examples: Examples): string => `import type { Examples } from "../../protocol/openapi/openapi.ts";

/** Taken from the exemplary cases by \`npm run gen\`. */
export const sellerExamples: Examples = ${JSON.stringify(examples, null, 2)};
`;

test("openapi: every operation has an example, which is what its exemplary case sends and gets", async () => {
  const operations = sellerOperations.map(({ contract }) => contract.name);
  const examples = await collectExamples(operations, sellerExamples);
  expect(operations.filter((operation) => examples[operation] === undefined)).toEqual([]);
  await expect(source(examples)).toMatchFileSnapshot(file);
});
