import { step } from "../../../machines/step.ts";
import { deliveryMachine } from "../../../machines/webhook-delivery/machine.ts";
import { isOperator, ownersOf } from "../../../protocol/seam/caller.ts";
import { create, remove, unchanged, update } from "../../../protocol/seam/changes.ts";
import { eventKind } from "../../../protocol/seam/events.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { readPage } from "../../../protocol/seam/paging.ts";
import { refuse, missing } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import { newWebhookId, newWebhookSecret } from "../ids.ts";
import * as contract from "./contract.ts";
import {
  deliveriesTerm,
  deliveryKind,
  webhookCursorId,
  webhookCursorKind,
  webhookKind,
  webhookOwnerTerm,
  type WebhookRow,
} from "./record.ts";
import { deliveryView, webhookView } from "./view.ts";
import type { SellerContext } from "../context.ts";

const mostWebhooks = 20;

/**
 * A new subscription moves the cursor's row, so that a hand-over that does not know it loses its commit and reads
 * again: no later event is missed. The first starts at the newest event.
 */
const cursorChange = async (context: SellerContext): Promise<Change> => {
  const cursor = await context.load(webhookCursorKind, webhookCursorId);
  const isKept = cursor !== null && (await context.count(webhookKind, null)) > 0;
  if (isKept) return update(webhookCursorKind, cursor, cursor.body);
  const [newest] = await context.list(eventKind, { order: "newest", limit: 1 });
  const body = { after: Math.max(newest?.n ?? 0, cursor?.body.after ?? 0) };
  return cursor === null ? create(webhookCursorKind, webhookCursorId, body) : update(webhookCursorKind, cursor, body);
};

export const createWebhook = defineOperation(contract.createWebhook, async (context: SellerContext, input) => {
  const { caller, ports } = context;
  const template = input.template ?? null;
  if (template !== null && !isOperator(caller)) {
    return refuse("operator_required", { message: "Operators alone choose what is posted: leave template out." });
  }
  const isPermitted = await ports.targets.isPermitted(input.url, { asksResolver: !context.dryRun });
  if (!isPermitted) return refuse("target_not_allowed");
  if ((await context.count(webhookKind, webhookOwnerTerm(caller.owner))) >= mostWebhooks) {
    return refuse("webhook_limit", { extras: { limit: mostWebhooks } });
  }
  const secret = context.mint(newWebhookSecret);
  const row: WebhookRow = {
    webhook_id: context.mint(newWebhookId),
    owner: caller.owner,
    owners: ownersOf(caller),
    sees_all: isOperator(caller),
    key_id: caller.keyId,
    url: input.url,
    event_types: [...new Set(input.event_types)],
    secret,
    ...(template === null ? {} : { template }),
    created_at_ms: context.nowMs,
  };
  return {
    output: { ...webhookView(row), secret },
    changes: [create(webhookKind, row.webhook_id, row), await cursorChange(context)],
  };
});

export const listWebhooks = defineOperation(contract.listWebhooks, async (context: SellerContext, input) => {
  const term = isOperator(context.caller) ? null : webhookOwnerTerm(context.caller.owner);
  const { rows, page } = await readPage(context, { kind: webhookKind, term, order: "newest" }, input);
  return { output: { webhooks: rows.map(({ body }) => webhookView(body)), ...page } };
});

export const getWebhook = defineOperation(contract.getWebhook, async (context: SellerContext, input) => {
  const loaded = await context.own(webhookKind, input.webhook_id, "webhook_not_found");
  return { output: webhookView(loaded.body) };
});

export const deleteWebhook = defineOperation(contract.deleteWebhook, async (context: SellerContext, input) => {
  const loaded = await context.own(webhookKind, input.webhook_id, "webhook_not_found");
  return {
    output: { webhook_id: loaded.body.webhook_id, status: "deleted" as const },
    changes: [remove(webhookKind, loaded)],
  };
});

export const listWebhookDeliveries = defineOperation(
  contract.listWebhookDeliveries,
  async (context: SellerContext, input) => {
    const webhook = await context.own(webhookKind, input.webhook_id, "webhook_not_found");
    const term = deliveriesTerm({ webhookId: webhook.id, status: input.status ?? null });
    const { rows, page } = await readPage(context, { kind: deliveryKind, term, order: "newest" }, input);
    return { output: { deliveries: rows.map(({ body }) => deliveryView(body)), ...page } };
  },
);

export const replayWebhookDelivery = defineOperation(
  contract.replayWebhookDelivery,
  async (context: SellerContext, input) => {
    const webhook = await context.own(webhookKind, input.webhook_id, "webhook_not_found");
    const loaded = await context.own(deliveryKind, input.delivery_id, "delivery_not_found");
    if (loaded.body.webhook_id !== webhook.id) return missing("delivery_not_found", input.delivery_id);
    const life = step(deliveryMachine, loaded.body.life, { type: "REPLAY", nowMs: context.nowMs });
    if (life === null) throw new Error("A replay is never refused.");
    const row = { ...loaded.body, life };
    return { output: deliveryView(row), changes: [update(deliveryKind, loaded, row), unchanged(webhookKind, webhook)] };
  },
);
