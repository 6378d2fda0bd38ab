import type { z } from "zod";
import type { getWebhook, replayWebhookDelivery } from "./contract.ts";
import type { DeliveryRow, WebhookRow } from "./record.ts";

export const webhookView = (row: WebhookRow): z.input<typeof getWebhook.output> => ({
  webhook_id: row.webhook_id,
  url: row.url,
  event_types: [...row.event_types],
  created_at: new Date(row.created_at_ms).toISOString(),
  template: row.template ?? null,
});

export const deliveryView = (row: DeliveryRow): z.input<typeof replayWebhookDelivery.output> => {
  const { attempts, nextAttemptAtMs } = row.life.context;
  return {
    delivery_id: row.delivery_id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.life.value,
    attempts,
    next_attempt_at: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs).toISOString(),
    last_status: row.last_status,
    last_error: row.last_error,
    created_at: new Date(row.created_at_ms).toISOString(),
  };
};
