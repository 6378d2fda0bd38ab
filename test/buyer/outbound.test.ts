import { readFile, rm, stat } from "node:fs/promises";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBuyer } from "../../agents/buyer/app.ts";
import { createSeal, readSecret, secretOfDirectory } from "../../agents/buyer/clients/seal.ts";
import { buyerSettingsOf, buyerSettingTable } from "../../agents/buyer/config.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import { answerJson, type Loopback, type Respond, startLoopback } from "../client/loopback.ts";
import { covers } from "../requirements.ts";
import { callAgent, logTo, movableClock, openBuyer, plainBuyer } from "./world.ts";

const serverOf = async (respond: Respond): Promise<Loopback> => {
  const server = await startLoopback(respond);
  onTestFinished(() => server.close());
  return server;
};

const folder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "parley-seal-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

const buyerOf = async (settings: Partial<typeof plainBuyer>) => {
  const world = await openBuyer(settings);
  const seal = createSeal(Buffer.alloc(32, 3));
  const clock = movableClock();
  const all = { ...plainBuyer, ...settings };
  const buyer = createBuyer({ store: world.store, settings: all, clock, log: logTo(world.lines), seal });
  onTestFinished(async () => {
    await buyer.stop();
    await world.close();
  });
  return { ...world, buyer };
};

describe("stored seller keys", () => {
  test("a key lies encrypted in the store, in no log, and reads again under its own label alone", async () => {
    covers("buyer.seller-keys.obfuscated", "buyer.seller-keys.get");
    const key = "ask_live_canary_0123456789";
    const server = await serverOf((_request, response) => answerJson(response, 200, { seller_name: "S" }));
    const { buyer, store, lines } = await buyerOf({});
    await callAgent(buyer, "get_seller_media_kit", { seller_url: server.url });
    expect(server.seen[0]?.headers["x-api-key"]).toBeUndefined();
    await callAgent(buyer, "set_seller_key", { seller_url: `${server.url}/path/`, api_key: key });
    const rows = await store.list({ kind: "seller_key", terms: [], order: "oldest", limit: 10 });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(key).toString("base64").slice(0, 20));
    await callAgent(buyer, "get_seller_media_kit", { seller_url: server.url });
    expect(server.seen.at(-1)?.headers["x-api-key"]).toBe(key);
    expect(lines.join()).not.toContain(key);
    const sealed = createSeal(Buffer.alloc(32, 1)).close(key, "https://a.example");
    expect(createSeal(Buffer.alloc(32, 1)).open(sealed, "https://a.example")).toBe(key);
    expect(createSeal(Buffer.alloc(32, 1)).open(sealed, "https://b.example")).toBeNull();
    expect(createSeal(Buffer.alloc(32, 2)).open(sealed, "https://a.example")).toBeNull();
    expect(createSeal(Buffer.alloc(32, 1)).open(`${sealed.slice(0, -3)}AAA`, "https://a.example")).toBeNull();
    expect(createSeal(Buffer.alloc(32, 1)).open("v1.", "https://a.example")).toBeNull();
  });

  test("the secret of a data directory is made once, for its owner alone", async () => {
    const dir = folder();
    const secret = secretOfDirectory(dir);
    expect(secretOfDirectory(dir)).toEqual(secret);
    const path = join(dir, "seller-keys.secret");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(readSecret((await readFile(path, "utf8")).trim())).toEqual(secret);
    const { chmod, writeFile } = await import("node:fs/promises");
    await chmod(path, 0o644);
    expect(() => secretOfDirectory(dir)).toThrow(/chmod 600/);
    await chmod(path, 0o600);
    await writeFile(path, "short");
    expect(() => secretOfDirectory(dir)).toThrow(/holds no secret/);
  });

  test("SELLER_KEYS_SECRET is 32 bytes in hex or base64", () => {
    const bytes = Buffer.alloc(32, 9);
    expect(readSecret(bytes.toString("hex"))).toEqual(bytes);
    expect(readSecret(bytes.toString("base64"))).toEqual(bytes);
    expect(readSecret("secret")).toBeNull();
    expect(() => readSettings(buyerSettingTable, { SELLER_KEYS_SECRET: "secret" })).toThrow(/32 bytes/);
  });
});

