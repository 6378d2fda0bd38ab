import { describe, expect, test } from "vitest";
import { createIdentity, finishSession, openSession } from "../../../agents/edge/identity/session.ts";
import { parseEidsCookie, planIngest } from "../../../agents/edge/identity/eids.ts";
import type { OutboundResult } from "../../../agents/edge/platform.ts";
import { covers } from "../../requirements.ts";
import { NOW, answer, fakeEdge, memoryStore } from "../fake-edge.ts";

const HASH = "4c7946bd7ba75e33eaacfae02925ca4ed742b53ffe7e2ebe603905af6941e6f4";
const OLD = `${"a".repeat(64)}.aB3xYz`;
const BROWSER = {
  "user-agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X)",
  "sec-fetch-dest": "document",
  accept: "text/html",
};
const partners = [
  { name: "A", source_domain: "a.example", api_token: "a".repeat(32) },
  { name: "S", source_domain: "sharedid.org", api_token: "s".repeat(32) },
];
const ec = { passphrase: "test-secret-key-32-bytes-minimum", ec_store: "ec-store", partners };

type Given = Parameters<typeof fakeEdge>[0] & { headers?: Record<string, string> };

const visit = async (given: Given = {}, memory = memoryStore()) => {
  const edge = fakeEdge({ config: { ec }, identity: memory.store, ja4: "t13d1516h2_abc", ...given });
  const request = new Request("https://pub.example/", { headers: { ...BROWSER, ...given.headers } });
  const session = await createIdentity(openSession(request, edge.context), request, edge.context);
  const headers = new Headers({ "x-ts-ec-consent": "ok", "x-ts-a.example": "u" });
  await finishSession(session, headers, edge.context);
  await edge.settled();
  return { session, headers, memory, edge };
};
const bodyOf = (memory: ReturnType<typeof memoryStore>, id: string): Record<string, unknown> =>
  JSON.parse(memory.records.get(id)?.body ?? "null") as Record<string, unknown>;

describe("creation", () => {
  test("a first visit is stored before its cookie goes out", async () => {
    const { headers, memory, session } = await visit({ headers: { "sec-ch-ua-mobile": "?0" } });
    const id = session.createdId ?? "";
    expect(id).toMatch(new RegExp(`^${HASH}\\.[A-Za-z0-9]{6}$`));
    expect(headers.getSetCookie()).toEqual([
      `ts-ec=${id}; Domain=.pub.example; Path=/; Secure; SameSite=Lax; Max-Age=31536000; HttpOnly`,
    ]);
    expect(bodyOf(memory, id)).toEqual({
      v: 1,
      created: Math.floor(NOW / 1_000),
      consent: { ok: true, updated: Math.floor(NOW / 1_000) },
      geo: { country: "JP" },
      pub_properties: { origin_domain: "pub.example", seen_domains: ["pub.example"] },
      device: { is_mobile: 0, ja4_class: "t13d1516h2", platform_class: "mac" },
    });
    expect(JSON.parse(memory.records.get(id)?.metadata ?? "")).toEqual({ ok: true, country: "JP", v: 1, is_mobile: 0 });
    expect(memory.records.get(id)?.ttlSeconds).toBe(31_536_000);
  });

  test("fingerprints of a known browser are kept as such, others only as they are", async () => {
    const settings = "1:65536;2:0;4:6291456;6:262144";
    const known = await visit({ h2: settings });
    const id = known.session.createdId ?? "";
    expect(bodyOf(known.memory, id)["device"]).toMatchObject({ h2_fp_hash: "c25b321f6e5b", known_browser: true });
    expect(JSON.parse(known.memory.records.get(id)?.metadata ?? "")).toMatchObject({ known_browser: true });
    const other = await visit({ h2: "2:0;3:100;4:2097152" });
    const device = bodyOf(other.memory, other.session.createdId ?? "")["device"];
    expect(device).toMatchObject({ h2_fp_hash: "dc19549aecfa" });
    expect(device).not.toHaveProperty("known_browser");
  });

  test.each<[string, Given]>([
    ["a returning visitor", { cookies: { "ts-ec": OLD } }],
    ["no consent", { geo: { country: "DE" } }],
    ["an unknown place", { geo: null }],
    ["no fingerprint", { ja4: null }],
    ["an unknown platform", { headers: { "user-agent": "curl/8" } }],
    ["an image", { headers: { "sec-fetch-dest": "image" } }],
    ["an unknown address", { clientIp: null }],
    ["no store", { identity: null }],
  ])("%s gets no new identity", async (_, given) => {
    const { headers, memory, session } = await visit(given);
    expect([session.createdId, headers.getSetCookie(), memory.records.size]).toEqual([null, [], 0]);
  });

  test("a cookie that is no id is replaced, and without fetch metadata the accept header decides", async () => {
    const { session } = await visit({ cookies: { "ts-ec": "x" } });
    expect(session.createdId).not.toBeNull();
    const request = new Request("https://pub.example/", {
      headers: { "user-agent": BROWSER["user-agent"], accept: "text/html" },
    });
    const edge = fakeEdge({ config: { ec }, identity: memoryStore().store, ja4: "t_x" });
    expect((await createIdentity(openSession(request, edge.context), request, edge.context)).createdId).not.toBeNull();
  });

  test("a store that fails gives no cookie, and the page is served", async () => {
    const memory = memoryStore((access) => {
      if (access === "add") throw new Error("store");
    });
    const { headers, edge } = await visit({}, memory);
    expect(headers.getSetCookie()).toEqual([]);
    expect(edge.logs).toContainEqual(expect.objectContaining({ event: "ec_not_stored" }));
    expect(JSON.stringify(edge.logs)).not.toContain(HASH);
  });

  test("a withdrawn entry with the same id is brought back, a live one is left alone", async () => {
    const first = await visit();
    const id = first.session.createdId ?? "";
    const live = first.memory.records.get(id)?.generation;
    await visit({}, first.memory);
    expect(first.memory.records.get(id)?.generation).toBe(live);
    first.memory.records.set(id, {
      body: '{"v":1,"created":1,"consent":{"ok":false,"updated":1}}',
      metadata: "{}",
      generation: 50,
      ttlSeconds: 1,
    });
    await visit({}, first.memory);
    expect(bodyOf(first.memory, id)).toMatchObject({ consent: { ok: true } });
  });
});

