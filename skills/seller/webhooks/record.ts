import type { DeliveryInstance } from "../../../machines/webhook-delivery/machine.ts";
import type { EventRow } from "../../../protocol/seam/events.ts";
import type { Kind } from "../../../storage/store.ts";
import { sha256Hex } from "../ids.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

/**
 * A subscription. `key_id` is the key that made it (null: the host's operator); it is told of events for as long as
 * that key opens anything. `sees_all`: an operator's, told of every event; else of those that `owners` own. The secret
 * is kept as it is, because each delivery is signed with it.
 */
export interface WebhookRow {
  readonly webhook_id: string;
  readonly owner: string;
  readonly owners: readonly string[];
  readonly sees_all: boolean;
  readonly key_id: string | null;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly secret: string;
  readonly created_at_ms: number;
}

/** How far events have been handed to subscriptions: the place of the last one. One row for all subscriptions. */
export interface WebhookCursorRow {
  readonly after: number;
}

/**
 * One event on its way to one subscription. Its id goes out as `webhook-id`, the same on every attempt and replay.
 * `last_status` is the receiver's HTTP status, 0 where it gave none; `last_error` a code of ours.
 */
export interface DeliveryRow {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly owner: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly created_at_ms: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly life: DeliveryInstance;
}

/** How long a delivery that is over can still be read and replayed. */
const keptForMs = 30 * dayMs;

export const webhookKind: Kind<WebhookRow> = {
  name: "webhook",
  terms: (webhook) => [webhookOwnerTerm(webhook.owner), ...toldTerms(webhook)],
  dueAtMs: () => null,
  owner: (webhook) => webhook.owner,
};

export const webhookCursorKind: Kind<WebhookCursorRow> = {
  name: "webhook_cursor",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

export const webhookCursorId = "events";

/** When a delivery that is over is forgotten; null while it is pending. */
export const deliveryForgetAtMs = (row: DeliveryRow): number | null => {
  const { finishedAtMs } = row.life.context;
  return finishedAtMs === null ? null : finishedAtMs + keptForMs;
};

export const deliveryKind: Kind<DeliveryRow> = {
  name: "webhook_delivery",
  terms: (row) => [
    deliveriesTerm({ webhookId: row.webhook_id, status: null }),
    deliveriesTerm({ webhookId: row.webhook_id, status: row.life.value }),
  ],
  dueAtMs: (row) => row.life.context.nextAttemptAtMs ?? deliveryForgetAtMs(row),
  owner: (row) => row.owner,
};

export const webhookOwnerTerm = (owner: string): string => `owner=${owner}`;

/** The term of a subscription's deliveries, of all of them or of one status. */
export const deliveriesTerm = (of: { readonly webhookId: string; readonly status: string | null }): string =>
  of.status === null ? `webhook=${of.webhookId}` : `webhook+status=${of.webhookId}+${of.status}`;

/** One id for one event at one subscription, however often it is handed over. */
export const deliveryIdOf = (webhookId: string, eventId: string): string =>
  `whd-${sha256Hex(JSON.stringify([webhookId, eventId])).slice(0, 24)}`;

/** The term of the subscriptions that are told of a type of event of one owner's records; null: of everybody's. */
const toldTerm = (owner: string | null, eventType: string): string => `told=${JSON.stringify([owner, eventType])}`;

const toldTerms = ({ sees_all: seesAll, owners, event_types: types }: WebhookRow): readonly string[] =>
  (seesAll ? [null] : [...new Set(owners)]).flatMap((owner) => types.map((type) => toldTerm(owner, type)));

/** The terms under which the subscriptions that are to be told of the event are found, each of them under one. */
export const termsToTell = (event: EventRow): readonly string[] =>
  [null, event.owner].map((owner) => toldTerm(owner, event.event_type));
