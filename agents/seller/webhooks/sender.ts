import { eventKind, type EventRow } from "../../../protocol/seam/events.ts";
import type { Clock, TrustRegistry } from "../../../protocol/seam/ports.ts";
import { apiKeyKind, type ApiKeyRow } from "../../../skills/seller/api-keys/record.ts";
import { eventView } from "../../../skills/seller/events/view.ts";
import { buyerNames } from "../../../skills/seller/portfolio/buyer-names.ts";
import { messageFacts, renderMessage } from "../../../skills/seller/webhooks/message.ts";
import {
  deliveryForgetAtMs,
  deliveryKind,
  type DeliveryRow,
  webhookKind,
  type WebhookRow,
} from "../../../skills/seller/webhooks/record.ts";
import type { SellerContext, SellerPorts } from "../../../skills/seller/context.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";
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

export interface MessageSources {
  readonly catalog: Pick<SellerPorts["catalog"], "get">;
  readonly settings: Pick<SellerSettings, "agentUrl" | "sellerName">;
}

const nameSources = (store: Store): Pick<SellerContext, "list"> => ({
  list: async (kind, { terms = [], ...query }) => (await store.list({ kind: kind.name, terms, ...query })) as never,
});

/** The event, or what an operator's template makes of it. */
const deliveredBody = async (
  { store, catalog, settings }: Pick<SenderParts, "store"> & MessageSources,
  webhook: WebhookRow,
  event: StoredRow<EventRow>,
): Promise<string> => {
  if (webhook.template == null) return JSON.stringify(eventView(event, webhook.sees_all));
  const { owner, payload } = event.body;
  const { product_id: productId } = payload;
  const context = nameSources(store);
  const facts = messageFacts({
    event: event.body,
    eventId: event.id,
    buyer: (await buyerNames(context, [owner])).get(owner) ?? null,
    product: typeof productId === "string" ? (catalog.get(productId)?.name ?? null) : null,
    seller: settings.sellerName,
    agentUrl: settings.agentUrl.replace(/\/+$/, ""),
  });
  return renderMessage(webhook.template, facts);
};

/** Every attempt and replay has the same `webhook-id`. */
export const createWebhookSender = (parts: SenderParts & KeyCheckParts & MessageSources): Sender<DeliveryRow> => {
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
        const { key_id: keyId, secret, url } = webhook.body;
        if (!(await mayReceive(parts, keyId))) return { refused: "key_not_valid" };
        const event = await load<EventRow>(store, eventKind, delivery.event_id);
        if (event === null) return { refused: "event_forgotten" };
        const body = await deliveredBody(parts, webhook.body, event);
        const signed = signedHeaders({ secret, webhookId: delivery.delivery_id, nowMs: clock.nowMs(), body });
        const { traceparent } = event.body;
        const traced = traceparent === undefined ? {} : { traceparent };
        return { url, headers: { "content-type": "application/json", ...traced, ...signed }, body };
      },
    },
    parts,
  );
};
