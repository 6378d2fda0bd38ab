import { afterAll, beforeAll, expect, test } from "vitest";
import { type Findings, fuzz } from "../fuzz/campaign.ts";
import { type FuzzedSeller, openFuzzedSeller } from "../fuzz/seller.ts";
import { runSeed } from "../storage/crash/random.ts";

const megabyte = 1_048_576;

let seller: FuzzedSeller;
beforeAll(async () => {
  seller = await openFuzzedSeller();
});
afterAll(() => seller.close());

const neverDone = ({ statuses }: Findings): readonly string[] =>
  [...statuses].filter(([, counts]) => ![...counts.keys()].some((status) => status < 300)).map(([id]) => id);

test("fuzz: 20,000 requests from our own OpenAPI document: no 500, nothing undeclared, no memory kept", async () => {
  const seed = runSeed("openapi fuzz");
  const findings = await fuzz(seller.target, seed, 20_000);
  expect(findings.faults).toEqual([]);
  expect(await seller.errors()).toEqual([]);
  expect(neverDone(findings).length, neverDone(findings).join(", ")).toBeLessThan(8);
  // More memory than a new process needs for the same records was kept for nothing.
  const worked = await seller.memory();
  seller = await seller.restart();
  await fuzz(seller.target, seed + 1_000_000, 1000);
  const fresh = await seller.memory();
  const shown = [worked, fresh].map((bytes) => `${(bytes / megabyte).toFixed(1)} MiB`);
  process.stdout.write(`heap: ${shown.join(" after the run, ")} in a new process over the same records\n`);
  expect((worked - fresh) / megabyte).toBeLessThan(8);
}, 900_000);
