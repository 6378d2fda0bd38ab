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

/** The subscriptions that are to be told of an event. Others are not looked at, however many there are. */
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

/** One hand-over; false when there is nothing left to hand over. */
const handOver = async ({ store, clock }: DispatchParts): Promise<boolean> => {
  if ((await store.count(webhookKind.name, null)) === 0) return false;
  // The cursor first: a subscription that is made after this moves it, and the commit below then loses its race.
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
 * Hands events to the subscriptions that want them, in order and each exactly once: the deliveries and the place of
 * the last event are one commit, so a process that dies in between leaves both or neither, and of two processes that
 * hand over the same events one commit wins.
 */
export const dispatchEvents = async (parts: DispatchParts, isStopped: () => boolean): Promise<void> => {
  while (!isStopped() && (await handOver(parts)));
};
