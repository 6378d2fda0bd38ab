import { describe, test } from "vitest";
import { liveBuyer, smokeTests } from "./live-buyer.ts";

const live = liveBuyer(process.env);

// Without BUYER_URL and BUYER_OPERATOR_KEY there is no live buyer to ask.
describe.skipIf(live === null)("a live buyer", () => {
  test.each(Object.entries(smokeTests))("%s", async (_title, run) => {
    if (live !== null) await run(live);
  });
});
