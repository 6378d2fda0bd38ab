import { expect, test } from "vitest";
import { buyerOperations } from "../../agents/buyer/operations.ts";
import { sellerOperations } from "../../agents/seller/operations.ts";
import * as buyer from "../../agents/console/page/agent/buyer.generated.ts";
import * as seller from "../../agents/console/page/agent/seller.generated.ts";

const contracts = {
  seller: sellerOperations.map(({ contract }) => contract),
  buyer: buyerOperations.map(({ contract }) => contract),
};

const called = [
  ...Object.values(seller).map((one) => ({ agent: "seller" as const, ...one })),
  ...Object.values(buyer).map((one) => ({ agent: "buyer" as const, ...one })),
];

test.each(called)("$agent: $name is called as its contract says", ({ agent, name, method, paths }) => {
  const rest = contracts[agent].find((contract) => contract.name === name)?.rest;
  for (const path of paths) {
    expect([rest, ...(rest?.aliases ?? [])]).toContainEqual(expect.objectContaining({ method, path }));
  }
});
