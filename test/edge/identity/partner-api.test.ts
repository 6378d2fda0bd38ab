import { describe, expect, test } from "vitest";
import { handleBatchSync } from "../../../agents/edge/identity/batch-sync.ts";
import { handleIdentify } from "../../../agents/edge/identity/identify.ts";
import { covers } from "../../requirements.ts";
import { fakeEdge, memoryStore, served } from "../fake-edge.ts";

const id = (letter: string, suffix = "aB3xYz"): string => `${letter.repeat(64)}.${suffix}`;
const LIVE = { v: 1, created: 1, consent: { ok: true, updated: 1 }, geo: { country: "JP" } };
const TOKEN = "alpha-token-of-at-least-32-bytes-x";
const config = {
  ec: {
    passphrase: "test-secret-key-32-bytes-minimum",
    ec_store: "ec-store",
    partners: [
      { name: "Alpha", source_domain: "alpha.example", api_token: TOKEN },
      {
        name: "Beta",
        source_domain: "beta.example",
        api_token: "beta-token-of-at-least-32-bytes-xx",
        openrtb_atype: 1,
      },
    ],
  },
};

const seeded = (ids: readonly string[], fail?: (access: string, key: string) => void) => {
  const memory = memoryStore(fail);
  for (const [at, key] of ids.entries()) {
    memory.records.set(key, { body: JSON.stringify(LIVE), metadata: "{}", generation: at + 1, ttlSeconds: 1 });
  }
  return memory;
};
const uids = (memory: ReturnType<typeof memoryStore>, key: string): unknown => {
  const body = memory.records.get(key)?.body;
  return body === undefined ? undefined : (JSON.parse(body) as { ids?: unknown }).ids;
};

const sync = async (
  mappings: unknown,
  given: { memory?: ReturnType<typeof memoryStore>; token?: string; limitReached?: boolean | "broken" } = {},
) => {
  const memory = given.memory ?? seeded([]);
  const { context } = fakeEdge({ config, identity: memory.store, limitReached: given.limitReached ?? false });
  const body = typeof mappings === "string" ? mappings : JSON.stringify({ mappings });
  const headers = { authorization: given.token ?? `Bearer ${TOKEN}` };
  const request = new Request("https://pub.example/_ts/api/v1/batch-sync", { method: "POST", headers, body });
  const response = await served(handleBatchSync(request, context));
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
};
const mapping = (ec_id: string, partner_uid: string, timestamp: unknown = 1) => ({ ec_id, partner_uid, timestamp });

