import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buyerOperations } from "../../agents/buyer/operations.ts";
import { sellerOperations } from "../../agents/seller/operations.ts";
import type { Examples } from "../../protocol/openapi/openapi.ts";
import type { Operation } from "../../protocol/seam/operation.ts";
import { jsonSchemaOf } from "../../protocol/seam/json-schema.ts";
import { readFields, shortRows } from "../../tools/calls/fields.ts";
import { toolCatalog } from "../../tools/catalog.ts";

const examples = JSON.parse(readFileSync("docs/surface/seller/examples.json", "utf8")) as Examples;

const contracts = [...sellerOperations, ...(buyerOperations as unknown as readonly Operation[])].map(
  ({ contract }) => contract,
);

describe("the members that a row of a list keeps", () => {
  const withRows = contracts.filter(({ tool }) => tool?.rows !== undefined);

  test("are members of the list's records by the output schema or the example, in an operation that reads", () => {
    const wrong = withRows.flatMap(({ name, output, effect, tool }) => {
      const schema = jsonSchemaOf(output, "output");
      const paths = Object.entries(tool?.rows ?? {}).flatMap(([list, members]) =>
        members.map((one) => `${list}.${one}`),
      );
      const unknown = paths.filter(
        (path) => "unknown" in readFields({ schema, output: examples[name]?.response ?? {} }, [path]),
      );
      return [...(effect === "read" ? [] : [name]), ...unknown.map((path) => `${name} ${path}`)];
    });
    expect(wrong).toEqual([]);
  });

  test("leave the answer's other members, and of an item without a member nothing", () => {
    const output = { list: [{ id: 1, more: { a: 1, b: 2 }, long: "x" }, { long: "y" }], total: 2 };
    expect(shortRows(output, { list: ["id", "more.a"], absent: ["id"] })).toEqual({
      list: [{ id: 1, more: { a: 1 } }, {}],
      total: 2,
    });
  });

  test("no output schema requires a member that a row leaves out", () => {
    const { entries } = toolCatalog(sellerOperations.map(({ contract }) => contract));
    const schema = entries.find(({ name }) => name === "list_products")?.outputSchema;
    const properties = schema?.["properties"];
    expect(properties).toHaveProperty("products");
    expect(JSON.stringify((properties as Record<string, unknown>)["products"])).not.toContain('"required":[');
  });
});
