import { afterEach, describe, expect, test } from "vitest";
import type { StoredRow } from "../../../storage/store.ts";
import { answerJson, type Loopback, type Respond, startLoopback } from "../../client/loopback.ts";
import { covers } from "../../requirements.ts";
import { openDoors } from "../../doors/doors.ts";
import { agentNetwork, type Answering } from "../../skills/agent-network.ts";
import { openWorld, type World } from "../../skills/world.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const kept = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};

const server = async (respond: Respond): Promise<Loopback> => kept(await startLoopback(respond));

const worldWith = async (options: Parameters<typeof openWorld>[0]): Promise<World> => kept(await openWorld(options));

const discover = (world: World, agentUrl: string) =>
  world.send({ caller: "operator", operation: "register_buyer_agent", input: { agent_url: agentUrl } });

const card = (url: string) => ({ name: "Loopback buyer", description: "d", url, version: "1.2.3" });

const rowsOf = (world: World, kind: string): Promise<readonly StoredRow[]> =>
  world.store.list({ kind, terms: [], order: "oldest", limit: 500 });

const answering = (answer: Answering): Promise<World> => worldWith({ network: agentNetwork(answer) });

describe("discovery over real HTTP", () => {
  test("an agent on a host that OUTBOUND_ALLOW lists is asked for its card at its well-known path", async () => {
    covers("seller.registry.discover.fetches-card", "seller.registry.discover.checks-registries");
    const agent = await server((request, response) => answerJson(response, 200, card(`http://x${request.path}`)));
    const registry = await server((_, response) => answerJson(response, 200, { is_registered: true }));
    const settings = { outboundAllow: [`127.0.0.1:${agent.port}`], agentRegistryUrls: [registry.url] };
    const world = await worldWith({ settings, network: { arrived: [], outbound: {}, close: async () => undefined } });
    const reply = await discover(world, `${agent.url}/buyer/`);
    expect(reply.body).toMatchObject({ agent: { trust_status: "registered" }, max_access_tier: "seat" });
    expect(agent.seen.map(({ method, path }) => `${method} ${path}`)).toStrictEqual([
      "GET /buyer/.well-known/agent.json",
    ]);
    const asked = `/verify?agent_url=${encodeURIComponent(`${agent.url}/buyer`)}`;
    expect(registry.seen.map(({ method, path }) => `${method} ${path}`)).toStrictEqual([`GET ${asked}`]);
  });

  test("the same agent without OUTBOUND_ALLOW is refused and hears nothing", async () => {
    const agent = await server((_, response) => answerJson(response, 200, card("http://x")));
    const world = await worldWith({ network: { arrived: [], outbound: {}, close: async () => undefined } });
    expect((await discover(world, agent.url)).code).toBe("target_not_allowed");
    expect((await discover(world, `http://localhost:${agent.port}`)).code).toBe("target_not_allowed");
    expect(agent.seen).toHaveLength(0);
  });

  test("the registries' own hosts are no way for an agent's address to a private host", async () => {
    const registry = await server((_, response) => answerJson(response, 200, card("http://x")));
    const settings = { agentRegistryUrls: [registry.url] };
    const world = await worldWith({ settings, network: { arrived: [], outbound: {}, close: async () => undefined } });
    expect((await discover(world, registry.url)).code).toBe("target_not_allowed");
    expect(registry.seen).toHaveLength(0);
  });

  test("a redirect of an agent to a private address is not followed", async () => {
    const inner = await server((_, response) => answerJson(response, 200, card("http://x")));
    const outer = await server((_, response) => answerJson(response, 302, {}, { location: inner.url }));
    const settings = { outboundAllow: [`127.0.0.1:${outer.port}`] };
    const world = await worldWith({ settings, network: { arrived: [], outbound: {}, close: async () => undefined } });
    expect((await discover(world, outer.url)).code).toBe("target_not_allowed");
    expect(inner.seen).toHaveLength(0);
  });

  test("the AAMP registry gets its token, and nobody else does", async () => {
    const world = await worldWith({
      settings: {
        agentRegistryUrls: ["http://registry.example"],
        aampRegistry: { url: "http://aamp.example", token: "canary-token" },
      },
    });
    await discover(world, "http://buyer.agents.example");
    const withToken = world.network.arrived.filter(({ headers }) => JSON.stringify(headers).includes("canary-token"));
    expect(withToken.map(({ host, path }) => `${host}${path}`)).toStrictEqual(["aamp.example/api/agents"]);
    expect(JSON.stringify([world.logged, await rowsOf(world, "agent"), await rowsOf(world, "event")])).not.toContain(
      "canary",
    );
  });
});

