import { openDoors } from "../../doors/doors.ts";
import { openWorld, type World } from "../../skills/world.ts";
import { type Members, textOf } from "./case.ts";
import { type Effect, type OpenSide, partsOf, type Seen, sendA2a, type Terms } from "./side.ts";

const callers: Readonly<Record<string, string>> = { public: "anonymous", other: "other advertiser" };
const callerOf = (tier: string): string => callers[tier] ?? tier;

const rowsOf = async ({ store }: World, kind: string): Promise<readonly Members[]> => {
  const rows: Members[] = [];
  for (;;) {
    const page = await store.list({ kind, terms: [], order: "oldest", limit: 500, offset: rows.length });
    rows.push(...page.map(({ body }) => body as Members));
    if (page.length < 500) return rows;
  }
};

const inside = (row: Members, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Members | undefined)?.[name], row);

const termsOf = (row: Members): Terms => {
  const deal = inside(row, "life", "context", "terms") as Members | undefined;
  const terms = deal ?? row;
  return {
    quote_id: textOf(row["quote_id"]),
    product: String(inside(row, "product", "product_id")),
    impressions: Number(terms["impressions"]),
    deal_type: String(row["deal_type"]),
    cpm: Number(deal?.["priceMicros"] ?? inside(row, "life", "context", "priceMicros")) / 1e6,
    from: String(terms["flightStart"] ?? terms["flight_start"]),
    to: String(terms["flightEnd"] ?? terms["flight_end"]),
  };
};

const stateOf = (row: Members): string => textOf(inside(row, "life", "value"));

const ended = /reject|cancel|withdraw/;

interface Deal {
  readonly deal_id: string;
  readonly state: string;
  readonly terms: Terms;
  readonly owner: string;
}

const dealOf = (row: Members): Deal => ({
  deal_id: String(row["deal_id"]),
  state: stateOf(row),
  terms: termsOf(row),
  owner: String(row["owner"]),
});

const dealEffects = (before: ReadonlyMap<string, Deal>, now: readonly Deal[]): readonly Effect[] =>
  now.flatMap(({ deal_id, state, terms }): readonly Effect[] => {
    const was = before.get(deal_id);
    if (was === undefined) return [{ kind: "booked", deal_id, ...terms }];
    if (was.state !== state && ended.test(state)) return [{ kind: "cancelled", deal_id }];
    return JSON.stringify(was.terms) === JSON.stringify(terms) ? [] : [{ kind: "changed", deal_id, ...terms }];
  });

const requestEffects = (known: ReadonlyMap<string, string>, rows: readonly Members[]): readonly Effect[] =>
  rows.flatMap((row): readonly Effect[] => {
    const { change_request_id: id, deal_id, change_type: type, proposed_values: change } = row;
    const was = known.get(textOf(id));
    if (was === undefined) return [{ kind: type === "cancellation" ? "cancelled" : "change_request", deal_id, change }];
    return was !== stateOf(row) && /withdraw/.test(stateOf(row)) ? [{ kind: "withdrawn", deal_id }] : [];
  });

interface Talks {
  /** The last price of each negotiation that the seller named. */
  readonly prices: Map<unknown, number>;
}

const payloadOf = (event: Members): Members => (event["payload"] as Members | undefined) ?? {};

/** What a negotiation or a proposal came to; the seller's yes to a price that the buyer offered is `agreed`. */
const talkEffects = (events: readonly Members[], { prices }: Talks): readonly Effect[] => {
  const received = new Set(
    events.filter((one) => one["event_type"] === "proposal.received").map((one) => one["proposal_id"]),
  );
  const rounds = new Map<unknown, string>();
  const found: Effect[] = [];
  for (const event of events) {
    const { negotiation_id: id, proposal_id: proposal, ...payload } = payloadOf(event);
    const price = Number(payload["seller_price"]);
    switch (event["event_type"]) {
      case "negotiation.started":
        prices.set(id, Number(payload["base_price"]));
        break;
      case "negotiation.round":
        rounds.set(id, Number(payload["buyer_price"]) < (prices.get(id) ?? 0) - 0.0051 ? "agreed" : "accepted");
        if (!Number.isNaN(price)) prices.set(id, price);
        break;
      case "negotiation.concluded": {
        const isYes = /accept|agreed/.test(String(payload["status"]));
        const kind = isYes ? (rounds.get(id) ?? "accepted") : "rejected";
        if (isYes || !/expire|timed/.test(String(payload["status"])))
          found.push({ kind, id, cpm: payload["final_price"] });
        break;
      }
      case "proposal.accepted":
        found.push({ kind: received.has(proposal) ? "agreed" : "accepted", id: proposal });
        break;
      case "proposal.rejected":
        if (!received.has(proposal)) found.push({ kind: "rejected", id: proposal });
        break;
      default:
        if (/^(?:proposal|negotiation|quote)\.(?:declined|withdrawn|cancell?ed)$/.test(String(event["event_type"])))
          found.push({ kind: "rejected", id: proposal ?? id ?? payload["quote_id"] });
    }
  }
  // A proposal and its negotiation end in one.
  return found.filter(({ kind }, at) => found.findIndex((one) => one.kind === kind) === at);
};

