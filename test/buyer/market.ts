import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { SellerEndpoint } from "../../agents/buyer/config.ts";
import type { Product } from "../../skills/seller/products/record.ts";
import { type Child, startChild } from "../storage/children.ts";
import { seededRandom, type Random } from "../storage/crash/random.ts";
import { keyFor, sellerHere, type SellerHere } from "./seller-here.ts";
import { callAgent, type Clock, type Job, type Reply } from "./world.ts";

const types = ["display", "video", "native", "ctv", "mobile_app", "dooh"] as const;

const catalogOf = (random: Random, place: number, count: number): readonly Product[] =>
  Array.from({ length: count }, (_none, index): Product => {
    const inventoryType = types[(index + place) % types.length] ?? "display";
    const base = (4 + random.below(36)) * 1_000_000 + random.below(100) * 10_000;
    return {
      product_id: `prod-${place}-${index}`,
      name: `${inventoryType} ${index} of seller ${place}`,
      description: null,
      inventory_type: inventoryType,
      deal_types: inventoryType === "ctv" ? ["PG", "PD"] : ["PD"],
      pricing_models: ["cpm"],
      base_cpm_micros: base,
      floor_cpm_micros: Math.floor((base * (55 + random.below(35))) / 100),
      currency: "USD",
      minimum_impressions: 1_000 * (1 + random.below(20)),
      maximum_impressions: random.below(3) === 0 ? 500_000 + random.below(2_000_000) : null,
      audience_targeting: random.below(4) === 0 ? { demo: ["A18-34"] } : null,
      content_targeting: null,
      ad_product_targeting: null,
    };
  });

const identities = [
  { seat_id: "s", agency_id: "a", advertiser_id: "v" },
  { seat_id: "s", agency_id: "a" },
  { seat_id: "s" },
  null,
] as const;

interface Stand {
  readonly seller: SellerHere;
  readonly endpoint: SellerEndpoint;
}

