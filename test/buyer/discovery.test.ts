import { describe, expect, onTestFinished, test } from "vitest";
import type { BuyerSettings } from "../../agents/buyer/config.ts";
import { answerJson, type Loopback, startLoopback } from "../client/loopback.ts";
import { type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import { type BuyerWorld, callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

interface Listed {
  readonly url: string;
  readonly trust: string;
  readonly capability: string;
}

const fakeSeller = async (price: number): Promise<FakeSeller> => {
  const seller = await startFakeSeller({ price: () => price });
  onTestFinished(() => seller.close());
  return seller;
};

const registryOf = async (listed: readonly Listed[]): Promise<Loopback> => {
  const registry = await startLoopback((request, response) => {
    const url = new URL(request.path, "http://registry.example");
    if (url.pathname === "/verify") {
      const found = listed.find((one) => one.url === url.searchParams.get("agent_url"));
      const trust = found === undefined ? {} : { is_registered: true, trust_level: found.trust };
      return answerJson(response, 200, { is_registered: false, trust_level: "unknown", ...trust });
    }
    const wanted = (url.searchParams.get("capabilities") ?? "").split(",");
    const fitting = listed.filter(({ capability }) => wanted.includes(capability));
    const agents = fitting.map((one) => ({ name: one.url, url: one.url, capabilities: [{ name: one.capability }] }));
    return answerJson(response, 200, { agents: [{ broken: true }, ...agents] });
  });
  onTestFinished(() => registry.close());
  return registry;
};

const aampOf = async (listed: readonly Listed[]): Promise<Loopback> => {
  const registry = await startLoopback((request, response) => {
    if (request.headers.authorization !== "Bearer aamp-token") return answerJson(response, 401, { success: false });
    if (request.method === "POST") return answerJson(response, 201, { success: true });
    const agents = listed.map((one, place) => ({
      id: place + 1,
      agent_name: `Seller ${place}`,
      endpoint_url: `${one.url.toUpperCase()}/`,
      capabilities: null,
      iab_capabilities: [one.capability.toUpperCase()],
      industry_roles: one.trust === "buyer" ? ["buyer"] : null,
      verification_status: one.trust === "verified" ? "active" : "pending",
    }));
    return answerJson(response, 200, { success: true, data: { agents: [null, ...agents] } });
  });
  onTestFinished(() => registry.close());
  return registry;
};

const buy = async (settings: Partial<BuyerSettings>): Promise<{ world: BuyerWorld; job: Job }> => {
  const world = await openBuyer(settings);
  onTestFinished(() => world.close());
  const { output } = await callAgent(world.buyer, "create_booking", { brief: sampleBrief, auto_approve: true });
  return { world, job: await settledJob(world.buyer, String(output["job_id"])) };
};

const sellersOf = (job: Job): unknown => (job as unknown as { sellers: unknown }).sellers;
const endpoint = (url: string) => ({ url, key: null, headerType: "api_key" }) as const;

describe("sellers of a registry", () => {
  test("BUYER_DISCOVERS: those of the wanted inventory are asked beside the configured ones, each with its trust", async () => {
    const [own, cheap, blocked, radio] = [
      await fakeSeller(10),
      await fakeSeller(5),
      await fakeSeller(1),
      await fakeSeller(1),
    ];
    const registry = await registryOf([
      { url: own.url, trust: "preferred", capability: "display" },
      { url: cheap.url, trust: "verified", capability: "ctv" },
      { url: blocked.url, trust: "blocked", capability: "ctv" },
      { url: radio.url, trust: "verified", capability: "audio" },
    ]);
    const settings = { sellers: [endpoint(own.url)], registryUrl: registry.url };
    const { job } = await buy({ ...settings, discovers: true });
    expect(job).toMatchObject({ status: "completed" });
    expect(sellersOf(job)).toMatchObject([
      { url: own.url, source: "configured", trust_level: "preferred", status: "answered" },
      { url: cheap.url, source: "registry", trust_level: "verified", status: "answered" },
    ]);
    expect(job.booked_lines.some((line) => line["seller_url"] === cheap.url)).toBe(true);
    for (const line of job.booked_lines.filter((one) => one["seller_url"] === cheap.url)) {
      expect(cheap.deals.get(line.deal_id)).toMatchObject({ pricing: { final_cpm: line["cpm"] } });
    }
    expect([...blocked.server.seen, ...radio.server.seen]).toEqual([]);
    const without = await buy(settings);
    expect(sellersOf(without.job)).toMatchObject([{ url: own.url, source: "configured", trust_level: null }]);
    expect(without.job.booked_lines.every((line) => line["seller_url"] === own.url)).toBe(true);
  });

  test("a registry alone is enough; one that fails leaves the configured sellers", async () => {
    const seller = await fakeSeller(10);
    const registry = await registryOf([{ url: seller.url, trust: "registered", capability: "display" }]);
    const alone = await buy({ sellers: [], registryUrl: registry.url, discovers: true });
    expect(alone.job.status).toBe("completed");
    await registry.close();
    const down = await buy({ sellers: [endpoint(seller.url)], registryUrl: registry.url, discovers: true });
    expect(down.job.status).toBe("completed");
    expect(sellersOf(down.job)).toMatchObject([{ url: seller.url, trust_level: "unknown" }]);
    const nobody = await buy({ sellers: [], registryUrl: registry.url, discovers: true });
    expect(nobody.job).toMatchObject({ status: "failed" });
  });

  test("an address of the registry that is private is never asked", async () => {
    const seller = await fakeSeller(10);
    const hidden = await fakeSeller(1);
    const registry = await registryOf([{ url: hidden.url, trust: "verified", capability: "display" }]);
    const { job } = await buy({
      sellers: [endpoint(seller.url)],
      registryUrl: registry.url,
      discovers: true,
      outboundAllow: [],
    });
    expect(job.status).toBe("completed");
    expect(job.warnings.map(({ message }) => message).join()).toContain("target_not_allowed");
    expect(hidden.server.seen).toEqual([]);
  });

  test("AAMP_REGISTRY_URL: its form is read, filtered by capability and matched by address", async () => {
    const [seller, radio, buyer] = [await fakeSeller(10), await fakeSeller(1), await fakeSeller(1)];
    const registry = await aampOf([
      { url: seller.url, trust: "verified", capability: "ctv" },
      { url: radio.url, trust: "verified", capability: "audio" },
      { url: buyer.url, trust: "buyer", capability: "ctv" },
    ]);
    const aampRegistry = { url: registry.url, token: "aamp-token" };
    const { job, world } = await buy({ sellers: [], aampRegistry, discovers: true });
    expect(job.status).toBe("completed");
    expect(sellersOf(job)).toMatchObject([{ url: seller.url, source: "registry", trust_level: "verified" }]);
    const verified = await callAgent(world.buyer, "verify_seller", { seller_url: radio.url });
    expect(verified.output).toMatchObject({ is_registered: true, trust_level: "verified", registry_id: "2" });
    const stranger = await callAgent(world.buyer, "verify_seller", { seller_url: "https://nobody.example" });
    expect(stranger.output).toMatchObject({ is_registered: false, trust_level: "unknown", registry_id: null });
    expect((await callAgent(world.buyer, "register_buyer", {})).output).toMatchObject({ registered: true });
    const posted = registry.seen.find(({ method }) => method === "POST");
    expect(JSON.parse(posted?.body ?? "{}")).toMatchObject({
      type: "remote",
      endpoint_url: "http://127.0.0.1:8001",
      industry_roles: ["buyer"],
    });
  });
});
