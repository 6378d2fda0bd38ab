import { expect, test } from "vitest";
import { exactly } from "../../../skills/talk/gate/exact.ts";
import { harmlessSentences } from "../../talk/seller/sentences.ts";
import { checkHarmless, ofBuyer } from "./harmless.ts";

test("10,000 generated questions, negations, conditions, reports and wishes of planners are no order", () => {
  const orders = harmlessSentences(10_000, 20_270_115, ofBuyer).filter(({ text }) => {
    const exact = exactly(text);
    return exact !== null && !exact.deeds.includes("no") && !exact.deeds.includes("wait");
  });
  expect(orders).toStrictEqual([]);
});

test("80 of them said to the buyer start, book, drop and cancel nothing", () => checkHarmless(80, 7));