describe("calls to sellers", () => {
  test("a media kit call has the seller's own key, and its filters", async () => {
    covers("buyer.media-kit.key-header", "buyer.media-kit.legacy-key", "buyer.media-kit.list-filters");
    const server = await serverOf((_request, response) => answerJson(response, 200, { packages: [] }));
    const sellers = [{ url: server.url, key: "configured-key", headerType: "api_key" as const }];
    const { buyer } = await buyerOf({ sellers, legacyApiKey: "legacy" });
    await callAgent(buyer, "list_seller_packages", { layer: "curated", featured_only: true });
    await callAgent(buyer, "list_seller_packages", {});
    expect(server.seen.map(({ headers }) => headers["x-api-key"])).toEqual(["configured-key", "configured-key"]);
    expect(server.seen.map(({ path }) => path)).toEqual([
      "/media-kit/packages?limit=500&layer=curated&featured_only=true",
      "/media-kit/packages?limit=500",
    ]);
  });

  test("sellers are asked for their kits at the same time", async () => {
    covers("buyer.media-kit.aggregate-parallel");
    const waiting: (() => void)[] = [];
    // Nobody is answered before everybody has asked.
    const respond: Respond = async (_request, response) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const go of waiting) go();
      });
      answerJson(response, 200, { packages: [{ package_id: "p", name: "P" }] });
    };
    const servers = [await serverOf(respond), await serverOf(respond), await serverOf(respond)];
    const { buyer } = await buyerOf({});
    const { output } = await callAgent(buyer, "list_seller_packages", { seller_urls: servers.map(({ url }) => url) });
    expect(output).toMatchObject({ warnings: [], total: 3 });
  });

  test("calls are given up after 30 seconds by default", () => {
    covers("buyer.media-kit.timeout-30s", "buyer.sessions.timeout-30s");
    expect(buyerSettingsOf(readSettings(buyerSettingTable, {})).sellerTimeoutSeconds).toBe(30);
  });

  test("a local store that fails does not fail the call", async () => {
    covers("buyer.client.store-failure-harmless");
    const quote = {
      quote_id: "qt-1",
      status: "available",
      product: { product_id: "p", name: "P" },
      pricing: { final_cpm: 10 },
      terms: {},
      deal_type: "PD",
    };
    const server = await serverOf((_request, response) => answerJson(response, 201, quote));
    const world = await openBuyer({});
    const store = { ...world.store, commit: () => Promise.reject(new Error("disk full")) };
    const buyer = createBuyer({ store, settings: plainBuyer, clock: movableClock(), log: logTo(world.lines) });
    onTestFinished(async () => {
      await buyer.stop();
      await world.close();
    });
    const answer = await callAgent(buyer, "request_quote", { seller_url: server.url, product_id: "p" });
    expect(answer).toMatchObject({ code: null, output: { quote_id: "qt-1", price: 10 } });
    expect(world.lines.join()).toContain("a deal could not be kept");
  });

  test("messages to one seller at once open one session", async () => {
    let sessions = 0;
    const server = await serverOf(async (request, response) => {
      if (request.path !== "/sessions") return answerJson(response, 200, { text: "hello" });
      sessions += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return answerJson(response, 201, { session_id: `s-${sessions}` });
    });
    const { buyer } = await buyerOf({ identity: { seat_id: "s" } });
    const said = await Promise.all(
      [1, 2, 3, 4].map((number) =>
        callAgent(buyer, "send_seller_message", { seller_url: server.url, message: `m${number}` }),
      ),
    );
    expect(said.map(({ output }) => output["session_id"])).toEqual(Array(4).fill("s-1"));
    expect(sessions).toBe(1);
  });
});
