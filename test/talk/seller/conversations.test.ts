import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sellerOperations } from "../../../agents/seller/operations.ts";
import { forgottenConversation } from "../../../skills/seller/talk/memory.ts";
import { spokenIntents } from "../../../skills/seller/talk/contract.ts";
import { covers } from "../../requirements.ts";
import type { World } from "../../skills/world.ts";
import { commitsOf, type Members, openTalker, type Talker } from "./talker.ts";

let talker: Talker;
let world: World;
let send: Talker["send"];
let talk: Talker["talk"];
beforeAll(async () => {
  talker = await openTalker();
  ({ world, send, talk } = talker);
});
afterAll(() => talker.close());

describe("the kinds of interaction", () => {
  test("discovery: what there is, of everything or of a type, and what one thing is", async () => {
    covers("seller.a2a.kind.discovery");
    const [all, tv, one] = await talk(
      "seat",
      "what inventory do you have?",
      "any linear TV?",
      "tell me about NBC primetime",
    );
    expect(all).toMatchObject({ skill: "discovery", outcome: "answer" });
    expect(all?.result["catalog"]).toHaveLength(13);
    expect(tv?.understood).toStrictEqual({ inventory_type: "linear_tv" });
    expect(tv?.result["catalog"]).toHaveLength(6);
    expect(one).toMatchObject({ outcome: "answer", result: { product_id: "prod-889e2b7d" } });
  });

  test("availability: what is left for a volume and a flight", async () => {
    covers("seller.a2a.kind.availability");
    const [enough, short] = await talk("agency", "Is CTV available for 8M impressions in June?", "and 25 million?");
    const flight = { flight_start: "2027-06-01", flight_end: "2027-06-30" };
    expect(enough).toMatchObject({
      skill: "discovery",
      outcome: "answer",
      understood: { impressions: 8_000_000, ...flight },
    });
    expect(enough?.text).toContain("8,000,000");
    expect(short?.text).toContain("20,000,000");
  });

  test("proposal: terms that are missing are asked for, then the proposal is decided", async () => {
    covers("seller.a2a.kind.proposal");
    const said = await talk("agency", "I propose $22.50 CPM for pre-roll", "1.5M impressions, PD", "May 1 to May 31");
    expect(said.map(({ skill, outcome }) => [skill, outcome])).toStrictEqual([
      ["proposals", "clarify"],
      ["proposals", "clarify"],
      ["proposals", "accepted"],
    ]);
    expect(said[2]?.result).toMatchObject({ price: 22.5, impressions: 1_500_000, start_date: "2027-05-01" });
  });

  test("negotiation: an offer is countered, a better one is taken, and the agreed price is the booked one", async () => {
    covers("seller.a2a.kind.negotiation");
    const said = await talk(
      "agency",
      "PG quote for pre-roll, 1M imps, April",
      "we counter with $20.50",
      "agreed",
      "book it",
    );
    expect(said.map(({ skill, outcome }) => [skill, outcome])).toStrictEqual([
      ["pricing", "quoted"],
      ["negotiation", "counter"],
      ["negotiation", "accepted"],
      ["deals", "booked"],
    ]);
    expect(said[1]?.result).toMatchObject({ round: { seller_price: 21.5 } });
    expect(said[3]?.result).toMatchObject({ pricing: { final_cpm: 21.5 } });
  });

  test("deal id: an accepted proposal gets one, and it is told again when asked", async () => {
    covers("seller.a2a.kind.deal-id");
    const text = "Proposal: Pre-Roll Video, PD, 2M impressions at $21.25 CPM, June";
    const said = await talk("advertiser", text, "please issue the deal ID", "remind me of the deal ID");
    expect(said[1]).toMatchObject({ skill: "deals", outcome: "booked" });
    expect(String(said[1]?.result["deal_id"])).toMatch(/^DEMO-[0-9A-F]{12}$/);
    expect(said[2]).toMatchObject({ outcome: "answer", result: { deal_id: said[1]?.result["deal_id"] } });
    expect(said[2]?.text).toContain(String(said[1]?.result["deal_id"]));
  });
});

