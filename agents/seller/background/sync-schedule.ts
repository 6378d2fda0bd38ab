import { hostAdmission } from "../../../protocol/seam/admission.ts";
import type { Call } from "../../../protocol/seam/operation.ts";
import type { Log } from "../../../protocol/seam/ports.ts";
import type { Runner } from "../../../protocol/seam/run/run.ts";
import { packageKind, packageSyncKind } from "../../../skills/seller/packages/record.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";
import type { Store } from "../../../storage/store.ts";

export interface ScheduleParts {
  readonly settings: Pick<SellerSettings, "inventorySync">;
  readonly runner: Pick<Runner, "run">;
  readonly store: Pick<Store, "count">;
  readonly log: Log;
}

const minuteMs = 60_000;

const syncCall = (round: number): Call => ({
  operation: "sync_packages",
  door: "host",
  admission: hostAdmission,
  requestId: `inventory-sync-${round}`,
  input: () => ({ input: {} }),
});

/** No package and no import yet: the media kit would be empty. */
const isFresh = async (store: ScheduleParts["store"]): Promise<boolean> =>
  (await store.count(packageKind.name, null)) + (await store.count(packageSyncKind.name, null)) === 0;

export interface SyncSchedule {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Imports inventory once into a fresh store, and repeatedly with INVENTORY_SYNC_ENABLED, through the operation and its
 * gates. The wait starts when an import has ended, so that two never overlap; a failed one is logged and retried.
 */
export const createSyncSchedule = ({ settings, runner, store, log }: ScheduleParts): SyncSchedule => {
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let round = 0;
  const importOnce = async (): Promise<void> => {
    round += 1;
    const outcome = await runner.run(syncCall(round));
    if (outcome.kind === "refused") log.warn({ code: outcome.refusal.code }, "the inventory was not imported");
  };
  const importWhere = async (isWanted: () => boolean | Promise<boolean>): Promise<void> => {
    try {
      if (await isWanted()) await importOnce();
    } catch (error) {
      log.error({ error: String(error) }, "the inventory was not imported");
    }
  };
  const wait = (): void => {
    if (stopped || !settings.inventorySync.enabled) return;
    timer = setTimeout(() => {
      running = importWhere(() => true).finally(wait);
    }, settings.inventorySync.intervalMinutes * minuteMs);
    timer.unref();
  };
  return {
    start: () => {
      running = importWhere(() => isFresh(store)).finally(wait);
    },
    stop: async () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
};
