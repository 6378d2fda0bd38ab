import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { createAdcp } from "../../protocol/adcp/door.ts";
import type { Product } from "../../skills/seller/products/record.ts";
import { openSeller, type SellerSide } from "./seller-side.ts";

const fewest = 200;
const rounds = 40;
const callsARound = 10;

/** Milliseconds that a list of 200 products may take, and bookings that a buy of five packages may cost. */
const bounds = { list: 10, buy: 3 };

const many: readonly Product[] = Array.from({ length: fewest }, (_, place) => ({
  ...(defaultProducts[0] as Product),
  product_id: `bench-${place}`,
  deal_types: ["PD"],
  maximum_impressions: null,
}));

/** Processor time of one call, in milliseconds, of the least disturbed round. */
const least = async (call: () => Promise<unknown>): Promise<number> => {
  let found = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const started = process.cpuUsage();
    for (let one = 0; one < callsARound; one += 1) await call();
    const { user, system } = process.cpuUsage(started);
    found = Math.min(found, (user + system) / 1_000 / callsARound);
  }
  return found;
};

type Members = Readonly<Record<string, unknown>>;

const asking = ({ agent, key }: SellerSide) => {
  const adcp = createAdcp({ runner: agent.runner, facts: { agentUrl: "http://127.0.0.1/adcp/mcp", testMode: false } });
  return async (name: string, args: Members): Promise<Members> => {
    const admission = agent.runner.admit({ apiKey: key, authorization: null, address: "127.0.0.1" });
    const { body, isFailed } = await adcp.answer({ name, args, door: "mcp", from: { admission, requestId: "bench" } });
    if (isFailed) throw new Error(`${name}: ${JSON.stringify(body)}`);
    return body;
  };
};

const account = { brand: { domain: "acme.example" }, operator: "agency.example" };

const buy = (place: number) => ({
  idempotency_key: `bench-key-${String(place).padStart(12, "0")}`,
  account,
  brand: account.brand,
  start_time: "2037-01-01T00:00:00Z",
  end_time: "2037-01-30T00:00:00Z",
  packages: Array.from({ length: 5 }, (_, product) => ({
    product_id: `bench-${product}`,
    pricing_option_id: "cpm-pd",
    budget: 1000,
  })),
});

const said = (what: string, figure: number, bound: number, unit: string): void => {
  const verdict = figure <= bound ? "<=" : "ABOVE";
  process.stdout.write(`${what.padEnd(40)} ${figure.toFixed(2)} ${verdict} ${bound} ${unit}\n`);
};

export const run = async (): Promise<void> => {
  const seller = await openSeller(0, many);
  const ask = asking(seller);
  const list = await least(async () => {
    let listed = 0;
    for (let cursor: unknown; ;) {
      const pagination = { max_results: 100, ...(cursor === undefined ? {} : { cursor }) };
      const page = await ask("get_products", { buying_mode: "wholesale", account, pagination });
      listed += (page["products"] as readonly unknown[]).length;
      cursor = (page["pagination"] as Members)["cursor"];
      if (cursor === undefined) break;
    }
    if (listed !== fewest) throw new Error(`${listed} products were listed`);
  });
  let place = 0;
  const five = await least(() => ask("create_media_buy", buy((place += 1))));
  const one = await least(async () => {
    const flight = { flight_start: "2037-01-01", flight_end: "2037-01-30" };
    const wish = { product_id: "bench-1", deal_type: "PD", impressions: 50_000, ...flight };
    const { quote_id: quoteId } = await seller.call("request_quote", wish);
    await seller.call("book_deal", { quote_id: quoteId });
  });
  said(`get_products, ${fewest} products`, list, bounds.list, "ms");
  said("create_media_buy of five, in bookings", five / one, bounds.buy, `(${five.toFixed(2)} ms, ${one.toFixed(2)})`);
  await seller.agent.stop();
  await seller.store.close();
};
