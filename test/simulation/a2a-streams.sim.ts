import { expect, test } from "vitest";
import { heapLeftByStreams } from "../conformance/open-streams.ts";

test("a2a streams: 1,000 open at once, again and again, leave no memory behind", async () => {
  const left = await heapLeftByStreams(1000);
  console.log(`heap after each round: ${left.map((bytes) => `${Math.round(bytes / 1024)} kB`).join(", ")}`);
  expect((left.at(-1) ?? 0) - (left[1] ?? 0)).toBeLessThan(1000 * 1000);
});
