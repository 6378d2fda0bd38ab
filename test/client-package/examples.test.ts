import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractsOf } from "../../agents/commands/agents.ts";
import { buyerClient, sellerClient } from "../../protocol/client-package/index.ts";
import { buildProduct } from "../cli/program.ts";
import { type Started, startBuyer, startSeller } from "../spec/launched.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";

type Example = (clients: object) => Promise<unknown>;
type Examples = Readonly<Record<string, Example>>;

const root = join(import.meta.dirname, "../..");
const local = { OUTBOUND_ALLOW: "127.0.0.1" };

let seller: Started;
let buyer: Started;
let key: string;
let clients: { readonly seller: object; readonly buyer: object };
let examples: Readonly<Record<"seller" | "buyer", Examples>>;

beforeAll(async () => {
  buildProduct();
  const load = async (agent: string): Promise<Examples> =>
    ((await import(join(root, "test/examples/client", `${agent}.mjs`))) as { examples: Examples }).examples;
  examples = { seller: await load("seller"), buyer: await load("buyer") };
  seller = await startSeller(local, defaultProducts);
  key = String((await seller.host("create_api_key", { agency_id: "ag-1", label: "desk" }))["api_key"]);
  const operator = String((await seller.host("create_operator_key", { label: "op", role: "senior" }))["api_key"]);
  buyer = await startBuyer({ ...local, SELLER_ENDPOINTS: seller.url, SELLER_API_KEYS: `${seller.url}=${key}` });
  const own = String((await buyer.host("create_operator_key", { label: "op", role: "senior" }))["api_key"]);
  const { url } = seller;
  clients = {
    seller: { buyer: sellerClient({ url, key }), operator: sellerClient({ url, key: operator }) },
    buyer: { buyer: buyerClient({ url: buyer.url, key: own }) },
  };
});
afterAll(async () => {
  await buyer.close();
  await seller.close();
});

describe.each(["seller", "buyer"] as const)("the examples of a %s", (agent) => {
  test("there is one for each group of operations", async () => {
    const groups = new Set(
      (await contractsOf(agent)).filter(({ rest }) => rest !== undefined).map(({ group }) => group),
    );
    expect(Object.keys(examples[agent]).toSorted()).toEqual([...groups].toSorted());
  });

  test("each of them runs", async () => {
    for (const [group, run] of Object.entries(examples[agent])) {
      expect(await run(clients[agent]), group).toBeDefined();
    }
  });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

// The product needs Node alone, so a machine without Python has no client to ask.
test.skipIf(!hasPython)(
  "Python's own library and the OpenAPI document are enough for a quote and its deal",
  async () => {
    const env = { PATH: process.env["PATH"], PARLEY_URL: seller.url, PARLEY_KEY: key };
    const child = spawn("python3", [join(root, "test/examples/python/quote.py")], { env });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(err).toBe("");
    expect(out).toMatch(/^qt-\w+ Premium Display - Homepage [\d.]+ USD\nDEMO-\w+ proposed [\d.]+\n$/);
  },
);
