import type { Call } from "../../../protocol/seam/operation.ts";
import type { Log } from "../../../protocol/seam/ports.ts";
import type { Runner } from "../../../protocol/seam/run.ts";
import type { SellerSettings } from "../../../skills/seller/ports.ts";

export interface ScheduleParts {
  readonly settings: Pick<SellerSettings, "inventorySync">;
  readonly runner: Pick<Runner, "run">;
  readonly log: Log;
}

const minuteMs = 60_000;

const syncCall = (place: number): Call => ({
  operation: "sync_packages",
  door: "host",
  caller: { kind: "host" },
  requestId: `inventory-sync-${place}`,
  input: () => ({}),
});

/**
 * Imports the ad server's inventory again and again (INVENTORY_SYNC_ENABLED, INVENTORY_SYNC_INTERVAL_MINUTES), through
 * the same operation and gates as an operator's own import. The next wait starts when an import has ended, so that
 * two never run at once; a failed one is logged and tried again. `stop` resolves when a running import has ended.
 */
export const startSyncSchedule = (parts: ScheduleParts): { readonly stop: () => Promise<void> } => {
  const { settings, runner, log } = parts;
  if (!settings.inventorySync.enabled) return { stop: async () => {} };
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let place = 0;
  const importOnce = async (): Promise<void> => {
    place += 1;
    const outcome = await runner.run(syncCall(place));
    if (outcome.kind === "refused") log.warn({ code: outcome.refusal.code }, "the inventory was not imported");
  };
  const wait = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = importOnce()
        .catch((error: unknown) => log.error({ error: String(error) }, "the inventory was not imported"))
        .finally(wait);
    }, settings.inventorySync.intervalMinutes * minuteMs);
    timer.unref();
  };
  wait();
  return {
    stop: async () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
};