const isBid = (event: Members): boolean =>
  /^(?:proposal\.received|negotiation\.round)$/.test(String(event["event_type"])) &&
  !/accept|reject/.test(textOf(payloadOf(event)["action"]));

const withoutTwins = (effects: readonly Effect[]): readonly Effect[] =>
  effects.filter(
    ({ kind, deal_id: id }, at) =>
      kind !== "cancelled" || effects.findIndex((one) => one.kind === kind && one["deal_id"] === id) === at,
  );

export const openSeller: OpenSide = async ({ tier = "agency" }) => {
  // More prices are named here than a buyer may name in an hour.
  const world = await openWorld({ settings: { priceProbeLimit: 0 } });
  const doors = await openDoors(world.runner, world.nowMs);
  const deals = new Map<string, Deal>();
  const quotes = new Map<string, Terms>();
  const requests = new Map<string, string>();
  const talks: Talks = { prices: new Map() };
  let heard = 0;
  const look = async (): Promise<Seen> => {
    const events = (await rowsOf(world, "event")).slice(heard);
    heard += events.length;
    const now = (await rowsOf(world, "deal")).map(dealOf);
    const asked = await rowsOf(world, "change_request");
    const fresh = (await rowsOf(world, "quote")).map(termsOf).filter(({ quote_id: id }) => !quotes.has(id));
    for (const quote of await rowsOf(world, "quote")) quotes.set(String(quote["quote_id"]), termsOf(quote));
    const effects = [...dealEffects(deals, now), ...requestEffects(requests, asked), ...talkEffects(events, talks)];
    for (const deal of now) deals.set(deal.deal_id, deal);
    for (const row of asked) requests.set(textOf(row["change_request_id"]), stateOf(row));
    const bids = events.filter(isBid).length;
    return { effects: withoutTwins(effects), bids, quotes: fresh, jobs: 0, deals: deals.size, status: "" };
  };
  const made = async (who: string, operation: string, input: Members): Promise<Members> => {
    const { status, body } = await world.send({ caller: callerOf(who), operation, input });
    if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
    return body;
  };
  const owners: Readonly<Record<string, string>> = {
    seat: "seat:seat-1",
    agency: "agency:agency-2",
    advertiser: "advertiser:advertiser-3",
  };
  const close = async (): Promise<void> => {
    await doors.close();
    await world.close();
  };
  return {
    look,
    close,
    say: ({ tier: who, contextId, ...spoken }) =>
      sendA2a({
        url: doors.url,
        key: world.secretOf(callerOf(who)),
        parts: partsOf({ tier: who, ...spoken }),
        contextId,
      }),
    quoteOf: (id) => quotes.get(String(id)),
    foreseen: () => null,
    quote: async (who, input, isBooked) => {
      const { quote_id: quoteId } = await made(who, "request_quote", input);
      if (!isBooked) return { quoteId: String(quoteId), dealId: null };
      const { deal_id: dealId } = await made(who, "book_deal", { quote_id: quoteId });
      return { quoteId: String(quoteId), dealId: String(dealId) };
    },
    standing: () =>
      [...deals.values()]
        .filter(({ owner, state }) => owner === owners[tier] && !ended.test(state))
        .map(({ deal_id, terms }) => ({ deal_id, cost: (terms.cpm * terms.impressions) / 1000 })),
    advance: (hours) => world.advance(hours * 3_600_000),
    names: () => ({}),
  };
};
