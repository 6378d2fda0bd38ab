import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { createSeller } from "../../agents/seller/app.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { openPostgresStore } from "../../storage/postgres/driver.ts";
import type { Store } from "../../storage/store.ts";
import { plainSettings, startMs } from "../skills/world.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";
import { serveConsole, type Served } from "./harness.ts";

const silent = () => undefined;
const log = { info: silent, warn: silent, error: silent };
const headers = { "X-Parley-Console": "1", "Content-Type": "application/json" };

interface SignedIn {
  readonly status: number;
  readonly setCookie: string;
  readonly cookie: string;
}

const signIn = async ({ url, operatorKey }: Served): Promise<SignedIn> => {
  const body = JSON.stringify({ key: operatorKey });
  const answer = await fetch(new URL("/console/session", url), { method: "POST", headers, body });
  const setCookie = answer.headers.get("set-cookie") ?? "";
  return { status: answer.status, setCookie, cookie: setCookie.split(";")[0] ?? "" };
};

const read = async ({ url }: Served, more: Readonly<Record<string, string>>): Promise<number> =>
  (await fetch(new URL("/approvals", url), { headers: { "X-Parley-Console": "1", ...more } })).status;

/** Another seller over the same rows. */
const callerIn = async (store: Store, cookies: string): Promise<unknown> => {
  const catalog = createCatalog(defaultProducts);
  const { runner, stop } = createSeller({
    store,
    settings: plainSettings,
    catalog,
    clock: { nowMs: () => startMs },
    log,
  });
  const who = await runner.admit({ apiKey: null, authorization: null, cookies, address: "127.0.0.1" }).who();
  await stop();
  return who;
};

const operator = { kind: "key", roles: ["operator"] };

const holdsAfterRestart = async (openStore: () => Promise<Store>): Promise<void> => {
  const seller = await serveConsole({}, { openStore });
  const { cookie } = await signIn(seller);
  await seller.close();
  const store = await openStore();
  expect(await callerIn(store, cookie)).toMatchObject(operator);
  expect(await callerIn(store, "parley-seller=none")).toMatchObject({ code: "authentication_required" });
  await store.close();
};

test("a session survives a restart on the embedded store", async () => {
  const dir = await mkdtemp(join(tmpdir(), "parley-sessions-"));
  await holdsAfterRestart(() => openLowdbStore({ dir }));
  await rm(dir, { recursive: true, force: true });
});

await describeOnPostgres("sessions on PostgreSQL", (url) => {
  const openIn = (schema: string) => () => openPostgresStore({ url, schema, log: silent, catchUpMs: 100 });

  test("a session survives a restart", () => holdsAfterRestart(openIn("restarted")));

  test("a session holds in two processes, and ends in both at once", async () => {
    const openStore = openIn("shared");
    const seller = await serveConsole({}, { openStore });
    const other = await openStore();
    const [one, two] = [await signIn(seller), await signIn(seller)];
    expect(await callerIn(other, one.cookie)).toMatchObject(operator);
    const out = { method: "DELETE", headers: { ...headers, Cookie: one.cookie } };
    await fetch(new URL("/console/session?all=true", seller.url), out);
    expect(await callerIn(other, one.cookie)).toMatchObject({ code: "authentication_required" });
    expect(await callerIn(other, two.cookie)).toMatchObject({ code: "authentication_required" });
    await other.close();
    await seller.close();
  });
});

describe("behind https", () => {
  test("the cookie is bound to the host and to https, and another of the plain name does not count", async () => {
    const seller = await serveConsole({ agentUrl: "https://ads.example" });
    const { status, setCookie, cookie } = await signIn(seller);
    expect(status).toBe(201);
    expect(setCookie).toMatch(
      /^__Host-parley-seller=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(await read(seller, { Cookie: cookie })).toBe(200);
    expect(await read(seller, { Cookie: cookie.replace("__Host-", "") })).toBe(401);
    expect(await read(seller, { Cookie: `parley-seller=planted; ${cookie}` })).toBe(200);
    const out = { method: "DELETE", headers: { ...headers, Cookie: cookie } };
    const ended = await fetch(new URL("/console/session", seller.url), out);
    expect(ended.headers.get("set-cookie")).toMatch(/^__Host-parley-seller=; Max-Age=0; Path=\/; HttpOnly; Secure/);
    expect(await read(seller, { Cookie: cookie })).toBe(401);
    await seller.close();
  });
});
