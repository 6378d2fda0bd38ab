import { describe, expect, onTestFinished, test } from "vitest";
import { fetch } from "undici";
import { bookBrief, type BuyerDoor, doorOfUrl } from "../../agents/buyer/jobs/book.ts";
import { createBuyer } from "../../agents/buyer/app.ts";
import { serve } from "../../agents/server/serve.ts";
import { readAllowList } from "../../protocol/client/address-guard.ts";
import { createClient } from "../../protocol/client/client.ts";
import { createOutbound } from "../../protocol/client/outbound.ts";
import { covers } from "../requirements.ts";
import type { Store } from "../../storage/store.ts";
import {
  type BuyerWorld,
  callAgent,
  type Clock,
  logTo,
  movableClock,
  openBuyer,
  plainBuyer,
  sampleBrief,
} from "./world.ts";

interface Served extends BuyerWorld {
  readonly url: string;
  ask(method: string, path: string, headers?: Record<string, string>, body?: unknown): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const servedBuyer = async (legacyApiKey: string | null = null, clock = movableClock()): Promise<Served> => {
  const world = await openBuyer({ legacyApiKey }, { clock });
  const served = await serve(world.buyer, { host: "127.0.0.1", port: 0, log: logTo(world.lines) });
  onTestFinished(async () => {
    await served.close();
    await world.close();
  });
  const ask: Served["ask"] = async (method, path, headers = {}, body) => {
    const response = await fetch(`${served.url}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  };
  return { ...world, url: served.url, ask };
};

const mint = async (world: BuyerWorld, label: string, more: object = {}): Promise<{ id: string; secret: string }> => {
  const { output } = await callAgent(world.buyer, "create_operator_key", { label, ...more });
  return { id: String(output["key_id"]), secret: String(output["api_key"]) };
};

describe("operator keys", () => {
  test("keys: minted on the host, shown once, stored as a hash alone", async () => {
    covers("buyer.auth.key-label", "buyer.auth.key-role", "buyer.auth.stored-hashed");
    const world = await servedBuyer();
    const { output } = await callAgent(world.buyer, "create_operator_key", { label: "desk", role: "senior" });
    expect(output).toEqual({
      key_id: expect.stringMatching(/^key-[0-9a-f]{8}$/) as string,
      api_key: expect.stringMatching(/^abk_live_[A-Za-z0-9_-]{43}$/) as string,
      role: "senior",
      label: "desk",
      expires_at: null,
      warning: "Store this key securely. It will not be shown again.",
    });
    const row = await world.store.get("operator_key", String(output["key_id"]));
    expect(JSON.stringify(row)).not.toContain(String(output["api_key"]));
    expect(row?.body).toMatchObject({ prefix_hint: `${String(output["api_key"]).slice(0, 12)}...` });
  });

  test("keys: every route but the public ones answers 401 in the buyer's shape without a key", async () => {
    covers("buyer.auth.allowlist", "buyer.auth.no-keyless-mode", "buyer.operator-keys.mint-needs-operator");
    const world = await servedBuyer();
    const routes: readonly [string, string][] = [
      ["POST", "/bookings"],
      ["GET", "/bookings"],
      ["GET", "/bookings/x"],
      ["POST", "/bookings/x/approve"],
      ["POST", "/bookings/x/approve-all"],
      ["POST", "/auth/api-keys/operator"],
      ["GET", "/auth/api-keys"],
      ["GET", "/auth/api-keys/x"],
      ["DELETE", "/auth/api-keys/x"],
    ];
    for (const [method, path] of routes) {
      const answer = await world.ask(method, path, {}, method === "POST" ? {} : undefined);
      expect([path, answer.status, Object.keys(answer.body).toSorted()]).toEqual([
        path,
        401,
        ["detail", "error", "help"],
      ]);
    }
    for (const { name, access, rest } of world.buyer.runner.contracts) {
      // The one open tool has no route.
      const wanted = name === "health_check" ? ["public", undefined] : ["operator", rest];
      expect([access, rest], name).toEqual(wanted);
    }
  });

  test("keys: both headers open the door, and a wrong brief is {error, detail} with its status", async () => {
    covers("buyer.auth.bearer", "buyer.auth.x-api-key", "buyer.errors.shape");
    const world = await servedBuyer();
    const { secret } = await mint(world, "desk");
    const bad = { brief: { ...sampleBrief, budget: 0 } };
    const answers = [
      await world.ask("POST", "/bookings", { "X-API-KEY": secret }, bad),
      await world.ask("POST", "/bookings", { authorization: `bearer ${secret}` }, bad),
    ];
    for (const answer of answers) {
      expect(answer).toEqual({
        status: 400,
        body: {
          error: "invalid_brief",
          detail: "budget must be greater than 0",
          help: "/guide/refusals/invalid_brief",
        },
      });
    }
    const created = await world.ask("POST", "/bookings", { "x-api-key": secret }, { brief: sampleBrief });
    expect(created).toMatchObject({ status: 200, body: { status: "pending" } });
    const page = await world.ask("GET", "/bookings?limit=1&offset=0", { "x-api-key": secret });
    expect(page).toMatchObject({ status: 200, body: { jobs: [{ campaign_name: "Spring launch" }], total: 1 } });
    const wrong = await world.ask("POST", "/bookings", { "x-api-key": secret }, { brief: [] });
    expect(wrong).toMatchObject({ status: 422, body: { error: "validation_error" } });
    expect(Array.isArray(wrong.body["detail"])).toBe(true);
    expect(await world.ask("GET", "/bookings/none", { "x-api-key": secret })).toEqual({
      status: 404,
      body: { error: "not_found", detail: "Booking job none not found", help: "/guide/refusals/not_found" },
    });
  });

  test("keys: unknown, revoked and expired ones are told apart, by the answer and in the log", async () => {
    covers("buyer.auth.key-expiry", "buyer.auth.key-revoked");
    const world = await servedBuyer();
    const revoked = await mint(world, "a");
    const expired = await mint(world, "b", { expires_in_days: 1 });
    await callAgent(world.buyer, "revoke_operator_key", { key_id: revoked.id });
    world.clock.move(86_400_000);
    const answers = await Promise.all(
      ["abk_live_nobody", revoked.secret, expired.secret].map((secret) =>
        world.ask("GET", "/bookings", { "x-api-key": secret }),
      ),
    );
    const told = (error: string, detail: string) => ({
      status: 401,
      body: { error, detail, help: `/guide/refusals/${error}` },
    });
    expect(answers).toEqual([
      told("invalid_api_key", "Invalid API key"),
      told("api_key_revoked", `API key ${revoked.id} has been revoked. Ask for a new one.`),
      told("api_key_expired", `API key ${expired.id} has expired. Ask for a new one.`),
    ]);
    expect(world.lines.join("\n")).toContain(revoked.id);
    expect(world.lines.join("\n")).not.toContain(revoked.secret);
  });

  test("keys: a label is taken once, also the empty one, and free again after the revocation", async () => {
    covers("buyer.auth.key-label", "buyer.auth.key-listed", "buyer.auth.key-revoked");
    const world = await servedBuyer();
    const races = await Promise.all(Array.from({ length: 8 }, () => callAgent(world.buyer, "create_operator_key", {})));
    const codes = races.map((reply) => reply.code ?? "done").toSorted();
    expect(codes).toEqual(["done", ...Array<string>(7).fill("label_in_use")]);
    const { output } = await callAgent(world.buyer, "list_operator_keys", {});
    expect(output).toMatchObject({ count: 1, total: 1, keys: [{ label: "", is_active: true, revoked: false }] });
    const [key] = output["keys"] as readonly { key_id: string }[];
    const gone = await callAgent(world.buyer, "revoke_operator_key", { key_id: key?.key_id });
    expect(gone.output).toMatchObject({ revoked: true, key: { is_active: false, revoked: true } });
    expect(await callAgent(world.buyer, "revoke_operator_key", { key_id: key?.key_id })).toEqual(gone);
    expect(await callAgent(world.buyer, "create_operator_key", {})).toMatchObject({ code: null });
  });

  test("keys: only a senior mints a senior", async () => {
    covers("buyer.auth.key-role", "buyer.operator-keys.mint");
    const world = await servedBuyer();
    const { secret } = await mint(world, "plain");
    const headers = { "x-api-key": secret };
    const answer = await world.ask("POST", "/auth/api-keys/operator", headers, { label: "x", role: "senior" });
    expect(answer).toMatchObject({ status: 403, body: { error: "senior_review_required" } });
    const plain = await world.ask("POST", "/auth/api-keys/operator", headers, { label: "x" });
    expect(plain).toMatchObject({ status: 200, body: { role: "operator" } });
  });

  test.each([0, -1, 1.5, "1", 36_501])("keys: expires_in_days of %j is refused", async (expires_in_days) => {
    const world = await servedBuyer();
    const reply = await callAgent(world.buyer, "create_operator_key", { label: "x", expires_in_days });
    expect(reply).toMatchObject({ code: "validation_error", status: 422 });
  });

  test("keys: an unknown id is 404, and a repeated creation shows no secret again", async () => {
    const world = await servedBuyer();
    expect(await callAgent(world.buyer, "get_operator_key", { key_id: "key-0" })).toMatchObject({ status: 404 });
    const first = await callAgent(world.buyer, "create_operator_key", { label: "x" }, "k1");
    const second = await callAgent(world.buyer, "create_operator_key", { label: "x" }, "k1");
    expect(second.output).toEqual({ ...first.output, api_key: null });
  });
});

const useOf = async (world: Served, secret: string, id: string): Promise<readonly unknown[]> => {
  const { body } = await world.ask("GET", `/auth/api-keys/${id}`, { "x-api-key": secret });
  return [body["use_count"], body["last_used_at"]];
};

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();

/** Stands still, so that times of use are exact. */
const stillClock = (): Clock => {
  let now = Date.UTC(2027, 0, 15, 12);
  return { nowMs: () => now, move: (byMs) => void (now += byMs) };
};

describe("uses of operator keys", () => {
  test("keys: a record tells how often the key was used and when last, requests refused later included", async () => {
    covers("buyer.auth.key-listed");
    const clock = stillClock();
    const world = await servedBuyer(null, clock);
    const [used, watching] = [await mint(world, "used"), await mint(world, "watching")];
    expect(await useOf(world, watching.secret, used.id)).toStrictEqual([0, null]);
    await world.ask("GET", "/bookings", { "x-api-key": used.secret });
    clock.move(1_000);
    const headers = { authorization: `Bearer ${used.secret}` };
    expect(await world.ask("GET", "/bookings/none", headers)).toMatchObject({ status: 404 });
    const lastMs = clock.nowMs();
    clock.move(1_000);
    await callAgent(world.buyer, "get_operator_key", { key_id: used.id });
    expect(await useOf(world, watching.secret, used.id)).toStrictEqual([2, isoOf(lastMs)]);
    const revoked = await world.ask("DELETE", `/auth/api-keys/${used.id}`, { "x-api-key": watching.secret });
    const key = { revoked: true, is_active: false, use_count: 2, last_used_at: isoOf(lastMs) };
    expect(revoked).toMatchObject({ status: 200, body: { key } });
    expect(await world.ask("GET", "/bookings", { "x-api-key": used.secret })).toMatchObject({ status: 401 });
    const { body } = await world.ask("GET", "/auth/api-keys", { "x-api-key": watching.secret });
    expect(body["keys"]).toMatchObject([
      { label: "used", use_count: 2, last_used_at: isoOf(lastMs) },
      { label: "watching", use_count: 4, last_used_at: isoOf(clock.nowMs()) },
    ]);
  });

  test("keys: a buyer that stops writes the uses, and the next one on its store counts on from them", async () => {
    const clock = stillClock();
    const world = await servedBuyer(null, clock);
    const { id, secret } = await mint(world, "desk");
    for (let times = 0; times < 3; times += 1) await world.ask("GET", "/bookings", { "x-api-key": secret });
    const use = { count: 3, lastAtMs: clock.nowMs() };
    expect((await world.store.get("operator_key", id))?.body).not.toHaveProperty("use");
    await world.buyer.stop();
    expect((await world.store.get("operator_key", id))?.body).toMatchObject({ use });
    const next = createBuyer({ store: world.store, settings: plainBuyer, clock, log: logTo([]) });
    onTestFinished(() => next.stop());
    const shown = { use_count: 3, last_used_at: isoOf(use.lastAtMs) };
    expect((await callAgent(next, "get_operator_key", { key_id: id })).output).toMatchObject(shown);
    clock.move(1_000);
    const served = await serve(next, { host: "127.0.0.1", port: 0, log: logTo([]) });
    onTestFinished(() => served.close());
    const response = await fetch(`${served.url}/auth/api-keys/${id}`, { headers: { "x-api-key": secret } });
    expect(await response.json()).toMatchObject({ use_count: 4, last_used_at: isoOf(clock.nowMs()) });
  });

  test("keys: uses that cannot be written are logged, and the buyer still stops", async () => {
    const world = await servedBuyer();
    const { secret } = await mint(world, "desk");
    const full: Store = { ...world.store, commit: () => Promise.reject(new Error("the disk is full")) };
    const lines: string[] = [];
    const buyer = createBuyer({ store: full, settings: plainBuyer, clock: world.clock, log: logTo(lines) });
    const served = await serve(buyer, { host: "127.0.0.1", port: 0, log: logTo(lines) });
    expect((await fetch(`${served.url}/bookings`, { headers: { "x-api-key": secret } })).status).toBe(200);
    await served.close();
    await buyer.stop();
    expect(lines.join("\n")).toContain("the disk is full");
  });
});

describe("booking at a buyer's URL", () => {
  test("book: a brief is booked through the URL with an operator key, and refused without one", async () => {
    const world = await servedBuyer();
    const { secret } = await mint(world, "desk");
    const outbound = createOutbound({ allow: readAllowList("127.0.0.1"), timeoutMs: 5_000 });
    onTestFinished(() => outbound.close());
    const doorWith = (apiKey: string): BuyerDoor =>
      doorOfUrl(createClient({ target: { baseUrl: world.url, apiKey }, outbound, log: logTo([]) }));
    const report = await bookBrief(doorWith(secret), sampleBrief, { autoApprove: true, pollMs: 5 });
    expect(report).toMatchObject({ status: "failed", errors: ["no seller is configured: set SELLER_ENDPOINTS"] });
    await expect(bookBrief(doorWith("abk_live_no"), sampleBrief, { autoApprove: true })).rejects.toThrow(
      "The buyer refused: invalid_api_key: Invalid API key",
    );
  });
});

describe("the legacy API_KEY", () => {
  test("legacy key: opens the door with a warning each time, until an operator key was ever minted", async () => {
    covers("buyer.auth.legacy.accepted", "buyer.auth.legacy.never-reopens");
    covers("buyer.auth.legacy.refused-with-keys", "buyer.auth.legacy.warning");
    const world = await servedBuyer("shared-secret");
    const ask = (secret: string): Promise<Answer> => world.ask("GET", "/bookings", { "x-api-key": secret });
    expect(await ask("shared-secret")).toMatchObject({ status: 200 });
    expect(await ask("shared-secret")).toMatchObject({ status: 200 });
    expect(world.lines.filter((line) => line.includes("API_KEY is deprecated"))).toHaveLength(2);
    expect(world.lines.join("\n")).not.toContain("shared-secret");
    expect(await ask("shared-secreT")).toMatchObject({ status: 401 });
    const { id } = await mint(world, "first");
    expect(await ask("shared-secret")).toMatchObject({ status: 401 });
    await callAgent(world.buyer, "revoke_operator_key", { key_id: id });
    expect(await ask("shared-secret")).toMatchObject({ status: 401 });
  });

  test("legacy key: an empty one opens nothing", async () => {
    covers("buyer.auth.empty-api-key");
    const world = await openBuyer({});
    onTestFinished(() => world.close());
    const settings = { ...plainBuyer, legacyApiKey: "" };
    const buyer = createBuyer({ store: world.store, settings, clock: world.clock, log: logTo([]) });
    onTestFinished(() => buyer.stop());
    const outcome = await buyer.runner.run({
      operation: "list_bookings",
      door: "rest",
      requestId: "r",
      input: () => ({ input: {} }),
      admission: buyer.runner.admit({ apiKey: "", authorization: "Bearer ", address: "127.0.0.1" }),
    });
    expect(outcome).toMatchObject({ kind: "refused", status: 401 });
  });
});