describe("what a yes was to", () => {
  test("a cancellation of a deal that was changed meanwhile is asked again, with its new terms", async () => {
    const shown = await talker.send("agency", "PG quote for pre-roll, 1M imps, 1-20 March 2027");
    const say = async (text: string) => (await talker.send("agency", text, shown)).said[0];
    const deal = String((await say("book it"))?.result["deal_id"]);
    await say("cancel it");
    const change = { deal_id: deal, flight_start: "2027-03-02", flight_end: "2027-03-21" };
    const changed = await talker.world.send({ caller: "agency", operation: "reschedule_deal", input: change });
    expect(changed.body).toMatchObject({ change_request_id: expect.stringMatching("CR-"), status: "approved" });
    expect(await say("yes, cancel")).toMatchObject({
      outcome: "clarify",
      text: expect.stringMatching(/changed since/),
    });
    expect(await say("yes, cancel")).toMatchObject({ outcome: "pending" });
  });

  test("a message that says not to offer a price offers none", async () => {
    const shown = await talker.send("agency", "PG quote for pre-roll, 1M imps, May 2027");
    for (const text of ["please don't offer 20.40", "do not send an offer of 20.40 yet", "please don't go to 20"]) {
      const { said } = await talker.send("agency", text, shown);
      expect(
        said.map(({ outcome }) => outcome),
        text,
      ).not.toContain("counter");
    }
  });
});

describe("what a conversation remembers", () => {
  test("the terms in force go on in the same context, and in no other", async () => {
    covers("seller.a2a.request.context-id");
    const said = await talk(
      "agency",
      "price of pre-roll for a million?",
      "five million then",
      "the same volume in CTV?",
    );
    expect(said.map(({ understood }) => understood)).toStrictEqual([
      { product_id: "prod-15ba2543", impressions: 1_000_000 },
      { product_id: "prod-15ba2543", impressions: 5_000_000 },
      { product_id: "prod-53e78a97", impressions: 5_000_000 },
    ]);
    expect(said[2]?.result["final_price"]).toBe(29.92);
    expect((await send("agency", "five million then")).said[0]?.understood).toStrictEqual({ impressions: 5_000_000 });
  });

  test("a context is its caller's: whoever else names it begins anew", async () => {
    const mine = await send("agency", "quote 2M CTV PG for March");
    const theirs = await send("advertiser", "book it", { contextId: mine.contextId });
    expect(theirs.said[0]).toMatchObject({ skill: "deals", outcome: "clarify", understood: {} });
    expect((await send("agency", "book it", { contextId: mine.contextId })).said[0]).toMatchObject({
      outcome: "booked",
    });
  });

  test("a message that is sent again is answered as before, in the same context, and done once", async () => {
    const messageId = randomUUID();
    const first = await send("seat", "quote 100k native as PD", { messageId });
    const again = await send("seat", "quote 100k native as PD", { messageId });
    expect(again).toStrictEqual(first);
    expect(
      (await send("seat", "double the volume", { contextId: first.contextId })).said[0]?.understood["impressions"],
    ).toBe(200_000);
  });

  test("another product ends what was quoted for the first", async () => {
    const [, other, booked] = await talk("agency", "quote 2M CTV PG for March", "what does native cost?", "book it");
    expect(other?.understood["quote_id"]).toBeUndefined();
    expect(other?.understood["deal_type"]).toBeUndefined();
    // "It" may be either: nothing is booked before the buyer says which.
    expect(booked?.outcome).not.toBe("booked");
  });

  test("to start over ends everything", async () => {
    const [, anew] = await talk("agency", "price of CTV for 5M in March", "forget it, what do you have?");
    expect(anew).toMatchObject({ skill: "discovery", understood: {} });
  });

  test("a conversation that nobody goes on with is forgotten", async () => {
    await send("seat", "price of native");
    const [row] = await world.store.list({ kind: "conversation", terms: [], order: "newest", limit: 1 });
    const due = await world.store.due(world.nowMs() + 8 * 86_400_000, 500);
    expect(due.some(({ id }) => id === row?.id)).toBe(true);
    expect(row === undefined ? null : forgottenConversation(row)?.changes).toMatchObject([
      { op: "remove", id: row?.id },
    ]);
  });
});

