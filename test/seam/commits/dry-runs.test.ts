import { expect, test } from "vitest";
import { sellerOperations } from "../../../agents/seller/operations.ts";
import type { Runner } from "../../../protocol/seam/run/run.ts";
import type { Store } from "../../../storage/store.ts";
import { loadCases, runCase } from "../../skills/cases.ts";
import { type Send, sendToRunner } from "../../skills/world.ts";

/** Every commit of a call adds an audit link; some rows have no audit. */
const reached = async (store: Store): Promise<readonly number[]> => [
  ...(await store.auditHeads()).map((head) => head.seq),
  await store.count("event", null),
  await store.count("idempotency", null),
];

/** Each mutation runs dry first; the reader must see no difference. */
const dryFirst =
  (called: Set<string>) =>
  (runner: Runner): Send => {
    const send = sendToRunner(runner);
    const writes = new Set(
      runner.contracts.filter((contract) => contract.effect !== "read").map((contract) => contract.name),
    );
    return async (request, secret) => {
      if (!writes.has(request.operation) || request.dryRun === true) return send(request, secret);
      const dry = await send({ ...request, dryRun: true }, secret);
      expect(dry.code).not.toBe("bug");
      const real = await send(request, secret);
      // A dry run has no key, so it cannot see a replay or conflict.
      const isOfKey = real.replayed || real.code === "idempotency_conflict";
      expect(dry.code === null || dry.code === real.code || isOfKey, `${dry.code} dry, ${real.code}`).toBe(true);
      if (dry.code === null) {
        expect(dry.body["dry_run"]).toBe(true);
        expect(JSON.stringify(dry.body)).not.toMatch(/ask_live_[\w-]{20}/);
        called.add(request.operation);
      }
      return real;
    };
  };

/** A dry run shows a price, so it counts as a price query; cases that limit those are left out. */
const cases = loadCases().filter(({ skillCase }) => skillCase.settings?.priceProbeLimit === undefined);
const writes = sellerOperations.map(({ contract }) => contract).filter((contract) => contract.effect !== "read");
const withCases = writes.filter((contract) => cases.some(({ operation }) => operation === contract.name));

test.each(withCases.map((contract) => contract.name))(
  "dry run: %s, before each mutation of each of its cases, changes no answer and leaves the store as it was",
  async (operation) => {
    const called = new Set<string>();
    const own = cases.filter((found) => found.operation === operation);
    for (const { file, skillCase } of own) {
      let plain: readonly number[] = [];
      let withDryRuns: readonly number[] = [];
      await runCase(skillCase, sendToRunner, async (world) => void (plain = await reached(world.store)));
      await runCase(skillCase, dryFirst(called), async (world) => void (withDryRuns = await reached(world.store)));
      expect(withDryRuns, file).toEqual(plain);
    }
    expect(called).toContain(operation);
  },
  60_000,
);