describe("withdrawal", () => {
  const california = { country: "US", region: "CA" };

  test("GPC in a state with a law expires the cookie and leaves a tombstone", async () => {
    const memory = memoryStore();
    const { headers } = await visit(
      { geo: california, headers: { "sec-gpc": "1" }, cookies: { "ts-ec": OLD } },
      memory,
    );
    expect(headers.getSetCookie()).toEqual([
      "ts-ec=; Domain=.pub.example; Path=/; Secure; SameSite=Lax; Max-Age=0; HttpOnly",
    ]);
    expect([headers.has("x-ts-ec-consent"), headers.has("x-ts-a.example")]).toEqual([false, false]);
    expect(bodyOf(memory, OLD)).toEqual({
      v: 1,
      created: Math.floor(NOW / 1_000),
      consent: { ok: false, updated: Math.floor(NOW / 1_000) },
      geo: { country: "ZZ" },
    });
    expect(memory.records.get(OLD)?.ttlSeconds).toBe(86_400);
  });

  test("an unreal browser's withdrawal counts too", async () => {
    const memory = memoryStore();
    await visit(
      { geo: california, headers: { "sec-gpc": "1", "user-agent": "curl/8" }, ja4: null, cookies: { "ts-ec": OLD } },
      memory,
    );
    expect(memory.records.has(OLD)).toBe(true);
  });

  test("a store that fails still expires the cookie", async () => {
    const memory = memoryStore((access) => {
      if (access === "overwrite") throw new Error("store");
    });
    const { headers, edge } = await visit(
      { geo: california, headers: { "sec-gpc": "1" }, cookies: { "ts-ec": OLD } },
      memory,
    );
    expect(headers.getSetCookie()).toHaveLength(1);
    expect(edge.logs).toContainEqual(expect.objectContaining({ level: "error", event: "ec_withdrawal_not_stored" }));
  });

  test("silence is no withdrawal: an unknown place keeps the cookie and loses the headers", async () => {
    const { headers, memory } = await visit({ geo: null, cookies: { "ts-ec": OLD } });
    expect([headers.getSetCookie(), memory.records.size, headers.has("x-ts-ec-consent")]).toEqual([[], 0, false]);
  });

  test("where no identity store exists nothing is touched", async () => {
    const { headers } = await visit({
      identity: null,
      geo: california,
      headers: { "sec-gpc": "1" },
      cookies: { "ts-ec": OLD },
    });
    expect([headers.getSetCookie(), headers.has("x-ts-ec-consent")]).toEqual([[], true]);
  });
});

