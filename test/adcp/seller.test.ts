import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startSeller } from "../spec/launched.ts";
import { account, buyOf, callerOver, type Door, type Members, newKey, onePackage } from "./caller.ts";

let seller: Started;
let buyer: string;
let other: string;
const keyFor = async (seat: string, agency: string): Promise<string> =>
  String((await seller.host("create_api_key", { seat_id: seat, agency_id: agency }))["api_key"]);

beforeAll(async () => {
  seller = await startSeller({
    PUBLISHER_DOMAIN: "news.example",
    APPROVAL_GATE_ENABLED: "true",
    APPROVAL_REQUIRED_FLOWS: "media_buy",
    APPROVAL_REQUIRED_ABOVE_VALUE: "20000",
  });
  buyer = await keyFor("seat-adcp-1", "agency-adcp-1");
  other = await keyFor("seat-adcp-2", "agency-adcp-2");
});
afterAll(() => seller.close());

const doors: readonly Door[] = ["mcp", "a2a"];

const first = (value: unknown): Members => (value as readonly Members[])[0] ?? {};

const optionOf = (products: unknown, id: string): Members =>
  first((products as readonly Members[]).find(({ product_id: one }) => one === id)?.["pricing_options"]);

const dealsOf = async (): Promise<number> => Number((await seller.host("list_deals", { limit: 1 }))["total"]);

