import { eventKind, type EventRow } from "../../../protocol/seam/events.ts";
import type { Clock, TrustRegistry } from "../../../protocol/seam/ports.ts";
import { apiKeyKind, type ApiKeyRow } from "../../../skills/seller/api-keys/record.ts";
import { eventView } from "../../../skills/seller/events/view.ts";
import {
  deliveryForgetAtMs,
  deliveryKind,
  type DeliveryRow,
  webhookKind,
  type WebhookRow,
} from "../../../skills/seller/webhooks/record.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";
import { createSender, type Sender, type SenderParts } from "../../delivery/sender.ts";
import { signedHeaders } from "./signature.ts";

export interface KeyCheckParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly trust: TrustRegistry;
}

const load = async <T>(store: Store, kind: { readonly name: string }, id: string): Promise<StoredRow<T> | null> =>
  (await store.get(kind.name, id)) as StoredRow<T> | null;

/** The subscription's key is still valid; the host's own subscriptions have none. */
export const mayReceive = async ({ store, clock, trust }: KeyCheckParts, keyId: string | null): Promise<boolean> => {
  if (keyId === null) return true;
  const key = await load<ApiKeyRow>(store, apiKeyKind, keyId);
  if (key === null || key.body.life.value !== "active") return false;
  const { expiresAtMs } = key.body.life.context;
  if (expiresAtMs !== null && expiresAtMs <= clock.nowMs()) return false;
  return key.body.agent_url === null || !(await trust.ofAgent(key.body.agent_url)).blocked;
};

/** Every attempt and replay has the same `webhook-id`. */
export const createWebhookSender = (parts: SenderParts & KeyCheckParts): Sender<DeliveryRow> => {
  const { store, clock } = parts;
  return createSender<DeliveryRow>(
    {
      name: "webhook",
      kind: deliveryKind,
      receiverOf: (row) => row.webhook_id,
      forgetAtMs: deliveryForgetAtMs,
      prepare: async (delivery) => {
        const webhook = await load<WebhookRow>(store, webhookKind, delivery.webhook_id);
        if (webhook === null) return null;
        const { key_id: keyId, sees_all: seesAll, secret, url } = webhook.body;
        if (!(await mayReceive(parts, keyId))) return { refused: "key_not_valid" };
        const event = await load<EventRow>(store, eventKind, delivery.event_id);
        if (event === null) return { refused: "event_forgotten" };
        const body = JSON.stringify(eventView(event, seesAll));
        const signed = signedHeaders({ secret, webhookId: delivery.delivery_id, nowMs: clock.nowMs(), body });
        const { traceparent } = event.body;
        const traced = traceparent === undefined ? {} : { traceparent };
        return { url, headers: { "content-type": "application/json", ...traced, ...signed }, body };
      },
    },
    parts,
  );
};
