import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventRow } from "../../../protocol/seam/events.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import { sellerDueWork } from "../../../skills/seller/due-work.ts";
import { eventView } from "../../../skills/seller/events/view.ts";
import { openWorld, plainSettings, type Reply, type World } from "../world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const terms = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 1_000_000 };
const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };
const dates = { start_date: "2027-03-01", end_date: "2027-03-31" };

const ask = (operation: string, input: unknown, caller = "agency"): Promise<Reply> =>
  world.send({ caller, operation, input });

const quote = async (): Promise<string> =>
  String((await ask("request_quote", { ...terms, ...flight })).body["quote_id"]);

const codesOf = (replies: readonly Reply[]): readonly string[] => replies.map(({ code }) => code ?? "done").sort();

describe("negotiation: what happens at the same time", () => {
  test("of sixteen first messages about one quote one opens the negotiation, the others go on with it", async () => {
    const quoteId = await quote();
    const message = { action: "counter", quote_id: quoteId, buyer_price: 20 };
    const replies = await Promise.all(Array.from({ length: 16 }, () => ask("negotiate", message)));
    expect(await world.store.count("negotiation", null)).toBe(1);
    expect(codesOf(replies)).toStrictEqual([
      ...Array.from({ length: 6 }, () => "done"),
      ...Array.from({ length: 10 }, () => "negotiation_closed"),
    ]);
    const rounds = replies.flatMap(
      ({ body }) => (body["round"] as { round_number: number } | undefined)?.round_number ?? [],
    );
    expect(rounds.sort((one, other) => one - other)).toStrictEqual([1, 2, 3, 4, 5, 6]);
  });

  test("an acceptance and a booking of the same quote never book another price than the agreed one", async () => {
    const quoteId = await quote();
    const first = await ask("negotiate", { action: "counter", quote_id: quoteId, buyer_price: 29 });
    const [accepted, booked] = await Promise.all([
      ask("negotiate", { action: "accept", negotiation_id: first.body["negotiation_id"] }),
      ask("book_deal", { quote_id: quoteId }),
    ]);
    expect(accepted.code).toBeNull();
    const price = (booked.body["pricing"] as { final_cpm: number } | undefined)?.final_cpm;
    expect([booked.code, price]).toStrictEqual(booked.code === null ? [null, 30.25] : ["negotiation_open", undefined]);
  });

  test("a proposal and its quote are booked once, whichever way is taken", async () => {
    const quoteId = await quote();
    const proposal = await ask("submit_proposal", { ...terms, ...dates, price: 31.5, quote_id: quoteId });
    const proposalId = proposal.body["proposal_id"];
    const replies = await Promise.all([
      ask("generate_deal", { proposal_id: proposalId }),
      ask("book_deal", { quote_id: quoteId }),
      ask("generate_deal", { proposal_id: proposalId }),
      ask("book_deal", { quote_id: quoteId }),
    ]);
    expect(replies.filter(({ code }) => code === null)).toHaveLength(1);
    expect(await world.store.count("deal", null)).toBe(1);
    const first = Date.UTC(2027, 2, 1) / 86_400_000;
    expect(await world.store.reserved("inventory/prod-53e78a97", first, first + 30)).toBe(1_000_000);
  });

  test("messages said at once in one session are each answered once, and none is asked for twice", async () => {
    const session = await ask("create_session", {});
    const message = {
      session_id: session.body["session_id"],
      message: "Quote prod-53e78a97 PG for 1000000 impressions",
    };
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask("send_session_message", message)));
    expect(codesOf(replies)).toStrictEqual(Array.from({ length: 8 }, () => "done"));
    expect(await world.store.count("quote", null)).toBe(8);
    const read = await ask("get_session", { session_id: session.body["session_id"] });
    expect((read.body["messages"] as unknown[]).length).toBe(16);
  });
});

describe("negotiation: deadlines", () => {
  const due = async (): Promise<readonly string[]> => {
    const told: string[] = [];
    for (const row of await world.store.due(world.nowMs(), 100)) {
      const work = await sellerDueWork(plainSettings)(row, world.nowMs(), world.store);
      if (work === null) continue;
      expect(await world.store.commit({ changes: work.changes, audit: null })).toStrictEqual({ ok: true });
      told.push(...work.events.map(({ event_type: type }) => type));
    }
    return told.sort();
  };

  test("what nobody answered is over with an event each, and is due no more", async () => {
    await ask("submit_proposal", { ...terms, ...dates, price: 20 });
    await ask("create_session", {});
    world.advance(86_400_000);
    expect(await due()).toStrictEqual(["negotiation.concluded", "proposal.rejected"]);
    world.advance(6 * 86_400_000);
    expect(await due()).toStrictEqual(["session.closed"]);
    expect(await world.store.due(world.nowMs() + 86_400_000, 100)).toStrictEqual([]);
  });
});

describe("negotiation: what no buyer sees", () => {
  test("no answer and no event that the buyer reads has a floor, a strategy or a limit in it", async () => {
    const seen: unknown[] = [];
    const heard = async (operation: string, input: unknown) => {
      const reply = await ask(operation, input);
      seen.push(reply);
      return reply;
    };
    const low = await heard("submit_proposal", { ...terms, ...dates, price: 20 });
    const proposalId = low.body["proposal_id"];
    for (const price of [21, 27, 22, 23]) await heard("counter_proposal", { proposal_id: proposalId, price });
    await heard("get_negotiation", { proposal_id: proposalId });
    await heard("get_negotiation_status", { negotiation_id: low.body["negotiation_id"] });
    await heard("get_proposal", { proposal_id: proposalId });
    const rows = await world.store.list({ kind: "event", terms: [], order: "newest", limit: 500 });
    const started = rows.map(({ body }) => body as EventRow).find((row) => row.event_type === "negotiation.started");
    expect(started?.payload["strategy"]).toBe("collaborative");
    seen.push(...rows.map((row) => eventView(row as Loaded<EventRow>, false)));
    const text = JSON.stringify(seen);
    expect(text).not.toMatch(/"(floor_price|floor_cpm|strategy|max_rounds)":(?!null)/);
    expect(text).not.toMatch(/collaborative|gapShare|roundCapPct|lowest/i);
  });
});
