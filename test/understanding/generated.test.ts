import { expect, test } from "vitest";
import { plainConsent } from "../../skills/understanding/reading/consent.ts";
import { checkHarmless } from "./harmless.ts";
import { harmlessSentences } from "./sentences.ts";

test("10,000 generated questions, negations, conditions, reports and wishes are no order", () => {
  const orders = harmlessSentences(10_000, 20_270_115).filter(({ text }) => {
    const consent = plainConsent(text);
    return consent !== null && consent.kind !== "no";
  });
  expect(orders).toStrictEqual([]);
});

test("100 of them said to the seller commit nothing", () => checkHarmless(100, 7));
