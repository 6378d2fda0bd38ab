import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { DealBoard, LogEntry, OutboundRequest, OutboundResult } from "../../../agents/edge/platform.ts";
import { decode } from "../../../agents/edge/runtimes/leaf/codings.ts";
import { openDeliveryLedger } from "../../../agents/edge/runtimes/node/deals/delivery-ledger.ts";
import { startDealDesk } from "../../../agents/edge/runtimes/node/deals/desk.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { answer } from "../fake-edge.ts";

const listed = (id: string, more: object = {}) => ({
  deal_id: id,
  deal_type: "PG",
  status: "active",
  sandbox: false,
  product: { product_id: "prod" },
  terms: { impressions: 1_000, flight_start: "2026-11-01", flight_end: "2026-11-30" },
  openrtb_params: { id, bidfloor: 4, bidfloorcur: "USD", at: 1, wseat: ["s"], wadomain: [] },
  delivered_impressions: 7,
  ...more,
});

const list = (...deals: readonly unknown[]): OutboundResult =>
  answer(200, {}, JSON.stringify({ deals, next_cursor: null }));

type Answers = {
  deals?: (request: OutboundRequest) => OutboundResult;
  report?: (batch: { batch_id: string; counts: { deal_id: string; impressions: number }[] }) => OutboundResult;
  events?: () => OutboundResult;
};

const down: OutboundResult = { ok: false, fault: "refused", reason: "ECONNREFUSED" };

const start = async (answers: Answers, more: { store?: Store; config?: object } = {}) => {
  const logs: LogEntry[] = [];
  const sent: OutboundRequest[] = [];
  const boards: (DealBoard | null)[] = [];
  const desk = await startDealDesk({
    config: {
      seller_url: "https://seller.example/base/",
      api_key: "operator-key",
      slots: {},
      sandbox: false,
      refresh_ms: 60_000,
      stale_ms: 600_000,
      report_ms: 20,
      most_per_slot: 20,
      ...more.config,
    },
    store: more.store ?? openMemoryStore(),
    env: {
      decode,
      now: Date.now,
      async send(request) {
        sent.push(request);
        const { pathname } = request.url;
        if (pathname === "/base/api/v1/deals") return answers.deals?.(request) ?? list();
        if (pathname === "/base/events/stream") return answers.events?.() ?? down;
        const body = new TextDecoder().decode(request.body as Uint8Array);
        return answers.report?.(JSON.parse(body) as never) ?? down;
      },
    },
    log: (entry) => void logs.push(entry),
  });
  onTestFinished(() => desk.close());
  desk.subscribe((board) => void boards.push(board));
  return { desk: desk.desk, running: desk, logs, sent, boards };
};

const shown = (dealId: string, id: string) => ({ dealId, id, expiresAtMs: Date.now() + 60_000 });
const ok = (batch: { batch_id: string }, rejected: object[] = []) =>
  answer(200, {}, JSON.stringify({ batch_id: batch.batch_id, rejected }));

describe("the list of the seller's deals", () => {
  test("is read page by page, with the key, and holds what is a deal", async () => {
    const bad = [
      null,
      listed("D-2", { status: "proposed" }),
      listed("D-3", { openrtb_params: { ...listed("D-4").openrtb_params } }),
      listed("D-5", { sandbox: true }),
      listed("D-6", { terms: { impressions: 1, flight_start: "2026-11-30", flight_end: "2026-11-01" } }),
      listed("D-7", { terms: { impressions: 1, flight_start: "soon", flight_end: "later" } }),
      listed("D-8", { openrtb_params: { ...listed("D-8").openrtb_params, bidfloor: "4" } }),
    ];
    const { desk, sent, logs } = await start({
      deals: ({ url }) =>
        url.searchParams.get("cursor") === "1"
          ? list(listed("D-9"))
          : answer(200, {}, JSON.stringify({ deals: [listed("D-1"), ...bad], next_cursor: "1" })),
    });
    await expect.poll(() => desk.board()?.deals.map(({ id }) => id)).toEqual(["D-1", "D-9"]);
    expect(desk.board()?.deals[0]).toEqual({
      id: "D-1",
      type: "PG",
      productId: "prod",
      bidfloor: 4,
      bidfloorcur: "USD",
      at: 1,
      wseat: ["s"],
      wadomain: [],
      impressions: 1_000,
      startMs: Date.UTC(2026, 10, 1),
      endMs: Date.UTC(2026, 11, 1),
      delivered: 7,
    });
    expect(sent.find(({ url }) => url.pathname.endsWith("/deals"))?.headers.get("authorization")).toBe(
      "Bearer operator-key",
    );
    expect(logs).toContainEqual({ level: "info", event: "deals", active: 2, unreadable: 7 });
  });

  test.each([
    ["is down", () => down, /cannot be reached \(ECONNREFUSED\)/, /tried again/],
    ["refuses the key", () => answer(403, {}, "{}"), /answered 403/, /role edge/],
    ["answers a page", () => answer(200, {}, "<html>"), /no JSON/, /tried again/],
    ["answers another thing", () => answer(200, {}, '{"deals":7}'), /no list of deals/, /tried again/],
  ])("a seller that %s leaves the last list in force, and the log says why", async (_, reply, cause, cure) => {
    let isDown = false;
    const { desk, logs } = await start(
      { deals: () => (isDown ? reply() : list(listed("D-1"))) },
      { config: { refresh_ms: 10, stale_ms: 5_000 } },
    );
    await expect.poll(() => desk.board()?.deals.length).toBe(1);
    isDown = true;
    await expect
      .poll(() => logs.find(({ event }) => event === "deals_not_read"))
      .toMatchObject({
        level: "warn",
        cause: expect.stringMatching(cause),
        cure: expect.stringMatching(cure),
      });
    expect(desk.board()?.deals).toHaveLength(1);
    expect(JSON.stringify(logs)).not.toContain("operator-key");
  });

  test("ten thousand deals are read page by page, and each can be taken", async () => {
    const deals = Array.from({ length: 10_000 }, (_, index) => listed(`D-${index}`, { deal_type: "PD" }));
    const { desk } = await start({
      deals({ url }) {
        const from = Number(url.searchParams.get("cursor") ?? 0);
        const next = from + 200 < deals.length ? String(from + 200) : null;
        return answer(200, {}, JSON.stringify({ deals: deals.slice(from, from + 200), next_cursor: next }));
      },
    });
    await expect.poll(() => desk.board()?.deals.length, { timeout: 20_000 }).toBe(10_000);
    const taken = await desk.take(deals.map(({ deal_id: id }) => id));
    expect(new Set(taken).size).toBe(10_000);
  }, 30_000);

  test("an event of a deal reads it anew; a deal that is gone is remembered", async () => {
    let deals = [listed("D-1"), listed("D-2")];
    let push: (text: string) => void = () => undefined;
    const { desk } = await start({
      deals: () => list(...deals),
      events: () =>
        answer(
          200,
          {},
          new ReadableStream({
            start(controller) {
              push = (text) => controller.enqueue(new TextEncoder().encode(text));
            },
          }),
        ),
    });
    await expect.poll(() => desk.board()?.deals.length).toBe(2);
    await sleep(250);
    deals = [listed("D-2")];
    push("id: 1\nevent: quote.created\ndata: {}\n\n");
    await sleep(250);
    expect(desk.board()?.deals).toHaveLength(2);
    push("id: 2\neve");
    push("nt: deal.rejected\ndata: {}\n\n");
    await expect.poll(() => desk.board()).toMatchObject({ deals: [{ id: "D-2" }], ended: ["D-1"] });
  });
});