describe("the paths of discovery", () => {
  test("POST /registry/discover does the same as POST /registry/agents/discover", async () => {
    covers("seller.registry.discover.short-path");
    const world = await worldWith({});
    const doors = kept(await openDoors(world.runner, world.nowMs));
    const headers = { "content-type": "application/json", "x-api-key": world.secretOf("operator") ?? "" };
    const body = JSON.stringify({ agent_url: "http://buyer.agents.example" });
    const answers = [];
    for (const path of ["/registry/agents/discover", "/registry/discover"]) {
      const answer = await fetch(new URL(path, doors.url), { method: "POST", headers, body });
      answers.push([answer.status, ((await answer.json()) as { agent: { agent_id: string } }).agent.agent_id]);
    }
    expect(answers[0]?.[0]).toBe(200);
    expect(answers[1]).toStrictEqual(answers[0]);
  });

  test("the trust argument is taken under its other name by tools", async () => {
    const world = await worldWith({});
    const doors = kept(await openDoors(world.runner, world.nowMs));
    const agent = (await discover(world, "http://buyer.agents.example")).body["agent"] as { agent_id: string };
    const input = { agent_id: agent.agent_id, trust_level: "blocked" };
    const request = { caller: "operator", operation: "set_agent_trust", input };
    const reply = await doors.send("mcp", request, world.secretOf("operator"));
    expect(reply.body).toMatchObject({ trust_status: "blocked", max_access_tier: null });
  });
});

describe("hostile cards", () => {
  test.each([
    ["a list", []],
    ["text that is no JSON", "<html>"],
    ["no name", { url: "http://a.example" }],
    ["a name that is too long", { ...card("http://a.example"), name: "n".repeat(256) }],
    ["an address that is none", card("javascript:alert(1)")],
    ["300 kilobytes", { ...card("http://a.example"), extra: "x".repeat(300_000) }],
    ["deep nesting", `{"name":"n","url":"http://a.example","a":${"[".repeat(100)}${"]".repeat(100)}}`],
  ])("%s is no card, and nothing is kept", async (_, body) => {
    const world = await answering(() => ({ status: 200, body }));
    expect(await discover(world, "http://a.example")).toMatchObject({ code: "agent_card_unavailable", status: 404 });
    expect(await rowsOf(world, "agent")).toHaveLength(0);
  });

  test("members of another form are left out, prototype keys included", async () => {
    const text =
      '{"name":"n","url":"http://a.example","description":7,"skills":[{"id":"ok"},5,null],"capabilities":"all",' +
      '"__proto__":{"polluted":true},"constructor":1,"agent_type":"emperor","trust_status":"preferred"}';
    const world = await answering(() => ({ status: 200, body: text }));
    const { agent } = (await discover(world, "http://a.example")).body as { agent: Record<string, unknown> };
    expect(agent).toMatchObject({ agent_type: "buyer", trust_status: "unknown" });
    expect(agent["agent_card"]).toStrictEqual({
      name: "n",
      description: "",
      url: "http://a.example",
      version: "1.0.0",
      provider: null,
      capabilities: { protocols: ["a2a"], streaming: false, push_notifications: false },
      skills: [{ id: "ok", name: "", description: "", tags: [] }],
      authentication: { schemes: ["api_key"] },
      inventory_types: [],
      supported_deal_types: [],
    });
  });

  test("a card that names another agent's address takes neither its record nor its trust", async () => {
    const world = await answering(() => ({ status: 200, body: card("http://victim.example") }));
    const victim = await discover(world, "http://victim.example");
    const victimId = (victim.body["agent"] as { agent_id: string }).agent_id;
    const trust = { agent_id: victimId, trust_status: "preferred" };
    await world.send({ caller: "operator", operation: "set_agent_trust", input: trust });
    const thief = await discover(world, "http://thief.example");
    expect(thief.body).toMatchObject({ agent: { trust_status: "unknown" }, max_access_tier: "public" });
  });

  test("a registry that answers nonsense vouches for nobody", async () => {
    for (const body of ["[]", "null", "yes", { is_registered: "true" }, { is_registered: 1 }, { verified: true }]) {
      const network = agentNetwork(({ path }) => ({
        status: 200,
        body: path.startsWith("/verify") ? body : card("http://a.example"),
      }));
      const world = await worldWith({ network, settings: { agentRegistryUrls: ["http://registry.example"] } });
      expect((await discover(world, "http://a.example")).body["agent"]).toMatchObject({ trust_status: "unknown" });
    }
  });
});

