import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { handleAuction } from "../../../agents/edge/auction/auction.ts";
import type { OutboundRequest, OutboundResult } from "../../../agents/edge/platform.ts";
import { covers } from "../../requirements.ts";
import { NOW, answer, fakeEdge, memoryStore, served } from "../fake-edge.ts";
import { provider, UNIT } from "./market.ts";
import { tcString } from "../consent/strings.ts";

const TCF = tcString({ purposes: [1, 4], updatedAt: "2026-11-01T00:00:00Z" });
const NO_EIDS = tcString({ purposes: [1], updatedAt: "2026-11-01T00:00:00Z" });
const EC = `${"a".repeat(64)}.aB3xYz`;
const configOf = (auction: object = {}, more: object = {}) => ({
  auction: {
    enabled: true,
    rewrite_creatives: false,
    providers: { ...provider("one"), ...provider("two") },
    ...auction,
  },
  ...more,
});
const bid = (price: number, more: object = {}) => ({
  id: `b${price}`,
  impid: "top",
  price,
  w: 300,
  h: 250,
  adm: `<b>${price}</b>`,
  ...more,
});
const bids = (seat: string, ...list: object[]): OutboundResult =>
  answer(200, { "content-type": "application/json" }, JSON.stringify({ seatbid: [{ seat, bid: list }] }));
const byHost =
  (replies: Record<string, OutboundResult>) =>
  (request: OutboundRequest): OutboundResult =>
    replies[request.url.hostname] ?? answer(204, {}, null);

type Given = Parameters<typeof fakeEdge>[0] & { body?: unknown; headers?: Record<string, string> };
type Answer = {
  id: string;
  seatbid?: { seat: string; bid: Record<string, unknown>[] }[];
  ext: { orchestrator: Record<string, unknown> & { provider_details?: Record<string, unknown>[] } };
};

