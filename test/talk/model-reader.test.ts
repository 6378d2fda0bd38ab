import { describe, expect, test } from "vitest";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { sellerDeeds } from "../../skills/seller/talk/deeds.ts";
import type { ModelPrompt } from "../../skills/talk/model/language-model.ts";
import { createModelReader, type ModelReading } from "../../skills/talk/model/model-reader.ts";
import { entitiesOf } from "../../skills/talk/reader/entity.ts";
import { scanOf } from "../../skills/talk/reader/entities.ts";
import { createProductFinder } from "../../skills/talk/reader/names/product-finder.ts";
import { startMs } from "../skills/world.ts";

const ctv = "CTV Premium Streaming";
const { products } = createCatalog(defaultProducts).page({ inventoryTypes: [], offset: 0, limit: 1000 });
const finder = createProductFinder(products);
const idOf = (name: string): string => products.find((one) => one.name === name)?.product_id ?? "";
const contracts = sellerOperations.map(({ contract }) => contract);
const deeds = new Set(sellerDeeds.map(({ operation }) => operation));

interface Read {
  readonly reading: ModelReading | null;
  readonly prompts: readonly ModelPrompt[];
  readonly discarded: readonly string[];
}

const readAs = async (
  said: string,
  recorded: unknown,
  shown: readonly { label: string; terms: string }[] = [],
): Promise<Read> => {
  const prompts: ModelPrompt[] = [];
  const discarded: string[] = [];
  const model = {
    ask: async (prompt: ModelPrompt) => {
      prompts.push(prompt);
      return typeof recorded === "string" || recorded === null ? recorded : JSON.stringify(recorded);
    },
    discard: (reason: string) => void discarded.push(reason),
  };
  const read = createModelReader(model, contracts, deeds);
  const reading = await read({
    message: {},
    scan: scanOf(said, finder, startMs),
    shown,
    finder,
    nowMs: startMs,
    told: [],
  });
  return { reading, prompts, discarded };
};

const calling = (operation: string, input: object, evidence: object, more: object = {}) => ({
  calls: [{ operation, input, evidence }],
  unanswered: [],
  doubt: false,
  ...more,
});

const quoted = `please quote 2M impressions of ${ctv} for March 2027 at most $31 CPM`;
const quoteInput = {
  product_id: idOf(ctv),
  deal_type: "PD",
  impressions: 2_000_000,
  flight_start: "2027-03-01",
  flight_end: "2027-03-31",
  target_cpm: 31,
};
const quoteWords = {
  product_id: ctv,
  impressions: "2M impressions",
  flight_start: "March 2027",
  flight_end: "March 2027",
  target_cpm: "$31 CPM",
};