describe("races and records of the registry", () => {
  test("simultaneous discoveries of one agent leave one record and one event of discovery", async () => {
    const world = await worldWith({});
    const written = ["http://buyer.agents.example", "http://BUYER.agents.example/", "http://buyer.agents.example:80"];
    const replies = await Promise.all([...written, ...written].map((url) => discover(world, url)));
    const ids = new Set(replies.map(({ body }) => (body["agent"] as { agent_id: string }).agent_id));
    expect(ids.size).toBe(1);
    const [agent, ...others] = await rowsOf(world, "agent");
    expect(others).toHaveLength(0);
    expect(agent?.body).toMatchObject({ interaction_count: 6 });
    const events = (await rowsOf(world, "event")).map(({ body }) => (body as { event_type: string }).event_type);
    expect(events.filter((type) => type === "agent.discovered")).toHaveLength(1);
  });

  test("a price that an agent's trust stood before leaves its record, with the tier that was claimed and the one given", async () => {
    const world = await worldWith({ settings: { agentRegistryUrls: ["http://registry.example"] } });
    await discover(world, "http://buyer.agents.example");
    const input = { product_id: "prod-53e78a97", agent_url: "http://buyer.agents.example/" };
    const priced = await world.send({ caller: "advertiser", operation: "get_pricing", input });
    expect(priced.body["final_price"]).toBe(33.25);
    const quote = {
      ...input,
      deal_type: "PG",
      impressions: 5_000_000,
      flight_start: "2027-03-01",
      flight_end: "2027-03-31",
    };
    await world.send({ caller: "advertiser", operation: "request_quote", input: quote, dryRun: true });
    await world.send({ caller: "advertiser", operation: "request_quote", input: quote });
    await world.send({ caller: "anonymous", operation: "get_pricing", input });
    const rows = (await rowsOf(world, "trust_verification")).map(({ body }) => body);
    const told = { agent_url: "http://buyer.agents.example", verification_status: "registered" };
    const tiers = { claimed_tier: "advertiser", effective_tier: "seat" };
    expect(rows).toMatchObject([
      { ...told, ...tiers, operation: "get_pricing" },
      { ...told, ...tiers, operation: "request_quote" },
    ]);
  });

  test("a key bound to an agent leaves the record without naming it", async () => {
    const world = await worldWith({});
    const key = { seat_id: "s", agency_id: "a", advertiser_id: "x", agent_url: "https://stranger.example" };
    const made = await world.send({ caller: "operator", operation: "create_api_key", input: key });
    const input = { product_id: "prod-53e78a97" };
    await world.send({ caller: String(made.body["api_key"]), operation: "get_pricing", input });
    expect((await rowsOf(world, "trust_verification")).map(({ body }) => body)).toMatchObject([
      { agent_url: "https://stranger.example", agent_id: null, claimed_tier: "advertiser", effective_tier: "public" },
    ]);
  });
});
