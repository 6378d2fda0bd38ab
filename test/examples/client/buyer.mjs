// What can be done with a buyer through `parley/client`, one example for each group of its operations.
//   PARLEY_URL=http://127.0.0.1:8001 PARLEY_KEY=<an operator's key> node test/examples/client/buyer.mjs [group]
import { argv, env } from "node:process";
import { pathToFileURL } from "node:url";
import { buyerClient } from "parley/client";

const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };

const brief = {
  name: "Spring launch",
  objectives: ["brand_awareness"],
  budget: 20_000,
  start_date: flight.flight_start,
  end_date: flight.flight_end,
  target_audience: {},
};

/** A seller that the buyer knows. */
const sellerOf = async (buyer) => (await buyer.call("list_sellers")).sellers[0].url;

const ended = async (buyer, job_id) => {
  for (;;) {
    const job = await buyer.call("get_booking", { job_id });
    if (job.status !== "pending" && job.status !== "running") return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const quoted = async (buyer) => {
  const seller_url = await sellerOf(buyer);
  const wanted = { product_id: "prod-91ddc363", deal_type: "PD", impressions: 50_000, ...flight };
  return { seller_url, ...(await buyer.call("request_quote", { seller_url, ...wanted })) };
};

/** `buyer` holds a key of the buyer's own people. */
export const examples = {
  bookings: async ({ buyer }) => {
    const { job_id } = await buyer.call("create_booking", { brief, auto_approve: true });
    return ended(buyer, job_id);
  },
  "booking-approvals": async ({ buyer }) => {
    const { job_id } = await buyer.call("create_booking", { brief, auto_approve: false });
    const { status } = await ended(buyer, job_id);
    if (status !== "awaiting_approval") return status;
    return buyer.call("cancel_booking", { job_id });
  },
  audience: ({ buyer }) => {
    const primary = {
      type: "standard",
      identifier: "243",
      taxonomy: "iab-audience",
      version: "1.1",
      source: "explicit",
    };
    return buyer.call("translate_audience", { audience_plan: { primary } });
  },
  "product-search": ({ buyer }) => buyer.call("search_products", {}),
  "seller-deals": async ({ buyer }) => {
    const { seller_url, quote_id } = await quoted(buyer);
    return buyer.call("book_deal", { seller_url, quote_id });
  },
  activity: ({ buyer }) => buyer.call("get_activity"),
  "media-kit": async ({ buyer }) => buyer.call("get_seller_media_kit", { seller_url: await sellerOf(buyer) }),
  "seller-sessions": ({ buyer }) => buyer.call("list_seller_sessions"),
  registry: ({ buyer }) => buyer.call("list_sellers"),
  "seller-keys": ({ buyer }) => buyer.call("list_seller_keys"),
  events: async ({ buyer }) => {
    for await (const event of buyer.each("list_events", { limit: 5 })) return event;
    return null;
  },
  oversight: ({ buyer }) => buyer.call("verify_audit"),
  "operator-keys": async ({ buyer }) => {
    const { key_id } = await buyer.call("create_operator_key", { label: "Dashboard", role: "viewer" });
    return buyer.call("revoke_operator_key", { key_id });
  },
  setup: ({ buyer }) => buyer.call("get_setup_status"),
  caller: ({ buyer }) => buyer.call("get_caller"),
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const buyer = buyerClient({ url: env.PARLEY_URL ?? "http://127.0.0.1:8001", key: env.PARLEY_KEY });
  for (const [group, run] of Object.entries(examples)) {
    if (argv[2] === undefined || argv[2] === group)
      process.stdout.write(`${group}: ${JSON.stringify(await run({ buyer }))}\n`);
  }
}
