import type { PromptKind } from "../../tools/surface/prompts.ts";

export const sellerPrompts: readonly PromptKind[] = [
  {
    name: "plan_campaign",
    title: "Plan a campaign",
    description: "Finds what a budget buys in a period, compares it and prepares quotes; books nothing unasked.",
    operatorsOnly: false,
    arguments: [
      { name: "budget", description: "What to spend, with its currency, for example 20000 USD.", required: true },
      { name: "period", description: "When, for example March 2027.", required: true },
      { name: "goal", description: "What for: media, audience, price limit.", required: false },
    ],
    lines: [
      "Plan a campaign with this seller. Budget: {budget}. Period: {period}.",
      "Goal: {goal}.",
      "1. Read list_products and keep what fits the goal.",
      "2. For each candidate check_avails over the flight, then request_quote with budget or impressions and dates.",
      "3. Show a table: product, deal type, impressions, CPM, total, available. Stay within the budget.",
      "4. Where the key may negotiate and a price is above the goal, propose one counter offer with negotiate.",
      "5. Ask which quotes to book. Call book_deal only for those that the user names, each with an idempotency_key.",
    ],
  },
  {
    name: "negotiate_deal",
    title: "Negotiate a deal",
    description: "Bargains about one quote down to a target price and stops at the seller's last offer.",
    operatorsOnly: false,
    arguments: [
      { name: "quote_id", description: "The quote.", required: true, resource: "quote" },
      { name: "target_cpm", description: "The price per thousand that you want to reach.", required: true },
      { name: "highest_cpm", description: "The most that you would pay.", required: false },
    ],
    lines: [
      "Negotiate the quote {quote_id} towards a CPM of {target_cpm}.",
      "Never offer or accept more than {highest_cpm}.",
      "Call negotiate with action counter and your price; read the seller's price and rounds_remaining in the answer.",
      "Go up in small steps. When last_offer is true, stop: accept it if it is within the limit, else say so and ask.",
      "Accepting books nothing. Show price, volume, dates and total, and ask before book_deal.",
    ],
  },
  {
    name: "review_approvals",
    title: "Review approvals",
    description: "Shows what waits for a decision, oldest first, with the facts for each, and decides as told.",
    operatorsOnly: true,
    arguments: [],
    lines: [
      "Call get_desk_status, then list_approvals with status pending, and list_change_requests.",
      "For each show: who asks, product, value, price against the list price, when it times out.",
      "Recommend approve, reject or counter in one sentence each.",
      "Decide nothing yourself: call approve_or_reject or review_change_request only for what the user decided.",
      "An approved change is applied with apply_change_request; an approved deal is activated with transition_deal.",
    ],
  },
  {
    name: "weekly_review",
    title: "What happened this week",
    description: "Sums up the last seven days: what was sold, changed, lost, and what is nearly full.",
    operatorsOnly: true,
    arguments: [{ name: "days", description: "How many days back; seven when left out.", required: false }],
    lines: [
      "Review the last days of sales: {days} days instead of seven.",
      "Read get_activity with by buyer over those days: who bought for how much; then list_events for what was lost.",
      "Read get_capacity_report and name products that are nearly full.",
      "Answer in ten lines: sold (deals, impressions, value), changed, lost, waiting, nearly full, what to do next.",
    ],
  },
  {
    name: "set_up_seller",
    title: "Set up a seller",
    description: "Goes through what is missing before the first sale: catalog, prices, approvals, keys.",
    operatorsOnly: true,
    arguments: [],
    lines: [
      "Call get_setup_status and go through what it says is missing, one point at a time.",
      "Products and prices: list_products; change a price, floor or cap with update_product, first with dry_run.",
      "Packages: sync_packages. Rate card: get_rate_card and update_rate_card.",
      "Give the first buyer a key with create_api_key, and show its secret once.",
      "Ask before each change. At the end sum up what is set up and what is still open.",
    ],
  },
];
