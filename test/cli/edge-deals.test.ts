import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SECRETS } from "../edge/harness/edge.ts";
import { buildProduct, parley, type Running, startParley } from "./program.ts";

const PRODUCT = "prod-53e78a97";
const CONSENT = "CQtAQoAQtAQoAAbABAENCWEAAPAAAAAAAAAAAAAAAAAA";

const BIDDER = `
import http from "node:http";
const server = http.createServer((request, response) => {
  if (request.method === "GET") return void response.setHeader("content-type", "text/html").end("<html><head></head><body></body></html>");
  let text = "";
  request.on("data", (piece) => (text += piece));
  request.on("end", () => {
    const bid = JSON.parse(text).imp.map(({ id, pmp }) => {
      const deal = pmp?.deals.find(({ wseat }) => wseat?.includes("seat-7"));
      return { id: "b-" + id, impid: id, price: deal === undefined ? 1 : deal.bidfloor + 1, w: 300, h: 250, adm: "<b>ad</b>", dealid: deal?.id };
    });
    response.setHeader("content-type", "application/json").end(JSON.stringify({ cur: "USD", seatbid: [{ seat: "seat-7", bid }] }));
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write("listening on " + server.address().port + "\\n"));
`;

const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

describe("a seller's guaranteed deal, delivered by the edge: seller, edge and bidder as processes", () => {
  let root: string;
  let bidder: ChildProcess;
  let bidderUrl: string;
  let seller: Running;
  let sellerUrl: string;
  let edge: Running;
  let edgeUrl: string;
  let operator: string;
  let edgeKey: string;
  let senior: string;

  const api = async (path: string, key: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${sellerUrl}${path}`, init);
    const json = (await response.json()) as Record<string, unknown>;
    expect(`${response.status} ${JSON.stringify(json)}`).toMatch(/^20/);
    return json;
  };

  const startSeller = async (port = "0"): Promise<void> => {
    const environment = { RATE_LIMIT_PER_MINUTE: "0" };
    seller = startParley(["seller", "--port", port, "--data", join(root, "seller")], environment);
    await seller.until("listening on");
    sellerUrl = /listening on (http:\S+)/.exec(seller.out())?.[1] ?? "";
  };

  const startEdge = async (): Promise<void> => {
    const config = `
[publisher]
domain = "pub.example"
origin_url = "${bidderUrl}"
proxy_secret = "proxy-entry"
[ec]
passphrase = "passphrase-entry"
[consent]
check_expiration = false
[[handlers]]
path = "^/_ts/admin"
username = "ops"
password = "admin-entry"
[auction]
enabled = true
[auction.providers.exchange]
protocol = "openrtb-2.6"
endpoint = "${bidderUrl}/bid"
routing = "all_eligible"
seats = ["seat-7"]
[deals]
seller_url = "${sellerUrl}"
api_key = "seller-key"
report_ms = 100
refresh_ms = 1000
slots = { "${PRODUCT}" = ["top"] }
[creative_opportunities]
gam_network_id = "1"
[[creative_opportunities.slot]]
id = "top"
page_patterns = ["/*"]
formats = [{ width = 300, height = 250 }]
`;
    writeFileSync(join(root, "edge.toml"), config);
    writeFileSync(join(root, "secrets.json"), JSON.stringify({ ...SECRETS, "seller-key": edgeKey }));
    const files = ["--config", join(root, "edge.toml"), "--secrets", join(root, "secrets.json")];
    const args = ["edge", "--port", "0", "--workers", "2", ...files, "--data", join(root, "edge")];
    edge = startParley(args, { OUTBOUND_ALLOW: "127.0.0.1" });
    await edge.until("listening on");
    edgeUrl = /listening on (http:\S+)/.exec(edge.out())?.[1] ?? "";
  };

  beforeAll(async () => {
    buildProduct();
    root = mkdtempSync(join(tmpdir(), "parley-edge-deals-"));
    bidder = spawn(process.execPath, ["--input-type=module", "-e", BIDDER], { stdio: ["ignore", "pipe", "inherit"] });
    bidderUrl = await new Promise((resolve) => {
      bidder.stdout?.once("data", (text: Buffer) =>
        resolve(`http://127.0.0.1:${/(\d+)/.exec(String(text))?.[1] ?? ""}`),
      );
    });
    const keyOf = (label: string, role: string): string => {
      const of = ["--agent", "seller", "--data", join(root, "seller"), "--label", label, "--role", role, "--quiet"];
      return parley(["key", "create", ...of]).out.trim();
    };
    operator = keyOf("desk", "operator");
    edgeKey = keyOf("edge", "edge");
    senior = keyOf("boss", "senior");
  });
  afterAll(() => {
    bidder.kill("SIGKILL");
    rmSync(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await startSeller();
    await startEdge();
  });
  afterEach(async () => {
    await edge.stop("SIGTERM");
    await seller.stop("SIGTERM");
  });

  /** Booked by a buyer of seat-7, and activated. */
  const bookDeal = async (): Promise<{ id: string; buyer: string; price: number }> => {
    const key = await api("/auth/api-keys", operator, { seat_id: "seat-7", agency_id: "agency-7" });
    const buyer = String(key["api_key"]);
    const terms = {
      product_id: PRODUCT,
      deal_type: "PG",
      impressions: 5_000_000,
      flight_start: day(0),
      flight_end: day(30),
    };
    const quote = await api("/api/v1/quotes", buyer, terms);
    const deal = await api("/api/v1/deals", buyer, {
      quote_id: quote["quote_id"],
      buyer_identity: { seat_id: "seat-7" },
    });
    const id = String(deal["deal_id"]);
    const active = await api(`/api/v1/deals/${id}/transition`, operator, { to_status: "active" });
    expect(active).toMatchObject({ status: "active", openrtb_params: { wseat: ["seat-7"] } });
    return { id, buyer, price: Number((active["openrtb_params"] as { bidfloor: number }).bidfloor) };
  };

  const pageBid = async (): Promise<Record<string, unknown>> => {
    const headers = { "sec-fetch-site": "same-origin", cookie: `euconsent-v2=${CONSENT}` };
    const response = await fetch(`${edgeUrl}/_ts/page-bids`, { headers });
    return ((await response.json()) as { bids: { top?: Record<string, unknown> } }).bids.top ?? {};
  };
  const markOf = (bid: Record<string, unknown>): string =>
    (/<img src="([^"]+)" alt=""/.exec(String(bid["adm"]))?.[1] ?? "").replaceAll("&amp;", "&");
  const show = async (mark: string): Promise<number> => (await fetch(mark)).status;
  const isOffered = async (id: string): Promise<boolean> => (await pageBid())["hb_deal"] === id;
  const deliveredAt = async (id: string, key: string): Promise<unknown> =>
    (await api(`/api/v1/deals/${id}/delivery`, key))["delivered_impressions"];

  it("is offered when it becomes active, and the seller's count is what the page showed", async () => {
    const { id, buyer, price } = await bookDeal();
    await expect.poll(() => isOffered(id)).toBe(true);
    const bid = await pageBid();
    expect(Number(bid["hb_pb"])).toBeCloseTo(Math.min(price, 20), 0);

    const marks = await Promise.all(Array.from({ length: 24 }, async () => markOf(await pageBid())));
    expect(new Set(marks).size).toBe(24);
    const shown = marks.slice(0, 17);
    expect(await Promise.all([...shown, ...shown].map(show))).toEqual(Array<number>(34).fill(200));
    await expect.poll(() => deliveredAt(id, buyer)).toBe(17);

    const asked = await api(`/api/v1/deals/${id}/cancel`, buyer, { reason: "The campaign ended." });
    const change = `/api/v1/change-requests/${String(asked["change_request_id"])}`;
    await api(`${change}/review`, senior, { decision: "approve" });
    await api(`${change}/apply`, senior, {});
    await expect.poll(() => isOffered(id)).toBe(false);
    expect(await deliveredAt(id, buyer)).toBe(17);
  });

  it("counts nothing twice and loses nothing when a worker, the edge and the seller die on the way", async () => {
    const { id, buyer } = await bookDeal();
    await expect.poll(() => isOffered(id)).toBe(true);
    const marks = await Promise.all(Array.from({ length: 12 }, async () => markOf(await pageBid())));
    const pids = new Set([...edge.err().matchAll(/"worker":(\d+)/g)].map(([, pid]) => Number(pid)));
    expect(pids.size).toBeGreaterThan(0);

    const { port } = new URL(sellerUrl);
    await seller.stop("SIGKILL");
    // A browser gives up in time, and sends again what did not get through.
    const again = () =>
      Promise.all(
        marks.map((mark) =>
          fetch(mark, { signal: AbortSignal.timeout(3_000) }).then(
            ({ status }) => status,
            () => 0,
          ),
        ),
      );
    const answers = again();
    for (const pid of pids) process.kill(pid, "SIGKILL");
    await answers;
    await expect.poll(again).toEqual(Array<number>(12).fill(200));
    await expect.poll(() => edge.err()).toContain("deals_not_reported");
    await edge.stop("SIGKILL");
    await startSeller(port);
    const ports = new URL(edgeUrl).port;
    await startEdge();
    const moved = marks.map((mark) => mark.replace(`:${ports}/`, `:${new URL(edgeUrl).port}/`));
    expect(await Promise.all(moved.map(show))).toEqual(Array<number>(12).fill(200));
    await expect.poll(() => deliveredAt(id, buyer)).toBe(12);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await deliveredAt(id, buyer)).toBe(12);
  });
});