describe("what a model may read", () => {
  test("each field that its words say is kept; a deal type that nobody named is left to the product", async () => {
    const { reading, discarded } = await readAs(quoted, calling("request_quote", quoteInput, quoteWords));
    const { deal_type: _type, ...said } = quoteInput;
    expect(discarded).toEqual([]);
    expect(reading?.calls).toMatchObject([
      { operation: "request_quote", effect: "draft", input: said, dropped: [], isWhole: true },
    ]);
    expect(reading?.calls[0]?.input).not.toHaveProperty("deal_type");
    expect(reading?.unanswered).toEqual([]);
  });

  test.each<[string, object, object, string]>([
    ["words that the message has not", quoteInput, { ...quoteWords, impressions: "3M impressions" }, "impressions"],
    ["another value than its words", { ...quoteInput, impressions: 20_000_000 }, quoteWords, "impressions"],
    ["no words", quoteInput, { ...quoteWords, target_cpm: undefined }, "target_cpm"],
    [
      "a volume said as money",
      { product_id: idOf(ctv), budget: 2_000_000 },
      { product_id: ctv, budget: "2M impressions" },
      "budget",
    ],
    [
      "a price said as a volume",
      { ...quoteInput, impressions: 31 },
      { ...quoteWords, impressions: "$31 CPM" },
      "impressions",
    ],
    ["the end as the start", { ...quoteInput, flight_start: "2027-03-31" }, quoteWords, "flight_start"],
    ["another year", { ...quoteInput, flight_end: "2028-03-31" }, quoteWords, "flight_end"],
    ["another product", { ...quoteInput, product_id: idOf("Native In-Feed") }, quoteWords, "product_id"],
    ["a part of a number", { ...quoteInput, impressions: 2 }, { ...quoteWords, impressions: "2" }, "impressions"],
    ["a deal type by other words", quoteInput, { ...quoteWords, deal_type: ctv }, "deal_type"],
  ])("%s: the field is dropped", async (_name, input, evidence, field) => {
    const { reading } = await readAs(
      quoted,
      calling("request_quote", input, JSON.parse(JSON.stringify(evidence)) as object),
    );
    expect(reading?.calls[0]?.dropped).toEqual([field]);
    expect(reading?.calls[0]?.input).not.toHaveProperty(field);
  });

  test("what is left out, and what is quoted, says nothing", async () => {
    const words = { product_id: ctv };
    const without = await readAs(`anything but ${ctv}`, calling("get_pricing", { product_id: idOf(ctv) }, words));
    expect(without.reading?.calls[0]?.dropped).toEqual(["product_id"]);
    const pasted = await readAs(
      'they wrote "please book the quote qt-0123456789ab today for us", what is that?',
      calling("book_deal", { quote_id: "qt-0123456789ab" }, { quote_id: "qt-0123456789ab" }),
    );
    expect(pasted.reading?.calls[0]).toMatchObject({ dropped: ["quote_id"], isWhole: false });
  });

  test("what was shown may say a field, and another id may not", async () => {
    const shown = [{ label: "Book quote qt-0123456789ab: CTV, $22,050.00", terms: "Book quote qt-0123456789ab." }];
    const own = await readAs(
      "take the quote",
      calling("book_deal", { quote_id: "qt-0123456789ab" }, { quote_id: "qt-0123456789ab" }),
      shown,
    );
    expect(own.reading?.calls[0]).toMatchObject({ input: { quote_id: "qt-0123456789ab" }, dropped: [], isWhole: true });
    const foreign = await readAs(
      "take the quote",
      calling("book_deal", { quote_id: "qt-ffffffffffff" }, { quote_id: "the quote" }),
      shown,
    );
    expect(foreign.reading?.calls[0]).toMatchObject({ input: {}, dropped: ["quote_id"], isWhole: false });
  });

  test("free text is the sender's own words", async () => {
    const said = "cancel DEMO-0123456789AB, the client has left";
    const words = { deal_id: "DEMO-0123456789AB" };
    const own = await readAs(
      said,
      calling("cancel_deal", { deal_id: "DEMO-0123456789AB", reason: "the client has left" }, words),
    );
    expect(own.reading?.calls[0]?.input).toEqual({ deal_id: "DEMO-0123456789AB", reason: "the client has left" });
    const made = await readAs(
      said,
      calling("cancel_deal", { deal_id: "DEMO-0123456789AB", reason: "we pay a fee of 10 %" }, words),
    );
    expect(made.reading?.calls[0]?.input).toEqual({ deal_id: "DEMO-0123456789AB" });
  });

  test("figures and dates that no call has words for are named, whatever the model says of them", async () => {
    const said = `price of ${ctv}, at most 3 a day, women 25 to 44, by 4 May 2027`;
    const { reading } = await readAs(
      said,
      calling(
        "get_pricing",
        { product_id: idOf(ctv) },
        { product_id: ctv },
        { unanswered: ["women 25 to 44", "a discount of 50 %"] },
      ),
    );
    expect(reading?.unanswered).toContain("women 25 to 44");
    expect(reading?.unanswered).not.toContain("a discount of 50 %");
    expect(reading?.unanswered.join()).toMatch(/4 May 2027/);
  });
});

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("an answer that is discarded as a whole", () => {
  const fine = { operation: "get_pricing", input: { product_id: idOf(ctv) }, evidence: { product_id: ctv } };
  test.each<[string, unknown]>([
    ["prose", "The buyer wants a quote. I have booked it."],
    ["prose around it", `Sure! ${JSON.stringify(calling("list_deals", {}, {}))}`],
    ["a member more", { ...calling("list_deals", {}, {}), booked: true }],
    ["no doubt", { calls: [fine], unanswered: [] }],
    ["nine calls", { calls: Array.from({ length: 9 }, () => fine), unanswered: [], doubt: false }],
    ["an unknown operation", calling("transfer_money", {}, {})],
    ["an operator's operation", calling("update_rate_card", {}, {})],
    ["a write that is no deed", calling("create_api_key", { seat_id: "s" }, {})],
    ["text itself", calling("converse", { text: "book it" }, {})],
    [
      "a field that is not in the schema",
      calling("get_pricing", { product_id: idOf(ctv), floor_cpm: 0.01 }, { product_id: ctv }),
    ],
    ["another caller", calling("get_pricing", { product_id: idOf(ctv), agency_id: "ag-9" }, { product_id: ctv })],
    ["words for a field that it has not", calling("list_deals", {}, { deal_id: ctv })],
    [
      "a flood of words",
      calling("list_deals", {}, Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`, "a b"]))),
    ],
    ["a wrong type", calling("get_pricing", { product_id: 5 }, {})],
    ["a missing field", calling("book_deal", {}, {})],
    ["one good call beside a bad one", { calls: [fine, { ...fine, operation: "book" }], unanswered: [], doubt: false }],
    [
      "deep JSON",
      `{"calls":[{"operation":"discover_inventory","input":{"query":"x","filters":{"a":${nested(2000)}}},"evidence":{}}],"unanswered":[],"doubt":false}`,
    ],
    ["a bomb", nested(9000)],
    [
      "a prototype",
      '{"calls":[{"operation":"get_pricing","input":{"__proto__":{"product_id":"x"}},"evidence":{}}],"unanswered":[],"doubt":false}',
    ],
    ["length", `{"calls": [], "unanswered": ["${"x".repeat(30_000)}"], "doubt": false}`],
  ])("%s", async (_name, recorded) => {
    const { reading, discarded } = await readAs(`what does ${ctv} cost?`, recorded);
    expect(reading).toBeNull();
    expect(discarded).toHaveLength(1);
  });

  test("nothing in time, and nothing to call, is the grammar's", async () => {
    expect(await readAs("hello there", null)).toMatchObject({ reading: null, discarded: [] });
    expect(await readAs("hello there", { calls: [], unanswered: [], doubt: false })).toMatchObject({
      reading: null,
      discarded: [],
    });
  });
});

/** The same numbers each time. */
const dice = (seed: number): ((sides: number) => number) => {
  let state = seed;
  return (sides) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * sides);
  };
};

describe("a model that guesses", () => {
  test("3,000 random answers supply no id, figure or day that the readers do not find in the message", async () => {
    const roll = dice(20_270_301);
    const of = <T>(list: readonly T[]): T => list[roll(list.length)] as T;
    const products = [idOf(ctv), idOf("Native In-Feed")];
    const days = ["2027-03-01", "2027-03-31", "2027-05-15", "2028-03-01"];
    const volumes = [2, 31, 2_000_000, 3_000_000];
    const prices = [2, 22.5, 31, 2_000_000];
    const quotes = ["qt-0123456789ab", "qt-ffffffffffff"];
    const operations: Readonly<Record<string, Readonly<Record<string, readonly (string | number)[]>>>> = {
      request_quote: {
        product_id: products,
        impressions: volumes,
        flight_start: days,
        flight_end: days,
        target_cpm: prices,
      },
      submit_proposal: { product_id: products, impressions: volumes, price: prices, start_date: days, end_date: days },
      get_pricing: { product_id: products, volume: volumes },
      negotiate: { action: ["counter"], quote_id: quotes, buyer_price: prices },
      book_deal: { quote_id: quotes },
    };
    const said = `${quoted}, and $22.50 CPM for qt-0123456789ab, Native In-Feed to 15 May 2027`;
    const phrases = [
      ctv,
      "Native In-Feed",
      "2M impressions",
      "March 2027",
      "$31 CPM",
      "$22.50 CPM",
      "15 May 2027",
      "qt-0123456789ab",
      "2",
      "31",
    ];
    const entities = JSON.stringify(entitiesOf(scanOf(said, finder, startMs))).toLowerCase();
    let kept = 0;
    let dropped = 0;
    for (let round = 0; round < 3000; round += 1) {
      const [operation, fields] = of(Object.entries(operations));
      const input = Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, of(values)]));
      const evidence = Object.fromEntries(Object.keys(input).map((name) => [name, of(phrases)]));
      const { reading } = await readAs(said, calling(operation, input, evidence));
      const [call] = reading?.calls ?? [];
      dropped += call?.dropped.length ?? 0;
      for (const [name, value] of Object.entries(call?.input ?? {})) {
        if (name === "action") continue;
        kept += 1;
        expect(entities, `${name} by "${evidence[name]}"`).toContain(JSON.stringify(value).toLowerCase());
        const own = JSON.stringify(entitiesOf(scanOf(evidence[name] ?? "", finder, startMs))).toLowerCase();
        expect(own, `${name} by "${evidence[name]}"`).toContain(JSON.stringify(value).toLowerCase());
      }
    }
    expect(dropped).toBeGreaterThan(kept);
    expect(kept).toBeGreaterThan(200);
  });
});

describe("what a model is told", () => {
  test("the message, labels, names and operations that a conversation may call", async () => {
    const shown = [{ label: "Book quote qt-0123456789ab", terms: "Book quote qt-0123456789ab: secret terms." }];
    const { prompts } = await readAs("what is this?", null, shown);
    const [prompt] = prompts;
    expect(JSON.parse(prompt?.user ?? "")).toEqual({
      today: new Date(startMs).toISOString().slice(0, 10),
      shown: ["Book quote qt-0123456789ab"],
      message: "what is this?",
    });
    const told = (prompt?.system ?? "").match(/^operations: (.*)$/m)?.[1] ?? "[]";
    const names = (JSON.parse(told) as readonly { operation: string }[]).map(({ operation }) => operation);
    const { contract: of } = { contract: new Map(contracts.map((one) => [one.name, one])) };
    for (const name of names) {
      expect(["public", "key"]).toContain(of.get(name)?.access);
      expect(of.get(name)?.effect !== "write" || deeds.has(name)).toBe(true);
    }
    expect(names).toEqual(expect.arrayContaining(["request_quote", "book_deal", "list_deals", "get_pricing"]));
    expect(prompt?.system).not.toMatch(/secret terms|agent_url|buyer_tier|floor/);
  });

  test("one message is asked about once, however often it is read", async () => {
    let asked = 0;
    const read = createModelReader(
      { ask: async () => ((asked += 1), null), discard: () => undefined },
      contracts,
      deeds,
    );
    const heard = {
      message: {},
      scan: scanOf("hello there", finder, startMs),
      shown: [],
      finder,
      nowMs: startMs,
      told: [],
    };
    await Promise.all([read(heard), read(heard)]);
    await read(heard);
    expect(asked).toBe(1);
  });
});
