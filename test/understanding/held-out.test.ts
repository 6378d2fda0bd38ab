import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { createActReader } from "../../skills/understanding/phrases.ts";
import { actOf } from "../../skills/understanding/reading/choice/acts.ts";
import { plainText } from "../../skills/understanding/reading/choice/spelling.ts";
import { createProductFinder } from "../../skills/understanding/reading/product-finder.ts";
import { hear } from "../../skills/understanding/reading/slots.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { startMs } from "../skills/world.ts";

const nothingBefore = {
  asked: null,
  isNegotiating: false,
  hasQuote: false,
  hasProposal: false,
  hasDeal: false,
  wasOpen: false,
  hasProduct: false,
  hasBudget: false,
  hasSeveral: false,
};

test("of sentences that neither phrases nor examples hold, nine of ten are understood", () => {
  const finder = createProductFinder(canaryProducts);
  const actReader = createActReader(sellerOperations.map(({ contract }) => contract));
  const file = join(import.meta.dirname, "sets", "held-out.json");
  const set = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, readonly string[]>>;
  const said = Object.entries(set).flatMap(([act, texts]) => texts.map((text) => ({ act, text })));
  const right = said.filter(({ act, text }) => {
    const heard = hear(text, finder, startMs);
    return actOf(plainText(heard.words), { heard, guesses: actReader.guess(heard, "start"), ...nothingBefore }) === act;
  });
  expect(said.length).toBeGreaterThan(90);
  expect(right.length / said.length).toBeGreaterThan(0.9);
});
