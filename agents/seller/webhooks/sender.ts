import { setMaxListeners } from "node:events";
import { randomUUID } from "node:crypto";
import { step } from "../../../machines/step.ts";
import { type DeliveryInstance, deliveryMachine } from "../../../machines/webhook-delivery/machine.ts";
import { remove, update } from "../../../protocol/seam/changes.ts";
import { exchange } from "../../../protocol/client/exchange.ts";
import type { Outbound } from "../../../protocol/client/outbound.ts";
import { eventKind, type EventRow } from "../../../protocol/seam/events.ts";
import type { Clock, Log, TrustRegistry } from "../../../protocol/seam/ports.ts";
import { eventView } from "../../../skills/seller/events/view.ts";
import { apiKeyKind, type ApiKeyRow } from "../../../skills/seller/api-keys/record.ts";
import {
  deliveryForgetAtMs,
  deliveryKind,
  type DeliveryRow,
  webhookKind,
  type WebhookRow,
} from "../../../skills/seller/webhooks/record.ts";
import type { Change, Store, StoredRow } from "../../../storage/store.ts";
import { createFairQueue } from "./queue.ts";
import { signedHeaders } from "./signature.ts";

export interface SenderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly trust: TrustRegistry;
  readonly outbound: Outbound;
  readonly random?: () => number;
}

interface Claim {
  readonly changes: readonly Change[];
  readonly events: readonly [];
  readonly committed?: () => void;
}

/** `gone`: a retry is useless. */
interface Attempt {
  readonly end: "taken" | "failed" | "gone" | "stopped";
  readonly status: number | null;
  readonly error: string | null;
}

/** Standard Webhooks recommends 15 to 30 seconds. */
export const attemptTimeoutMs = 15_000;
const mostAnswerBytes = 65_536;
/** Covers the wait in the queue and the attempt. */
const leaseMs = 60_000;
const postponeMs = 30_000;
const recordTries = 5;

type LoadedDelivery = StoredRow<DeliveryRow>;

const load = async <T>(store: Store, kind: { readonly name: string }, id: string): Promise<StoredRow<T> | null> =>
  (await store.get(kind.name, id)) as StoredRow<T> | null;

/** The subscription's key is still valid; the host's own subscriptions have none. */
const mayBeTold = async ({ store, clock, trust }: SenderParts, webhook: WebhookRow): Promise<boolean> => {
  if (webhook.key_id === null) return true;
  const key = await load<ApiKeyRow>(store, apiKeyKind, webhook.key_id);
  if (key === null || key.body.life.value !== "active") return false;
  const { expiresAtMs } = key.body.life.context;
  if (expiresAtMs !== null && expiresAtMs <= clock.nowMs()) return false;
  return key.body.agent_url === null || !(await trust.ofAgent(key.body.agent_url)).blocked;
};

const attemptOf = (answer: Awaited<ReturnType<typeof exchange>>): Attempt => {
  const { status } = answer;
  // Any body: the status alone acknowledges the event.
  if (status >= 200 && status < 300) return { end: "taken", status, error: null };
  if (status === 410) return { end: "gone", status, error: "gone" };
  const code = answer.ok ? `http_${status}` : answer.code;
  return { end: code === "aborted" ? "stopped" : "failed", status, error: code };
};

const post = async (
  parts: SenderParts,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  event: StoredRow<EventRow>,
  signal: AbortSignal,
): Promise<Attempt> => {
  const { outbound, clock } = parts;
  const body = JSON.stringify(eventView(event, webhook.sees_all));
  const { secret, url } = webhook;
  const headers = {
    "content-type": "application/json",
    "accept-encoding": "identity",
    "user-agent": "parley",
    ...signedHeaders({ secret, webhookId: delivery.delivery_id, nowMs: clock.nowMs(), body }),
  };
  const { dispatcher } = outbound;
  const sellerUrl = new URL(url).origin;
  const how = { dispatcher, sellerUrl, timeoutMs: attemptTimeoutMs, mostBytes: mostAnswerBytes, signal };
  return attemptOf(await exchange(how, { method: "POST", url, headers, body }));
};

const given = (error: string): Attempt => ({ end: "gone", status: null, error });

/** Rows are read again. Null: the subscription was deleted, with its delivery. */
const attempt = async (parts: SenderParts, delivery: DeliveryRow, signal: AbortSignal): Promise<Attempt | null> => {
  const webhook = await load<WebhookRow>(parts.store, webhookKind, delivery.webhook_id);
  if (webhook === null) return null;
  if (!(await mayBeTold(parts, webhook.body))) return given("key_not_valid");
  const event = await load<EventRow>(parts.store, eventKind, delivery.event_id);
  if (event === null) return given("event_forgotten");
  return post(parts, webhook.body, delivery, event, signal);
};