/** Slow, and sometimes loses a request, or an answer after its effect. */
const flakyWay = async (target: () => string, random: Random, lossPct: number, delayMs: number): Promise<Server> => {
  const server = createServer((asked, answer) => {
    const chance = random.below(100);
    if (chance < lossPct / 3) return void asked.socket.destroy();
    if (chance < (2 * lossPct) / 3) {
      answer.writeHead(503, { "content-type": "application/json" });
      return void answer.end('{"error":"busy","detail":"later"}');
    }
    const { host: _host, ...headers } = asked.headers;
    const forward = request(`${target()}${asked.url ?? ""}`, { method: asked.method, headers }, (back) => {
      if (chance < lossPct) {
        back.resume();
        return void answer.socket?.destroy();
      }
      void wait(delayMs === 0 ? 0 : random.below(delayMs)).then(() => {
        answer.writeHead(back.statusCode ?? 502, back.headers);
        back.pipe(answer);
      });
    });
    forward.on("error", () => answer.destroy());
    asked.pipe(forward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
};

export interface MarketPlan {
  readonly seed: number;
  readonly sellers: number;
  readonly products: number;
  readonly lossPct: number;
  readonly delayMs: number;
  readonly clock: Clock;
  readonly priceProbeLimit?: number;
}

export interface Market {
  /** Cuts its lines, and starts it again over what it had committed. */
  killSeller(place: number): Promise<void>;
  readonly stands: readonly Stand[];
  readonly endpoints: readonly SellerEndpoint[];
  close(): Promise<void>;
}

export const openMarket = async (plan: MarketPlan): Promise<Market> => {
  const random = seededRandom(plan.seed);
  const stands: Stand[] = [];
  const ways: Server[] = [];
  for (let place = 0; place < plan.sellers; place += 1) {
    const settings = plan.priceProbeLimit === undefined ? {} : { priceProbeLimit: plan.priceProbeLimit };
    const seller = await sellerHere({
      products: catalogOf(random, place, plan.products),
      settings: { ...settings, sellerId: `seller-${place}` },
      clock: plan.clock,
    });
    const identity = identities[place % identities.length] ?? null;
    const key = identity === null ? null : await keyFor(seller, identity);
    const isFlaky = plan.lossPct > 0 || plan.delayMs > 0;
    const way = isFlaky ? await flakyWay(() => seller.url, random, plan.lossPct, plan.delayMs) : null;
    if (way !== null) ways.push(way);
    const url = way === null ? seller.url : `http://127.0.0.1:${(way.address() as AddressInfo).port}`;
    stands.push({ seller, endpoint: { url, key, headerType: "api_key" } });
  }
  return {
    killSeller: async (place) => {
      ways[place]?.closeAllConnections();
      await stands[place]?.seller.kill();
    },
    stands,
    endpoints: stands.map(({ endpoint }) => endpoint),
    close: async () => {
      for (const way of ways) {
        way.closeAllConnections();
        way.close();
      }
      await Promise.all(stands.map(({ seller }) => seller.close()));
    },
  };
};

const objectives = ["brand_awareness", "reach", "conversions", "app_installs", "happiness"] as const;

export const briefOf = (random: Random, place: number): Readonly<Record<string, unknown>> => {
  const channels = types.filter(() => random.below(3) === 0);
  const flights = [
    { start_date: "2027-03-01", end_date: "2027-03-31", share: 60 },
    { start_date: "2027-04-01", end_date: "2027-04-30", share: 40 },
  ];
  return {
    name: `Campaign ${place}`,
    objectives: [objectives[random.below(objectives.length)]],
    budget: (100_000 + random.below(4_900_000)) / 100,
    start_date: "2027-03-01",
    end_date: "2027-04-30",
    target_audience: random.below(2) === 0 ? { age: "18-24" } : {},
    channels: channels.length === 0 ? null : channels,
    ...(random.below(4) === 0 ? { kpis: { max_cpm: 8 + random.below(30) } } : {}),
    ...(random.below(3) === 0 ? { flights } : {}),
  };
};

interface Deal {
  readonly deal_id: string;
  readonly status: string;
  readonly quote_id: string;
  readonly pricing: { readonly final_cpm: number };
  readonly terms: { readonly impressions: number };
}

const dealsOf = async ({ seller, endpoint }: Stand): Promise<readonly (readonly [string, Deal])[]> => {
  const rows = await seller.rows("deal");
  const ids = rows.map((row) => String(row["deal_id"]));
  const read = ids.map(async (deal_id): Promise<readonly [string, Deal]> => {
    const { output } = await callAgent(seller.agent, "get_deal", { deal_id });
    return [`${endpoint.url} ${deal_id}`, output as unknown as Deal];
  });
  return Promise.all(read);
};

/** Millionths of a micro-dollar: exact for prices of six decimals. */
const exactCost = (cpm: number, impressions: number): bigint => BigInt(Math.round(cpm * 1e6)) * BigInt(impressions);
const exactBudget = (usd: number): bigint => BigInt(Math.round(usd * 100)) * 10_000n * 1000n;

/** Half a cent per line: price times volume is rounded to the cent when paid. */
const roundingOf = (lines: number): bigint => BigInt(lines) * 5_000n * 1000n;

/** Holds whatever happened in between. */
export const expectSoundMarket = async (market: Market, jobs: readonly Job[]): Promise<number> => {
  const sold = new Map((await Promise.all(market.stands.map(dealsOf))).flat());
  const quotes = [...sold.values()].map((deal) => deal.quote_id);
  expect(new Set(quotes).size).toBe(quotes.length);
  const claimed = new Set<string>();
  let unconfirmed = 0;
  for (const job of jobs) {
    expect(["completed", "failed"]).toContain(job.status);
    const spent = new Map<string, bigint>();
    for (const line of job.booked_lines) {
      const id = `${String(line["seller_url"])} ${line.deal_id}`;
      expect(claimed).not.toContain(id);
      claimed.add(id);
      const deal = sold.get(id);
      expect(deal).toMatchObject({ pricing: { final_cpm: line["cpm"] }, terms: { impressions: line["impressions"] } });
      const channel = String(line["channel"]);
      spent.set(channel, (spent.get(channel) ?? 0n) + exactCost(Number(line["cpm"]), Number(line["impressions"])));
    }
    for (const [channel, cost] of spent) {
      const most = exactBudget(job.budget_allocations[channel]?.budget ?? 0) + roundingOf(job.booked_lines.length);
      expect(cost).toBeLessThanOrEqual(most);
    }
    const costs = job.booked_lines.reduce((sum, { cost }) => sum + Math.round(cost * 100), 0);
    expect(costs).toBeLessThanOrEqual(Math.round(job.totals.budget * 100));
    unconfirmed += job.errors.filter((error) => error.startsWith("Booking not confirmed")).length;
  }
  expect(sold.size).toBeLessThanOrEqual(claimed.size + unconfirmed);
  return claimed.size;
};

export const runKilledBuyer = async (
  program: string,
  market: Market,
  plan: { readonly seed: number; readonly briefs: number; readonly kills: number; readonly clockOffsetMs: number },
): Promise<readonly Job[]> => {
  const random = seededRandom(plan.seed + 7);
  const dir = await mkdtemp(join(tmpdir(), "parley-market-"));
  const start = (): Child => startChild(program, { dir, sellers: market.endpoints, clockOffsetMs: plan.clockOffsetMs });
  let child = start();
  const call = async (operation: string, input: unknown): Promise<Reply["output"]> => {
    const reply = await child.run<Reply>(operation, input);
    if (reply.code !== null) throw new Error(`${operation}: ${reply.code} ${reply.message}`);
    return reply.output;
  };
  try {
    const ids: string[] = [];
    for (let place = 0; place < plan.briefs; place += 1) {
      const { job_id } = await call("create_booking", { brief: briefOf(random, place), auto_approve: true });
      ids.push(String(job_id));
    }
    for (let kill = 0; kill < plan.kills; kill += 1) {
      // A buyer that dies three times before it has worked gives its jobs up.
      await call("list_bookings", { limit: 1 });
      await wait(150 + random.below(600));
      const gone = once(child.process, "exit");
      child.process.kill("SIGKILL");
      await gone;
      child = start();
      await wait(random.below(300));
      await market.killSeller(random.below(market.stands.length));
    }
    const settled = async (): Promise<boolean> => {
      const { total: pending } = await call("list_bookings", { status: "pending" });
      const { total: running } = await call("list_bookings", { status: "running" });
      return pending === 0 && running === 0;
    };
    while (!(await settled())) await wait(100);
    const jobs: Job[] = [];
    for (const job_id of ids) jobs.push((await call("get_booking", { job_id })) as unknown as Job);
    return jobs;
  } finally {
    const gone = once(child.process, "exit");
    if (child.process.kill("SIGKILL")) await gone;
    await rm(dir, { recursive: true, force: true });
  }
};
