import { expect, test } from "vitest";
import { plainConsent } from "../../../skills/understanding/reading/consent.ts";
import { harmlessSentences } from "../../understanding/sentences.ts";
import { checkHarmless, ofBuyer } from "./harmless.ts";

test("10,000 generated questions, negations, conditions, reports and wishes of planners are no order", () => {
  const orders = harmlessSentences(10_000, 20_270_115, ofBuyer).filter(({ text }) => {
    const consent = plainConsent(text);
    return consent !== null && consent.kind !== "no";
  });
  expect(orders).toStrictEqual([]);
});

test("80 of them said to the buyer start, book, drop and cancel nothing", () => checkHarmless(80, 7));
