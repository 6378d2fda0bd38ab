import { describe, test } from "vitest";
import { checkHarmless as checkBuyer } from "../buyer/talk/harmless.ts";
import { checkHarmless as checkSeller } from "../talk/seller/harmless.ts";

describe("commits by text, the long form", () => {
  test("10,000 generated sentences around every word that commits book, accept, reject and cancel nothing", () =>
    checkSeller(10_000, 20_270_115));

  test("10,000 around every word that a planner orders with start, book, drop and cancel nothing", () =>
    checkBuyer(10_000, 20_270_115));
});
