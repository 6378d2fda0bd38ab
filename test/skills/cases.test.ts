import { describe, expect, test } from "vitest";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { jsonSchemaOf } from "../../protocol/seam/json-schema.ts";
import { loadCases } from "./cases.ts";

const cases = loadCases();

describe("cases of the seller's operations", () => {
  test("every operation has an exemplary case, and stands in the folder of its group", () => {
    const missing = sellerOperations
      .map(({ contract }) => `${contract.group}/${contract.name}/exemplary/`)
      .filter((place) => !cases.some(({ file }) => file.startsWith(place)));
    expect(missing).toStrictEqual([]);
  });

  test("every list takes a limit of 1 to 500", () => {
    const limits = sellerOperations.flatMap(({ contract }) => {
      const { properties = {} } = jsonSchemaOf(contract.input, "input") as { properties?: Record<string, unknown> };
      return "limit" in properties ? [[contract.name, properties["limit"]] as const] : [];
    });
    expect(limits.length).toBeGreaterThan(20);
    for (const [name, schema] of limits) expect(schema, name).toMatchObject({ minimum: 1, maximum: 500 });
  });

  test("every refusal that a contract declares has a case that meets it", () => {
    const met = new Set(
      cases.flatMap(({ skillCase }) =>
        [skillCase, ...(skillCase.setup ?? []), ...(skillCase.then ?? [])].flatMap((step) =>
          "operation" in step && step.expect?.refusal ? [`${step.operation} ${step.expect.refusal.code}`] : [],
        ),
      ),
    );
    const declared = sellerOperations.flatMap(({ contract }) =>
      Object.keys(contract.refusals).map((code) => `${contract.name} ${code}`),
    );
    expect(declared.filter((pair) => !met.has(pair))).toStrictEqual([]);
  });
});
