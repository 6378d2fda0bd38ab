import { afterAll, beforeAll, expect, test } from "vitest";
import { hostAdmission } from "../../../protocol/seam/admission.ts";
import type { Outcome } from "../../../protocol/seam/operation.ts";
import { openWorld, type World } from "../../skills/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const run = (operation: string, input: unknown, signal: AbortSignal): Promise<Outcome> =>
  world.runner.run({
    operation,
    door: "mcp",
    admission: hostAdmission,
    requestId: "r",
    input: () => ({ input }),
    signal,
  });

test("a call that is cancelled before its commit changes nothing, and a read answers", async () => {
  const terms = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 500_000 };
  const before = world.changes().length;
  const cancelled = await run("request_quote", terms, AbortSignal.abort());
  expect(cancelled).toMatchObject({ kind: "refused", refusal: { code: "cancelled" }, status: 499 });
  expect(world.changes()).toHaveLength(before);
  expect(await run("list_quotes", {}, AbortSignal.abort())).toMatchObject({ kind: "done", output: { total: 0 } });
  expect(await run("request_quote", terms, new AbortController().signal)).toMatchObject({ kind: "done" });
});
