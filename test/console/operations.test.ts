import { expect, test } from "vitest";
import { buyerOperations } from "../../agents/buyer/operations.ts";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { buyer } from "../../agents/console/page/agent/buyer-operations.ts";
import { seller } from "../../agents/console/page/agent/operations.ts";

const contracts = {
  seller: sellerOperations.map(({ contract }) => contract),
  buyer: buyerOperations.map(({ contract }) => contract),
};

const called = [
  ...Object.values(seller).map((one) => ({ agent: "seller" as const, ...one })),
  ...Object.values(buyer).map((one) => ({ agent: "buyer" as const, ...one })),
];

test.each(called)("$agent: $name is called as its contract says", ({ agent, name, method, path }) => {
  const rest = contracts[agent].find((contract) => contract.name === name)?.rest;
  expect([rest, ...(rest?.aliases ?? [])]).toContainEqual(expect.objectContaining({ method, path }));
});
