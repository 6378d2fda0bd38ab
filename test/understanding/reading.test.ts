import { describe, expect, test } from "vitest";
import { createProductFinder } from "../../skills/understanding/reading/product-finder.ts";
import { periodIn } from "../../skills/understanding/reading/periods.ts";
import { moneyIn } from "../../skills/understanding/reading/figures/money.ts";
import { volumesIn } from "../../skills/understanding/reading/figures/volumes.ts";
import { hear } from "../../skills/understanding/reading/slots.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { startMs } from "../skills/world.ts";

const finder = createProductFinder(canaryProducts);
const flightIn = (text: string): readonly (string | null | undefined)[] => {
  const period = periodIn(text, startMs);
  return [period?.flight_start, period?.flight_end];
};

// The tests' day is Friday, 2027-01-15.
describe("flights in a text", () => {
  test.each([
    ["2027-03-01 to 2027-03-31", "2027-03-01", "2027-03-31"],
    ["between 2027-03-01 and 2027-03-31", "2027-03-01", "2027-03-31"],
    ["3/1-3/31", "2027-03-01", "2027-03-31"],
    ["running 3/1/2028 to 3/31/2028", "2028-03-01", "2028-03-31"],
    ["1/2 to 1/9", "2028-01-02", "2028-01-09"],
    ["12/15-1/20", "2027-12-15", "2028-01-20"],
    ["in March", "2027-03-01", "2027-03-31"],
    ["January", "2027-01-01", "2027-01-31"],
    ["Feb 2028", "2028-02-01", "2028-02-29"],
    ["March 5 - 20", "2027-03-05", "2027-03-20"],
    ["March 5th through April 2nd", "2027-03-05", "2027-04-02"],
    ["from 5 March to 20 March 2028", "2028-03-05", "2028-03-20"],
    ["March through May", "2027-03-01", "2027-05-31"],
    ["November to February", "2027-11-01", "2028-02-29"],
    ["Q1", "2027-01-01", "2027-03-31"],
    ["q3 2028", "2028-07-01", "2028-09-30"],
    ["the fourth quarter", "2027-10-01", "2027-12-31"],
    ["H2", "2027-07-01", "2027-12-31"],
    ["next month", "2027-02-01", "2027-02-28"],
    ["next week", "2027-01-18", "2027-01-24"],
    ["next quarter", "2027-04-01", "2027-06-30"],
    ["starting Monday for two weeks", "2027-01-18", "2027-01-31"],
    ["from tomorrow for 30 days", "2027-01-16", "2027-02-14"],
    ["en abril", "2027-04-01", "2027-04-30"],
    ["im März", "2027-03-01", "2027-03-31"],
    ["2027-05-31 to 2027-05-01", undefined, undefined],
    ["31 May to 1 May 2027", undefined, undefined],
    ["December to January 2029", "2028-12-01", "2029-01-31"],
    ["march - may I have a quote", "2027-03-01", "2027-03-31"],
  ])("%s", (text, start, end) => {
    expect(flightIn(text)).toStrictEqual([start, end]);
  });

  test.each(["2027-02-30 to 2027-03-10", "may I see prices", "2027-03-31", "5M impressions", "13/1-13/20"])(
    "none in: %s",
    (text) => {
      expect(flightIn(text)).toStrictEqual([undefined, undefined]);
    },
  );
});

describe("quantities in a text", () => {
  test.each([
    ["5M", 5_000_000],
    ["5MM", 5_000_000],
    ["5,000,000", 5_000_000],
    ["five million", 5_000_000],
    ["5 mio", 5_000_000],
    ["3 Mio. Impressions", 3_000_000],
    ["twenty-five million", 25_000_000],
    ["half a million", 500_000],
    ["one and a half million", 1_500_000],
    ["two hundred thousand", 200_000],
    ["a million imps", 1_000_000],
    ["750k", 750_000],
    ["2.5mm", 2_500_000],
    ["500 impressions", 500],
    ["-5 impressions", -5],
  ])("the volume of %s", (text, volume) => {
    expect(volumesIn(text).map(({ value }) => value)).toStrictEqual([volume]);
  });

  test.each(["2027", "a :30 spot", "24 hours", "a minute"])("no volume in: %s", (text) => {
    expect(volumesIn(text)).toStrictEqual([]);
  });

  test.each([
    ["$22.50", 22.5],
    ["@ $30", 30],
    ["25 CPM", 25],
    ["12 dollars cpm", 12],
    ["$50k", 50_000],
  ])("the money of %s", (text, amount) => {
    expect(moneyIn(text).map(({ value }) => value)).toStrictEqual([amount]);
  });
});

const terms = (text: string) => {
  const { slots, inventory } = hear(text, finder, startMs);
  return { ...slots, products: inventory.flatMap((one) => one.products.map(({ product_id: id }) => id)) };
};

describe("terms of a message", () => {
  test.each([
    ["the ctv premium streaming product", ["prod-53e78a97"]],
    ["connected TV", ["prod-53e78a97"]],
    ["natve in-feed", ["prod-12b49f7d"]],
    ["nbc primetime", ["prod-889e2b7d"]],
    ["Bravo/USA cable spots", ["prod-e28c7f13"]],
    ["preroll", ["prod-15ba2543"]],
    ["rewarded video in the app", ["prod-5c55dc4e"]],
    ["rewarded video", ["prod-5c55dc4e"]],
    ["comcast", ["prod-6c6b953d", "prod-3b381ddc"]],
    ["banners", ["prod-91ddc363", "prod-c642fc9b"]],
    ["PROD-91DDC363", ["prod-91ddc363"]],
    ["native and ROS display", ["prod-12b49f7d", "prod-c642fc9b"]],
    ["something nice", []],
  ])("the products of: %s", (text, products) => {
    expect(terms(text).products).toStrictEqual(products);
  });

  test("each stretch of the text is read once", () => {
    expect(terms("3MM CTV @ $30, Q2 2027, A25-54, US, PG")).toStrictEqual({
      impressions: 3_000_000,
      target_cpm: 30,
      flight_start: "2027-04-01",
      flight_end: "2027-06-30",
      deal_type: "PG",
      audience: "A25-54",
      geo: "US",
      products: ["prod-53e78a97"],
    });
  });

  test("a sum that is no price per thousand is a budget", () => {
    expect(terms("native with a budget of $400")).toStrictEqual({ budget: 400, products: ["prod-12b49f7d"] });
    expect(terms("native for $20,000")).toStrictEqual({ budget: 20_000, products: ["prod-12b49f7d"] });
  });

  test("ids are taken as they were issued", () => {
    expect(terms("book qt-0123456789ab and show DEMO-0123456789AB")).toStrictEqual({
      quote_id: "qt-0123456789ab",
      deal_id: "DEMO-0123456789AB",
      products: [],
    });
  });

  const pieces = ["1 ", "march 1 ", "a million ", "$1 ", "native and ", "qt-0 ", "      1", "can can ", "\t", "a b "];
  const blanks = ["accept prop-", "5M ", "US ", "radio ", "guaranteed ", "A18+ ", "1,000 ", "1900 "];
  // Sixteen times the allowed length: quadratic time would be minutes.
  test.each([...pieces, ...blanks])("%j over and over is read in time that grows with its length", (piece) => {
    expect(terms(piece.repeat(320_000 / piece.length)).products.length).toBeLessThan(14);
  });

  test("a date before a long blank is read in time that grows with its length", () => {
    expect(terms(`1/1${" ".repeat(320_000)}march 1${"\n".repeat(320_000)}`)).toMatchObject({ products: [] });
  });
});
