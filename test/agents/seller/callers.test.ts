import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCallerDirectory } from "../../../agents/seller/ports/callers.ts";
import type { Caller } from "../../../protocol/seam/caller.ts";
import { create, remove, update } from "../../../protocol/seam/changes.ts";
import type { CallerDirectory } from "../../../protocol/seam/ports.ts";
import { isRefusal, type Refusal } from "../../../protocol/neutral/refusals.ts";
import { apiKeyKind, type ApiKeyRow } from "../../../skills/seller/api-keys/record.ts";
import { normalisedUrl } from "../../../skills/seller/registry/agent-url.ts";
import type { Change, StoredRow, StoreReader } from "../../../storage/store.ts";
import { covers } from "../../requirements.ts";
import { openWorld, type World } from "../../skills/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const register = async (url: string, status: string, id = "agent-1"): Promise<void> => {
  const loaded = await world.store.get("agent", id);
  const body = { agent_id: id, url, trust_status: status };
  const change = {
    op: "put",
    kind: "agent",
    id,
    expect: loaded?.version ?? 0,
    body,
    terms: [`url=${url}`],
    dueAtMs: null,
  };
  await world.store.commit({ changes: [change as never], audit: null });
};

const priceFor = async (caller: string, agentUrl?: string): Promise<unknown> => {
  const input = { product_id: "prod-53e78a97", ...(agentUrl === undefined ? {} : { agent_url: agentUrl }) };
  const reply = await world.send({ caller, operation: "get_pricing", input });
  return reply.code ?? reply.body["final_price"];
};

const boundKey = async (agentUrl: string): Promise<string> => {
  const input = { seat_id: "s", agency_id: "a", advertiser_id: "x", agent_url: agentUrl };
  const reply = await world.send({ caller: "operator", operation: "create_api_key", input });
  return String(reply.body["api_key"]);
};

describe("trust of the calling agent", () => {
  test.each([
    ["unknown", 35],
    ["registered", 33.25],
    ["approved", 29.75],
    ["preferred", 29.75],
    ["blocked", "agent_blocked"],
  ])("an advertiser's key that names an agent of trust %s is priced at %s", async (status, price) => {
    covers("seller.auth.ceiling.approved", "seller.auth.ceiling.blocked", "seller.auth.ceiling.lower-counts");
    covers("seller.auth.ceiling.preferred", "seller.auth.ceiling.registered", "seller.auth.ceiling.unknown");
    await register("https://buyer.example", status);
    expect(await priceFor("advertiser", "https://buyer.example/")).toBe(price);
  });

  test("a named agent never raises a key above its own identity", async () => {
    covers("seller.auth.ceiling.lower-counts", "seller.auth.tier.seat");
    await register("https://buyer.example", "preferred");
    expect(await priceFor("seat", "https://buyer.example")).toBe(33.25);
    expect(await priceFor("anonymous", "https://buyer.example")).toBe(35);
  });

  test("the agent that a key is bound to caps it on every request, and a block shuts it out at once", async () => {
    await register("https://buyer.example/agent", "registered");
    const key = await boundKey("https://BUYER.example:443/agent/");
    expect(await priceFor(key)).toBe(33.25);
    await register("https://buyer.example/agent", "approved");
    expect(await priceFor(key)).toBe(29.75);
    await register("https://buyer.example/agent", "blocked");
    expect(await priceFor(key)).toBe("agent_blocked");
    const list = await world.send({ caller: key, operation: "list_products", input: {} });
    expect([list.code, list.status]).toStrictEqual(["agent_blocked", 403]);
  });

  test("of the bound and the named agent the lower ceiling counts", async () => {
    await register("https://buyer.example", "approved", "agent-1");
    await register("https://other.example", "registered", "agent-2");
    const key = await boundKey("https://buyer.example");
    expect(await priceFor(key, "https://other.example")).toBe(33.25);
    expect(await priceFor(key, "https://nobody.example")).toBe(35);
  });

  test.each([
    ["https://Buyer.Example", "https://buyer.example"],
    ["https://buyer.example:443/", "https://buyer.example"],
    ["http://buyer.example:80//", "http://buyer.example"],
    ["https://buyer.example./a/../b/?q=1#f", "https://buyer.example/b"],
    ["https://user:pass@buyer.example:8443/a/", "https://buyer.example:8443/a"],
    ["ftp://buyer.example", null],
    ["javascript:alert(1)", null],
    ["not a url", null],
  ])("an agent's URL %s is the agent %s", (given, normal) => {
    expect(normalisedUrl(given)).toBe(normal);
  });
});