describe("identifier cookies", () => {
  const cookie = (list: unknown): string => btoa(JSON.stringify(list));

  test("the browser's ids of configured partners are stored in one write", async () => {
    covers("edge.auth.eid-cookies");
    const memory = memoryStore();
    const { session } = await visit({}, memory);
    const id = session.createdId ?? "";
    const eids = cookie([
      { source: "A.example", uids: [{ id: "" }, { id: "u1" }] },
      { source: "other.example", id: "x" },
    ]);
    let writes = 0;
    const ifGeneration: typeof memory.store.ifGeneration = async (...write) => {
      writes += 1;
      return memory.store.ifGeneration(...write);
    };
    const counting = { ...memory, store: { ...memory.store, ifGeneration } };
    await visit({ cookies: { "ts-ec": id, "ts-eids": eids, sharedId: "s1" } }, counting);
    expect(bodyOf(memory, id)["ids"]).toEqual({ "a.example": { uid: "u1" }, "sharedid.org": { uid: "s1" } });
    await visit({ cookies: { "ts-ec": id, "ts-eids": eids, sharedId: "s1" } }, counting);
    expect(writes).toBe(1);
  });

  test.each([
    ["no base64", "%%%", "it is no standard base64"],
    ["base64url", "_-8", "it is no standard base64"],
    ["no JSON", btoa("x"), "it holds no JSON"],
    ["no list", btoa("{}"), "it holds no JSON list"],
    ["too long", "A".repeat(8_196), "it is longer than 8192 bytes"],
  ])("a cookie with %s says why it cannot be read", (_, text, reason) => {
    expect(parseEidsCookie(text)).toEqual({ ok: false, reason });
  });

  test("the flat form is read, hostile members are left out, the last source of a partner counts", () => {
    const parsed = parseEidsCookie(
      cookie([
        { source: "a.example", id: "u1", atype: 1 },
        null,
        1,
        { source: 1 },
        { source: "x".repeat(256), id: "u" },
        { source: "a.example", uids: [{ id: "u2", ext: [] }] },
      ]),
    );
    expect(parsed).toEqual({
      ok: true,
      eids: [
        { source: "a.example", uids: [{ id: "u1", atype: 1 }] },
        { source: "a.example", uids: [{ id: "u2" }] },
      ],
    });
    const config = fakeEdge({ config: { ec } }).context.config;
    const ingest = planIngest(
      parsed.ok ? [...parsed.eids, { source: "b.example", uids: [] }, { source: "sharedid.org", uids: [] }] : [],
      undefined,
      config.ec.partners,
    );
    expect([...ingest.matched]).toEqual([["a.example", "u2"]]);
    expect(ingest.unmatched).toEqual([
      { source: "b.example", reason: "no_partner" },
      { source: "sharedid.org", reason: "no_valid_uid" },
    ]);
  });
});

describe("pull sync", () => {
  const pulling = {
    ...ec,
    partners: [
      {
        name: "P",
        source_domain: "p.example",
        api_token: "p".repeat(32),
        pull_sync_enabled: true,
        pull_sync_url: "https://sync.p.example/pull?x=1",
        pull_sync_allowed_domains: ["sync.p.example"],
        ts_pull_token: "pull-token",
      },
    ],
  };
  const pull = async (result: OutboundResult, given: Given = {}) => {
    const memory = memoryStore();
    const first = await visit({ config: { ec: pulling }, send: () => result, ...given }, memory);
    const id = first.session.createdId ?? "";
    return { ...first, id, ids: bodyOf(memory, id)?.["ids"] };
  };
  const json = (body: unknown): OutboundResult => answer(200, {}, JSON.stringify(body));

  test("a missing id is asked for after the answer, and stored", async () => {
    const { edge, id, ids } = await pull(json({ uid: "u1" }));
    expect(edge.sent[0]?.url.href).toBe(`https://sync.p.example/pull?x=1&ec_id=${id}`);
    expect(edge.sent[0]?.headers.get("authorization")).toBe("Bearer pull-token");
    expect(ids).toEqual({ "p.example": { uid: "u1" } });
  });

  test.each<[string, OutboundResult]>([
    ["404", answer(404, {}, '{"uid":"u"}')],
    ["null", json({ uid: null })],
    ["a blank", json({ uid: " " })],
    ["a number", json({ uid: 1 })],
    ["an endless id", json({ uid: "x".repeat(513) })],
    ["garbage", answer(200, {}, "<html>")],
    ["64 KiB and more", answer(200, {}, `{"uid":"u","x":"${"x".repeat(65_536)}"}`)],
    ["nothing", { ok: false, fault: "timeout", reason: "" }],
  ])("%s stores nothing", async (_, result) => expect((await pull(result)).ids).toBeUndefined());

  test("a host that is not on the partner's list is not asked, nor beyond the rate, nor twice", async () => {
    const list = [{ ...pulling.partners[0], pull_sync_allowed_domains: ["other.example"] }];
    expect((await pull(json({ uid: "u" }), { config: { ec: { ...pulling, partners: list } } })).edge.sent).toEqual([]);
    expect((await pull(json({ uid: "u" }), { limitReached: true })).edge.sent).toEqual([]);
    const { memory, id } = await pull(json({ uid: "u" }));
    const again = await visit(
      { config: { ec: pulling }, cookies: { "ts-ec": id }, send: () => json({ uid: "v" }) },
      memory,
    );
    expect(again.edge.sent).toEqual([]);
  });
});
