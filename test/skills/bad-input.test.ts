import { afterAll, beforeAll, expect, test } from "vitest";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { isRefusal, Refused } from "../../protocol/neutral/refusals.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import { sellerDialects } from "../../protocol/rest/dialects/seller.ts";
import { badInputs, choices, fieldsOf, type Schema, schemaOf } from "./bad-input.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const contracts = sellerOperations.map(({ contract }) => contract);

interface Issue {
  readonly loc: readonly unknown[];
  readonly msg: string;
}

const isNamed = (issues: readonly Issue[], field: readonly string[]): boolean =>
  issues.some(({ loc, msg }) => loc[1] === field[0] && msg.length > 4);

/** A word outside a list that the schema only shows: the operation refuses it with a code of its own. */
const isLeftToOperation = ({ input: schema }: Contract, input: unknown, [name]: readonly string[]): boolean =>
  schema.safeParse(input).error?.issues.some(({ path }) => path[0] === name) !== true;

test.each(contracts.map((contract) => [contract.name, contract] as const))(
  "%s: a field that is wrong in itself is refused by its name, and nothing is stored",
  async (operation, contract) => {
    const before = world.commits();
    for (const { input, path, wrong } of badInputs(schemaOf(contract.input))) {
      const { status, body } = await world.send({ caller: "senior", operation, input });
      const where = `${path.join(".")}, ${wrong}: ${JSON.stringify(body)}`;
      // Of alternatives one may lack what another has.
      if (path.length > 1 && status === 200 && contract.input.safeParse(input).success) continue;
      if (isLeftToOperation(contract, input, path)) {
        expect([...Object.keys(contract.refusals), "validation_error"], where).toContain(body["error"]);
        continue;
      }
      expect([status, body["error"]], where).toEqual([422, "validation_error"]);
      expect(isNamed(body["issues"] as readonly Issue[], path), where).toBe(true);
    }
    expect(world.commits()).toBe(before);
  },
);

const forms = [...sellerDialects].filter(([name]) => !name.startsWith("get_"));

test.each(forms)("%s in the envelope form: a field that is wrong in itself is refused by its name", (_, dialect) => {
  for (const { input, path, wrong } of badInputs(schemaOf(dialect.input))) {
    const read = (): unknown => {
      try {
        return dialect.readRequest(input);
      } catch (error) {
        return error instanceof Refused ? error.refusal : error;
      }
    };
    const refusal = read();
    const where = `${path.join(".")}, ${wrong}: ${JSON.stringify(refusal)}`;
    expect(isRefusal(refusal) && refusal.code, where).toBe("validation_error");
    expect(isRefusal(refusal) && isNamed(refusal.issues ?? [], path), where).toBe(true);
  }
});

const isBounded = (schema: Schema): boolean => {
  if (schema["enum"] !== undefined || schema["const"] !== undefined) return true;
  if (schema["type"] === "string") return schema["maxLength"] !== undefined || schema["pattern"] !== undefined;
  if (schema["type"] === "array") return schema["maxItems"] !== undefined || schema["prefixItems"] !== undefined;
  return true;
};

test("every text and every list that an operation takes has a bound, so that too long is always refused", () => {
  const unbounded = contracts.flatMap(({ name, input }) => {
    const root = schemaOf(input);
    return fieldsOf(root)
      .filter(({ schema }) => !choices(schema, root).every(isBounded))
      .map(({ path }) => `${name} ${path.join(".")}`);
  });
  expect(unbounded).toEqual([]);
});

test("the body null is refused, also where every member may be left out", async () => {
  const optional = sellerOperations.filter(({ contract }) => contract.input.safeParse({}).success);
  expect(optional.length).toBeGreaterThan(10);
  for (const { contract } of optional) {
    const reply = await world.send({ caller: "senior", operation: contract.name, input: null });
    expect([contract.name, reply.code, reply.status]).toEqual([contract.name, "validation_error", 422]);
  }
});