describe("registry switched off", () => {
  test("a named agent reaches public whoever it is, and a blocked one stays blocked", async () => {
    covers("seller.auth.setting.registry-enabled");
    await world.close();
    world = await openWorld({ settings: { agentRegistryEnabled: false } });
    await register("https://buyer.example", "preferred", "agent-1");
    await register("https://bad.example", "blocked", "agent-2");
    expect(await priceFor("advertiser", "https://buyer.example")).toBe(35);
    expect(await priceFor("advertiser", "https://bad.example")).toBe("agent_blocked");
    expect(await priceFor("advertiser")).toBe(29.75);
  });
});

const openDirectory = (store: Pick<StoreReader, "get" | "list"> = world.store): CallerDirectory =>
  createCallerDirectory({
    store,
    settings: { apiKeyAuthEnabled: true },
    trust: { ofAgent: () => Promise.reject(new Error("no agent is bound")) },
    clock: { nowMs: () => Date.now() },
    uses: { note: () => undefined },
  });

const limitKeyOf = (found: Caller | Refusal): string => (isRefusal(found) ? found.code : found.limitKey);

describe("what limits count of a key", () => {
  const limitKeys = async (maker: string, addresses: readonly string[]): Promise<readonly string[]> => {
    const reply = await world.send({ caller: maker, operation: "create_api_key", input: { seat_id: "s" } });
    const directory = openDirectory();
    const found = await Promise.all(addresses.map((address) => directory.find(String(reply.body["api_key"]), address)));
    return found.map(limitKeyOf);
  };

  test("an unverified key counts for its host, whichever address of its network that takes", async () => {
    const [first, same, other] = await limitKeys("anonymous", ["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"]);
    expect(first).toBe("address:2001:db8:0:0::/64");
    expect(same).toBe(first);
    expect(other).not.toBe(first);
  });

  test("a verified key counts by itself, wherever it is used", async () => {
    const [first, other] = await limitKeys("operator", ["192.0.2.1", "2001:db8::1"]);
    expect(first).toMatch(/^key:key-/);
    expect(other).toBe(first);
  });

  test("an unverified key that is known counts for each host that uses it", async () => {
    const [first, other, again] = await limitKeys("anonymous", ["192.0.2.1", "192.0.2.2", "192.0.2.1"]);
    expect([first, other, again]).toStrictEqual(["address:192.0.2.1", "address:192.0.2.2", "address:192.0.2.1"]);
  });
});

describe("a key that was used before", () => {
  const keyOf = async (): Promise<{ secret: string; row: StoredRow<ApiKeyRow> }> => {
    const reply = await world.send({ caller: "operator", operation: "create_api_key", input: { seat_id: "s" } });
    const row = await world.store.get("api_key", String(reply.body["key_id"]));
    return { secret: String(reply.body["api_key"]), row: row as StoredRow<ApiKeyRow> };
  };

  const commit = (...changes: readonly Change[]): Promise<unknown> => world.store.commit({ changes, audit: null });

  test("is looked up by its id, and searched for again when its row has changed", async () => {
    const { secret, row } = await keyOf();
    const asked: string[] = [];
    const directory = openDirectory({
      get: (kind, id) => {
        asked.push(`get ${id}`);
        return world.store.get(kind, id);
      },
      list: (query) => {
        asked.push("list");
        return world.store.list(query);
      },
    });
    const find = async (): Promise<string> => limitKeyOf(await directory.find(secret, "192.0.2.1"));
    expect([await find(), await find()]).toStrictEqual([`key:${row.id}`, `key:${row.id}`]);
    await commit(update(apiKeyKind, row, { ...row.body, life: { ...row.body.life, value: "revoked" } }));
    expect([await find(), await find()]).toStrictEqual(["api_key_revoked", "api_key_revoked"]);
    expect(asked).toStrictEqual(["list", `get ${row.id}`, `get ${row.id}`, "list", `get ${row.id}`]);
  });

  test("opens nothing once its row is gone, nor when another key has taken its id", async () => {
    const { secret, row } = await keyOf();
    const directory = openDirectory();
    const find = async (): Promise<string> => limitKeyOf(await directory.find(secret, "192.0.2.1"));
    expect(await find()).toBe(`key:${row.id}`);
    await commit(remove(apiKeyKind, row));
    expect(await find()).toBe("invalid_api_key");
    await commit(create(apiKeyKind, row.id, { ...row.body, secret_sha256: "0".repeat(64) }));
    expect((await world.store.get("api_key", row.id))?.version).toBe(row.version);
    expect(await find()).toBe("invalid_api_key");
  });
});
