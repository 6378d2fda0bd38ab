import { describe, expect, onTestFinished, test } from "vitest";
import { handleAuction } from "../../../agents/edge/auction/auction.ts";
import { handleShown } from "../../../agents/edge/auction/deals/shown.ts";
import type { DealDesk } from "../../../agents/edge/platform.ts";
import { decode } from "../../../agents/edge/runtimes/leaf/codings.ts";
import { startDealDesk, type RunningDesk } from "../../../agents/edge/runtimes/node/deals/desk.ts";
import {
  answerCall,
  createCaller,
  remoteDesk,
  type Targets,
  type ToPrimary,
} from "../../../agents/edge/runtimes/node/workers/calls.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";
import { provider } from "../auction/market.ts";
import { answer, fakeEdge, NOW, served } from "../fake-edge.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;

/** Half of its flight is over at `NOW`, to the quarter second. */
const listed = (impressions: number, more: object = {}) => ({
  deal_id: "D-1",
  deal_type: "PG",
  status: "active",
  product: { product_id: "prod" },
  terms: { impressions, flight_start: "2026-11-21", flight_end: "2026-11-21" },
  openrtb_params: { id: "D-1", bidfloor: 4, bidfloorcur: "USD", at: 1, wseat: ["s"], wadomain: [] },
  delivered_impressions: 0,
  ...more,
});

const NOON = Date.parse("2026-11-21T12:00:00Z");

const down = { ok: false, fault: "refused", reason: "ECONNREFUSED" } as const;

const startDesk = async (deal: object, now: () => number): Promise<RunningDesk> => {
  const list = JSON.stringify({ deals: [deal], next_cursor: null });
  const desk = await startDealDesk({
    config: {
      seller_url: "https://seller.example",
      api_key: "edge-key",
      slots: { prod: ["top", "side"] },
      sandbox: false,
      refresh_ms: 60_000,
      stale_ms: 10 * DAY,
      report_ms: 60_000,
      most_per_slot: 20,
    },
    store: openMemoryStore(),
    env: { decode, now, send: async ({ url }) => (url.pathname === "/api/v1/deals" ? answer(200, {}, list) : down) },
    log: () => undefined,
  });
  onTestFinished(() => desk.close());
  await expect.poll(() => desk.desk.board()?.deals.length).toBe(1);
  return desk;
};

/** A desk as a worker has it: every call is a message to the primary and back. */
const workerOf = (primary: RunningDesk): DealDesk => {
  const targets = { deals: primary.desk } as unknown as Targets;
  const caller = createCaller((message: ToPrimary) => {
    if (message.kind !== "call") return;
    const travelled = structuredClone(message);
    void answerCall(targets, travelled).then((result) => caller.settle(structuredClone(result) as never));
  });
  const { desk, take } = remoteDesk(caller.call);
  primary.subscribe((board, shownHere) => take({ board, shownHere: [...shownHere()] }));
  return desk;
};

const config = {
  auction: {
    enabled: true,
    rewrite_creatives: false,
    providers: provider("one", { seats: ["s"] }),
  },
  deals: { seller_url: "https://seller.example", api_key: "k", slots: { prod: ["top", "side"] } },
};

type Imp = { readonly id: string; readonly pmp?: { readonly deals: readonly { readonly id: string }[] } };

/** Bids on the deal where it is offered, else without one; not at all where `bids` is false. */
const edgeOf = (dealDesk: DealDesk, now: () => number, bids = true) =>
  fakeEdge({
    config,
    dealDesk,
    now,
    send({ body }) {
      const { imp } = JSON.parse(new TextDecoder().decode(body as Uint8Array)) as { imp: readonly Imp[] };
      const bid = imp.map(({ id, pmp }) => ({
        id: `b-${id}`,
        impid: id,
        price: pmp === undefined ? 1 : 9,
        w: 300,
        h: 250,
        adm: "<b>",
        dealid: pmp?.deals[0]?.id,
      }));
      return bids ? answer(200, {}, JSON.stringify({ seatbid: [{ seat: "s", bid }] })) : answer(204, {}, null);
    },
  });

type Edge = ReturnType<typeof edgeOf>;

