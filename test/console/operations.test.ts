import { expect, test } from "vitest";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { seller } from "../../protocol/console/operations.ts";

const contracts = new Map(sellerOperations.map(({ contract }) => [contract.name, contract]));

test.each(Object.values(seller))("$name is called as its contract says", ({ name, method, path }) => {
  const rest = contracts.get(name)?.rest;
  expect([rest, ...(rest?.aliases ?? [])]).toContainEqual(expect.objectContaining({ method, path }));
});
