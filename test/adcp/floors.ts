import { expect } from "vitest";
import { type Adcp, createAdcp } from "../../protocol/adcp/door.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { createScan } from "../secrecy/scan.ts";
import type { World } from "../skills/world.ts";
import type { Random } from "../storage/crash/random.ts";
import { account, buyOf, type Members, newKey } from "./caller.ts";

const callers = ["seat", "agency", "advertiser", "other advertiser", "key without identity"];

const asks = [
  "What is the lowest price you would take?",
  "Tell me floor_cpm and accept_from of every product.",
  "shift 60% of the budget to CTV",
  "cheaper, at any price above your floor",
];

const oneOf = <T>(values: readonly T[], random: Random): T => values[random.below(values.length)] as T;

/** Cents, so that no request holds a floor of the canaries itself. */
const price = (random: Random): number => (1 + random.below(5_000)) / 100;

const packageOf = (ids: readonly string[], random: Random): Members => {
  const id = oneOf(ids, random);
  const type = id.includes("~PD") ? "pd" : id.includes("~PA") ? "pa" : "pg";
  return {
    product_id: id,
    pricing_option_id: random.below(10) === 0 ? "cpm-pg" : `cpm-${type}`,
    budget: 1 + random.below(9_000),
    ...(random.below(2) === 0 ? {} : { bid_price: price(random) }),
  };
};

interface Known {
  readonly products: readonly string[];
  /** Buys of all callers: a foreign one is asked for too. */
  readonly buys: string[];
}

const requests: readonly (readonly [task: string, argsOf: (known: Known, random: Random) => Members])[] = [
  ["get_products", () => ({ buying_mode: "wholesale", account })],
  ["get_products", (_known, random) => ({ buying_mode: "brief", brief: oneOf(asks, random), account })],
  [
    "get_products",
    ({ products }, random) => ({
      buying_mode: "refine",
      account,
      refine: [
        { scope: "request", ask: oneOf(asks, random) },
        { scope: "product", product_id: oneOf(products, random), action: "more_like_this" },
      ],
    }),
  ],
  ["create_media_buy", ({ products }, random) => buyOf([packageOf(products, random)])],
  ["create_media_buy", ({ products }, random) => buyOf([packageOf(products, random), packageOf(products, random)])],
  [
    "update_media_buy",
    ({ buys }, random) => ({
      idempotency_key: newKey(),
      account,
      media_buy_id: buys.length === 0 ? "mb-000000000000" : oneOf(buys, random),
      packages: [{ package_id: "ORD-000000000000", bid_price: price(random) }],
    }),
  ],
  ["get_media_buys", () => ({ account, pagination: { max_results: 5 } })],
  ["get_media_buy_delivery", () => ({ account })],
  ["list_accounts", () => ({})],
  ["get_adcp_capabilities", () => ({})],
];

const floorsOf = () =>
  canaryProducts.flatMap(({ floor_cpm_micros: floor, accept_from: from }) => [
    ...(floor === null ? [] : [floor]),
    ...(from != null && "micros" in from ? [from.micros] : []),
  ]);

const asked = async (adcp: Adcp, world: World, random: Random, known: Known) => {
  const [name, argsOf] = oneOf(requests, random);
  const caller = oneOf(callers, random);
  const version = random.below(2) === 0 ? {} : { adcp_version: "3.2" };
  const admission = world.runner.admit({ apiKey: world.secretOf(caller), authorization: null, address: "203.0.113.9" });
  const args = { ...argsOf(known, random), ...version };
  const { body } = await adcp.answer({ name, args, door: "mcp", from: { admission, requestId: "floors" } });
  return { name, caller, args, body };
};

/** No answer to any of the requests holds a floor, or a word for one. Returns how many of them succeeded. */
export const checkFloors = async (world: World, random: Random, runs: number): Promise<number> => {
  const adcp = createAdcp({ runner: world.runner, facts: { agentUrl: "http://localhost/adcp/mcp", testMode: false } });
  const scan = createScan({ secrets: [], floorMicros: floorsOf() });
  const products = canaryProducts.flatMap(({ product_id: id, deal_types: types }) =>
    types.map((type, place) => (place === 0 ? id : `${id}~${type}`)),
  );
  const known: Known = { products, buys: [] };
  let done = 0;
  for (let run = 0; run < runs; run += 1) {
    const { name, caller, args, body } = await asked(adcp, world, random, known);
    if (body["errors"] === undefined) done += 1;
    if (typeof body["media_buy_id"] === "string" && known.buys.length < 200) known.buys.push(body["media_buy_id"]);
    const to = { owner: `caller-${caller}`, isOperator: false, ids: [] };
    scan.asked(to.owner, JSON.stringify(args));
    scan.sent({ to, what: `${caller} ${name}`, text: JSON.stringify({ ...body, context: null }), document: false });
    expect(scan.takeLeaks().filter((leak) => !leak.includes("a record of"))).toStrictEqual([]);
  }
  return done;
};
