import { expect, onTestFinished, test } from "vitest";
import { createLiveRules } from "../../../agents/seller/live-rules.ts";
import { create } from "../../../protocol/seam/changes.ts";
import { sellingRulesId, sellingRulesKind, type SellingRules } from "../../../skills/seller/selling-rules/record.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";
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