/** The marks of the deals that an auction of two slots won. */
const auction = async ({ context }: Edge): Promise<URL[]> => {
  const units = ["top", "side"].map((code) => ({ code, mediaTypes: { banner: { sizes: [[300, 250]] } } }));
  const request = new Request("https://pub.example/auction", {
    method: "POST",
    body: JSON.stringify({ adUnits: units }),
  });
  const answered = await served(handleAuction(request, context));
  const { seatbid = [] } = (await answered.json()) as { seatbid?: { bid: { adm: string; dealid?: string }[] }[] };
  return seatbid
    .flatMap(({ bid }) => bid)
    .filter(({ dealid }) => dealid !== undefined)
    .map(({ adm }) => new URL((/<img src="([^"]+)"/.exec(adm)?.[1] ?? "").replaceAll("&amp;", "&")));
};

const auctions = async (count: number, edges: readonly Edge[]): Promise<URL[]> =>
  (await Promise.all(Array.from({ length: count }, (_, index) => auction(edges[index % edges.length] as Edge)))).flat();

const show = async (mark: URL, dealDesk: DealDesk, now: () => number): Promise<number> => {
  const { context } = fakeEdge({ config, dealDesk, now, url: mark.href });
  return (await served(handleShown(new Request(mark), context))).status;
};

describe("pace of a deal over all workers", () => {
  test("auctions of the same moment win together no more than is due, at two workers", async () => {
    const now = () => NOON;
    const primary = await startDesk(listed(20), now);
    const edges = [workerOf(primary), workerOf(primary)].map((desk) => edgeOf(desk, now));
    const marks = await auctions(40, edges);
    // Half of the flight is over: ten of twenty, and the one that is begun early.
    expect(marks).toHaveLength(11);
    expect(new Set(marks.map(({ searchParams }) => searchParams.get("id"))).size).toBe(11);
    expect(await auctions(10, edges)).toEqual([]);
  });

  test("what was booked is the end, shown or on its way", async () => {
    const now = () => NOON + DAY / 2 - 1;
    const primary = await startDesk(listed(20, { delivered_impressions: 15 }), now);
    const worker = workerOf(primary);
    const edges = [edgeOf(worker, now)];
    const marks = await auctions(20, edges);
    expect(marks).toHaveLength(5);
    expect(await auctions(20, edges)).toEqual([]);
    for (const mark of marks) expect(await show(mark, worker, now)).toBe(200);
    expect(await auctions(20, edges)).toEqual([]);
    expect(worker.shownHere("D-1")).toBe(5);
  });

  test("an auction that did not win it gives it back", async () => {
    const now = () => NOON;
    const primary = await startDesk(listed(20), now);
    const worker = workerOf(primary);
    await auctions(30, [edgeOf(worker, now, false)]);
    expect(await auctions(30, [edgeOf(worker, now)])).toHaveLength(11);
  });

  test("what is not shown within ten minutes is offered again; shown later it counts on top", async () => {
    let now = NOON - 30 * MINUTE;
    const clock = () => now;
    const primary = await startDesk(listed(20), clock);
    const worker = workerOf(primary);
    const after = (minutes: number): Promise<URL[]> => {
      now += minutes * MINUTE;
      return auctions(20, [edgeOf(worker, clock)]);
    };
    const first = await after(0);
    expect(first).toHaveLength(10);
    expect(await after(9)).toEqual([]);
    const second = await after(1);
    expect(second).toHaveLength(10);
    for (const mark of [...first, ...second]) expect(await show(mark, worker, clock)).toBe(200);
    expect(await after(0)).toEqual([]);
    expect(primary.desk.shownHere("D-1")).toBe(20);
  });

  test("a worker that died in an auction holds nothing for longer than that", async () => {
    let now = NOON;
    const primary = await startDesk(listed(20), () => now);
    const dead = workerOf(primary);
    expect(await dead.take(Array<string>(30).fill("D-1"))).toEqual([
      ...Array<unknown>(11).fill(expect.any(String)),
      ...Array<null>(19).fill(null),
    ]);
    const replacement = workerOf(primary);
    expect(await auctions(5, [edgeOf(replacement, () => now)])).toEqual([]);
    now += 10 * MINUTE;
    expect(await auctions(20, [edgeOf(replacement, () => now)])).toHaveLength(11);
  });

  test("without an answer of the primary the auction goes on without the deal", async () => {
    const primary = await startDesk(listed(20), () => NOON);
    const gone: DealDesk = { ...primary.desk, take: () => Promise.reject(new Error("the primary process is gone")) };
    const edge = edgeOf(gone, () => NOON);
    expect(await auctions(2, [edge])).toEqual([]);
    expect(edge.logs).toContainEqual(expect.objectContaining({ event: "deals_not_taken" }));
    expect(edge.logs.filter(({ event }) => event === "auction")).toHaveLength(2);
  });

  test("a deal that is not on the list any more cannot be taken", async () => {
    const primary = await startDesk(listed(20), () => NOW);
    expect(await primary.desk.take(["D-2", "constructor"])).toEqual([null, null]);
  });
});
