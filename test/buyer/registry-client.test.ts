import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createRegistryClient } from "../../agents/buyer/clients/registry.ts";
import { buyerSettingsOf, buyerSettingTable } from "../../agents/buyer/config.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import { readAllowList } from "../../protocol/client/address-guard.ts";
import { createOutbound } from "../../protocol/client/outbound.ts";
import { trustLevels } from "../../skills/buyer/registry/models.ts";
import { answerJson, type Loopback, type Respond, startLoopback } from "../client/loopback.ts";
import { covers } from "../requirements.ts";
import { logTo, movableClock } from "./world.ts";

const card = {
  agent_id: "seller-1",
  name: "Seller One",
  url: "https://one.example/",
  protocols: ["opendirect-2.1", "openrtb-2.6"],
  capabilities: [{ name: "ctv", description: "Television", tags: ["premium"] }],
  trust_level: "verified",
};

const plain: Respond = (request, response) => {
  if (request.method === "POST") return answerJson(response, 201, {});
  if (request.path.startsWith("/agents")) {
    return answerJson(response, 200, {
      agents: [card, { name: "no address" }, 7, { name: "Two", url: "http://two.example" }],
    });
  }
  if (request.path.startsWith("/verify")) {
    return answerJson(response, 200, { is_registered: true, trust_level: "preferred", registry_id: "r-1" });
  }
  return answerJson(response, 404, {});
};

const world = async (respond: Respond = plain, more: { timeoutMs?: number } = {}) => {
  const server: Loopback = await startLoopback(respond);
  const outbound = createOutbound({ allow: readAllowList("127.0.0.1"), timeoutMs: 2000 });
  const clock = movableClock();
  onTestFinished(async () => {
    await outbound.close();
    await server.close();
  });
  const client = () =>
    createRegistryClient({ registryUrl: `${server.url}/`, outbound, clock, log: logTo([]), ...more });
  return { server, clock, client, paths: () => server.seen.map(({ method, path }) => `${method} ${path}`) };
};

