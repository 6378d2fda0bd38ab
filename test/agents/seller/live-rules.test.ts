import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLiveRules } from "../../../agents/seller/live-rules.ts";
import { create } from "../../../protocol/seam/changes.ts";
import { sellingRulesId, sellingRulesKind, type SellingRules } from "../../../skills/seller/selling-rules/record.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";
import { startSeller } from "../../spec/launched.ts";
import { openWorld, plainSettings } from "../../skills/world.ts";

const rowOf = (rules: SellingRules) => ({ rules, updated_at_ms: 0, updated_by: "Maja", revision: 1 });

test("rules that another process stored count as soon as they are read", async () => {
  const store = openMemoryStore();
  onTestFinished(() => store.close());
  const live = createLiveRules(plainSettings, store);
  await live.pending();
  expect(live.settings.quoteTtlSeconds).toBe(plainSettings.quoteTtlSeconds);
  const change = create(sellingRulesKind, sellingRulesId, rowOf({ quote_ttl_seconds: 60 }));
  await store.commit({ changes: [change], audit: null });
  await live.pending();
  expect(live.settings.quoteTtlSeconds).toBe(60);
  expect(live.settings.approvalGate).toEqual(plainSettings.approvalGate);
  live.stop();
});

test("what the environment sets goes before what was stored, and is refused to people by its variable", async () => {
  const world = await openWorld({ settings: { given: new Set(["QUOTE_TTL_SECONDS"]), quoteTtlSeconds: 7200 } });
  onTestFinished(() => world.close());
  const change = create(sellingRulesKind, sellingRulesId, rowOf({ quote_ttl_seconds: 60, seller_name: "Lighthouse" }));
  await world.store.commit({ changes: [change], audit: null });
  const shown = await world.send({ caller: "operator", operation: "get_selling_rules", input: {} });
  expect(shown.body).toMatchObject({
    values: { quote_ttl_seconds: 7200, seller_name: "Lighthouse" },
    fixed: [{ name: "quote_ttl_seconds", variable: "QUOTE_TTL_SECONDS" }],
  });
  const refused = await world.send({
    caller: "senior",
    operation: "update_selling_rules",
    input: { quote_ttl_seconds: 90 },
  });
  expect(refused).toMatchObject({ code: "validation_error", status: 422 });
  expect(JSON.stringify(refused.body)).toContain("QUOTE_TTL_SECONDS");
});

test("a sandbox beside the agent sells by the rules that were stored there", async () => {
  const dir = await mkdtemp(join(tmpdir(), "parley-rules-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const place = { driver: "lowdb", dir } as const;
  const first = await startSeller({ SANDBOX: "calls" }, undefined, place);
  const rules = { quote_ttl_seconds: 60, approval_enabled: true, approval_flows: ["deal"], approval_above_value: 0 };
  await first.host("update_selling_rules", rules);
  await first.close();
  const seller = await startSeller({ SANDBOX: "calls" }, undefined, place);
  onTestFinished(() => seller.close());
  const headers = { "X-Parley-Sandbox": "true", "Content-Type": "application/json" };
  const flight = { flight_start: "2099-03-01", flight_end: "2099-03-31" };
  const input = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 1_000_000, ...flight };
  const post = async (path: string, body: unknown) =>
    (await fetch(new URL(path, seller.url), { method: "POST", headers, body: JSON.stringify(body) })).json();
  const quote = (await post("/api/v1/quotes", input)) as Record<string, unknown>;
  const lastsMs = Date.parse(String(quote["expires_at"])) - Date.now();
  expect(lastsMs).toBeGreaterThan(0);
  expect(lastsMs).toBeLessThanOrEqual(60_000);
});
