import { describe, test } from "vitest";
import { checkHarmless } from "../understanding/harmless.ts";

describe("commits by text, the long form", () => {
  test("10,000 generated sentences around every word that commits book, accept, reject and cancel nothing", () =>
    checkHarmless(10_000, 20_270_115));
});
