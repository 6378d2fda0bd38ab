import type { DeliveryInstance } from "../../../machines/webhook-delivery/machine.ts";
import type { EventRow } from "../../../protocol/seam/events.ts";
import type { Kind } from "../../../storage/store.ts";
import { sha256Hex } from "../ids.ts";
import type { IfSet } from "../terms.ts";
import type { MessageTemplate } from "./message.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

/**
 * Gets events only while key `key_id` is valid (null: the host's operator). `sees_all`: every event, else those of
 * `owners`. Each delivery is signed with the secret, so it is not hashed.
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
  /** Posted in place of the event. */
  readonly template?: IfSet<MessageTemplate>;
  readonly created_at_ms: number;
}

/** The last event handed to subscriptions; one row for all. */
export interface WebhookCursorRow {
  readonly after: number;
}

/**
 * The id is the `webhook-id` of every attempt and replay. `last_status` 0: no HTTP answer; `last_error` a code of
 * ours.
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

/** For reading and replay. */
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

/** Null while it is pending. */
export const deliveryForgetAtMs = (row: DeliveryRow): number | null => {
  const { finishedAtMs } = row.life.context;
  return finishedAtMs === null ? null : finishedAtMs + keptForMs;
};

export const deliveryKind: Kind<DeliveryRow> = {
  name: "webhook_delivery",
  terms: (row) => [
    deliveriesTerm({ webhookId: row.webhook_id, status: null }),
    deliveriesTerm({ webhookId: row.webhook_id, status: row.life.value }),
    ...troubleTerms(row),
  ],
  dueAtMs: (row) => row.life.context.nextAttemptAtMs ?? deliveryForgetAtMs(row),
  owner: (row) => row.owner,
};

export const webhookOwnerTerm = (owner: string): string => `owner=${owner}`;

export const deliveriesTerm = (of: { readonly webhookId: string; readonly status: string | null }): string =>
  of.status === null ? `webhook=${of.webhookId}` : `webhook+status=${of.webhookId}+${of.status}`;

export const deliveryTroubles = ["failing", "dead"] as const;

export const troubleTerm = (trouble: (typeof deliveryTroubles)[number]): string => `trouble=${trouble}`;

const troubleTerms = ({ life }: DeliveryRow): readonly string[] => {
  if (life.value === "dead") return [troubleTerm("dead")];
  return life.value === "pending" && life.context.failures > 0 ? [troubleTerm("failing")] : [];
};

/** The same however often it is handed over. */
export const deliveryIdOf = (webhookId: string, eventId: string): string =>
  `whd-${sha256Hex(JSON.stringify([webhookId, eventId])).slice(0, 24)}`;

/** Null: everybody's records. */
const toldTerm = (owner: string | null, eventType: string): string => `told=${JSON.stringify([owner, eventType])}`;

const toldTerms = ({ sees_all: seesAll, owners, event_types: types }: WebhookRow): readonly string[] =>
  (seesAll ? [null] : [...new Set(owners)]).flatMap((owner) => types.map((type) => toldTerm(owner, type)));

/** Each subscription is found under exactly one of them. */
export const termsToTell = (event: EventRow): readonly string[] =>
  [null, event.owner].map((owner) => toldTerm(owner, event.event_type));
