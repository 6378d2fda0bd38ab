import { describe, expect, onTestFinished, test } from "vitest";
import { answerJson } from "../client/loopback.ts";
import { covers } from "../requirements.ts";
import { type Bends, startFakeSeller } from "./fake-seller.ts";
import { startOneDoor } from "./one-door.ts";
import { keyFor, sellerHere, type SellerHere } from "./seller-here.ts";
import { type BuyerWorld, callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

const brief = { ...sampleBrief, channels: ["display"], budget: 20_000, flights: null };
const agency = { seat_id: "s1", agency_id: "a1" };

interface Round {
  readonly buyer_price: number;
  readonly seller_price: number;
}

interface Negotiated {
  readonly quote_id: string;
  readonly outcome: string;
  readonly quote_cpm: number;
  readonly agreed_cpm: number;
  readonly rounds: readonly Round[];
}

const startSeller = async (): Promise<SellerHere> => {
  const seller = await sellerHere();
  onTestFinished(() => seller.close());
  return seller;
};

const bookAt = async (
  sellers: readonly { readonly url: string; readonly key: string | null }[],
  given: object = brief,
  settings: Parameters<typeof openBuyer>[0] = {},
): Promise<{ readonly world: BuyerWorld; readonly job: Job }> => {
  const endpoints = sellers.map((seller) => ({ ...seller, headerType: "api_key" as const }));
  const world = await openBuyer({ sellers: endpoints, ...settings });
  onTestFinished(() => world.close());
  const { output } = await callAgent(world.buyer, "create_booking", { brief: given, auto_approve: true });
  return { world, job: await settledJob(world.buyer, String(output["job_id"])) };
};

describe("negotiation with a seller of this project", () => {
  test("negotiation: an agency gets a lower price than quoted, and the agreed price is the booked price", async () => {
    covers("buyer.service.negotiates-when-eligible", "buyer.negotiation.round");
    covers("buyer.events.type.negotiation-started", "buyer.events.type.negotiation-round");
    covers("buyer.events.type.negotiation-concluded");
    const seller = await startSeller();
    const { world, job } = await bookAt([{ url: seller.url, key: await keyFor(seller, agency) }]);
    expect(job).toMatchObject({ status: "completed", errors: [] });
    const [line] = job.recommendations;
    const negotiated = line?.["negotiation"] as Negotiated;
    expect(negotiated.outcome).toBe("accepted");
    expect(negotiated.agreed_cpm).toBeLessThan(negotiated.quote_cpm);
    expect(negotiated.rounds.length).toBeGreaterThan(0);
    for (const booked of job.booked_lines) {
      const { output: deal } = await callAgent(seller.agent, "get_deal", { deal_id: booked.deal_id });
      expect(deal).toMatchObject({
        pricing: { final_cpm: booked["cpm"] },
        terms: { impressions: booked["impressions"] },
      });
    }
    expect(job.booked_lines[0]).toMatchObject({ cpm: line?.["cpm"] });
    expect(line?.["cpm"]).toBeLessThanOrEqual(negotiated.agreed_cpm);
    const { output } = await callAgent(world.buyer, "get_negotiation_rounds", {
      job_id: job.job_id,
      recommendation_id: line?.["recommendation_id"],
    });
    expect(output["rounds"]).toMatchObject(
      negotiated.rounds.map((round, index) => ({
        ...round,
        deal_id: job.booked_lines[0]?.deal_id,
        round_number: index + 1,
      })),
    );
    const events = await world.events();
    const of = (type: string) =>
      events
        .filter((event) => event["event_type"] === `negotiation.${type}` && event["flow_id"] === job.job_id)
        .map((event) => event["payload"] as Readonly<Record<string, unknown>>)
        .filter((payload) => payload["quote_id"] === negotiated.quote_id);
    expect(of("started")).toMatchObject([{ strategy: "patient", quote_cpm: negotiated.quote_cpm }]);
    expect(of("round")).toHaveLength(negotiated.rounds.length);
    expect(of("concluded")).toMatchObject([{ outcome: "accepted", final_price: negotiated.agreed_cpm }]);
  });

  test("negotiation: a seller that negotiates proposals only is talked to by a proposal for the quote", async () => {
    const seller = await startSeller();
    const door = await startOneDoor(/^(?!\/proposals\/qt-)/, () => seller.url);
    onTestFinished(() => door.close());
    const { job } = await bookAt([{ url: door.url, key: await keyFor(seller, agency) }]);
    expect(job).toMatchObject({ status: "completed", errors: [] });
    const negotiated = job.recommendations[0]?.["negotiation"] as Negotiated;
    expect(negotiated.outcome).toBe("accepted");
    expect(door.seen.map(({ method, path }) => `${method} ${path}`)).toContain("POST /proposals");
    for (const booked of job.booked_lines) {
      const { output: deal } = await callAgent(seller.agent, "get_deal", { deal_id: booked.deal_id });
      expect(deal).toMatchObject({ quote_id: booked["quote_id"], pricing: { final_cpm: booked["cpm"] } });
      expect(booked["cpm"]).toBeLessThan(negotiated.quote_cpm);
    }
  });

  test("negotiation: what a lower price saves buys more, and the budget holds to the cent", async () => {
    const seller = await startSeller();
    const key = await keyFor(seller, agency);
    const { job: with_ } = await bookAt([{ url: seller.url, key }]);
    const { job: without } = await bookAt([{ url: seller.url, key }], { ...brief, negotiation: { enabled: false } });
    const bought = (job: Job): number => job.booked_lines.reduce((sum, line) => sum + Number(line["impressions"]), 0);
    expect(bought(with_)).toBeGreaterThan(bought(without));
    expect(with_.totals.booked).toBeLessThanOrEqual(20_000);
    expect(with_.totals.booked).toBeGreaterThan(19_900);
    expect(without.recommendations.map((line) => line["negotiation"])).toEqual(without.recommendations.map(() => null));
  });

  test.each([
    ["a seat", { seat_id: "s1" }],
    ["a caller without a key", null],
  ])("negotiation: %s does not negotiate", async (_who, identity) => {
    covers("buyer.service.negotiates-when-eligible");
    const seller = await startSeller();
    const key = identity === null ? null : await keyFor(seller, identity);
    const { world, job } = await bookAt([{ url: seller.url, key }]);
    expect(job.status).toBe("completed");
    const { output } = await callAgent(world.buyer, "get_negotiation_rounds", { job_id: job.job_id });
    expect(output).toMatchObject({ negotiations: [], rounds: [], total: 0 });
  });

  test("negotiation: kpis.target_cpm is the price aimed at, and nothing is agreed above max_cpm", async () => {
    covers("buyer.brief.target-cpm-drives-negotiation");
    const seller = await startSeller();
    const key = await keyFor(seller, agency);
    const kpis = { target_cpm: 4, max_cpm: 7 };
    const { world, job } = await bookAt([{ url: seller.url, key }], { ...brief, kpis });
    const { output } = await callAgent(world.buyer, "get_negotiation_rounds", { job_id: job.job_id });
    const negotiations = output["negotiations"] as readonly (Negotiated & { open_cpm: number; target_cpm: number })[];
    expect(negotiations.length).toBeGreaterThan(0);
    for (const one of negotiations) expect([one.open_cpm, one.target_cpm]).toEqual([4, 4]);
    const rounds = output["rounds"] as readonly (Round & { round_number: number })[];
    const first = rounds.filter(({ round_number: number }) => number === 1);
    expect(first.map(({ buyer_price: price }) => price)).toEqual(negotiations.map(() => 4));
    for (const round of rounds) expect(round.buyer_price).toBeLessThanOrEqual(7);
    for (const line of job.booked_lines) expect(line["cpm"]).toBeLessThanOrEqual(7);
  });

  test.each([
    ["accepted", 2_880_000, [6.12]],
    ["walked_away", 2_890_000, []],
  ])("negotiation: %s at 6.12 where max_cpm is 9 and fees are %i micros", async (outcome, tech_cpm_micros, booked) => {
    const seller = await startSeller();
    const { world, job } = await bookAt(
      [{ url: seller.url, key: await keyFor(seller, agency) }],
      { ...brief, kpis: { target_cpm: 4, max_cpm: 9 } },
      { sellerFees: new Map([[seller.url, { intermediary_bps: 0, tech_cpm_micros }]]) },
    );
    const { output } = await callAgent(world.buyer, "get_negotiation_rounds", { job_id: job.job_id });
    expect(output).toMatchObject({ negotiations: [{ outcome }] });
    expect(job.booked_lines.map((line) => line["cpm"])).toEqual(booked);
  });

  test("negotiation: switched off for the whole buyer, prices are taken as quoted", async () => {
    const seller = await startSeller();
    const key = await keyFor(seller, agency);
    const { job } = await bookAt([{ url: seller.url, key }], brief, { negotiates: false });
    expect(job.recommendations.map((line) => line["negotiation"])).toEqual(job.recommendations.map(() => null));
  });

  test("negotiation: a seller whose operator must approve is not waited for; the quote is booked at its price", async () => {
    const seller = await sellerHere({
      settings: { approvalGate: { enabled: true, flows: ["negotiation"], aboveMicros: 0 } },
    });
    onTestFinished(() => seller.close());
    const { world, job } = await bookAt([{ url: seller.url, key: await keyFor(seller, agency) }]);
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect(job.booked_lines.length).toBeGreaterThan(0);
    const { output } = await callAgent(world.buyer, "get_negotiation_rounds", { job_id: job.job_id });
    for (const one of output["negotiations"] as readonly Negotiated[]) expect(one.outcome).not.toBe("open");
  });
});

type Talk = (body: Readonly<Record<string, unknown>>, round: number) => Readonly<Record<string, unknown>> | null;

/** An agreed price goes into its quote, unless `keepsWord` is false. */
const talkative = async (talk: Talk, options: Bends & { readonly keepsWord?: boolean } = {}) => {
  let round = 0;
  const seller = await startFakeSeller({
    ...options,
    counter: (response, quote, body) => {
      round += 1;
      const answer = talk(body, round);
      if (answer === null) return false;
      const agreed = answer["action"] === "accept" || body["action"] === "accept";
      if (agreed && options.keepsWord !== false) {
        Object.assign(quote, { pricing: { ...(quote["pricing"] as object), final_cpm: answer["seller_price"] } });
      }
      answerJson(response, 200, {
        negotiation_id: "neg-1",
        round_number: round,
        buyer_price: body["buyer_price"] ?? 0,
        concession_pct: 0,
        cumulative_concession_pct: 0,
        rationale: "",
        status: agreed ? "accepted" : "active",
        rounds_remaining: 3,
        ...answer,
      });
      return true;
    },
  });
  onTestFinished(() => seller.close());
  return seller;
};

const small = { ...brief, budget: 1000 };
const priceOf = (job: Job): unknown => job.booked_lines[0]?.["cpm"];
const outcomeOf = (job: Job): unknown =>
  (job.recommendations[0]?.["negotiation"] as Negotiated | null)?.outcome ?? null;

describe("negotiation with odd sellers", () => {
  test("negotiation: an agreed price that the seller does not keep is not believed: the quote is booked as it is", async () => {
    const seller = await talkative(() => ({ action: "accept", seller_price: 8 }), { keepsWord: false });
    const { world, job } = await bookAt([{ url: seller.url, key: null }], small);
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect(priceOf(job)).toBe(10);
    const { output } = await callAgent(world.buyer, "get_negotiation_rounds", { job_id: job.job_id });
    expect(output["negotiations"]).toMatchObject([{ outcome: "error", reason: "requote_mismatch", agreed_cpm: null }]);
  });

  test.each<[string, Talk]>([
    ["without a price", () => ({ action: "counter", seller_price: 0 })],
    ["with a price in words", () => ({ action: "counter", seller_price: "9" })],
    ["with a price below nothing", () => ({ action: "counter", seller_price: -3 })],
    ["that breaks it off", () => ({ action: "reject", seller_price: 10 })],
    ["above the quote", () => ({ action: "final_offer", seller_price: 11 })],
  ])("negotiation: an answer %s leaves the quote as it was", async (_case, talk) => {
    const seller = await talkative(talk);
    const { job } = await bookAt([{ url: seller.url, key: null }], small);
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect([priceOf(job), outcomeOf(job)]).toEqual([10, null]);
  });

  test("negotiation: a final offer below the quote is taken", async () => {
    const seller = await talkative((body) => ({
      action: body["action"] === "accept" ? "accept" : "final_offer",
      seller_price: 9.5,
    }));
    const { job } = await bookAt([{ url: seller.url, key: null }], small);
    expect(job.recommendations[0]?.["negotiation"]).toMatchObject({ outcome: "accepted", agreed_cpm: 9.5 });
  });

  test("negotiation: another seller's price keeps offers down, and travels as nothing but a price", async () => {
    const cheap = await startFakeSeller({ price: () => 6 });
    onTestFinished(() => cheap.close());
    const dear = await talkative((_body, round) => ({ action: "counter", seller_price: 10 - round / 10 }));
    await bookAt(
      [cheap, dear].map(({ url }) => ({ url, key: null })),
      small,
    );
    const messages = dear.server.seen.filter(({ path }) => path.endsWith("/counter")).map(({ body }) => body);
    const offers = messages.map((body) => JSON.parse(body) as { action: string; buyer_price?: number });
    const prices = offers.filter(({ action }) => action === "counter").map((offer) => offer.buyer_price);
    expect(prices.length).toBeGreaterThan(1);
    expect(new Set(prices)).toEqual(new Set([6]));
    for (const body of messages) expect(body).not.toContain(cheap.url);
  });
});