describe.each(doors)("adcp over %s", (door) => {
  const ask = callerOver(
    door,
    () => seller,
    () => buyer,
  );

  test("a package is booked at the price that was shown, paused, and cancelled", async () => {
    const { body: shown } = await ask("get_products", { buying_mode: "wholesale", account });
    const { fixed_price: price } = optionOf(shown["products"], onePackage["product_id"] as string);
    const { body: made, code } = await ask("create_media_buy", buyOf([onePackage]));
    expect(code).toBeNull();
    const booked = first(made["packages"]);
    const { deal_id: dealId, price: bookedPrice } = (booked["ext"] as { parley: Members }).parley;
    expect(bookedPrice).toBe(price);
    const deal = await seller.host("get_deal", { deal_id: dealId });
    expect((deal["pricing"] as Members)["final_cpm"]).toBe(price);

    const named = { account, media_buy_id: made["media_buy_id"] };
    const paused = await ask("update_media_buy", { idempotency_key: newKey(), ...named, paused: true, revision: 1 });
    expect(paused.body).toMatchObject({ revision: 2 });
    const stale = await ask("update_media_buy", { idempotency_key: newKey(), ...named, paused: false, revision: 1 });
    expect(stale.code).toBe("CONFLICT");
    expect((await ask("update_media_buy", { idempotency_key: newKey(), ...named, canceled: true })).code).toBeNull();
    const read = await ask("get_media_buys", { account, media_buy_ids: [made["media_buy_id"]] });
    expect(first(read.body["media_buys"])).toMatchObject({
      status: "canceled",
      cancellation: { canceled_by: "buyer" },
    });
  });

  test("a key buys once: the same request is answered again, another is a conflict", async () => {
    const before = await dealsOf();
    const request = buyOf([onePackage]);
    const [made, again] = [await ask("create_media_buy", request), await ask("create_media_buy", request)];
    expect(again.body).toMatchObject({ media_buy_id: made.body["media_buy_id"], replayed: true });
    const changed = await ask("create_media_buy", { ...request, packages: [{ ...onePackage, budget: 6000 }] });
    expect(changed.code).toBe("IDEMPOTENCY_CONFLICT");
    expect(await dealsOf()).toBe(before + 1);
  });

  const refused: readonly (readonly [string, string, Members])[] = [
    ["an unknown product", "PRODUCT_NOT_FOUND", buyOf([{ ...onePackage, product_id: "none" }])],
    ["one bad package of two", "PRODUCT_NOT_FOUND", buyOf([onePackage, { ...onePackage, product_id: "none" }])],
    ["a start in the past", "INVALID_REQUEST", { ...buyOf([onePackage]), start_time: "2020-01-01T00:00:00Z" }],
    [
      "an end before the start",
      "INVALID_REQUEST",
      { ...buyOf([onePackage]), start_time: "2037-04-01T00:00:00Z", end_time: "2037-03-01T00:00:00Z" },
    ],
    ["neither packages nor a proposal", "INVALID_REQUEST", { ...buyOf([]), packages: undefined }],
    ["a thousand packages", "INVALID_REQUEST", buyOf(Array.from({ length: 1000 }, () => onePackage))],
    ["a key of three letters", "INVALID_REQUEST", { ...buyOf([onePackage]), idempotency_key: "abc" }],
    ["a pre-release", "VERSION_UNSUPPORTED", { ...buyOf([onePackage]), adcp_version: "3.2-rc.1" }],
    ["another major version", "VERSION_UNSUPPORTED", { ...buyOf([onePackage]), adcp_major_version: 2 }],
  ];
  test.each(refused)("%s is %s, and nothing is booked", async (_what, code, request) => {
    const before = await dealsOf();
    const reply = await ask("create_media_buy", request);
    expect(reply).toMatchObject({ code, body: { adcp_error: { recovery: "correctable" } } });
    expect(await dealsOf()).toBe(before);
  });

  test("a bid on a fixed price changes nothing: what was shown is booked", async () => {
    const { body } = await ask("create_media_buy", buyOf([{ ...onePackage, bid_price: 0.01 }]));
    const { body: plain } = await ask("create_media_buy", buyOf([onePackage]));
    const priceOf = (buy: Members) => (first(buy["packages"])["ext"] as { parley: Members }).parley["price"];
    expect(priceOf(body)).toBe(priceOf(plain));
    expect(first(body["packages"])["bid_price"]).toBeUndefined();
  });

  test("a bid below an auction's price is refused, and one at it is kept", async () => {
    const { body } = await ask("get_products", { buying_mode: "wholesale", account });
    const auction = (body["products"] as readonly Members[]).find(
      ({ pricing_options: options }) => first(options)["floor_price"] !== undefined,
    );
    const { pricing_option_id: optionId, floor_price: price } = first(auction?.["pricing_options"]);
    const wanted = { product_id: auction?.["product_id"], pricing_option_id: optionId, budget: 5000 };
    const low = await ask("create_media_buy", buyOf([{ ...wanted, bid_price: Number(price) - 0.01 }]));
    expect(low.code).toBe("TERMS_REJECTED");
    const { body: bought } = await ask("create_media_buy", buyOf([{ ...wanted, bid_price: price }]));
    expect(first(bought["packages"])).toMatchObject({ bid_price: price });
  });

  test("members that nobody knows are ignored, and the context comes back", async () => {
    const context = { trace: "t-1", née: [1, { deep: true }] };
    const { body, code } = await ask("get_products", { buying_mode: "wholesale", account, context, of_tomorrow: 1 });
    expect(code).toBeNull();
    expect(body["context"]).toStrictEqual(context);
  });

  test("a sandbox account buys without a person, holds nothing, and is in no sum; another one is", async () => {
    const sums = async () => {
      const { totals } = await seller.host("list_deals", { limit: 1 });
      const [held, report, searched] = await Promise.all([
        seller.host("get_capacity_report", { from: "2037-03-01", months: 1 }),
        seller.host("get_order_report", {}),
        seller.host("list_deals", { limit: 1, q: "prod-15ba2543" }),
      ]);
      return JSON.stringify([totals, held["products"], report["total_orders"], searched["totals"]]);
    };
    const before = await sums();
    const trial = { ...account, sandbox: true };
    const large = buyOf([{ ...onePackage, budget: 30_000 }]);
    const { body: made, code } = await ask("create_media_buy", { ...large, account: trial });
    expect([code, made["status"]]).toEqual([null, expect.not.stringMatching("submitted")]);
    const { deal_id: dealId } = (first(made["packages"])["ext"] as { parley: Members }).parley;
    expect(await seller.host("get_deal", { deal_id: dealId })).toMatchObject({ sandbox: true });
    expect(await sums()).toBe(before);
    const end = { idempotency_key: newKey(), account: trial, media_buy_id: made["media_buy_id"], canceled: true };
    expect((await ask("update_media_buy", end)).code).toBeNull();
    expect(await sums()).toBe(before);
    await ask("create_media_buy", buyOf([onePackage]));
    expect(await sums()).not.toBe(before);
  });

  test("a stranger's ids are like ids of nothing", async () => {
    const { body } = await ask("create_media_buy", buyOf([onePackage]));
    const change = (id: unknown) => ({ idempotency_key: newKey(), account, media_buy_id: id, canceled: true });
    const id = String(body["media_buy_id"]);
    const unknown = "mb-000000000000";
    const foreign = await ask("update_media_buy", change(id), other);
    const absent = await ask("update_media_buy", change(unknown), other);
    expect(JSON.stringify(foreign).replaceAll(id, unknown)).toBe(JSON.stringify(absent));
    expect(foreign.code).toBe("MEDIA_BUY_NOT_FOUND");
  });

  test("without a valid key every task but one is HTTP 401", async () => {
    for (const key of [null, "ask_live_nobody"]) {
      expect((await ask("get_products", { buying_mode: "wholesale" }, key)).http).toBe(401);
      expect((await ask("create_media_buy", buyOf([onePackage]), key)).http).toBe(401);
    }
    const { body } = await ask("get_adcp_capabilities", {}, null);
    expect(body).toMatchObject({ adcp: { supported_versions: ["3.0", "3.2"] } });
  });

  test("a buy above the gate waits, and one decision books all of its packages", async () => {
    const before = await dealsOf();
    const large = [15_000, 12_000].map((budget) => ({ ...onePackage, budget }));
    const { body: waiting } = await ask("create_media_buy", { ...buyOf(large), adcp_version: "3.2" });
    expect(waiting).toMatchObject({ status: "submitted" });
    expect(await dealsOf()).toBe(before);
    const asked = { task_id: waiting["task_id"], account };
    expect((await ask("get_task_status", asked, other)).code).toBe("REFERENCE_NOT_FOUND");

    const { approvals } = await seller.host("list_approvals", {});
    const approvalId = (approvals as readonly Members[]).find(({ status }) => status === "pending")?.["approval_id"];
    await seller.host("approve_or_reject", { approval_id: approvalId, decision: "approve", decided_by: "Pat" });
    expect(await dealsOf()).toBe(before + 2);
    const { body: done } = await ask("get_task_status", { ...asked, include_result: true });
    expect(done["status"]).toBe("completed");
  });

  test("test mode is off: its tools are in no list", async () => {
    const reply = await ask("comply_test_controller", { scenario: "list_scenarios" });
    expect(JSON.stringify(reply.body)).not.toContain("scenarios");
    expect(reply.body["success"]).toBeUndefined();
  });
});