describe("what is asked back, refused and withheld", () => {
  test.each([
    ["reserve it for me", "deals"],
    ["I'd like to submit a proposal", "proposals"],
    ["this is too expensive", "negotiation"],
  ])("%s: something is missing", async (text, skill) => {
    const [said] = await talk("agency", text);
    expect(said).toMatchObject({ skill, outcome: "clarify", result: null });
    expect(said?.text).toMatch(/\?|Please/);
  });

  test.each([
    ["hello there", "answer"],
    ["thank you", "answer"],
    ["what's the weather like?", "clarify"],
    ["which floor do you have on native?", "refuse"],
    ["what did agency-2 pay for CTV?", "refuse"],
  ])("%s: no skill is needed", async (text, outcome) => {
    expect((await talk("seat", text))[0]).toMatchObject({ skill: null, outcome, result: null });
  });

  test("a public caller cannot negotiate, and another's quote is not found", async () => {
    const quote = await world.send({
      caller: "agency",
      operation: "request_quote",
      input: { product_id: "prod-12b49f7d", deal_type: "PD", impressions: 2_345_678 },
    });
    const [, haggled] = await talk("anonymous", "native cpm?", "could you come down to 9?");
    expect(haggled).toMatchObject({ skill: "negotiation", outcome: "refuse", understood: { target_cpm: 9 } });
    const said = await talk("seat", `open quote ${String(quote.body["quote_id"])}`, "I own it, just book it");
    expect(said.map(({ outcome }) => outcome)).toStrictEqual(["refuse", "clarify"]);
    expect(JSON.stringify(said)).not.toContain("2345678");
  });

  test("a program's slots may be anything, and are refused like any input", async () => {
    const slots = { product_id: "prod-12b49f7d", flight_start: "soon", flight_end: 7, impressions: "many" };
    for (const text of ["available?", "price?", "quote", "I propose these terms", "book it", "counter at $9"]) {
      const { said } = await send("agency", text, { slots });
      expect(["answer", "clarify", "refuse"], text).toContain(said[0]?.outcome);
    }
  });

  test("a medium that is not in the catalog is not sold, and a flight that ends before it starts is asked about", async () => {
    expect((await talk("seat", "do you offer podcasts?"))[0]).toMatchObject({ skill: "discovery", outcome: "refuse" });
    const [backwards] = await talk("seat", "quote CTV PG 5M from 2027-05-31 to 2027-05-01");
    expect(backwards).toMatchObject({ skill: "pricing", outcome: "clarify" });
    expect(backwards?.understood).not.toHaveProperty("flight_end");
  });

  test("an offer without a new price is asked for one", async () => {
    const said = await talk(
      "agency",
      "quote 1M CTV PG in May",
      "can't go above 28.50",
      "meet us in the middle",
      "30.20 final",
    );
    expect(said.map(({ outcome }) => outcome)).toStrictEqual(["quoted", "counter", "clarify", "clarify"]);
    expect(said.at(-1)?.options).toMatchObject([
      { operation: "negotiate", input: { action: "accept", buyer_price: 30 } },
    ]);
  });

  test("an order that names the product and the id of what was shown books it, another id does not", async () => {
    const quoted = await send("agency", "quote 500k native PD June 2027");
    const id = String(quoted.said[0]?.understood["quote_id"]);
    const order = (named: string) =>
      send("agency", `Yes, please book the Native In-Feed quote (${named}).`, { contextId: quoted.contextId });
    const other = await order("qt-0123456789ab");
    expect(other.said.map(({ outcome }) => outcome)).not.toContain("booked");
    await send("agency", `show quote ${id}`, { contextId: quoted.contextId });
    const own = await order(id);
    const [option] = own.said[0]?.options ?? [];
    expect(option).toMatchObject({ operation: "book_deal", input: { quote_id: id } });
    const { option: named, digest } = option ?? {};
    const taken = await send("agency", "", { contextId: quoted.contextId, slots: { option: named, digest } });
    expect(taken.said).toMatchObject([{ outcome: "booked", result: { quote_id: id } }]);
  });

  test("a name that several products share has the prices of all, whatever was meant before", async () => {
    const [, unclear] = await talk("seat", "price of NBC primetime", "and the price of comcast?");
    expect(unclear).toMatchObject({ skill: "pricing", outcome: "answer" });
    expect(unclear?.text).toContain("Comcast Local Avails");
  });

  test("a volume below the minimum is refused with the minimum", async () => {
    const [said] = await talk("seat", "quote 2,000 impressions of CTV, PG");
    expect(said).toMatchObject({ skill: "pricing", outcome: "refuse" });
    expect(JSON.stringify(said)).toContain("10000");
  });
});

test("several products that are named together get an answer each, in their order", async () => {
  const { said } = await send("seat", "in-feed native and ROS display: what are the CPMs?");
  expect(said.map(({ understood, result }) => [understood["product_id"], result["final_price"]])).toStrictEqual([
    ["prod-12b49f7d", 11.4],
    ["prod-c642fc9b", 7.6],
  ]);
});

