import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { parseCatalog } from "../../agents/seller/catalog/load.ts";
import { type Random, seededRandom } from "../storage/crash/random.ts";
import { openWorld, type Reply, type World } from "./world.ts";

const catalogOf = (floorCpm: number) =>
  createCatalog(
    parseCatalog(
      "products.json",
      JSON.stringify([
        { product_id: "prod-1", name: "Film", deal_types: ["PG"], base_cpm: 40, floor_cpm: floorCpm },
        { product_id: "prod-2", name: "Series", deal_types: ["PG"], base_cpm: 20, floor_cpm: floorCpm / 2 },
      ]),
      "USD",
    ),
  );

/** Neither is reached: an advertiser is conceded 20 % of 34 at most. */
const [low, high] = [1.003, 27.003];

interface Seller {
  readonly world: World;
  readonly keys: readonly string[];
  readonly talks: string[];
  readonly quotes: string[];
}

const openSeller = async (floorCpm: number): Promise<Seller> => {
  const world = await openWorld({ catalog: catalogOf(floorCpm), settings: { priceProbeLimit: 0 } });
  const keys = ["", "advertiser-8", "advertiser-9"].map(async (advertiser) => {
    const identity = { seat_id: "seat-8", agency_id: "agency-8", advertiser_id: advertiser === "" ? null : advertiser };
    return String((await world.send({ caller: "host", operation: "create_api_key", input: identity })).body["api_key"]);
  });
  return { world, keys: await Promise.all(keys), talks: [], quotes: [] };
};

interface Move {
  readonly key: number;
  readonly act: "propose" | "quote" | "negotiate" | "counter" | "text" | "dry";
  readonly place: number;
  readonly price: number;
}

const product = { product_id: "prod-1", deal_type: "PG", impressions: 1_000_000 };
const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };
const dates = { start_date: "2027-03-01", end_date: "2027-03-31" };

const requestOf = (seller: Seller, { act, place, price }: Move): readonly [string, unknown, boolean] => {
  const quote = { quote_id: seller.quotes[place % Math.max(1, seller.quotes.length)] ?? "qt-000000000000" };
  const talk = { negotiation_id: seller.talks[place % Math.max(1, seller.talks.length)] ?? "neg-00000000" };
  switch (act) {
    case "propose":
      return ["submit_proposal", { ...product, ...dates, price }, false];
    case "quote":
      return ["request_quote", { ...product, ...flight }, false];
    case "negotiate":
      return ["negotiate", { action: "counter", buyer_price: price, ...quote }, false];
    case "counter":
      return ["negotiate", { action: "counter", buyer_price: price, ...talk }, false];
    case "dry":
      return ["negotiate", { action: "counter", buyer_price: price, ...quote }, true];
    case "text":
      return ["converse", { text: `I offer ${price.toFixed(2)} CPM for quote ${quote.quote_id}` }, false];
  }
};

/** Without what differs between two sellers anyway. */
const plain = (reply: Reply): string =>
  JSON.stringify([reply.code, reply.body]).replaceAll(
    /\b(?:(?:qt|neg|prop)-[0-9a-f]{8,12}|sha256:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g,
    "id",
  );

const made = async (seller: Seller, move: Move): Promise<string> => {
  const [operation, input, dryRun] = requestOf(seller, move);
  const reply = await seller.world.send({ caller: seller.keys[move.key] ?? "", operation, input, dryRun });
  const { quote_id: quoteId, negotiation_id: talkId } = reply.body;
  if (move.act === "quote") seller.quotes.push(String(quoteId));
  if (!dryRun && typeof talkId === "string") seller.talks.push(talkId);
  return plain(reply);
};

const acts = ["propose", "propose", "quote", "negotiate", "negotiate", "counter", "counter", "text", "dry"] as const;

const moveOf = (random: Random): Move => ({
  key: random.below(3),
  act: acts[random.below(acts.length)] ?? "propose",
  place: random.below(100),
  price: (1 + random.below(3_700)) / 100,
});

describe("offers: keys of one agency through every operation that takes a price", () => {
  const sellers: Seller[] = [];
  beforeAll(async () => {
    for (const floor of [low, high]) sellers.push(await openSeller(floor));
  });
  afterAll(async () => {
    for (const { world } of sellers) await world.close();
  });

  test("a seller's floor changes no answer", async () => {
    const random = seededRandom(7);
    const [one, other] = sellers as [Seller, Seller];
    for (let step = 0; step < 240; step += 1) {
      const move = moveOf(random);
      if (step % 24 === 0) for (const { world } of sellers) world.advance(86_400_000);
      const [said, also] = [await made(one, move), await made(other, move)];
      expect(said, JSON.stringify(move)).toBe(also);
    }
  });

  test("two advertisers of an agency have one agency's rounds", async () => {
    const [seller] = sellers as [Seller];
    seller.world.advance(86_400_000);
    const offer = async (key: number, price: number) => {
      const input = { ...product, product_id: "prod-2", ...dates, price };
      const { body } = await seller.world.send({ caller: seller.keys[key] ?? "", operation: "submit_proposal", input });
      return (body["counter_terms"] as { proposed_price: number } | null)?.proposed_price ?? body["agreed_price"];
    };
    expect([await offer(1, 1), await offer(2, 1), await offer(1, 2), await offer(2, 3)]).toEqual([
      15.98, 15.98, 14.96, 13.94,
    ]);
    expect([await offer(0, 5), await offer(2, 1), await offer(1, 14)]).toEqual([14.76, 13.94, 14]);
  });
});