const run = async (given: Given = {}) => {
  const edge = fakeEdge({ config: configOf(), send: () => answer(204, {}, null), ...given });
  const body = given.body ?? { adUnits: [UNIT] };
  const request = new Request("https://pub.example/auction", {
    method: "POST",
    headers: given.headers ?? {},
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const response = await served(handleAuction(request, edge.context));
  const text = await response.text();
  const json = response.status === 200 ? (JSON.parse(text) as Answer) : undefined;
  const sent = edge.sent.map(
    (out) => JSON.parse(new TextDecoder().decode(out.body as Uint8Array)) as Record<string, unknown>,
  );
  return { response, text, json, edge, sent };
};

type Logged = { readonly [member: string]: unknown; readonly providers: readonly Record<string, unknown>[] };

const logged = (edge: ReturnType<typeof fakeEdge>): Logged =>
  edge.logs.findLast((entry) => entry.event === "auction") as unknown as Logged;

describe("auction", () => {
  test("the highest price of each slot wins and is answered as OpenRTB", async () => {
    covers("edge.auction.openrtb-answer", "edge.auction.provider-ids", "edge.service.fan-out.a-b");
    const { response, json, sent } = await run({
      send: byHost({ "one.example": bids("alpha", bid(2), bid(2.75)), "two.example": bids("beta", bid(2.5)) }),
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(json).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      seatbid: [
        {
          seat: "alpha",
          bid: [{ id: "b2.75", impid: "top", price: 2.75, adm: "<b>2.75</b>", w: 300, h: 250 }],
        },
      ],
      ext: {
        orchestrator: {
          strategy: "parallel_only",
          providers: 2,
          total_bids: 3,
          time_ms: 0,
          provider_details: [
            {
              name: "one",
              status: "success",
              bid_count: 2,
              bidders: ["alpha"],
              time_ms: 0,
              metadata: { routing: { unused_bidder_params_count: 0 } },
            },
            {
              name: "two",
              status: "success",
              bid_count: 1,
              bidders: ["beta"],
              time_ms: 0,
              metadata: { routing: { unused_bidder_params_count: 0 } },
            },
          ],
        },
      },
    });
    expect(sent.map((body) => body["id"])).toEqual([json?.id, json?.id]);
    expect(sent[0]).toMatchObject({ tmax: 2_000, cur: ["USD"], site: { page: "https://pub.example" } });
  });

  test("of equal prices the first provider's bid wins", async () => {
    const { json } = await run({
      send: byHost({ "one.example": bids("a", bid(1)), "two.example": bids("b", bid(1)) }),
    });
    expect(json?.seatbid?.[0]?.seat).toBe("a");
  });

  test("nobody bids: no seatbid, and the log says why", async () => {
    const { json, edge } = await run({
      headers: { referer: "https://pub.example/article/123456/comments?user=abc" },
      send: byHost({
        "one.example": bids("a", bid(1, { w: 1 })),
        "two.example": answer(503, {}, "down"),
      }),
    });
    expect(json).not.toHaveProperty("seatbid");
    const line = edge.logs.find((entry) => entry.event === "auction");
    expect(line).toMatchObject({
      source: "auction_api",
      page: "/article/:id/comments",
      budget_ms: 2_000,
      winners: 0,
      providers: [
        { id: "one", status: "nobid", reason: "invalid_dimensions", tmax_ms: 2_000 },
        { id: "two", status: "error", reason: "http_status" },
      ],
    });
    expect(edge.logs.filter((entry) => entry.event === "auction")).toHaveLength(1);
  });

  test.each([
    ["the auction is switched off", { config: configOf({ enabled: false }) }],
    ["nothing says that it is allowed", { geo: null }],
    ["GDPR applies without consent", { geo: { country: "DE" } }],
    [
      "consent was refused",
      { cookies: { "euconsent-v2": tcString({ purposes: [2], updatedAt: "2026-11-01T00:00:00Z" }) } },
    ],
    ["there are no units", { body: { adUnits: [] } }],
    ["there are no providers", { config: configOf({ providers: {} }) }],
  ])("no bid without a call when %s", async (_, given: Given) => {
    covers("edge.auction.consent-denied", "edge.auction.disabled", "edge.auction.no-bid");
    const { response, json, edge } = await run(given);
    expect(response.status).toBe(200);
    expect(json).toEqual({
      id: json?.id,
      ext: { orchestrator: { strategy: "parallel_only", providers: 0, total_bids: 0, time_ms: 0 } },
    });
    expect(edge.sent).toEqual([]);
  });

  test.each([
    ["A", "multiple", { geo: null }],
    ["B", "multiple", { geo: null, identity: null }],
    ["C", "single", { geo: null, identity: null, config: configOf({ providers: provider("one") }) }],
    ["D", "single", { geo: null, identity: null, config: configOf({ providers: provider("one") }) }],
  ] as const)("a valid consent string bids on %s", async (adapter, fanout, given) => {
    const { json } = await run({
      ...given,
      traits: { adapter, fanout },
      cookies: { "euconsent-v2": TCF },
      send: byHost({ "one.example": bids("a", bid(1)) }),
    });
    expect(json?.seatbid).toHaveLength(1);
  });

  test("where one provider may be asked, two configured ones are a failure before any call", async () => {
    covers("edge.service.fan-out.c-d");
    const { response, edge } = await run({ traits: { fanout: "single" } });
    expect([response.status, edge.sent]).toEqual([502, []]);
    expect(logged(edge)).toMatchObject({ skipped: "single_fanout", failure: "upstream_failed" });
  });

  test("a signing key that cannot be read fails the auction before any call", async () => {
    const config = configOf({}, { request_signing: { enabled: true, config_store_id: "c", secret_store_id: "s" } });
    const { response, edge } = await run({ config });
    expect([response.status, edge.sent]).toEqual([502, []]);
    expect(logged(edge)).toMatchObject({ skipped: "signing_key_unavailable", failure: "upstream_failed" });
    expect(edge.logs.find(({ event }) => event === "signing_key_unavailable")?.["message"]).toBe(
      "signing key not found; rotate keys with POST /_ts/admin/keys/rotate",
    );
  });
});

describe("malformed auction requests", () => {
  test.each([
    ["no JSON", "{"],
    ["nothing", ""],
    ["a list", "[]"],
    ["no units", "{}"],
    ["units that are no list", '{"adUnits":{}}'],
    ["a unit without code", '{"adUnits":[{}]}'],
    ["a code that is no text", '{"adUnits":[{"code":1}]}'],
    ["a size as text", '{"adUnits":[{"code":"a","mediaTypes":{"banner":{"sizes":[["300","250"]]}}}]}'],
    ["a negative size", '{"adUnits":[{"code":"a","mediaTypes":{"banner":{"sizes":[[-1,1]]}}}]}'],
    ["a broken size", '{"adUnits":[{"code":"a","mediaTypes":{"banner":{"sizes":[[1.5,1]]}}}]}'],
    ["a bid without bidder", '{"adUnits":[{"code":"a","bids":[{}]}]}'],
    ["config that is no object", '{"adUnits":[],"config":[]}'],
    [
      "nesting without end",
      `{"adUnits":[{"code":"a","bids":[{"bidder":"x","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}]}`,
    ],
    [
      "identifiers nested too deeply",
      `{"adUnits":[],"eids":[{"source":"s","uids":[{"id":"u","ext":{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}}]}]}`,
    ],
  ])("%s is a bad request", async (_, body) => {
    const { response, text, edge } = await run({ body });
    expect([response.status, text]).toEqual([400, "Bad request: Failed to parse auction request body\n"]);
    expect(edge.sent).toEqual([]);
  });

  test("a size that is no pair says so", async () => {
    const { response, text } = await run({
      body: { adUnits: [{ code: "a", mediaTypes: { banner: { sizes: [[300]] } } }] },
    });
    expect([response.status, text]).toEqual([400, "Bad request: Invalid banner size; expected [width, height]\n"]);
  });

  test("262,144 bytes are read, one more is refused", async () => {
    covers("edge.auction.body-limit");
    const padded = (length: number): string => {
      const frame = '{"adUnits":[],"x":""}';
      return frame.replace('""', `"${"x".repeat(length - frame.length)}"`);
    };
    expect((await run({ body: padded(262_144) })).response.status).toBe(200);
    const { response, text } = await run({ body: padded(262_145) });
    expect([response.status, text]).toEqual([413, "Request body exceeds 262144 byte limit"]);
  });

  test("a malformed reserved entry is counted and everything else runs", async () => {
    covers("edge.auction.stored.invalid-counted", "edge.auction.stored.invalid-others-run");
    const unit = {
      ...UNIT,
      bids: [
        { bidder: "reservedServer", params: { storedRequest: null } },
        { bidder: "x", params: { a: 1 } },
      ],
    };
    const { json } = await run({ body: { adUnits: [unit] }, send: byHost({ "one.example": bids("a", bid(1)) }) });
    expect(json?.seatbid).toHaveLength(1);
    expect(json?.ext.orchestrator["routing"]).toEqual({ malformed_envelope_count: 1, unroutable_bidder_count: 1 });
  });
});

describe("providers that misbehave", () => {
  const outcome = async (result: OutboundResult) => {
    const { json, response } = await run({ send: byHost({ "one.example": result }) });
    expect(response.status).toBe(200);
    const detail = json?.ext.orchestrator.provider_details?.[0];
    const metadata = detail?.["metadata"] as Record<string, unknown>;
    return [detail?.["status"], metadata["error_type"], metadata["message"]];
  };
  const fault = (kind: "timeout" | "refused" | "blocked" | "broken"): OutboundResult => ({
    ok: false,
    fault: kind,
    reason: "x",
  });

  test.each([
    ["never answers", fault("timeout"), ["error", "timeout", "Provider request timed out"]],
    ["cannot be reached", fault("refused"), ["error", "transport", "Provider request failed"]],
    ["breaks off", fault("broken"), ["error", "transport", "Provider request failed"]],
    ["may not be called", fault("blocked"), ["error", "launch_failed", "Provider launch failed"]],
    [
      "sends garbage",
      answer(200, {}, "\u0000<html>"),
      ["error", "parse_response", "Provider did not return a JSON object"],
    ],
    [
      "sends no UTF-8",
      answer(200, {}, new Uint8Array([0xff, 0xfe])),
      ["error", "parse_response", "Provider did not return a JSON object"],
    ],
    [
      "announces 100 MB",
      answer(200, { "content-length": "100000000" }, "{}"),
      ["error", "parse_response", "Provider answered more than 2097152 bytes"],
    ],
    [
      "sends a bomb",
      answer(200, { "content-encoding": "gzip" }, new Uint8Array(gzipSync(Buffer.alloc(50_000_000)))),
      ["error", "parse_response", "Provider answered more than 2097152 bytes"],
    ],
    [
      "sends a broken encoding",
      answer(200, { "content-encoding": "gzip" }, "x"),
      ["error", "transport", "Provider request failed"],
    ],
    [
      "sends an unknown encoding",
      answer(200, { "content-encoding": "zstd" }, "x"),
      ["error", "transport", "Provider request failed"],
    ],
    ["redirects", answer(302, { location: "/" }, null), ["error", "http_status", "Provider returned HTTP 302"]],
  ])("one that %s is an outcome beside one that answers", async (_, result, expected) => {
    expect(await outcome(result)).toEqual(expected);
  });

  const TOO_LATE = "upstream timeout; raise auction.providers.one.timeout_ms, or auction.timeout_ms where that is less";
  const NOT_THERE =
    "backend not found; check that auction.providers.one.endpoint is the provider's canonical HTTPS address";

  test.each([
    ["is too late", fault("timeout"), 504, TOO_LATE],
    ["cannot be reached", fault("refused"), 502, NOT_THERE],
    ["answers an error", answer(500, {}, "x"), 502, expect.stringContaining("check auction.providers.one.endpoint")],
    ["answers garbage", answer(200, {}, "x"), 502, expect.stringContaining("check auction.providers.one.endpoint")],
  ])("where the only one %s the auction failed, and the log tells the cure", async (_, result, status, cure) => {
    covers("edge.auction.provider-failure", "edge.errors.backend-not-found", "edge.errors.upstream-timeout");
    const { response, text, edge } = await run({
      config: configOf({ providers: provider("one") }),
      send: () => result,
    });
    expect([response.status, text]).toEqual([status, "An internal error occurred\n"]);
    expect(logged(edge).providers[0]?.["cure"]).toEqual(cure);
  });

  test("two that fail in different ways are a failed backend, one that answers makes a result", async () => {
    const late = { "one.example": fault("timeout"), "two.example": fault("refused") };
    expect((await run({ send: byHost(late) })).response.status).toBe(502);
    const { response, edge } = await run({ send: byHost({ "one.example": fault("timeout") }) });
    expect(response.status).toBe(200);
    expect(logged(edge).failure).toBeUndefined();
  });

  test("100 MB without a length are read no further than the limit", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    expect((await outcome(answer(200, {}, endless)))[1]).toBe("parse_response");
    expect(pulled).toBeLessThan(40);
  });

  test("a compressed answer is read", async () => {
    const body = JSON.stringify({ seatbid: [{ seat: "a", bid: [bid(1)] }] });
    expect(await outcome(answer(200, { "content-encoding": "gzip" }, new Uint8Array(gzipSync(body))))).toEqual([
      "success",
      undefined,
      undefined,
    ]);
  });

  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  test("an answer that is nested too deeply is no answer", async () => {
    expect((await outcome(answer(200, {}, `{"seatbid":${"[".repeat(500_000)}`)))[0]).toBe("error");
    expect((await outcome(answer(200, {}, `{"ext":${nested(5_000)}}`)))[0]).toBe("error");
    expect((await outcome(answer(200, {}, `{"ext":${nested(60)}}`)))[0]).toBe("nobid");
  });
});

describe("budgets", () => {
  test("tmax is what is left of the budget, at most the provider's own time, less the reserve", async () => {
    covers("edge.auction.configured");
    const providers = {
      ...provider("one", { timeout_ms: 300 }),
      ...provider("two", { tmax_reserve_ms: 50 }),
      ...provider("pbs", { profile: "prebid-server" }),
    };
    let clock = NOW;
    const edge = fakeEdge({ config: configOf({ timeout_ms: 900, providers }), now: () => clock });
    clock += 100;
    const request = new Request("https://pub.example/auction", {
      method: "POST",
      body: JSON.stringify({ adUnits: [UNIT] }),
    });
    await served(handleAuction(request, edge.context));
    const tmax = Object.fromEntries(
      edge.sent.map((out) => [
        out.url.hostname,
        [(JSON.parse(new TextDecoder().decode(out.body as Uint8Array)) as { tmax: number }).tmax, out.totalMs],
      ]),
    );
    expect(tmax).toEqual({ "one.example": [300, 300], "two.example": [750, 800], "pbs.example": [800, 800] });
  });

  test("nothing starts after the budget", async () => {
    let clock = NOW;
    const edge = fakeEdge({ config: configOf({ timeout_ms: 100 }), now: () => clock });
    clock += 100;
    const request = new Request("https://pub.example/auction", {
      method: "POST",
      body: JSON.stringify({ adUnits: [UNIT] }),
    });
    expect((await served(handleAuction(request, edge.context))).status).toBe(504);
    expect(edge.sent).toEqual([]);
    const reasons = logged(edge).providers.map(({ reason }) => reason);
    expect(reasons).toEqual(["timeout", "timeout"]);
  });

  test("without the setting a provider that keeps silent is asked every time", async () => {
    const edge = fakeEdge({
      config: configOf({ providers: provider("one") }),
      send: () => ({ ok: false, fault: "timeout", reason: "" }),
    });
    for (let count = 0; count < 25; count += 1) {
      const request = new Request("https://pub.example/auction", {
        method: "POST",
        body: JSON.stringify({ adUnits: [UNIT] }),
      });
      await served(handleAuction(request, edge.context));
    }
    expect(edge.sent).toHaveLength(25);
  });

  test("a provider that keeps silent is paused, then probed, then asked again", async () => {
    let clock = NOW;
    let isUp = false;
    const circuit_breaker = { enabled: true, window: 3, failure_percent: 100, pause_ms: 1_000 };
    const edge = fakeEdge({
      config: configOf({ providers: provider("one", { circuit_breaker }) }),
      now: () => clock,
      send: () => (isUp ? bids("a", bid(1)) : { ok: false, fault: "timeout", reason: "" }),
    });
    const ask = async () => {
      const request = new Request("https://pub.example/auction", {
        method: "POST",
        body: JSON.stringify({ adUnits: [UNIT] }),
      });
      const { status } = await handleAuction(request, { ...edge.context, startedAtMs: clock });
      return [status, logged(edge).providers[0]?.reason];
    };
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      [504, "timeout"],
      [504, "timeout"],
      [504, "timeout"],
      [502, "circuit_open"],
    ]);
    clock += 1_000;
    expect([await ask(), await ask()]).toEqual([
      [504, "timeout"],
      [502, "circuit_open"],
    ]);
    clock += 1_000;
    isUp = true;
    expect([await ask(), await ask()]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    expect(edge.sent).toHaveLength(6);
  });
});

