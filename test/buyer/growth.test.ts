import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startCounting } from "../skills/work.ts";

const counter = await startCounting(join(import.meta.dirname, "..", ".."));
afterAll(() => counter.stop());

// Counted code must be loaded after the counting began.
const { buyerOperations } = await import("../../agents/buyer/operations.ts");
const { callAgent, openBuyer, sampleBrief, settledJob } = await import("./world.ts");
const { crowdedPlace } = await import("../skills/crowd.ts");

const anAudience = {
  type: "standard",
  identifier: "3-7",
  taxonomy: "iab-audience",
  version: "1.1",
  source: "explicit",
};

const nobody = "http://127.0.0.1:9";

const inputs: Readonly<Record<string, (ids: { readonly jobId: string; readonly keyId: string }) => object>> = {
  create_booking: () => ({ brief: sampleBrief }),
  get_booking: ({ jobId }) => ({ job_id: jobId }),
  get_booking_delivery: ({ jobId }) => ({ job_id: jobId }),
  get_negotiation_rounds: ({ jobId }) => ({ job_id: jobId }),
  list_bookings: () => ({ status: "failed", offset: 500 }),
  decide_booking: ({ jobId }) => ({ job_id: jobId, approved_product_ids: null, except: [], keep_rest: false }),
  cancel_booking: ({ jobId }) => ({ job_id: jobId }),
  replan_booking: ({ jobId }) => ({ job_id: jobId }),
  cancel_booked_line: ({ jobId }) => ({ job_id: jobId, line_id: "D-1" }),
  ask_line_cancellation: ({ jobId }) => ({ job_id: jobId, line_id: "D-1" }),
  approve_booking: ({ jobId }) => ({ job_id: jobId, approved_product_ids: ["p-1"] }),
  approve_all_bookings: ({ jobId }) => ({ job_id: jobId }),
  translate_audience: () => ({ audience_plan: { primary: anAudience } }),
  create_operator_key: () => ({ label: "another" }),
  get_operator_key: ({ keyId }) => ({ key_id: keyId }),
  list_operator_keys: () => ({ offset: 500 }),
  revoke_operator_key: ({ keyId }) => ({ key_id: keyId }),
  search_products: () => ({ query: "ctv" }),
  compare_products: () => ({ product_ids: ["p-1", "p-2"] }),
  request_quote: () => ({ seller_url: nobody, product_id: "p-1", deal_type: "PD" }),
  get_quote: () => ({ quote_id: "qt-1" }),
  book_deal: () => ({ seller_url: nobody, quote_id: "qt-1" }),
  get_deal: () => ({ deal_id: "D-1" }),
  list_deals: () => ({}),
  export_deals: () => ({}),
  get_activity: () => ({}),
  get_seller_media_kit: () => ({ seller_url: nobody }),
  list_seller_packages: () => ({ seller_urls: [nobody] }),
  get_seller_package: () => ({ seller_url: nobody, package_id: "pkg-1" }),
  search_seller_media_kit: () => ({ seller_url: nobody, query: "ctv" }),
  compare_sellers: () => ({ seller_urls: [nobody] }),
  open_seller_session: () => ({ seller_url: nobody }),
  send_seller_message: () => ({ seller_url: nobody, message: "hello" }),
  close_seller_session: () => ({ seller_url: nobody }),
  list_seller_sessions: () => ({}),
  discover_sellers: () => ({}),
  get_seller_card: () => ({ seller_url: nobody }),
  list_sellers: () => ({}),
  add_seller: () => ({ seller_url: nobody }),
  remove_seller: () => ({ seller_url: nobody }),
  register_buyer: () => ({}),
  verify_seller: () => ({ seller_url: nobody }),
  set_seller_key: () => ({ seller_url: nobody, api_key: "ask_live_x" }),
  list_seller_keys: () => ({}),
  remove_seller_key: () => ({ seller_url: nobody }),
  acquire_seller_key: () => ({ seller_url: nobody }),
  rotate_seller_key: () => ({ seller_url: nobody }),
  list_events: () => ({ limit: 500 }),
  list_audit: () => ({ limit: 500 }),
  verify_audit: () => ({}),
  get_event: () => ({ event_id: "none" }),
  health_check: () => ({}),
  get_setup_status: () => ({}),
  get_caller: () => ({}),
};

const workAmong = async (operation: string, copies: number): Promise<number> => {
  const { openStore, crowd } = crowdedPlace();
  const world = await openBuyer({}, {}, openStore);
  const { buyer } = world;
  const job = await callAgent(buyer, "create_booking", { brief: sampleBrief });
  const jobId = String(job.output["job_id"]);
  expect((await settledJob(buyer, jobId)).status).toBe("failed");
  const key = await callAgent(buyer, "create_operator_key", { label: "first" });
  // How far the worker gets during the counted call is random.
  await buyer.stop();
  await crowd(copies);
  const input = inputs[operation]?.({ jobId, keyId: String(key.output["key_id"]) });
  expect(input, `an input for ${operation}`).toBeDefined();
  const work = await counter.count(async () => {
    expect((await callAgent(buyer, operation, input)).code).not.toBe("bug");
  });
  await world.close();
  return work;
};

test.each(buyerOperations.map(({ contract }) => contract.name))(
  "what a call of the buyer does stays the same while the store grows: %s",
  async (operation) => {
    const [before, after] = [await workAmong(operation, 600), await workAmong(operation, 1_800)];
    expect(after - before).toBeLessThan(200);
  },
);
