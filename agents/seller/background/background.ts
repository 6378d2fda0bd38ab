import { eventKind } from "../../../protocol/seam/events.ts";
import { createOutbound, type OutboundMore } from "../../../protocol/client/outbound.ts";
import { readAllowList } from "../../../protocol/client/address-guard.ts";
import type { Clock, Log, TrustRegistry } from "../../../protocol/seam/ports.ts";
import type { AgentWatch } from "../../../protocol/seam/watch.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";
import { deliveryKind, type DeliveryRow } from "../../../skills/seller/webhooks/record.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";
import { type KeyUseCounter, startCountWriter } from "../../server/key-uses.ts";
import type { DueWorker } from "../../server/sweeper.ts";
import { createWakeup } from "../../server/wakeup.ts";
import { pruneEvents } from "./event-pruning.ts";
import { dispatchEvents } from "../webhooks/dispatch.ts";
import { createPushes, type Pushes } from "../../delivery/push.ts";
import { attemptTimeoutMs } from "../../delivery/sender.ts";
import type { TargetGuard } from "../../../protocol/neutral/address-guard.ts";
import { createWebhookSender, mayReceive, type MessageSources } from "../webhooks/sender.ts";

export interface BackgroundParts {
  readonly store: Store;
  readonly settings: Pick<SellerSettings, "outboundAllow" | "eventRetentionDays" | "agentUrl" | "sellerName">;
  readonly catalog: MessageSources["catalog"];
  readonly trust: TrustRegistry;
  readonly targets: TargetGuard;
  readonly counts: Pick<KeyUseCounter, "write">;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound?: OutboundMore;
  readonly watch?: AgentWatch;
}

/** Background work of a server; a command that opens the store starts none. */
export interface Background {
  readonly start: () => void;
  readonly due: DueWorker;
  readonly pushes: Pushes;
  readonly queued: Pushes["queued"];
  stop(): Promise<void>;
}

/** The first look of a start, and those that find what a dead process left behind. */
const lookEveryMs = 5_000;
const tidyEveryMs = 60_000;

export const createBackground = (parts: BackgroundParts): Background => {
  const { store, settings, catalog, clock, log, trust, targets, counts } = parts;
  const allow = readAllowList(settings.outboundAllow.join(","));
  const watched = parts.watch === undefined ? {} : { watch: parts.watch };
  const outbound = createOutbound({ allow, timeoutMs: attemptTimeoutMs, peerOf: () => "receiver", ...parts.outbound });
  const sender = createWebhookSender({ store, clock, log, trust, outbound, catalog, settings, ...watched });
  const pushes = createPushes({
    store,
    clock,
    log,
    outbound,
    ...watched,
    targets,
    mayReceive: (keyId) => mayReceive({ store, clock, trust }, keyId),
  });
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;
  const wakeup = createWakeup(stopping.signal);
  let running: Promise<void> = Promise.resolve();
  let writer: ReturnType<typeof startCountWriter> | null = null;

  const attempted = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error({ error: error instanceof Error ? error.message : String(error) }, `${what} failed`);
    }
  };

  const loop = async (): Promise<void> => {
    const unwatch = store.watch(eventKind.name, wakeup.wake);
    let tidiedAtMs = Number.NEGATIVE_INFINITY;
    while (!isStopped()) {
      wakeup.reset();
      await attempted("handing events to webhooks", () => dispatchEvents({ store, clock }, isStopped));
      if (clock.nowMs() - tidiedAtMs >= tidyEveryMs) {
        tidiedAtMs = clock.nowMs();
        await attempted("forgetting old events", () => pruneEvents({ store, clock, settings }, isStopped));
      }
      await wakeup.wait(lookEveryMs);
    }
    unwatch();
  };

  return {
    start: () => {
      running = loop();
      writer = startCountWriter({ counts, log });
    },
    due: (row, nowMs) =>
      row.kind === deliveryKind.name ? sender.claim(row as StoredRow<DeliveryRow>, nowMs) : pushes.due(row, nowMs),
    pushes,
    queued: () => [...sender.queued(), ...pushes.queued()],
    stop: async () => {
      stopping.abort();
      await running;
      await writer?.stop();
      await sender.stop();
      await pushes.stop();
      await outbound.close();
    },
  };
};
