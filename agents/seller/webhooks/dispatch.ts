import { randomUUID } from "node:crypto";
import { newDelivery } from "../../../machines/webhook-delivery/machine.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { eventKind, type EventRow } from "../../../protocol/seam/events.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import {
  deliveryIdOf,
  deliveryKind,
  type DeliveryRow,
  termsToTell,
  webhookCursorId,
  webhookCursorKind,
  type WebhookCursorRow,
  webhookKind,
  type WebhookRow,
} from "../../../skills/seller/webhooks/record.ts";
import type { Change, Store, StoredRow } from "../../../storage/store.ts";

export interface DispatchParts {
  readonly store: Store;
  readonly clock: Clock;
}

const eventsPerCommit = 20;
const rowsPerPage = 500;

/** Read by term, so that other subscriptions cost nothing. */
const subscribed = async (store: Store, event: EventRow): Promise<readonly WebhookRow[]> => {
  const rows: WebhookRow[] = [];
  for (const term of termsToTell(event)) {
    for (let after = 0; ;) {
      const query = { kind: webhookKind.name, terms: [term], order: "oldest", limit: rowsPerPage, after } as const;
      const page = (await store.list(query)) as readonly StoredRow<WebhookRow>[];
      rows.push(...page.map(({ body }) => body));
      const last = page.at(-1);
      if (last === undefined || page.length < rowsPerPage) break;
      after = last.n;
    }
  }
  return rows;
};

const deliveryOf = (webhook: WebhookRow, { id, body }: StoredRow<EventRow>, nowMs: number): DeliveryRow => ({
  delivery_id: deliveryIdOf(webhook.webhook_id, id),
  webhook_id: webhook.webhook_id,
  owner: webhook.owner,
  event_id: id,
  event_type: body.event_type,
  created_at_ms: nowMs,
  last_status: null,
  last_error: null,
  life: newDelivery(nowMs),
});

const audit = (nowMs: number) => ({
  at: new Date(nowMs).toISOString(),
  request_id: randomUUID(),
  operation: "dispatch_webhooks",
  door: "timer",
  principal: "system",
});

const handOver = async ({ store, clock }: DispatchParts): Promise<boolean> => {
  if ((await store.count(webhookKind.name, null)) === 0) return false;
  // The cursor first: a new subscription moves it, and the commit below then loses its race.
  const cursor = (await store.get(webhookCursorKind.name, webhookCursorId)) as StoredRow<WebhookCursorRow> | null;
  if (cursor === null) return false;
  const { after } = cursor.body;
  const query = { kind: eventKind.name, terms: [], order: "oldest", limit: eventsPerCommit, after } as const;
  const events = (await store.list(query)) as readonly StoredRow<EventRow>[];
  const last = events.at(-1);
  if (last === undefined) return false;
  const nowMs = clock.nowMs();
  const deliveries: DeliveryRow[] = [];
  for (const event of events) {
    deliveries.push(...(await subscribed(store, event.body)).map((webhook) => deliveryOf(webhook, event, nowMs)));
  }
  const changes: Change[] = [
    update(webhookCursorKind, cursor, { after: last.n }),
    ...deliveries.map((row) => create(deliveryKind, row.delivery_id, row)),
  ];
  await store.commit({ changes, audit: audit(nowMs) });
  return true;
};

/**
 * Queues events for their subscriptions in order, each exactly once: deliveries and cursor are one commit, and of
 * concurrent processes one wins.
 */
export const dispatchEvents = async (parts: DispatchParts, isStopped: () => boolean): Promise<void> => {
  while (!isStopped() && (await handOver(parts)));
};