const moved = (life: DeliveryInstance, { end }: Attempt, nowMs: number, jitter: number): DeliveryInstance | null => {
  if (end === "taken") return step(deliveryMachine, life, { type: "SUCCEED", nowMs });
  if (end === "gone") return step(deliveryMachine, life, { type: "GIVE_UP", nowMs });
  return step(deliveryMachine, life, { type: "FAIL", nowMs, jitter });
};

const commit = async ({ store, clock }: SenderParts, change: Change): Promise<boolean> => {
  const at = new Date(clock.nowMs()).toISOString();
  const audit = { at, request_id: randomUUID(), operation: "deliver_webhook", door: "timer", principal: "system" };
  return (await store.commit({ changes: [change], audit })).ok;
};

/** A replay since the claim is newer and wins. */
const record = async (parts: SenderParts, claimed: DeliveryRow, made: Attempt | null): Promise<void> => {
  for (let left = recordTries; left > 0; left -= 1) {
    const loaded = await load<DeliveryRow>(parts.store, deliveryKind, claimed.delivery_id);
    if (loaded === null || loaded.body.life.context.claimedUntilMs !== claimed.life.context.claimedUntilMs) return;
    if (made === null) {
      if (await commit(parts, remove(deliveryKind, loaded))) return;
      continue;
    }
    const life = moved(loaded.body.life, made, parts.clock.nowMs(), (parts.random ?? Math.random)());
    if (life === null) return;
    const row: DeliveryRow = { ...loaded.body, life, last_status: made.status, last_error: made.error };
    if (await commit(parts, update(deliveryKind, loaded, row))) return;
  }
};

/** An owner gets an eighth, so that its hanging receivers delay nobody else. */
const mostRunning = 64;

/**
 * A delivery is claimed by a commit, sent, and recorded by another; a crash between the two lets the claim expire, and
 * it is sent again with the same `webhook-id`: at least once, never lost.
 */
export const createWebhookSender = (parts: SenderParts) => {
  const stopping = new AbortController();
  // One listener per running delivery.
  setMaxListeners(mostRunning, stopping.signal);
  const queue = createFairQueue({
    running: mostRunning,
    runningPerOwner: mostRunning / 8,
    runningPerReceiver: mostRunning / 16,
    waiting: 2000,
    waitingPerOwner: 250,
    waitingPerReceiver: 100,
  });

  const send = async (claimed: DeliveryRow): Promise<void> => {
    try {
      const untilMs = claimed.life.context.claimedUntilMs ?? 0;
      if (stopping.signal.aborted || parts.clock.nowMs() + attemptTimeoutMs > untilMs) return;
      const made = await attempt(parts, claimed, stopping.signal);
      if (made?.end === "stopped") return;
      const told = { webhook_id: claimed.webhook_id, delivery_id: claimed.delivery_id, error: made?.error };
      if (made !== null && made.end !== "taken") parts.log.warn(told, "webhook delivery failed");
      await record(parts, claimed, made);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      parts.log.error({ delivery_id: claimed.delivery_id, error: cause }, "webhook delivery broke off");
    }
  };

  const claim = (loaded: LoadedDelivery, nowMs: number): Claim | null => {
    if (stopping.signal.aborted) return null;
    const { body } = loaded;
    const forgetAtMs = deliveryForgetAtMs(body);
    if (forgetAtMs !== null) {
      return forgetAtMs <= nowMs ? { changes: [remove(deliveryKind, loaded)], events: [] } : null;
    }
    const holder = { owner: body.owner, receiver: body.webhook_id };
    const hasRoom = queue.hasRoom(holder);
    const delayMs = postponeMs * (1 + (parts.random ?? Math.random)());
    const life = hasRoom
      ? step(deliveryMachine, body.life, { type: "CLAIM", nowMs, leaseMs })
      : step(deliveryMachine, body.life, { type: "POSTPONE", nowMs, delayMs: Math.round(delayMs) });
    if (life === null) return null;
    const row: DeliveryRow = { ...body, life };
    const changes = [update(deliveryKind, loaded, row)];
    return hasRoom
      ? { changes, events: [], committed: () => queue.add(holder, () => send(row)) }
      : { changes, events: [] };
  };

  return {
    claim,
    stop: async (): Promise<void> => {
      stopping.abort();
      await queue.stop();
    },
  };
};
