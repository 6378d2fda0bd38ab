import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Change, Kind, StoredRow } from "../../storage/store.ts";
import type { DueWork } from "../../skills/seller/deadline.ts";
import { isSwept, sellerDueWork } from "../../skills/seller/due-work.ts";
import { openWorld, plainSettings, startMs, type World } from "./world.ts";

const dayMs = 86_400_000;
let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const quoteInput = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  impressions: 5_000_000,
  flight_start: "2027-03-01",
  flight_end: "2027-03-31",
};

const quote = async (): Promise<string> => {
  const reply = await world.send({ caller: "agency", operation: "request_quote", input: quoteInput });
  return String(reply.body["quote_id"]);
};

const bookedDeal = async (): Promise<string> => {
  const input = { quote_id: await quote() };
  return String((await world.send({ caller: "agency", operation: "book_deal", input })).body["deal_id"]);
};

const activate = (dealId: string) =>
  world.send({ caller: "operator", operation: "transition_deal", input: { deal_id: dealId, to_status: "active" } });

const row = async (kind: string, id: string): Promise<StoredRow> => {
  const loaded = await world.store.get(kind, id);
  if (loaded === null) throw new Error(`no ${kind} ${id}`);
  return loaded;
};

const dueAt = (loaded: StoredRow, nowMs: number) => sellerDueWork(plainSettings)(loaded, nowMs, world.store);

/** So that the next read finds the row after the sweep. */
const sweep = async (kind: string, id: string): Promise<DueWork> => {
  const work = await dueAt(await row(kind, id), world.nowMs());
  if (work === null) throw new Error(`nothing is due for ${kind} ${id}`);
  expect(await world.store.commit({ changes: work.changes as Change[], audit: null })).toStrictEqual({ ok: true });
  return work;
};

describe("deadlines", () => {
  test("a row whose deadline has not come needs nothing", async () => {
    const quoteId = await quote();
    const dealId = await bookedDeal();
    expect(dueAt(await row("quote", quoteId), startMs + dayMs - 1)).toBeNull();
    expect(dueAt(await row("deal", dealId), startMs + 30 * dayMs - 1)).toBeNull();
  });

  test("an expired quote is written with its event, a due row no more, and removed 30 days later", async () => {
    const quoteId = await quote();
    world.advance(dayMs);
    expect((await world.store.due(world.nowMs(), 10)).map((found) => found.id)).toStrictEqual([quoteId]);
    const { events } = await sweep("quote", quoteId);
    expect(events).toMatchObject([{ event_type: "quote.expired", flow_id: quoteId, owner: "agency:agency-2" }]);
    expect(await world.store.due(world.nowMs(), 10)).toStrictEqual([]);
    const read = await world.send({ caller: "agency", operation: "get_quote", input: { quote_id: quoteId } });
    expect([read.code, read.status]).toStrictEqual(["quote_expired", 410]);
    world.advance(30 * dayMs);
    expect((await sweep("quote", quoteId)).events).toStrictEqual([]);
    expect(await world.store.get("quote", quoteId)).toBeNull();
  });

  test("a deal that nobody activated expires, gives its impressions back once, and tells of it", async () => {
    const dealId = await bookedDeal();
    const first = Date.UTC(2027, 2, 1) / dayMs;
    const ledger = "inventory/prod-53e78a97";
    expect(await world.store.reserved(ledger, first, first + 30)).toBe(5_000_000);
    world.advance(30 * dayMs);
    const { events } = await sweep("deal", dealId);
    expect(events).toMatchObject([{ event_type: "deal.expired", deal_id: dealId, owner: "agency:agency-2" }]);
    expect(await world.store.reserved(ledger, first, first + 30)).toBe(0);
    expect(dueAt(await row("deal", dealId), world.nowMs() + 400 * dayMs)).toBeNull();
  });

  test("behind a gate, an anonymous booking that nobody approves gives its impressions back", async () => {
    await world.close();
    world = await openWorld({ settings: { approvalGate: { enabled: true, flows: ["deal"], aboveMicros: 0 } } });
    const anonymous = (operation: string, input: unknown) => world.send({ caller: "anonymous", operation, input });
    const quoted = await anonymous("request_quote", { ...quoteInput, impressions: 20_000_000 });
    const { body: deal } = await anonymous("book_deal", { quote_id: quoted.body["quote_id"] });
    const left = async () => (await anonymous("request_quote", quoteInput)).body["availability"];
    expect(await left()).toMatchObject({ inventory_available: false });
    world.advance(dayMs);
    await sweep("approval", String(deal["approval_id"]));
    expect(await left()).toMatchObject({ inventory_available: true, available_impressions: 20_000_000 });
    const read = await anonymous("get_deal", { deal_id: deal["deal_id"] });
    expect(read.body["status"]).toBe("rejected");
  });

  test("an active deal is completed at 00:00 UTC after its flight", async () => {
    const dealId = await bookedDeal();
    await activate(dealId);
    const endMs = Date.UTC(2027, 3, 1);
    expect(dueAt(await row("deal", dealId), endMs - 1)).toBeNull();
    world.advance(endMs - world.nowMs());
    expect((await sweep("deal", dealId)).events).toMatchObject([{ event_type: "deal.completed" }]);
    const read = await world.send({ caller: "agency", operation: "get_deal", input: { deal_id: dealId } });
    expect([read.body["status"], read.body["revision"]]).toStrictEqual(["completed", 3]);
  });

  test("what a read shows is what the sweeper writes", async () => {
    const dealId = await bookedDeal();
    world.advance(30 * dayMs);
    const read = () => world.send({ caller: "agency", operation: "get_deal", input: { deal_id: dealId } });
    const before = await read();
    expect((await row("deal", dealId)).version).toBe(1);
    await sweep("deal", dealId);
    expect(await read()).toStrictEqual(before);
  });

  test("a request for approval that nobody answers times out with its event", async () => {
    const input = { seat_id: "seat-9" };
    const created = await world.send({ caller: "anonymous", operation: "create_api_key", input });
    world.advance(dayMs);
    const { events } = await sweep("approval", String(created.body["approval_id"]));
    expect(events).toMatchObject([{ event_type: "approval.timed_out", flow_id: created.body["key_id"] }]);
    expect((await row("approval", String(created.body["approval_id"]))).body).toMatchObject({
      life: { value: "timed_out" },
    });
    expect(await world.store.due(world.nowMs() + dayMs, 10)).toStrictEqual([]);
  });

  test("a kind without deadlines needs nothing", async () => {
    const [key] = await world.store.list({ kind: "api_key", terms: [], order: "oldest", limit: 1 });
    expect(key && dueAt(key, startMs + 1_000 * dayMs)).toBeNull();
  });

  test("every kind of record that has a deadline is known to the sweeper, or to the sender of webhooks", async () => {
    const seller = join(import.meta.dirname, "../../skills/seller");
    const records = readdirSync(seller, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith("record.ts"),
    );
    const modules = await Promise.all(
      records.map((file) => import(pathToFileURL(join(seller, file)).href) as Promise<Record<string, unknown>>),
    );
    const kinds = modules
      .flatMap((module) => Object.values(module))
      .filter((value): value is Kind<unknown> => typeof value === "object" && value !== null && "dueAtMs" in value);
    const withDeadline = kinds
      .filter(({ dueAtMs }) => !/^\(\) => null$/.test(dueAtMs.toString()))
      .map((kind) => kind.name);
    expect(withDeadline.length).toBeGreaterThan(6);
    expect(withDeadline.filter((kind) => !isSwept(kind))).toEqual(["webhook_delivery"]);
  });
});
