import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { covers } from "../../requirements.ts";
import { readTestConfig } from "../harness/cases.ts";
import { call, type Sent } from "../harness/client.ts";
import { startTestEdge, type TestEdge } from "../harness/edge.ts";
import { startUpstream, type Upstream } from "../harness/upstream.ts";

const ADMIN = `Basic ${Buffer.from("ops:correct horse battery staple").toString("base64")}`;
const BROWSER = {
  "x-front-auth": "0123456789abcdef0123456789abcdef",
  "x-front-client-ip": "198.51.100.7",
  "x-front-ja4": "t13d1516h2_8daaf6152771_b0da82dd1658",
  "user-agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/120 Safari/537.36",
  "sec-fetch-dest": "document",
};

describe("edge A over its life", () => {
  let upstream: Upstream;
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  afterAll(async () => upstream.close());

  const start = async (extra = "", kept?: string): Promise<TestEdge> => {
    upstream ??= await startUpstream();
    const config = readTestConfig("base", upstream).replace("[debug]\n", `[debug]\n${extra}`);
    const data = kept ?? (await mkdtemp(join(tmpdir(), "parley-edge-data-")));
    if (kept === undefined) cleanups.push(() => rm(data, { recursive: true, force: true }));
    const edge = await startTestEdge("A", { config, data });
    cleanups.push(() => edge.close());
    return edge;
  };

  const ask = async (edge: TestEdge, sent: Sent) => {
    const got = await call(edge.url, { ...sent, headers: { authorization: ADMIN, ...sent.headers } });
    const text = got.body.toString();
    return { ...got, text, json: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {} };
  };
  const post = (edge: TestEdge, path: string, body: unknown) =>
    ask(edge, { method: "POST", path, body: JSON.stringify(body) });
  const kids = async (edge: TestEdge) => {
    const { json } = await ask(edge, { path: "/.well-known/parley-edge.json" });
    return (json as { jwks: { keys: { kid: string }[] } }).jwks.keys.map(({ kid }) => kid);
  };

  test("keys: a rotated key is published, survives a restart, and the old one can go", async () => {
    covers("edge.keys.document", "edge.keys.rotate", "edge.keys.rotate-basic-auth");
    covers("edge.routes.admin-keys.a");
    const first = await start();
    const rotated = await post(first, "/_ts/admin/keys/rotate", { kid: "next-key" });
    expect(rotated.status).toBe(200);
    expect(rotated.json).toMatchObject({
      success: true,
      message: "Key rotated successfully",
      new_kid: "next-key",
      previous_kid: "kid-abc",
      active_kids: ["kid-abc", "next-key"],
      jwk: { kty: "OKP", crv: "Ed25519", kid: "next-key", alg: "EdDSA" },
    });
    expect(await kids(first)).toEqual(["kid-abc", "next-key"]);
    await cleanups.pop()?.();

    const again = await start("", first.data);
    expect(await kids(again)).toEqual(["kid-abc", "next-key"]);
    const current = await post(again, "/_ts/admin/keys/deactivate", { kid: "next-key" });
    expect([current.status, current.json.success, current.json.error]).toEqual([
      500,
      false,
      "the key next-key is the current one; rotate first",
    ]);
    const gone = await post(again, "/_ts/admin/keys/deactivate", { kid: "kid-abc" });
    expect(gone.json).toEqual({
      success: true,
      message: "Key deactivated successfully",
      deactivated_kid: "kid-abc",
      deleted: false,
      remaining_active_kids: ["next-key"],
    });
    const signature = "VbNB6GMgQr4YHQzf8uUBZqWg39zhkKKIeg4uu5AhJ36GiCZynckOueq8wT3h_djGaNIq8CgRUNh4LHEpjmpmDA";
    const verify = { payload: "SGVsbG8gV29ybGQ=", signature, kid: "kid-abc" };
    expect((await post(again, "/verify-signature", verify)).json.verified).toBe(true);
    const deleted = await post(again, "/_ts/admin/keys/deactivate", { kid: "kid-abc", delete: true });
    expect(deleted.json).toMatchObject({ success: true, message: "Key deleted successfully", deleted: true });
    expect((await post(again, "/verify-signature", verify)).json).toMatchObject({
      verified: false,
      message: "Verification error",
    });
    expect(await kids(again)).toEqual(["next-key"]);
  });

  test("keys: where none is active the first rotation makes one, and it is published", async () => {
    covers("edge.keys.rotate-first", "edge.keys.empty");
    upstream ??= await startUpstream();
    const config = readTestConfig("base", upstream).replace(/\[config_stores\.jwks_store\][^[]*$/, "");
    const edge = await startTestEdge("A", { config });
    cleanups.push(() => edge.close());
    expect(await kids(edge)).toEqual([]);
    const first = await post(edge, "/_ts/admin/keys/rotate", { kid: "first-key" });
    expect(first.json).toMatchObject({ success: true, new_kid: "first-key", active_kids: ["first-key"] });
    expect(await kids(edge)).toEqual(["first-key"]);
  });

  test("keys: without a name the day names the key, and a second one of the day differs", async () => {
    const edge = await start();
    const one = await ask(edge, { method: "POST", path: "/_ts/admin/keys/rotate" });
    const two = await ask(edge, { method: "POST", path: "/_ts/admin/keys/rotate" });
    expect(one.json.new_kid).toMatch(/^ts-\d{4}-\d{2}-\d{2}$/);
    expect(two.json.new_kid).toMatch(/^ts-\d{4}-\d{2}-\d{2}-[0-9a-f]{32}$/);
    const many = await Promise.all(
      Array.from({ length: 5 }, () => ask(edge, { method: "POST", path: "/_ts/admin/keys/rotate" })),
    );
    expect(new Set(many.map(({ json }) => json.new_kid)).size).toBe(5);
    expect(await kids(edge)).toHaveLength(8);
  });

  test("keys: bad names, a taken name, bad JSON and long bodies change nothing", async () => {
    covers("edge.errors.signing-key");
    const edge = await start();
    const bad = await post(edge, "/_ts/admin/keys/rotate", { kid: "Has Blank" });
    expect([bad.status, bad.json.success, bad.json.new_kid, bad.json.jwk]).toEqual([400, false, "", {}]);
    expect((await post(edge, "/_ts/admin/keys/rotate", { kid: "kid-abc" })).status).toBe(409);
    expect((await post(edge, "/_ts/admin/keys/rotate", { kid: 7 })).status).toBe(400);
    expect((await ask(edge, { method: "POST", path: "/_ts/admin/keys/rotate", body: "{" })).status).toBe(400);
    const long = await ask(edge, { method: "POST", path: "/_ts/admin/keys/rotate", body: "x".repeat(4_097) });
    expect(long.status).toBe(413);
    expect((await post(edge, "/_ts/admin/keys/deactivate", { kid: "unknown" })).json.error).toContain(
      "signing key not found",
    );
    expect(await kids(edge)).toEqual(["kid-abc"]);
  });

  test("keys: a store that fails in the middle of a rotation leaves nothing half written", async () => {
    const edge = await start('store_faults = [{ store = "jwks_store", operation = "write", key_prefix = "active" }]\n');
    const failed = await post(edge, "/_ts/admin/keys/rotate", { kid: "half" });
    expect([failed.status, failed.json.success]).toEqual([503, false]);
    expect(failed.text).not.toContain("rehearsed");
    expect(await kids(edge)).toEqual(["kid-abc"]);
    await cleanups.pop()?.();
    const healed = await start("", edge.data);
    expect((await post(healed, "/_ts/admin/keys/rotate", { kid: "half" })).json.success).toBe(true);
  });

  test("identity: a real browser's navigation gets one, the admin sees it, and it survives a restart", async () => {
    covers("edge.routes.admin-ec.a", "edge.service.creates-ec");
    const edge = await start();
    upstream.script({ "/page": { headers: { "content-type": "text/html" }, body: "<html></html>" } });
    const page = await call(edge.url, { path: "/page", headers: BROWSER });
    const cookie = page.headers["set-cookie"]?.[0] ?? "";
    expect(cookie).toMatch(
      /^ts-ec=[0-9a-f]{64}\.[A-Za-z0-9]{6}; Domain=\.pub\.example; Path=\/; Secure; SameSite=Lax; Max-Age=31536000; HttpOnly$/,
    );
    expect(page.headers["cache-control"]).toBe("private, max-age=0");
    const id = /^ts-ec=([^;]+)/.exec(cookie)?.[1] ?? "";
    const { "x-front-ja4": _, ...unknownDevice } = BROWSER;
    expect((await call(edge.url, { path: "/page", headers: unknownDevice })).headers["set-cookie"]).toBeUndefined();
    await cleanups.pop()?.();

    const again = await start("", edge.data);
    const seen = await ask(again, { path: `/_ts/admin/ec/${id}` });
    expect(seen.status).toBe(200);
    expect(seen.json).toMatchObject({ ec_id: id, store: "ec-store", generation: 1, tombstone: false });
    expect(seen.json.entry).toMatchObject({ v: 1, geo: { country: "JP" }, consent: { ok: true } });
    expect((seen.json.entry as { created_iso: string }).created_iso).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    );
    const own = await ask(again, { path: "/_ts/admin/ec", headers: { cookie: `ts-ec=${id}` } });
    expect(own.json.ec_id).toBe(id);
  });

  test("identity: a failing store costs the page its cookie and nothing else", async () => {
    const edge = await start('store_faults = [{ store = "ec-store", operation = "any" }]\n');
    upstream.script({ "/page": { headers: { "content-type": "text/html" }, body: "<html></html>" } });
    const page = await call(edge.url, { path: "/page", headers: BROWSER });
    expect([page.status, page.headers["set-cookie"]]).toEqual([200, undefined]);
    const admin = await ask(edge, { path: `/_ts/admin/ec/${"a".repeat(64)}.Ab12Z9` });
    expect([admin.status, admin.text]).toEqual([503, "An internal error occurred\n"]);
  });

  test("batch sync: partner ids are stored once per id and shown to the partner", async () => {
    covers("edge.batch.some-rejected");
    const edge = await start();
    upstream.script({ "/page": { headers: { "content-type": "text/html" }, body: "<html></html>" } });
    const page = await call(edge.url, { path: "/page", headers: BROWSER });
    const id = /^ts-ec=([^;]+)/.exec(page.headers["set-cookie"]?.[0] ?? "")?.[1] ?? "";
    const authorization = "Bearer integration-test-token-alpha-32-bytes-ok";
    const mappings = [
      { ec_id: id, partner_uid: "uid-1", timestamp: 1 },
      { ec_id: `${"c".repeat(64)}.Ab12Z9`, partner_uid: "x", timestamp: 1 },
      { ec_id: "nope", partner_uid: "x", timestamp: 1 },
    ];
    const body = JSON.stringify({ mappings });
    const synced = await call(edge.url, {
      method: "POST",
      path: "/_ts/api/v1/batch-sync",
      headers: { authorization },
      body,
    });
    expect([synced.status, JSON.parse(synced.body.toString())]).toEqual([
      207,
      {
        accepted: 1,
        rejected: 2,
        errors: [
          { index: 1, reason: "ineligible" },
          { index: 2, reason: "invalid_ec_id" },
        ],
      },
    ]);
    const seen = await call(edge.url, {
      path: "/_ts/api/v1/identify",
      headers: { authorization, cookie: `ts-ec=${id}`, ...BROWSER },
    });
    expect(JSON.parse(seen.body.toString())).toMatchObject({ ec: id, uid: "uid-1", degraded: false });
  });

  test("tls page: shows what the trusted proxy passed, and no finalizer header is missed", async () => {
    covers("edge.conventions.finalizer", "edge.routes.ja4");
    const edge = await start();
    const headers = { ...BROWSER, "x-front-h2": "1:65536;2:0;4:6291456;6:262144" };
    const got = await call(edge.url, { path: "/_ts/debug/ja4", headers });
    expect(got.status).toBe(200);
    expect(got.headers["cache-control"]).toBe("no-store, private");
    expect(got.headers.vary).toBe("User-Agent, Sec-CH-UA-Mobile, Sec-CH-UA-Platform");
    expect(got.body.toString()).toBe(
      [
        "ja4:         t13d1516h2_8daaf6152771_b0da82dd1658",
        "h2_fp:       1:65536;2:0;4:6291456;6:262144",
        "cipher:      unavailable",
        "tls_version: unavailable",
        `user-agent:  ${BROWSER["user-agent"]}`,
        "ch-mobile:   not sent",
        "ch-platform: not sent",
        "",
      ].join("\n"),
    );
    const forged = await call(edge.url, { path: "/_ts/debug/ja4", headers: { ...headers, "x-front-auth": "guessed" } });
    expect(forged.body.toString()).toMatch(/^ja4: +unavailable\nh2_fp: +unavailable\n/);
  });
});