describe("the registry client", () => {
  test("sellers are found by any of the capabilities, a card that is none hides no other", async () => {
    covers("buyer.registry.discover", "buyer.registry.discover.capabilities", "buyer.registry.card");
    covers("buyer.registry.card.trust-default", "buyer.registry.capability");
    const { client, paths } = await world();
    const found = await client().discover(["video", "ctv"]);
    expect(paths()).toEqual(["GET /agents?agent_type=seller&capabilities=ctv%2Cvideo"]);
    expect(found).toEqual([
      { ...card, url: "https://one.example" },
      {
        agent_id: "http://two.example",
        name: "Two",
        url: "http://two.example",
        protocols: [],
        capabilities: [],
        trust_level: "unknown",
      },
    ]);
  });

  test("lists are cached by their sorted capabilities for five minutes, each client with its own cache", async () => {
    covers("buyer.registry.cache.discover-key", "buyer.registry.cache.expiry", "buyer.registry.cache.per-client");
    const { client, clock, paths } = await world();
    const one = client();
    await one.discover(["video", "ctv"]);
    await one.discover(["ctv", "video"]);
    expect(paths()).toHaveLength(1);
    await one.discover(["ctv"]);
    expect(paths()).toHaveLength(2);
    await client().discover(["ctv"]);
    expect(paths()).toHaveLength(3);
    clock.move(300_001);
    await one.discover(["video", "ctv"]);
    expect(paths()).toHaveLength(4);
  });

  test("cards are cached by address, and those of a list by their agent_id", async () => {
    covers("buyer.registry.fetch-card", "buyer.registry.cache.card-key", "buyer.registry.cache.cards-of-list");
    const { client, server, paths } = await world((_request, response) => {
      answerJson(response, 200, { agents: [{ ...card, agent_id: "known" }], ...card });
    });
    const one = client();
    const read = await one.fetchCard(server.url);
    expect(read).toMatchObject({ agent_id: "seller-1", capabilities: [{ name: "ctv" }] });
    await one.fetchCard(server.url);
    expect(paths()).toEqual(["GET /.well-known/agent.json"]);
    await one.discover([]);
    expect(await one.fetchCard("known")).toMatchObject({ agent_id: "known" });
    expect(paths()).toHaveLength(2);
  });

  test("a seller's own card has skills for capabilities, and its protocols where they are", async () => {
    const { client, server } = await world((_request, response) => {
      answerJson(response, 200, {
        name: "Seller",
        capabilities: { protocols: ["a2a"] },
        skills: [{ id: "discovery", description: "Finds", tags: ["x"] }, { name: "no id" }],
      });
    });
    expect(await client().fetchCard(server.url)).toEqual({
      agent_id: server.url,
      name: "Seller",
      url: server.url,
      protocols: ["a2a"],
      capabilities: [{ name: "discovery", description: "Finds", tags: ["x"] }],
      trust_level: "unknown",
    });
  });

  test("trust is asked anew each time", async () => {
    covers("buyer.registry.verify", "buyer.registry.cache.no-trust", "buyer.registry.trust-info");
    const { client, paths } = await world();
    const one = client();
    const agent_url = "https://one.example/a b";
    const info = { agent_url, is_registered: true, trust_level: "preferred", registry_id: "r-1" };
    expect(await one.verify(agent_url)).toEqual(info);
    await one.verify(agent_url);
    expect(paths()).toEqual(Array(2).fill("GET /verify?agent_url=https%3A%2F%2Fone.example%2Fa%20b"));
  });

  test("there are five levels of trust, and a word that is none of them is unknown", async () => {
    covers("buyer.registry.trust-levels", "buyer.registry.trust-info.default");
    expect(trustLevels).toEqual(["unknown", "registered", "verified", "preferred", "blocked"]);
    const answers: unknown[] = [{ is_registered: true }, { is_registered: "yes", trust_level: "best" }];
    const { client } = await world((_request, response) => answerJson(response, 200, answers.shift()));
    expect(await client().verify("x")).toMatchObject({
      is_registered: true,
      trust_level: "unknown",
      registry_id: null,
    });
    expect(await client().verify("x")).toMatchObject({ is_registered: false, trust_level: "unknown" });
  });

  test("the buyer registers with its card", async () => {
    covers("buyer.registry.register");
    const { client, server } = await world();
    const own = { ...card, trust_level: "unknown" as const };
    expect(await client().register(own)).toBe(true);
    expect(server.seen).toMatchObject([{ method: "POST", path: "/agents", body: JSON.stringify(own) }]);
  });

  const broken: readonly (readonly [string, Respond])[] = [
    ["an error", (_request, response) => answerJson(response, 500, {})],
    ["no JSON", (_request, response) => answerJson(response, 200, "<html>")],
    ["a list of numbers", (_request, response) => answerJson(response, 200, [1, 2])],
    ["silence", () => undefined],
    ["a private redirect", (_request, response) => answerJson(response, 302, {}, { location: "http://10.0.0.1/" })],
  ];
  test.each(broken)("nothing is raised when the registry answers %s", async (_, respond) => {
    covers("buyer.registry.failure.discover", "buyer.registry.failure.card", "buyer.registry.failure.verify");
    covers("buyer.registry.failure.register");
    const { client, server } = await world(respond, { timeoutMs: 100 });
    expect(await client().discover(["ctv"])).toEqual([]);
    expect(await client().fetchCard(server.url)).toBeNull();
    expect(await client().verify("x")).toMatchObject({ is_registered: false, trust_level: "unknown" });
    if (_ === "an error" || _ === "silence") {
      expect(await client().register({ ...card, trust_level: "unknown" })).toBe(false);
    }
  });

  test("without an address nothing is asked; IAB_SERVER_URL is one where AGENT_REGISTRY_URL is not set", async () => {
    covers("buyer.service.setting.iab-server-url");
    const settingsOf = (environment: Record<string, string>) =>
      buyerSettingsOf(readSettings(buyerSettingTable, environment));
    expect(settingsOf({}).registryUrl).toBeNull();
    expect(settingsOf({ IAB_SERVER_URL: "http://iab.example" })).toMatchObject({
      registryUrl: "http://iab.example",
      sellers: [],
    });
    const both = { IAB_SERVER_URL: "http://iab.example", AGENT_REGISTRY_URL: "http://registry.example" };
    expect(settingsOf(both).registryUrl).toBe("http://registry.example");
  });

  test("a call is given up after 15 seconds", async () => {
    covers("buyer.registry.timeout-15s");
    const outbound = createOutbound({ allow: readAllowList("127.0.0.1"), timeoutMs: 60_000 });
    let wasAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (wasAsked = resolve));
    const server = await startLoopback(() => wasAsked());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(async () => {
      vi.useRealTimers();
      await outbound.close();
      await server.close();
    });
    const client = createRegistryClient({ registryUrl: server.url, outbound, clock: movableClock(), log: logTo([]) });
    let isOver = false;
    const found = client.discover([]).finally(() => (isOver = true));
    await asked;
    await vi.advanceTimersByTimeAsync(14_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await found).toEqual([]);
  });
});
