import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { buyerSettingTable } from "../../agents/buyer/config.ts";
import { launchBuyer } from "../../agents/buyer/launch.ts";
import type { AgentName, StoreLocation } from "../../agents/host/store-location.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { sellerSettingTable } from "../../agents/seller/config.ts";
import { launchSeller } from "../../agents/seller/launch.ts";
import type { Launched } from "../../agents/server/launch.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import { hostCall } from "../../agents/commands/host/answers.ts";
import { hostOver, serveHostRequest } from "../../agents/host/host.ts";
import { sellerRowFormats } from "../../agents/seller/row-formats.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { membersAt, sealedLine } from "../../storage/lowdb/log/lines.ts";
import { verifyAuditTrail } from "../../storage/audit.ts";
import { describeOnPostgres, runSql } from "./postgres/database.ts";

type Answer = Readonly<Record<string, unknown>>;

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const fixtures = join(import.meta.dirname, "fixtures");
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const unpacked = async (path: string): Promise<Buffer> => gunzipSync(await readFile(join(fixtures, path)));

const folderOf = async (fixture: string, agent: AgentName) => {
  const dir = await mkdtemp(join(tmpdir(), "parley-older-"));
  undo.push(() => rm(dir, { recursive: true, force: true }));
  for (const name of await readdir(join(fixtures, fixture, agent))) {
    await writeFile(join(dir, name.replace(/\.gz$/, "")), await unpacked(join(fixture, agent, name)));
  }
  return { driver: "lowdb", dir } as const;
};

const launch = async (agent: AgentName, place: StoreLocation): Promise<Launched> => {
  const at = { host: "127.0.0.1", port: 0, place, log: silent };
  const launched =
    agent === "seller"
      ? await launchSeller({
          ...at,
          config: readSettings(sellerSettingTable, {}),
          catalog: createCatalog(defaultProducts),
        })
      : await launchBuyer({ ...at, config: readSettings(buyerSettingTable, {}) });
  undo.push(() => launched.close());
  return launched;
};

const caller = ({ agent, store }: Launched) => {
  const host = hostOver(
    (request) => serveHostRequest(agent.runner, store, request),
    agent.runner.contracts,
    async () => undefined,
  );
  return async (operation: string, input: unknown = {}): Promise<Answer> => {
    const outcome = await host.run(hostCall(operation, input));
    if (outcome.kind !== "done") throw new Error(`${operation}: ${JSON.stringify(outcome)}`);
    return outcome.output as Answer;
  };
};

const rowsOf = (answer: Answer): readonly Answer[] => (Object.values(answer).find(Array.isArray) ?? []) as Answer[];

/** Lists, with what reads one of their rows by which of its members. */
const lists: Readonly<Record<AgentName, Readonly<Record<string, readonly [string, string] | null>>>> = {
  seller: {
    list_quotes: ["get_quote", "quote_id"],
    list_deals: ["get_deal", "deal_id"],
    list_proposals: ["get_proposal", "proposal_id"],
    list_negotiations: ["get_negotiation_status", "negotiation_id"],
    list_orders: ["get_order", "order_id"],
    list_change_requests: ["get_change_request", "cr_id"],
    list_sessions: ["get_session", "session_id"],
    list_conversations: null,
    list_packages: ["get_package", "package_id"],
    list_webhooks: ["get_webhook", "webhook_id"],
    list_api_keys: ["get_api_key", "key_id"],
    list_buyers: null,
    list_events: ["get_event", "event_id"],
    list_audit: null,
    list_pending_approvals: null,
    get_rate_card: null,
    get_setup_status: null,
  },
  buyer: {
    list_bookings: ["get_booking", "job_id"],
    list_operator_keys: ["get_operator_key", "key_id"],
    list_events: ["get_event", "event_id"],
    list_audit: null,
  },
};

const readAll = async (agent: AgentName, call: ReturnType<typeof caller>): Promise<void> => {
  for (const [list, one] of Object.entries(lists[agent])) {
    const rows = rowsOf(await call(list));
    if (one === null) continue;
    const [get, member] = one;
    // A list still shows a quote that has expired since; read by itself it is gone.
    const standing = rows.filter((row) => row["status"] !== "expired");
    for (const row of standing) await call(get, { [member]: row[member] ?? row["change_request_id"] });
  }
};

const isReady = async ({ url }: Launched): Promise<void> => {
  const answer = await fetch(new URL("/readyz", url));
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ready" }]);
};

const isWhole = async ({ store }: Launched): Promise<void> => {
  expect(await verifyAuditTrail(store.auditTrail(), await store.auditHeads())).toMatchObject({ ok: true });
};

const dayFrom = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface Kept {
  readonly deals: number;
  readonly orders: number;
}

