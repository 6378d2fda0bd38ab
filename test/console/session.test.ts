import { request as rawRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintConsoleCode } from "../../agents/console/codes.ts";
import { createConsoleSessions } from "../../agents/console/sessions.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { createSeller } from "../../agents/seller/app.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { Store } from "../../storage/store.ts";
import { plainSettings } from "../skills/world.ts";
import { bookingOf, serveConsole, type Served } from "./harness.ts";

let seller: Served;
beforeAll(async () => {
  seller = await serveConsole();
});
afterAll(() => seller.close());

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  readonly cookie: string | null;
}

/** Not `fetch`, which sets Origin and Sec-Fetch-Site itself. */
const ask = (method: string, path: string, headers: Headers = {}, body?: unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = rawRequest(new URL(path, seller.url), { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => {
        const [cookie] = response.headers["set-cookie"] ?? [];
        const isJson = response.headers["content-type"]?.includes("json") === true;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Headers,
          body: isJson && text !== "" ? (JSON.parse(text) as Answer["body"]) : {},
          cookie: cookie ?? null,
        });
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

const own = { "X-Parley-Console": "1" };
const json = { ...own, "Content-Type": "application/json" };
const sessionPath = "/console/session";

const signIn = (body: unknown): Promise<Answer> => ask("POST", sessionPath, json, body);

const cookieOf = ({ cookie }: Answer): string => (cookie ?? "").split(";")[0] ?? "";

const signedIn = async (): Promise<string> => cookieOf(await signIn({ key: seller.operatorKey }));

/** An operator's read: 200 with the session, 401 without. */
const read = async (headers: Headers): Promise<number> => (await ask("GET", "/approvals", headers)).status;

test("a key signs in: the cookie is out of a script's reach and is not the key", async () => {
  const answer = await signIn({ key: seller.operatorKey });
  expect(answer.status).toBe(201);
  expect(answer.cookie).toMatch(/^parley-seller=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(answer.cookie).not.toContain(seller.operatorKey);
  expect(answer.body).toMatchObject({ signed_in: true, role: "operator", label: "operator of the tests" });
  expect(JSON.stringify(seller.world.changes())).not.toContain(cookieOf(answer).split("=")[1]);
  expect(await read({ ...own, Cookie: cookieOf(answer) })).toBe(200);
});

test("no wrong key, code or buyer's key signs in, and each is refused in the same words", async () => {
  const wrong = [
    { key: "ask_live_unknown" },
    { key: seller.world.secretOf("agency") },
    { code: "AAAA-BBBB" },
    { key: 7 },
    {},
    { key: "" },
  ];
  const answers = await Promise.all(wrong.map(signIn));
  const said = new Set(answers.map(({ status, body }) => `${status} ${String(body["message"])}`));
  expect([...said]).toHaveLength(1);
  expect(answers[0]?.status).toBe(401);
  expect(answers.every(({ cookie }) => cookie === null)).toBe(true);
});

test("the cookie counts from the console's own page alone", async () => {
  const Cookie = await signedIn();
  const { host } = new URL(seller.url);
  expect(await read({ Cookie })).toBe(401);
  expect(await read({ Cookie, "X-Parley-Console": "yes" })).toBe(401);
  expect(await read({ Cookie, ...own, "Sec-Fetch-Site": "same-site" })).toBe(401);
  expect(await read({ Cookie, ...own, "Sec-Fetch-Site": "cross-site" })).toBe(401);
  expect(await read({ Cookie, ...own, Origin: "http://evil.example" })).toBe(401);
  expect(await read({ Cookie, ...own, Origin: "http://127.0.0.1:9" })).toBe(401);
  expect(await read({ Cookie, ...own, Origin: "null" })).toBe(401);
  expect(await read({ Cookie, ...own, Origin: `http://${host}`, "Sec-Fetch-Site": "same-origin" })).toBe(200);
});

test("no preflight allows the header that a cookie needs", async () => {
  const asked = { Origin: "http://evil.example", "Access-Control-Request-Method": "GET" };
  const headers = { ...asked, "Access-Control-Request-Headers": "X-Parley-Console, content-type" };
  const answer = await ask("OPTIONS", "/approvals", headers);
  expect(answer.headers["access-control-allow-headers"]?.toLowerCase()).not.toContain("x-parley-console");
});

test("a key in the request counts before the cookie", async () => {
  const Cookie = await signedIn();
  expect(await read({ Cookie, ...own, "X-API-Key": "ask_live_unknown" })).toBe(401);
  expect(await read({ Cookie, ...own, Authorization: "Bearer ask_live_unknown" })).toBe(401);
});

test("another site can neither sign a person in nor out", async () => {
  const Cookie = await signedIn();
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  expect((await ask("POST", sessionPath, form, { key: seller.operatorKey })).status).toBe(400);
  expect((await ask("POST", sessionPath, { "Content-Type": "application/json" }, { key: "x" })).status).toBe(400);
  expect((await ask("DELETE", sessionPath, { Cookie })).status).toBe(400);
  expect((await ask("DELETE", sessionPath, { Cookie, ...own, Origin: "http://evil.example" })).status).toBe(400);
  expect(await read({ Cookie, ...own })).toBe(200);
});

test("who looks at the session is answered 200, signed in or not", async () => {
  const Cookie = await signedIn();
  expect(await ask("GET", sessionPath, { Cookie, ...own })).toMatchObject({ status: 200, body: { signed_in: true } });
  const none = { status: 200, body: { signed_in: false, agent: "seller" } };
  expect(await ask("GET", sessionPath, own)).toMatchObject(none);
  expect(await ask("GET", sessionPath, { Cookie })).toMatchObject(none);
  expect(await ask("GET", sessionPath, { Cookie: "parley-seller=none", ...own })).toMatchObject(none);
});

test("signing out ends the session, and all of the key when asked", async () => {
  const [one, two, three] = [await signedIn(), await signedIn(), await signedIn()];
  const out = await ask("DELETE", sessionPath, { Cookie: one, ...own });
  expect(out.cookie).toContain("Max-Age=0");
  expect(await read({ Cookie: one, ...own })).toBe(401);
  expect(await read({ Cookie: two, ...own })).toBe(200);
  await ask("DELETE", `${sessionPath}?all=true`, { Cookie: two, ...own });
  expect(await read({ Cookie: two, ...own })).toBe(401);
  expect(await read({ Cookie: three, ...own })).toBe(401);
});

test("signing out everywhere ends the stream of another browser at once, not with its next heartbeat", async () => {
  const [one, two] = [await signedIn(), await signedIn()];
  const ended = ask("GET", "/events/stream", { Cookie: one, ...own });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const startMs = performance.now();
  await ask("DELETE", `${sessionPath}?all=true`, { Cookie: two, ...own });
  expect((await ended).status).toBe(200);
  expect(performance.now() - startMs).toBeLessThan(5000);
});

test("a revoked key ends its sessions at once", async () => {
  const key = await seller.send("operator", "create_operator_key", { label: "leaver" });
  const Cookie = cookieOf(await signIn({ key: key["api_key"] }));
  expect(await read({ Cookie, ...own })).toBe(200);
  await seller.send("operator", "revoke_api_key", { key_id: key["key_id"] });
  expect(await read({ Cookie, ...own })).toBe(401);
});

test("a viewer reads, and is refused when it writes by hand", async () => {
  const key = await seller.send("operator", "create_operator_key", { label: "looker", role: "viewer" });
  const Cookie = cookieOf(await signIn({ key: key["api_key"] }));
  expect(await read({ Cookie, ...own })).toBe(200);
  const write = await ask("POST", "/auth/api-keys/operator", { ...json, Cookie }, { label: "mine" });
  expect(write).toMatchObject({ status: 403, body: { error: "operator_required" } });
});

test("a one-time code signs in once, within ten minutes", async () => {
  const { world } = seller;
  const keyId = String((await seller.send("operator", "create_operator_key", { label: "coded" }))["key_id"]);
  const code = await mintConsoleCode(world.store, keyId, world.nowMs());
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
  const raced = await Promise.all([signIn({ code }), signIn({ code: code.toLowerCase() })]);
  expect(new Set(raced.map(({ status }) => status))).toEqual(new Set([201, 401]));
  expect((await signIn({ code })).status).toBe(401);
  const late = await mintConsoleCode(world.store, keyId, world.nowMs() - 11 * 60_000);
  expect((await signIn({ code: late })).status).toBe(401);
});

test("a session holds in every process over one store, and ends in all of them", async () => {
  const value = await signedIn();
  const { store, nowMs } = seller.world;
  const silent = () => undefined;
  const log = { info: silent, warn: silent, error: silent };
  const catalog = createCatalog(defaultProducts);
  const replica = createSeller({ store, settings: plainSettings, catalog, clock: { nowMs }, log });
  const claim = { apiKey: null, authorization: null, cookies: value, address: "127.0.0.1" };
  expect(await replica.runner.admit(claim).who()).toMatchObject({ kind: "key", roles: ["operator"] });
  await ask("DELETE", sessionPath, { Cookie: value, ...own });
  expect(await replica.runner.admit(claim).who()).toMatchObject({ code: "authentication_required" });
  await replica.stop();
});

test("a key has at most twenty sessions: the oldest ends", async () => {
  const key = await seller.send("operator", "create_operator_key", { label: "many" });
  const cookies: string[] = [];
  for (let at = 0; at < 21; at += 1) cookies.push(cookieOf(await signIn({ key: key["api_key"] })));
  expect(await read({ Cookie: cookies[0] ?? "", ...own })).toBe(401);
  expect(await read({ Cookie: cookies[1] ?? "", ...own })).toBe(200);
  expect(await read({ Cookie: cookies[20] ?? "", ...own })).toBe(200);
});

test("sign-ins that read the same twenty sessions all end well", async () => {
  const stored = openMemoryStore();
  const met = async <T>(found: Promise<T>): Promise<T> => {
    const rows = await found;
    await new Promise((resolve) => setImmediate(resolve));
    return rows;
  };
  const store = { ...stored, list: (query: Parameters<Store["list"]>[0]) => met(stored.list(query)) };
  const sessions = createConsoleSessions({
    store,
    clock: { nowMs: () => seller.world.nowMs() },
    cookieName: "parley-seller",
    directory: { find: () => Promise.reject(new Error("unused")), ofKey: () => Promise.reject(new Error("unused")) },
  });
  for (let at = 0; at < 20; at += 1) await sessions.open("key-1", "127.0.0.1");
  const opened = await Promise.all(Array.from({ length: 8 }, () => sessions.open("key-1", "127.0.0.1")));
  expect(new Set(opened.map(({ value }) => value)).size).toBe(8);
});

test("a session ends after two idle hours, and after twelve hours in use", async () => {
  const hourMs = 3_600_000;
  const idle = await signedIn();
  seller.world.advance(2 * hourMs);
  expect(await read({ Cookie: idle, ...own })).toBe(401);
  const used = await signedIn();
  for (let hour = 1; hour < 12; hour += 1) {
    seller.world.advance(hourMs);
    expect(await read({ Cookie: used, ...own })).toBe(200);
  }
  seller.world.advance(hourMs);
  expect(await read({ Cookie: used, ...own })).toBe(401);
});

test("the page is served under a policy without inline code, its files for good", async () => {
  const page = await ask("GET", "/console/approvals/any.thing");
  expect(page.headers).toMatchObject({ "cache-control": "no-cache", "cross-origin-opener-policy": "same-origin" });
  const policy = page.headers["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain("unsafe");
  const html = await (await fetch(new URL("/console/", seller.url))).text();
  const files = [...html.matchAll(/\/console\/assets\/[\w.-]+/g)].map(([path]) => path);
  const kinds = files.map((path) => /assets\/(\w+)-/.exec(path)?.[1]);
  expect(new Set(kinds)).toEqual(new Set(["icon", "style", "main", "chunk", "seller", "screen"]));
  expect(kinds.filter((kind) => kind === "screen")).toHaveLength(1);
  for (const path of files) {
    const file = await ask("GET", path, { "Accept-Encoding": "gzip;q=0.5, br" });
    expect(file.headers).toMatchObject({ "content-encoding": "br", vary: "Accept-Encoding" });
    expect(file.headers["cache-control"]).toContain("immutable");
  }
  const escapes = ["/console/assets/..%2f..%2fpackage.json", "/console/assets/index.html", "/console/assets/none.js"];
  for (const path of escapes) expect((await ask("GET", path)).status).toBe(404);
  expect(await ask("GET", "/console")).toMatchObject({ status: 308, headers: { location: "/console/" } });
});

test("the page of each screen asks for all its scripts at once, and that of an unknown one for those of the first", async () => {
  const scriptsAt = async (path: string): Promise<readonly string[]> => {
    const html = await (await fetch(new URL(path, seller.url))).text();
    return [...html.matchAll(/modulepreload" href="([^"]+)"/g)].map(([, href = ""]) => href);
  };
  const [first, deals, deal] = await Promise.all(["/console/", "/console/deals", "/console/deals/D-1"].map(scriptsAt));
  expect(deal).toEqual(deals);
  expect(await scriptsAt("/console/nowhere")).toEqual(first);
  expect(await scriptsAt("/console/constructor")).toEqual(first);
  const named = new Set(deals);
  for (const path of deals ?? []) {
    const text = await (await fetch(new URL(path, seller.url))).text();
    const imported = [...text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, name]) => `/console/assets/${name}`);
    expect(imported.filter((other) => !named.has(other))).toEqual([]);
  }
});

test("the session names the newest event, which a stream goes on behind", async () => {
  const Cookie = await signedIn();
  const newest = async (): Promise<string> => {
    const { newest_event_id: id } = (await ask("GET", sessionPath, { Cookie, ...own })).body;
    return typeof id === "string" ? id : "0";
  };
  const before = await newest();
  const made = await seller.send("operator", "create_api_key", { label: "new", agency_id: "agency-new" });
  expect(made).toMatchObject({ api_key: expect.any(String) });
  await bookingOf(seller, String(made["api_key"]));
  const after = await newest();
  const [last] = (await seller.send("operator", "list_events", { limit: 1 }))["events"] as { event_id: string }[];
  expect(after).toBe(last?.event_id);
  expect(after).not.toBe(before);
  const gone = new AbortController();
  const headers = { Cookie, ...own, "Last-Event-ID": before };
  const stream = await fetch(new URL("/events/stream", seller.url), { headers, signal: gone.signal });
  const told = stream.body?.pipeThrough(new TextDecoderStream());
  let text = "";
  for await (const piece of told ?? []) {
    text += piece;
    if (text.includes(`id: ${after}`)) break;
  }
  expect(text.match(/^id: /gm)?.length).toBeGreaterThan(0);
  expect(text).not.toContain(`id: ${before}\n`);
  gone.abort();
});

test("the sessions of a key are listed and ended by that key alone, and their values are never shown", async () => {
  const keyOf = async (label: string) =>
    String((await seller.send("operator", "create_operator_key", { label }))["api_key"]);
  const [mine, theirs] = [await keyOf("two places"), await keyOf("somebody else")];
  const [here, there, stranger] = await Promise.all(
    [mine, mine, theirs].map(async (key) => cookieOf(await signIn({ key }))),
  );
  const listed = await ask("GET", "/console/sessions", { ...own, Cookie: here ?? "" });
  const rows = listed.body["sessions"] as { session_id: string; is_this: boolean; address: string }[];
  expect([rows.length, rows.filter((row) => row.is_this).length]).toEqual([2, 1]);
  expect(rows[0]?.address).toMatch(/127\.0\.0\.1|::1/);
  for (const value of [here, there]) expect(JSON.stringify(rows)).not.toContain(value?.split("=")[1]);
  expect((await ask("GET", "/console/sessions", { Cookie: here ?? "" })).status).toBe(401);
  expect((await ask("GET", "/console/sessions", { ...own })).status).toBe(401);
  const path = `/console/sessions/${rows.find((row) => !row.is_this)?.session_id ?? ""}`;
  expect((await ask("DELETE", path, { ...own, Cookie: stranger ?? "" })).status).toBe(404);
  expect((await ask("DELETE", path, { Cookie: here ?? "" })).status).toBe(401);
  expect(await read({ ...own, Cookie: there ?? "" })).toBe(200);
  const ended = await ask("DELETE", path, { ...own, Cookie: here ?? "" });
  expect([ended.status, (ended.body["sessions"] as unknown[]).length]).toEqual([200, 1]);
  expect(await read({ ...own, Cookie: there ?? "" })).toBe(401);
  expect((await ask("DELETE", path, { ...own, Cookie: here ?? "" })).status).toBe(404);
  expect(await read({ ...own, Cookie: here ?? "" })).toBe(200);
});