const examples = ["native", "pre-roll", "CTV"];
const figures: readonly (readonly [RegExp, string])[] = [
  [/# of/g, "500k of"],
  [/\b(in|get) #/g, "$1 June"],
  [/for #/g, "for 500k"],
  [/#/g, "500k"],
];

const filled = (phrase: string): string => {
  let place = 0;
  const named = phrase.replace(/@/g, () => examples[place++] ?? "native");
  return figures.reduce((text, [mark, value]) => text.replace(mark, value), named);
};

test("every phrase that a contract says it is asked for by reaches the contract's skill", async () => {
  const intents = sellerOperations.flatMap(({ contract }) => (contract.intent === undefined ? [] : [contract.intent]));
  const own = spokenIntents.flatMap(({ skill, phrases }) => (skill === null ? [] : [{ skill, phrases }]));
  const phrases = [...intents, ...own].flatMap(({ skill, phrases: all }) =>
    all.map((phrase) => ({ skill, phrase: filled(phrase) })),
  );
  expect(phrases.length).toBeGreaterThan(240);
  const reached = [];
  for (const { phrase } of phrases) reached.push({ skill: (await talk("agency", phrase))[0]?.skill, phrase });
  expect(reached).toStrictEqual(phrases);
});

describe("values beside the text (decision 55)", () => {
  const dates = { start_date: "2027-03-01", end_date: "2027-03-31" };
  const terms = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 1_000_000, ...dates };

  test("a proposal's own members are its terms, in an object or by themselves", async () => {
    const inner = await send("agency", "I would like to submit a proposal", {
      slots: { proposal: { ...terms, price: 31.5 } },
    });
    expect(inner.said).toMatchObject([{ skill: "proposals", outcome: "accepted", result: { price: 31.5, ...dates } }]);
    const flat = await send("agency", "I would like to submit a proposal", { slots: { ...terms, price: 25 } });
    expect(flat.said).toMatchObject([{ skill: "proposals", outcome: "counter", understood: { target_cpm: 25 } }]);
    const proposalId = String(flat.said[0]?.result["proposal_id"]);
    const countered = await send("agency", `I would like to counter proposal ${proposalId}`, {
      slots: { counter_terms: { buyer_price: 30 } },
    });
    // Ours was the lower price by then.
    expect(countered.said).toMatchObject([
      { skill: "negotiation", outcome: "accepted", result: { agreed_price: 29.93 } },
    ]);
  });

  test("values book or send only what they name, and nothing beside a doubt", async () => {
    for (const [text, slots] of [
      ["how is it?", { query_type: "deal" }],
      ["do not send anything", { buyer_price: 9 }],
      ["is this price ok?", { price: 9 }],
      ["what is this?", { query_type: "negotiation" }],
    ] as const) {
      const { contextId } = await send("agency", "quote native 600k june 2027 PD");
      const done = await commitsOf(talker, async () => void (await send("agency", text, { contextId, slots })));
      expect(done, text).toStrictEqual([]);
    }
  });

  test("a message of values alone asks for what its query_type says, else for what they are enough for", async () => {
    const ask = async (slots: Members) => (await send("agency", "", { slots })).said[0];
    const listed = await ask({ query_type: "discovery", buyer: { seat_id: "x" } });
    expect(listed).toMatchObject({ skill: "discovery", outcome: "answer", understood: {} });
    expect(listed?.result["catalog"]).toHaveLength(13);
    const priced = await ask({ query_type: "pricing", product_ids: ["prod-53e78a97"], volume: 5_000_000 });
    expect(priced).toMatchObject({ skill: "pricing", outcome: "answer", result: { final_price: 29.92 } });
    expect(priced?.understood).toStrictEqual({ product_id: "prod-53e78a97", impressions: 5_000_000 });
    const available = await ask({ query_type: "availability", ...terms });
    expect(available).toMatchObject({
      skill: "discovery",
      outcome: "answer",
      understood: { flight_start: "2027-03-01" },
    });
    expect(available?.text).toContain("1,000,000");
    expect(await ask({ product_id: "prod-53e78a97", impressions: 5_000_000 })).toMatchObject({ skill: "pricing" });
    expect(await ask({ product_id: "prod-53e78a97" })).toMatchObject({ understood: { product_id: "prod-53e78a97" } });
  });

  test("an object cannot hide more products than a message may name", async () => {
    const ids = Array.from({ length: 51 }, (_, place) => `prod-${place}`);
    for (const slots of [{ product_ids: ids }, { proposal: { product_ids: ids } }]) {
      expect((await send("agency", "price?", { slots })).said).toMatchObject([
        { outcome: "refuse", result: { status: 422 } },
      ]);
    }
  });
});

test("a proposal that failed says why", async () => {
  const [said] = await talk("agency", "we propose $30 for 500 imps of CTV, PG, 2027-03-01 to 2027-03-31");
  expect(said).toMatchObject({ skill: "proposals", outcome: "refuse" });
  expect(said?.text).toContain("Ask for at least 10000 impressions.");
});

test("accounts and line items are no request of text, and nothing is booked for them", async () => {
  const asked = [
    "Create an account named 'N' for advertiser A",
    "Create a line item named L for order O using product prod-53e78a97 with 5000000 impressions",
    "Book line item L1",
  ];
  for (const text of asked) {
    const [said] = await talk("agency", text);
    expect(["clarify", "refuse", "quoted"], text).toContain(said?.outcome);
    expect(await commitsOf(talker, async () => void (await send("agency", text))), text).toStrictEqual([]);
  }
});

test("a medium that nobody sells here is refused, whatever is asked of it, and taken for no product's name", async () => {
  for (const text of ["do you have podcast ads?", "what about radio?", "price of print ads", "quote 1M of cinema"]) {
    const [said] = await talk("agency", text);
    expect(said, text).toMatchObject({ result: null });
    expect(["clarify", "refuse"], text).toContain(said?.outcome);
    expect(said?.text).toMatch(/We do not sell|Not used: "print"/);
  }
  const [, sent] = await talk("agency", "price of CTV", "quote 1M, and send it by email");
  expect(sent).toMatchObject({ skill: "pricing", outcome: "quoted" });
});

test("a question about discounts is answered with the caller's own, and asks for no offer", async () => {
  const [tier, volume, product] = await talk(
    "agency",
    "what's my discount as an agency?",
    "any volume discounts?",
    "and which discounts for 20M CTV?",
  );
  expect(tier).toMatchObject({
    skill: "pricing",
    outcome: "answer",
    result: { pricing: { discount_from_msrp: "10%" } },
  });
  expect(tier?.text).toContain("10% off list prices and volume discounts");
  expect(volume).toMatchObject({ skill: "pricing", outcome: "answer" });
  expect(product).toMatchObject({ skill: "pricing", outcome: "answer", result: { volume_discount: 0.15 } });
});

test("a number by itself is an offer while a price is talked about", async () => {
  const first = "quote 1M CTV PG in May";
  for (const text of ["ok then 29", "29 then", "let's say 29", "make it 29"]) {
    const [, said] = await talk("agency", first, text);
    expect(said, text).toMatchObject({ skill: "negotiation", outcome: "counter", understood: { target_cpm: 29 } });
  }
});

test("what a product is sold as comes with its least volume", async () => {
  const [said] = await talk("seat", "what is the minimum for CTV?");
  expect(said).toMatchObject({ skill: "discovery", outcome: "answer" });
  expect(said?.text).toContain("10,000 impressions");
});

test("a wish for a person is a request that operators find, and none of an anonymous caller", async () => {
  const [, asked] = await talk("seat", "quote 500k native PD June", "can I talk to a person?");
  expect(asked).toMatchObject({ outcome: "pending", result: { handover_id: expect.stringMatching(/^ho-/) as string } });
  const handover = { handover_id: asked?.result["handover_id"] };
  const found = await world.send({ caller: "operator", operation: "list_handovers", input: { limit: 200 } });
  expect(found.body["handovers"]).toContainEqual(expect.objectContaining(handover));
  const [unknown] = await talk("anonymous", "can I talk to a person?");
  expect(unknown).toMatchObject({ outcome: "clarify", options: [] });
});

test("of several quotes named by id those that are declined are not offered", async () => {
  const asked = ["quote native 450k PD May 2027", "quote homepage 300k PG May 2027", "quote preroll 200k PG May 2027"];
  const ids: string[] = [];
  let contextId: string | undefined;
  for (const text of asked) {
    const quoted = await send("agency", text, { contextId });
    contextId = quoted.contextId;
    ids.push(String(quoted.said[0]?.understood["quote_id"]));
  }
  const [native = "", homepage = "", preroll = ""] = ids;
  const words = `Please book ${native} and ${homepage} as quoted. We decline ${preroll}.`;
  const shown = await send("agency", words, { contextId });
  const options = shown.said.flatMap(({ options: own }) => own ?? []);
  expect(options.map(({ input }) => input["quote_id"])).toStrictEqual([native, homepage]);
  const booked = await send("agency", "book all", { contextId });
  expect(booked.said).toMatchObject([
    { outcome: "booked", result: { quote_id: native } },
    { outcome: "booked", result: { quote_id: homepage } },
  ]);
});