describe("what was shown", () => {
  test("goes to the seller once, whatever is sent twice", async () => {
    const batches = new Map<string, number>();
    let fails = 2;
    const { desk, logs } = await start({
      report(batch) {
        batches.set(
          batch.batch_id,
          batch.counts.reduce((sum, { impressions }) => sum + impressions, 0),
        );
        // Stored, but the answer is lost on the way.
        fails -= 1;
        return fails >= 0 ? { ok: false, fault: "timeout", reason: "late" } : ok(batch);
      },
    });
    const results = await Promise.all(["a", "b", "a", "c", "b"].map((id) => desk.shown(shown("D-1", id))));
    expect(results.filter(Boolean)).toHaveLength(3);
    await expect.poll(() => desk.shownHere("D-1")).toBe(3);
    await expect.poll(() => [...batches.values()].reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(logs.some(({ event }) => event === "deals_not_reported")).toBe(true);
    expect(await desk.shown(shown("D-1", "a"))).toBe(false);
  }, 15_000);

  test("waits in the store while the seller is down, also over a restart", async () => {
    const store = openMemoryStore();
    const first = await openDeliveryLedger(store, Date.now, () => "batch-one");
    await first.shown(shown("D-1", "a"));
    await first.shown(shown("D-2", "b"));
    const sealed = await first.nextBatch();
    await first.shown(shown("D-1", "c"));
    // The process ends here, its batch on the way.
    const second = await openDeliveryLedger(store, Date.now, () => "batch-two");
    expect(await second.nextBatch()).toEqual(sealed);
    expect(Object.fromEntries(second.unreported())).toEqual({ "D-1": 2, "D-2": 1 });
    expect(await second.shown(shown("D-1", "a"))).toBe(false);
    await second.settle("another");
    await second.settle("batch-one");
    const rest = await second.nextBatch();
    expect([rest?.id, rest?.counts.map(({ deal_id, impressions }) => [deal_id, impressions])]).toEqual([
      "batch-two",
      [["D-1", 1]],
    ]);
    await second.settle("batch-two");
    expect(await second.nextBatch()).toBeNull();
  });

  test("a batch that would be refused for ever is logged with its counts, and holds nothing back", async () => {
    const seen: string[] = [];
    const { desk, logs } = await start({
      report(batch) {
        seen.push(...batch.counts.map(({ deal_id }) => deal_id));
        return seen.length === 1 ? answer(422, {}, "{}") : ok(batch, [{ deal_id: "D-2" }]);
      },
    });
    await desk.shown(shown("D-1", "a"));
    await expect.poll(() => seen).toEqual(["D-1"]);
    await desk.shown(shown("D-2", "b"));
    await expect.poll(() => seen).toEqual(["D-1", "D-2"]);
    await expect
      .poll(() => logs)
      .toContainEqual(expect.objectContaining({ event: "deal_not_known_to_seller", deal_id: "D-2" }));
    expect(logs).toContainEqual(
      expect.objectContaining({
        event: "deal_batch_refused",
        status: 422,
        counts: [expect.objectContaining({ deal_id: "D-1", impressions: 1 })],
      }),
    );
  });

  test("a store that fails counts nothing, and works again afterwards", async () => {
    const store = openMemoryStore();
    let isFull = true;
    const failing: Store = {
      ...store,
      commit: (commit) => (isFull ? Promise.reject(new Error("disk full")) : store.commit(commit)),
    };
    const ledger = await openDeliveryLedger(failing, Date.now, () => "batch");
    await expect(ledger.shown(shown("D-1", "a"))).rejects.toThrow("disk full");
    expect(ledger.unreported().size).toBe(0);
    isFull = false;
    expect(await ledger.shown(shown("D-1", "a"))).toBe(true);
  });
});
