import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProduct, parley, type Running, startParley } from "./program.ts";

const root = mkdtempSync(join(tmpdir(), "parley-log-"));
const data = ["--data", join(root, "seller")];

let seller: Running;
let url = "";
let key = "";

beforeAll(async () => {
  buildProduct();
  key = parley(["key", "create", "--agent", "seller", ...data, "--label", "log", "--quiet"]).out.trim();
  seller = startParley(["seller", "--port", "0", ...data], { DRAIN_SECONDS: "0" });
  await seller.until("listening on ");
  url = /listening on (\S+)/.exec(seller.out())?.[1] ?? "";
});
afterAll(async () => {
  await seller.stop("SIGTERM");
  rmSync(root, { recursive: true, force: true });
});

interface Line {
  readonly msg: string;
  readonly level: number;
  readonly [member: string]: unknown;
}

const lines = (): readonly Line[] =>
  seller
    .err()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

const levelNow = async (level?: string, as = key): Promise<{ status: number; body: unknown }> => {
  const answer = await fetch(`${url}/log-level`, {
    method: level === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
    ...(level === undefined ? {} : { body: JSON.stringify({ level }) }),
  });
  return { status: answer.status, body: await answer.json() };
};

const callsLogged = async (id: string): Promise<readonly string[]> => {
  await fetch(`${url}/products?limit=1`, { headers: { "request-id": id } });
  // The line of the request is the last.
  await expect.poll(() => lines().some((line) => line["request_id"] === id && line.msg === "request")).toBe(true);
  return lines()
    .filter((line) => line["request_id"] === id)
    .map(({ msg }) => msg);
};

describe("the log level while the agent runs", () => {
  test("an operator asks for it and changes it, which is itself a line; nobody else does", async () => {
    expect(await levelNow()).toEqual({ status: 200, body: { level: "info", configured: "info" } });
    expect(await callsLogged("level-1")).toEqual(["request"]);
    expect(await levelNow("debug")).toEqual({ status: 200, body: { level: "debug", configured: "info" } });
    expect(await callsLogged("level-2")).toEqual(["call", "request"]);
    const told = lines().find(({ msg }) => msg === "the log level changes");
    expect(told).toMatchObject({ from: "info", to: "debug", by: expect.stringMatching(/^key:key-|^key-/) });
    expect((await levelNow("loud")).status).toBe(422);
    expect((await levelNow("error", "ask_live_nobody")).status).toBe(401);
    const viewer = ["key", "create", "--agent", "seller", ...data, "-l", "look", "--role", "viewer", "--quiet"];
    const looks = parley(viewer).out.trim();
    expect((await levelNow("error", looks)).status).toBe(403);
    expect((await levelNow(undefined, looks)).body).toEqual({ level: "debug", configured: "info" });
  });

  test("SIGUSR2 goes from debug to what is configured, and to debug again", async () => {
    seller.process.kill("SIGUSR2");
    await expect.poll(async () => (await levelNow()).body).toMatchObject({ level: "info" });
    seller.process.kill("SIGUSR2");
    await expect.poll(async () => (await levelNow()).body).toMatchObject({ level: "debug" });
  });
});

describe("what a hostile caller sends is in no line, at debug", () => {
  const canary = "ask_live_canary-5e1f";
  const hostile = `canary-9c","level":50,"authorization":"x`;

  const send = async (method: string, path: string, headers: Record<string, string>, body = ""): Promise<number> => {
    const sent = request(new URL(path, url), { method, headers: { "content-type": "application/json", ...headers } });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [{ statusCode: number; resume(): void }];
    answer.resume();
    return answer.statusCode;
  };

  test("names and values of headers, paths, queries, bodies, operations and keys", async () => {
    await levelNow("debug");
    const asText = JSON.stringify;
    const credentials = { "x-api-key": canary, "x-canary-9c": hostile, cookie: `parley-session=${canary}` };
    await send("GET", `/products?api_key=${canary}&token=canary-9c`, credentials);
    await send("GET", `/api/v1/quotes/${canary}?canary-9c=1`, {});
    await send("GET", `/${canary}/canary-9c`, { authorization: `Basic ${canary}` });
    await send("POST", "/api/v1/quotes", {}, asText({ [hostile]: canary, product_id: canary, password: "canary-9c" }));
    await send("POST", "/api/v1/quotes", {}, `{"secret":"canary-9c`);
    await send("POST", "/mcp/call", {}, asText({ name: canary, arguments: { [hostile]: "canary-9c" } }));
    await send("POST", "/rpc", {}, asText({ jsonrpc: "2.0", id: canary, method: hostile, params: { token: canary } }));
    const asked = { seat_id: "seat-canary-9c", label: hostile };
    expect(await send("POST", "/auth/api-keys", { "x-api-key": key }, asText(asked))).toBeLessThan(500);
    const webhook = { url: "https://hooks.example/canary-9c?token=canary-9c", event_types: ["quote.created"] };
    expect(await send("POST", "/api/v1/webhooks", { "x-api-key": key }, asText(webhook))).toBeLessThan(500);
    await callsLogged("after-hostile");
    expect(seller.err()).not.toMatch(/canary/);
    expect(seller.err()).not.toContain(key);
    expect(lines().filter(({ level }) => level >= 50)).toEqual([]);
  });
});