describe("creatives", () => {
  const shown = async (markup: string, auction: object = {}, more: object = {}) => {
    const providers = provider("one", { profile: "prebid-server", ...more });
    const { json } = await run({
      config: configOf({ providers, bidders: {}, ...auction }),
      body: { adUnits: [UNIT] },
      send: byHost({ "one.example": bids("a", bid(1, { adm: markup })) }),
    });
    return { adm: json?.seatbid?.[0]?.bid[0]?.["adm"], orchestrator: json?.ext.orchestrator };
  };
  const HTML = '<base href="x"><img src="https://cdn.example/a.png" onerror="x"><script>1</script>';
  const RUNTIME = '<script src="/static/tsjs=tsjs-unified.min.js" id="trustedserver-js"></script>';

  test("both switches off: byte for byte", async () => expect((await shown(HTML)).adm).toBe(HTML));

  test("rewritten only", async () => {
    covers("edge.auction.independent", "edge.auction.rewrite");
    const { adm } = await shown(HTML, { rewrite_creatives: true });
    expect(adm).toMatch(
      /^<script src="\/static[^>]+><\/script><img src="\/first-party\/proxy\?[^"]+" onerror="x"><script>1<\/script>$/,
    );
  });

  test("sanitised only, and both", async () => {
    covers("edge.auction.independent", "edge.auction.sanitize");
    expect((await shown(HTML, { sanitize_creatives: true })).adm).toBe('<img src="https://cdn.example/a.png">');
    const both = await shown(HTML, { sanitize_creatives: true, rewrite_creatives: true });
    expect(both.adm).toMatch(/^<script src="\/static[^>]+><\/script><img src="\/first-party\/proxy\?[^"]+">$/);
  });

  test.each([
    ["more than 1 MiB, in every mode", "x".repeat(1_048_577), {}],
    ["more than 1 MiB in bytes", "é".repeat(524_289), {}],
    ["nothing is left", "<script>1</script>", { sanitize_creatives: true }],
    ["the result is too long", `${"<img src=//a.example/>".repeat(9_000)}`, { rewrite_creatives: true }],
  ])("a winner is dropped when its creative has %s", async (_, markup, auction) => {
    const { adm, orchestrator } = await shown(markup, auction);
    expect(adm).toBeUndefined();
    expect(orchestrator).toMatchObject({
      dropped_winner_count: 1,
      dropped_winner_reasons: { creative_processing_rejected: 1 },
    });
  });

  test("a winner without markup and renderer is dropped, its slot has no seatbid", async () => {
    const { adm, orchestrator } = await shown("");
    expect(adm).toBeUndefined();
    expect(orchestrator).toMatchObject({ dropped_winner_count: 1, dropped_winner_reasons: { no_render_source: 1 } });
  });

  test("a renderer stands in the place of markup", async () => {
    const ext = { creativeurl: "https://c.example/", tagtype: "iframe" };
    const { json } = await run({
      config: configOf({ providers: provider("aps", { profile: "aps", profile_config: { account_id: "1" } }) }),
      send: byHost({ "aps.example": bids("a", bid(1, { ext })) }),
    });
    const only = json?.seatbid?.[0]?.bid[0];
    expect(only).not.toHaveProperty("adm");
    expect(only?.["ext"]).toMatchObject({
      trusted_server: { renderer: { type: "aps", creativeUrl: "https://c.example/" } },
    });
  });

  test("the library goes in once", async () => {
    expect((await shown(`<p>${RUNTIME}`, { rewrite_creatives: true })).adm).toBe(`<p>${RUNTIME}`);
  });

  test("notices are suppressed for every seat or for some", async () => {
    const notices = { nurl: "https://n.example/", burl: "https://b.example/" };
    const send = byHost({ "one.example": bids("a", bid(1, notices)) });
    const asked = await run({
      config: configOf({ providers: provider("one", { notifications: { suppress_seats: ["a"] } }) }),
      send,
    });
    expect(asked.text).not.toContain("n.example");
  });
});

describe("identity in the auction", () => {
  const ec = {
    passphrase: "p",
    ec_store: "s",
    partners: [
      { name: "B", source_domain: "b.example", api_token: "b".repeat(32), bidstream_enabled: true, openrtb_atype: 1 },
      { name: "A", source_domain: "a.example", api_token: "a".repeat(32), bidstream_enabled: true },
      { name: "C", source_domain: "c.example", api_token: "c".repeat(32) },
    ],
  };
  const stored = () => {
    const memory = memoryStore();
    const ids = { "a.example": { uid: "sa" }, "b.example": { uid: "sb" }, "c.example": { uid: "sc" } };
    const body = JSON.stringify({ v: 1, created: 1, consent: { ok: true, updated: 1 }, ids });
    memory.records.set(EC, { body, metadata: "{}", generation: 1, ttlSeconds: 1 });
    return memory.store;
  };
  const base = { config: configOf({ providers: provider("one") }, { ec }), cookies: { "ts-ec": EC } };

  test("stored ids go first, in the order of domains, the client's are merged in", async () => {
    const eids = [
      { source: "b.example", uids: [{ id: "sb", ext: { x: 1 } }, { id: "new" }] },
      { source: "z.example", uids: [{ id: "z", atype: 2 }, { id: "" }, { id: 1 }, { id: "x".repeat(513) }] },
      { source: "", uids: [] },
      "garbage",
    ];
    const { response, sent } = await run({ ...base, identity: stored(), body: { adUnits: [UNIT], eids } });
    const expected = [
      { source: "a.example", uids: [{ id: "sa", atype: 3 }] },
      { source: "b.example", uids: [{ id: "sb", ext: { x: 1 }, atype: 1 }, { id: "new" }] },
      { source: "z.example", uids: [{ id: "z", atype: 2 }] },
    ];
    expect(sent[0]?.["user"]).toEqual({ id: EC, eids: expected, ext: { eids: expected } });
    expect(response.headers.get("x-ts-ec-consent")).toBe("ok");
    expect(JSON.parse(atob(response.headers.get("x-ts-eids") ?? ""))).toEqual(expected);
    expect([...response.headers.keys()]).not.toContain("x-ts-ec");
  });

  test("the vector of the header, from the cookie", async () => {
    const vector = "W3sic291cmNlIjoiaW50dGVzdC5leGFtcGxlLmNvbSIsInVpZHMiOlt7ImlkIjoidWlkLTEiLCJhdHlwZSI6M31dfV0=";
    const { response } = await run({ ...base, cookies: { "ts-ec": EC, "ts-eids": vector } });
    expect(response.headers.get("x-ts-eids")).toBe(vector);
  });

  test("a header that would be too long is cut from the end and says so", async () => {
    const eids = Array.from({ length: 60 }, (_, at) => ({ source: `s${at}.example`, uids: [{ id: "x".repeat(100) }] }));
    const { response } = await run({ ...base, body: { adUnits: [UNIT], eids } });
    const header = response.headers.get("x-ts-eids") ?? "";
    expect(header.length).toBeLessThanOrEqual(4_096);
    expect((JSON.parse(atob(header)) as { source: string }[])[0]?.source).toBe("s0.example");
    expect(response.headers.get("x-ts-eids-truncated")).toBe("true");
  });

  test.each([
    ["no identity", { cookies: {} }],
    ["an identity that is none", { cookies: { "ts-ec": "x" } }],
    ["no purpose 4", { cookies: { "ts-ec": EC, "euconsent-v2": NO_EIDS } }],
  ])("%s: no ids go out", async (_, given) => {
    const { response, sent } = await run({
      ...base,
      identity: stored(),
      ...given,
      body: { adUnits: [UNIT], eids: [{ source: "z.example", uids: [{ id: "z" }] }] },
    });
    expect(JSON.stringify(sent[0]?.["user"] ?? {})).not.toContain("eids");
    expect(response.headers.get("x-ts-eids")).toBeNull();
  });

  test("without consent for the identity neither it nor the header goes out", async () => {
    const { response, sent } = await run({ ...base, geo: null, cookies: { "ts-ec": EC, "euconsent-v2": TCF } });
    expect(sent[0]?.["user"]).toEqual({ consent: TCF, ext: { consent: TCF } });
    expect(response.headers.get("x-ts-ec-consent")).toBeNull();
  });

  test("a store that fails costs the stored ids and nothing else", async () => {
    const broken = memoryStore(() => {
      throw new Error("store");
    });
    const { response } = await run({ ...base, identity: broken.store });
    expect(response.status).toBe(200);
  });

  test.each([
    ["https://pub.example/a?b=c#d", "https://pub.example/a"],
    ["https://www.pub.example/a", "https://www.pub.example/a"],
    ["https://evilpub.example/a", "https://pub.example"],
    ["https://u:p@pub.example/a", "https://pub.example"],
    ["ftp://pub.example/a", "https://pub.example"],
    [`https://pub.example/${"x".repeat(8_192)}`, "https://pub.example"],
    ["no address", "https://pub.example"],
  ])("the page behind referrer %s", async (referer, page) => {
    const { sent } = await run({ headers: { referer } });
    expect(sent[0]?.["site"]).toHaveProperty("page", page);
  });

  test("of the page's config only allowed keys with plain values go out", async () => {
    const config = configOf({
      providers: provider("one"),
      allowed_context_keys: ["topic", "tags", "deep", "__proto__"],
    });
    const unit = '{"code":"top","mediaTypes":{"banner":{"sizes":[[300,250]]}}}';
    const context = '{"topic":"x","tags":["a"],"deep":{"x":1},"other":"y","__proto__":{"z":1}}';
    const body = `{"adUnits":[${unit}],"config":${context}}`;
    const { sent } = await run({ config, body });
    expect(sent[0]?.["site"]).toHaveProperty("ext", { data: { topic: "x", tags: ["a"] } });
  });
});
