import { afterEach, expect, test } from "vitest";
import { type Started, startSeller } from "../../spec/launched.ts";

let seller: Started | null = null;
afterEach(async () => {
  await seller?.close();
  seller = null;
});

/** One request a minute per address. */
const statuses = async (trusted: "true" | "false", callers: readonly string[]): Promise<readonly number[]> => {
  seller = await startSeller({ TRUST_PROXY: trusted, RATE_LIMIT_ANONYMOUS_PER_MINUTE: "1" });
  const found: number[] = [];
  for (const caller of callers) {
    found.push((await seller.ask("GET", "/products", { headers: { "x-forwarded-for": caller } })).status);
  }
  return found;
};

test("TRUST_PROXY: the address that the nearest proxy names is the one that is counted", async () => {
  expect(await statuses("true", ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.9, 192.0.2.2"])).toEqual([
    200, 200, 429, 429,
  ]);
});

test("TRUST_PROXY: without it nobody chooses the address that is counted", async () => {
  expect(await statuses("false", ["192.0.2.1", "192.0.2.2"])).toEqual([200, 429]);
});