describe("batch sync", () => {
  test("every mapping of live entries is accepted, an unchanged one too", async () => {
    covers("edge.batch.all-accepted", "edge.batch.group-accepted");
    const memory = seeded([id("a"), id("b")]);
    const body = [mapping(id("a"), "u1"), mapping(id("b"), "u2")];
    expect(await sync(body, { memory })).toEqual({ status: 200, body: { accepted: 2, rejected: 0, errors: [] } });
    const generations = [...memory.records.values()].map((record) => record.generation);
    expect(await sync(body, { memory })).toEqual({ status: 200, body: { accepted: 2, rejected: 0, errors: [] } });
    expect([...memory.records.values()].map((record) => record.generation)).toEqual(generations);
    expect(uids(memory, id("a"))).toEqual({ "alpha.example": { uid: "u1" } });
  });

  test("the last valid uid of a group is stored, an invalid mapping never replaces it", async () => {
    covers("edge.batch.grouped", "edge.batch.input-index", "edge.batch.invalid-never-replaces");
    covers("edge.batch.last-wins", "edge.batch.prefix-folded", "edge.batch.reason.invalid-partner-uid");
    covers("edge.batch.suffix-case");
    const memory = seeded([id("a")]);
    const body = [
      mapping(id("A"), "u1"),
      mapping(id("a"), "u2"),
      mapping(id("a"), " "),
      mapping(id("a", "ab3xyz"), "u9"),
    ];
    expect(await sync(body, { memory })).toEqual({
      status: 207,
      body: {
        accepted: 2,
        rejected: 2,
        errors: [
          { index: 2, reason: "invalid_partner_uid" },
          { index: 3, reason: "ineligible" },
        ],
      },
    });
    expect(uids(memory, id("a"))).toEqual({ "alpha.example": { uid: "u2" } });
  });

  test("an id is written once whatever asks for it, and the order of the list counts, not the timestamps", async () => {
    covers("edge.batch.one-update", "edge.batch.timestamp-no-order", "edge.batch.last-wins");
    const memory = seeded([id("a")]);
    const body = [mapping(id("a"), "newer", 2_000_000_000), mapping(id("a"), "older", 1_000_000_000)];
    expect((await sync(body, { memory })).status).toBe(200);
    expect(uids(memory, id("a"))).toEqual({ "alpha.example": { uid: "older" } });
    expect(memory.records.get(id("a"))?.generation, "the store numbers its writes from 1").toBe(1);
  });

  test("errors are sorted by input index, the id is checked before the uid, a tombstone is ineligible", async () => {
    covers("edge.batch.errors", "edge.batch.group-ineligible", "edge.batch.one-outcome");
    covers("edge.batch.reason.ineligible", "edge.batch.reason.invalid-ec-id");
    const memory = seeded([id("a"), id("d")]);
    const dead = { ...LIVE, consent: { ok: false, updated: 1 } };
    memory.records.set(id("d"), { body: JSON.stringify(dead), metadata: "{}", generation: 9, ttlSeconds: 1 });
    const body = [mapping(id("d"), "u"), mapping("x", ""), mapping(id("a"), "u".repeat(513)), mapping(id("c"), "u")];
    expect((await sync(body, { memory })).body).toEqual({
      accepted: 0,
      rejected: 4,
      errors: [
        { index: 0, reason: "ineligible" },
        { index: 1, reason: "invalid_ec_id" },
        { index: 2, reason: "invalid_partner_uid" },
        { index: 3, reason: "ineligible" },
      ],
    });
  });

  test.each(["get", "ifGeneration"])(
    "a store that fails at %s in the middle rejects that group and all later ones, earlier ones stay",
    async (broken) => {
      covers("edge.batch.earlier-kept", "edge.batch.group-order", "edge.batch.no-later-group");
      covers("edge.batch.reason.kv-unavailable", "edge.batch.store-failure");
      const memory = seeded([id("a"), id("b"), id("c")], (access, key) => {
        const isBulk = access === "ifGenerations" && broken === "ifGeneration";
        if ((access === broken || isBulk) && key === id("b")) throw new Error("store");
      });
      const body = [mapping(id("a"), "u1"), mapping(id("b"), "u2"), mapping(id("c"), "u3"), mapping(id("b"), "u4")];
      expect(await sync(body, { memory })).toEqual({
        status: 207,
        body: {
          accepted: 1,
          rejected: 3,
          errors: [1, 2, 3].map((index) => ({ index, reason: "kv_unavailable" })),
        },
      });
      expect([id("a"), id("b"), id("c")].map((key) => uids(memory, key))).toEqual([
        { "alpha.example": { uid: "u1" } },
        undefined,
        undefined,
      ]);
    },
  );

  test("a writer that always comes between counts as an outage, one that comes once does not", async () => {
    const memory = seeded([id("a")]);
    const bump = (): void => {
      const record = memory.records.get(id("a"));
      if (record !== undefined) memory.records.set(id("a"), { ...record, generation: record.generation + 100 });
    };
    let races = 2;
    const racing = {
      ...memory,
      store: {
        ...memory.store,
        get: async (key: string) => {
          const found = await memory.store.get(key);
          if (races-- > 0) bump();
          return found;
        },
      },
    };
    expect((await sync([mapping(id("a"), "u")], { memory: racing })).status).toBe(200);
    races = 1_000;
    expect((await sync([mapping(id("a"), "v")], { memory: racing })).body).toMatchObject({
      errors: [{ index: 0, reason: "kv_unavailable" }],
    });
  });

  test("an entry of an unknown schema is not overwritten", async () => {
    const memory = seeded([]);
    memory.records.set(id("a"), { body: '{"v":2}', metadata: "{}", generation: 1, ttlSeconds: 1 });
    expect((await sync([mapping(id("a"), "u")], { memory })).status).toBe(207);
    expect(memory.records.get(id("a"))?.body).toBe('{"v":2}');
  });

  test.each([
    ["no list", "{}"],
    ["no JSON", "{"],
    ["a list", "[]"],
    ["a number as id", '{"mappings":[{"ec_id":1,"partner_uid":"u","timestamp":1}]}'],
    ["no timestamp", '{"mappings":[{"ec_id":"a","partner_uid":"u"}]}'],
    ["a negative timestamp", '{"mappings":[{"ec_id":"a","partner_uid":"u","timestamp":-1}]}'],
    ["a broken timestamp", '{"mappings":[{"ec_id":"a","partner_uid":"u","timestamp":1.5}]}'],
    ["bytes that are no UTF-8", "\ud800"],
  ])("%s is a bad request and changes nothing", async (_, body) => {
    const answer = await sync(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(/^Bad request: Invalid request body: .+\n$/);
  });

  test("the whole list is judged before anything is written", async () => {
    covers("edge.batch.validated-first");
    const memory = seeded([id("a")]);
    const body = [mapping(id("a"), "u1"), mapping(id("a"), "u2", "yesterday")];
    expect((await sync(body, { memory })).status).toBe(400);
    expect(uids(memory, id("a"))).toBeUndefined();
  });

  test("an empty list is fine, 1,001 mappings are too many, 2 MiB are too much", async () => {
    covers("edge.batch.body-limit", "edge.batch.mapping-limit");
    expect(await sync([])).toEqual({ status: 200, body: { accepted: 0, rejected: 0, errors: [] } });
    const many = Array.from({ length: 1_001 }, () => mapping(id("a"), "u"));
    expect(await sync(many)).toEqual({ status: 400, body: { error: "batch_too_large" } });
    expect(await sync(`"${"x".repeat(2_097_152)}"`)).toEqual({ status: 413, body: { error: "body_too_large" } });
  });

  const strangers = ["", "Bearer", "Bearer nobody", `Basic ${TOKEN}`, `Bearer ${TOKEN} x`];
  test.each(strangers)("%j is no partner", async (token) => {
    covers("edge.batch.invalid-token");
    expect(await sync([], { token })).toEqual({ status: 401, body: { error: "invalid_token" } });
  });

  test("the scheme of the token may be in any case", async () => {
    expect((await sync([], { token: `bEARER  ${TOKEN}` })).status).toBe(200);
  });

  test("an exhausted rate is 429, a counter that fails is 503", async () => {
    covers("edge.batch.rate");
    expect(await sync([], { limitReached: true })).toEqual({ status: 429, body: { error: "rate_limit_exceeded" } });
    expect((await sync([], { limitReached: "broken" })).status).toBe(503);
  });

  test("without an identity store the answer is 503 before anything else", async () => {
    const { context } = fakeEdge({ config });
    const request = new Request("https://pub.example/x", { method: "POST", body: "" });
    expect((await served(handleBatchSync(request, context))).status).toBe(503);
  });

  test("1,000 groups are one commit", async () => {
    const ids = Array.from({ length: 1_000 }, (_, at) => `${at.toString(16).padStart(64, "0")}.aaaaaa`);
    let commits = 0;
    const memory = seeded(ids, (access) => {
      if (access === "ifGeneration") commits += 1;
    });
    const answer = await sync(
      ids.map((key) => mapping(key, "u")),
      { memory },
    );
    expect(answer.body).toEqual({ accepted: 1_000, rejected: 0, errors: [] });
    expect(commits).toBe(0);
  });
});

const identify = async (given: {
  memory?: ReturnType<typeof memoryStore> | null;
  headers?: Record<string, string>;
  cookie?: string;
  method?: string;
  geo?: { country: string; region?: string };
  gpc?: boolean;
}) => {
  const memory = given.memory === undefined ? seeded([id("a")]) : given.memory;
  const { context } = fakeEdge({
    config,
    identity: memory?.store ?? null,
    cookies: given.cookie === "" ? {} : { "ts-ec": given.cookie ?? id("a") },
    geo: given.geo ?? { country: "JP" },
  });
  const headers = { authorization: `Bearer ${TOKEN}`, ...given.headers };
  const method = given.method ?? "GET";
  const response = await served(
    handleIdentify(new Request("https://pub.example/_ts/api/v1/identify", { method, headers }), context),
  );
  return { response, text: await response.text() };
};

describe("identify", () => {
  test("two partners each see their own uid, and the cluster is counted", async () => {
    covers("edge.identify.cluster-size", "edge.identify.eid", "edge.identify.omitted", "edge.identify.uid");
    const memory = seeded([id("a"), id("a", "second"), id("b")]);
    await sync([mapping(id("a"), "u1")], { memory });
    const { response, text } = await identify({ memory });
    expect(response.status).toBe(200);
    expect(text).toBe(
      `{"ec":"${id("a")}","consent":"ok","degraded":false,"source_domain":"alpha.example","uid":"u1",` +
        `"eid":{"source":"alpha.example","uids":[{"id":"u1","atype":3}]},"cluster_size":2}`,
    );
    const other = await identify({ memory, headers: { authorization: "Bearer beta-token-of-at-least-32-bytes-xx" } });
    expect(JSON.parse(other.text)).toEqual({
      ec: id("a"),
      consent: "ok",
      degraded: false,
      source_domain: "beta.example",
      cluster_size: 2,
    });
  });

  test("every answer is private", async () => {
    covers("edge.identify.cache-headers", "edge.identify.no-ec", "edge.identify.options");
    const answers = [
      await identify({}),
      await identify({ cookie: "" }),
      await identify({ headers: { authorization: "x" } }),
      await identify({ headers: { origin: "null" } }),
      await identify({ memory: null }),
      await identify({ method: "OPTIONS" }),
    ];
    expect(answers.map(({ response }) => response.status)).toEqual([200, 204, 401, 403, 503, 200]);
    for (const { response } of answers) {
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("pragma")).toBe("no-cache");
      expect(response.headers.get("vary")).toBe("Origin, Authorization");
    }
  });

  test.each([
    ["https://pub.example", 200],
    ["https://www.pub.example:8443", 200],
    ["https://PUB.example", 403],
    ["https://evilpub.example", 403],
    ["https://pub.example.evil.example", 403],
    ["http://pub.example", 403],
    ["https://pub.example/", 403],
    ["https://user@pub.example", 403],
    ["null", 403],
    ["", 403],
  ])("origin %j answers %s to GET and OPTIONS", async (origin, status) => {
    covers("edge.identify.cors-other", "edge.identify.cors-own", "edge.identify.options");
    const got = await identify({ headers: { origin } });
    const asked = await identify({ headers: { origin, authorization: "" }, method: "OPTIONS" });
    expect([got.response.status, asked.response.status]).toEqual([status, status]);
    for (const { response, text } of status === 200 ? [got, asked] : []) {
      expect(response.headers.get("access-control-allow-origin")).toBe(origin);
      expect(response.headers.get("access-control-allow-credentials")).toBe("true");
      expect(text.length === 0).toBe(response === asked.response);
    }
    for (const { response, text } of status === 403 ? [got, asked] : []) {
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(text).toBe("");
    }
  });

  test("an unknown token is 401, denied consent 403, a missing or broken cookie 204", async () => {
    covers("edge.identify.denied", "edge.identify.no-ec", "edge.identify.unknown-token");
    expect((await identify({ headers: { authorization: "Bearer x" } })).text).toBe('{"error":"invalid_token"}');
    const denied = await identify({ geo: { country: "US", region: "CA" }, headers: { "sec-gpc": "1" } });
    expect([denied.response.status, denied.text]).toEqual([403, '{"consent":"denied"}']);
    expect((await identify({ cookie: "no-id" })).response.status).toBe(204);
  });

  test("a withdrawn or missing entry gives neither uid nor cluster size", async () => {
    const memory = seeded([id("b")]);
    const bare = { ec: id("a"), consent: "ok", degraded: false, source_domain: "alpha.example" };
    expect(JSON.parse((await identify({ memory })).text)).toEqual(bare);
    const dead = { ...LIVE, consent: { ok: false, updated: 1 }, ids: { "alpha.example": { uid: "u" } } };
    memory.records.set(id("a"), { body: JSON.stringify(dead), metadata: "{}", generation: 9, ttlSeconds: 1 });
    expect(JSON.parse((await identify({ memory })).text)).toEqual(bare);
  });

  test.each([
    [
      "a failing read",
      seeded([id("a")], (access) => {
        if (access === "get") throw new Error("store");
      }),
    ],
    [
      "an entry that is no JSON",
      (() => {
        const memory = seeded([]);
        memory.records.set(id("a"), { body: "{", metadata: "", generation: 1, ttlSeconds: 1 });
        return memory;
      })(),
    ],
  ])("%s degrades the answer and nothing else", async (_, memory) => {
    covers("edge.identify.degraded", "edge.identify.omitted");
    const { response, text } = await identify({ memory });
    expect(response.status).toBe(200);
    expect(JSON.parse(text)).toEqual({ ec: id("a"), consent: "ok", degraded: true, source_domain: "alpha.example" });
  });

  test("a cluster that cannot be counted is left out, one that cannot be stored is shown", async () => {
    const uncounted = seeded([id("a")], (access) => {
      if (access === "countPrefix") throw new Error("store");
    });
    expect(JSON.parse((await identify({ memory: uncounted })).text)).not.toHaveProperty("cluster_size");
    const unwritten = seeded([id("a")], (access) => {
      if (access === "ifGeneration") throw new Error("store");
    });
    expect(JSON.parse((await identify({ memory: unwritten })).text)).toHaveProperty("cluster_size", 1);
  });
});