const readAndSell = async (place: StoreLocation, { deals, orders }: Kept): Promise<void> => {
  const first = await launch("seller", place);
  const call = caller(first);
  await readAll("seller", call);
  const all = await call("list_deals", { limit: 100 });
  expect(all).toMatchObject({ total: deals, totals: { count: deals } });
  const [deal = {}] = rowsOf(all);
  const product = (deal["product"] as Answer)["product_id"];
  const ofProduct = await call("list_deals", { limit: 100, product_id: product });
  expect(ofProduct["total"]).toBe(
    rowsOf(all).filter((one) => (one["product"] as Answer)["product_id"] === product).length,
  );
  expect((await call("get_order_report"))["total_orders"]).toBe(orders);
  expect(rowsOf(await call("list_events", { deal_id: deal["deal_id"] })).length).toBeGreaterThan(0);
  const asked = { product_id: product, deal_type: "PD", impressions: 100_000 };
  const quote = await call("request_quote", { ...asked, flight_start: dayFrom(30), flight_end: dayFrom(60) });
  await call("book_deal", { quote_id: quote["quote_id"] });
  await isReady(first);
  await isWhole(first);
  await first.close();
  const again = await launch("seller", place);
  expect(await caller(again)("list_deals")).toMatchObject({ total: deals + 1, totals: { count: deals + 1 } });
  await isWhole(again);
};

const readBookings = async (place: StoreLocation): Promise<void> => {
  const launched = await launch("buyer", place);
  const call = caller(launched);
  await readAll("buyer", call);
  const jobs = rowsOf(await call("list_bookings"));
  expect(new Set(jobs.map((job) => job["status"]))).toEqual(new Set(["awaiting_approval", "completed"]));
  expect(rowsOf(await call("list_bookings", { status: "awaiting_approval" }))).toHaveLength(1);
  const waiting = jobs.find((job) => job["status"] === "awaiting_approval");
  const job = await call("get_booking", { job_id: waiting?.["job_id"] });
  expect(job["recommendations"]).not.toEqual([]);
  await isReady(launched);
  await isWhole(launched);
};

const oldest: Kept = { deals: 11, orders: 1 };
const withSums: Kept = { deals: 9, orders: 7 };

describe("stores of earlier programs: folders", () => {
  it.each([
    ["format-1", oldest],
    ["format-1-journal", oldest],
    ["format-2", withSums],
  ])("a seller's %s is read, sold from and whole", async (fixture, kept) => {
    await readAndSell(await folderOf(fixture, "seller"), kept);
  });

  it.each(["format-1", "format-1-journal", "format-2"])("a buyer's %s is read and whole", async (fixture) => {
    await readBookings(await folderOf(fixture, "buyer"));
  });
});

describe("a store that is newer than the program is refused with both versions, and stays as it is", () => {
  it("a snapshot of a later format", async () => {
    const place = await folderOf("format-2", "seller");
    const path = join(place.dir, "store.json");
    const [opening = "", head = "", ...rest] = (await readFile(path, "utf8")).split("\n");
    const later = sealedLine(head.slice(membersAt, -1).replace('"format":2', '"format":3')).toString();
    await writeFile(path, [opening, later.trimEnd(), ...rest].join("\n"));
    const before = await readFile(path, "utf8");
    const opened = openLowdbStore({ dir: place.dir });
    await expect(opened).rejects.toMatchObject({ code: "store_newer" });
    await expect(opened).rejects.toThrow(/has format 3, and this program reads formats up to 2\. .*Start the version/);
    expect(await readFile(path, "utf8")).toBe(before);
  });

  it("rows of a later format", async () => {
    const place = await folderOf("format-2", "seller");
    const store = await openLowdbStore({ dir: place.dir });
    const mark = { op: "put", kind: "row_format", id: "rows", expect: 0, body: { format: 99 }, terms: [] } as const;
    await store.commit({ changes: [{ ...mark, dueAtMs: null }], audit: null });
    await store.close();
    const known = sellerRowFormats.length;
    await expect(launch("seller", place)).rejects.toThrow(
      `The rows of this store have format 99, and this program knows formats up to ${known}.`,
    );
  });
});

await describeOnPostgres("stores of earlier programs: databases", (url) => {
  const restored = async (fixture: string, agent: AgentName): Promise<StoreLocation> => {
    await runSql(url, (await unpacked(join(fixture, `${agent}.sql.gz`))).toString());
    undo.push(() => runSql(url, `DROP SCHEMA parley_${agent} CASCADE`));
    return { driver: "postgres", url, schema: `parley_${agent}` };
  };

  it.each([
    ["postgres-1", oldest],
    ["postgres-2", withSums],
  ])("a seller's %s is migrated, read, sold from and whole", async (fixture, kept) => {
    await readAndSell(await restored(fixture, "seller"), kept);
  });

  it.each(["postgres-1", "postgres-2"])("a buyer's %s is migrated, read and whole", async (fixture) => {
    await readBookings(await restored(fixture, "buyer"));
  });
});
