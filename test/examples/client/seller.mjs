// What can be done with a seller through `parley/client`, one example for each group of its operations.
//   PARLEY_URL=http://127.0.0.1:8000 PARLEY_KEY=<a buyer's key> PARLEY_OPERATOR_KEY=<an operator's> \
//     node test/examples/client/seller.mjs [group]
import { argv, env } from "node:process";
import { pathToFileURL } from "node:url";
import { sellerClient } from "parley/client";

const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };
const ctv = "prod-53e78a97";
const display = "prod-91ddc363";

const quoted = (buyer) =>
  buyer.call("request_quote", { product_id: display, deal_type: "PD", impressions: 50_000, ...flight });

const booked = async (buyer) => {
  const { quote_id } = await quoted(buyer);
  return buyer.call("book_deal", { quote_id });
};

const ordered = async (buyer) => {
  const { deal_id, quote_id } = await booked(buyer);
  return buyer.call("create_order", { deal_id, quote_id });
};

const proposed = (buyer) =>
  buyer.call("submit_proposal", {
    product_id: ctv,
    deal_type: "PG",
    price: 26,
    impressions: 500_000,
    start_date: flight.flight_start,
    end_date: flight.flight_end,
  });

/** At most this many rows, of as many pages as they take. */
const first = async (rows, most = 3) => {
  const taken = [];
  for await (const row of rows) if (taken.push(row) === most) break;
  return taken;
};

/** `buyer` holds a buyer's key, `operator` one of the seller's own people. */
export const examples = {
  products: async ({ buyer }) => {
    const names = [];
    for await (const { name } of buyer.each("list_products", { limit: 5 })) names.push(name);
    return names;
  },
  "product-changes": ({ operator }) =>
    operator.call("update_product", {
      product_id: display,
      base_cpm: 16,
      effective_from: "2027-09-01",
      reason: "Autumn",
    }),
  avails: ({ buyer }) =>
    buyer.call("get_availability", { product_id: [ctv], from: flight.flight_start, to: flight.flight_end }),
  discovery: ({ buyer }) => buyer.call("discover_inventory", { query: "Which audience can we reach on CTV?" }),
  pricing: async ({ buyer }) => {
    const { quote_id } = await quoted(buyer);
    return buyer.call("get_quote", { quote_id });
  },
  portfolio: async ({ buyer }) => {
    await booked(buyer);
    return first(buyer.each("list_deals", { status: ["proposed", "active"], limit: 2 }));
  },
  plans: ({ buyer }) => buyer.call("find_offers", { text: "Guaranteed video for a sports campaign", limit: 2 }),
  proposals: async ({ buyer }) => {
    const { proposal_id } = await proposed(buyer);
    return buyer.call("get_proposal", { proposal_id });
  },
  negotiation: async ({ buyer }) => {
    const { quote_id } = await buyer.call("request_quote", {
      product_id: ctv,
      deal_type: "PG",
      impressions: 900_000,
      ...flight,
    });
    return buyer.call("negotiate", { action: "counter", quote_id, buyer_price: 27 });
  },
  sessions: async ({ buyer }) => {
    const { session_id } = await buyer.call("create_session", {});
    const content = { text: "What is the price?", product_id: ctv };
    const { text } = await buyer.call("send_session_message", { session_id, type: "query", content });
    await buyer.call("close_session", { session_id });
    return text;
  },
  handovers: async ({ buyer, operator }) => {
    const { handover_id } = await buyer.call("request_handover", { words: "Can we talk about a takeover in June?" });
    return operator.call("answer_handover", { handover_id, text: "Yes, call me at noon." });
  },
  conversations: ({ operator }) => operator.call("list_conversations", { limit: 2 }),
  deals: async ({ buyer }) => {
    const { quote_id } = await quoted(buyer);
    // Tried first: nothing is booked, and ids that would be made are null.
    await buyer.call("book_deal", { quote_id }, { dryRun: true });
    const { deal_id } = await buyer.call("book_deal", { quote_id }, { idempotencyKey: `order-4711-${quote_id}` });
    return buyer.call("get_deal", { deal_id });
  },
  delivery: async ({ buyer }) => {
    const { deal_id } = await booked(buyer);
    return buyer.call("get_delivery", { deal_id });
  },
  accounts: ({ buyer }) => buyer.call("list_accounts", {}),
  creatives: ({ buyer }) => buyer.call("list_creative_formats", {}),
  "media-buys": ({ buyer }) => buyer.call("list_media_buys", {}),
  "buyer-moves": async ({ buyer }) => {
    const { deal_id } = await booked(buyer);
    return buyer.call("change_deal", { deal_id, impressions: 60_000, reason: "More reach" });
  },
  orders: async ({ buyer }) => {
    const { order_id } = await ordered(buyer);
    return buyer.call("get_order_history", { order_id });
  },
  "change-requests": async ({ buyer }) => {
    const { order_id } = await ordered(buyer);
    const proposed_values = { creative_url: "https://cdn.example/a.mp4" };
    return buyer.call("create_change_request", {
      order_id,
      change_type: "creative",
      proposed_values,
      reason: "Season",
    });
  },
  approvals: async ({ operator }) => first(operator.each("list_pending_approvals", { limit: 2 })),
  desk: ({ operator }) => operator.call("get_desk_status"),
  buyers: ({ operator }) => operator.call("list_buyers", { limit: 2 }),
  "media-kit": ({ buyer }) => buyer.call("get_media_kit"),
  packages: ({ operator }) =>
    operator.call("create_package", {
      name: "Screens",
      base_price: 30,
      floor_price: 22.5,
      product_ids: [ctv, display],
    }),
  "rate-card": ({ buyer }) => buyer.call("get_rate_card"),
  setup: ({ buyer }) => buyer.call("health_check"),
  caller: ({ buyer }) => buyer.call("get_caller"),
  "api-keys": async ({ operator }) => {
    const { key_id } = await operator.call("create_api_key", { agency_id: "agency-7", label: "Agency 7" });
    return operator.call("revoke_api_key", { key_id });
  },
  registry: ({ buyer }) => buyer.call("list_buyer_agents", { limit: 2 }),
  events: async ({ operator }) => first(operator.each("list_events", { limit: 2 })),
  search: ({ operator }) => operator.call("search_records", { q: "premium" }),
  "selling-rules": async ({ operator }) => {
    const { revision } = await operator.call("get_selling_rules");
    return operator.call("update_selling_rules", { approval_above_value: 25_000 }, { ifMatch: revision, dryRun: true });
  },
  oversight: ({ operator }) => operator.call("describe_machine", { kind: "deal" }),
  webhooks: async ({ buyer }) => {
    // Deliveries are verified with verifyWebhook({ headers, body, secret }).
    const { webhook_id } = await buyer.call("create_webhook", {
      url: "https://hooks.example/parley",
      event_types: ["deal.created"],
    });
    return buyer.call("delete_webhook", { webhook_id });
  },
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const url = env.PARLEY_URL ?? "http://127.0.0.1:8000";
  const buyer = sellerClient({ url, key: env.PARLEY_KEY });
  const operator = sellerClient({ url, key: env.PARLEY_OPERATOR_KEY ?? env.PARLEY_KEY });
  for (const [group, run] of Object.entries(examples)) {
    if (argv[2] === undefined || argv[2] === group)
      process.stdout.write(`${group}: ${JSON.stringify(await run({ buyer, operator }))}\n`);
  }
}
