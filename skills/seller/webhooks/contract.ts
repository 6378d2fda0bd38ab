import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { eventTypes } from "../events/event-types.ts";
import { messageMembers, unknownMembers } from "./message.ts";

const webhookId = z.string().min(1).max(128).describe("Id from create_webhook.");

const webhook = z.looseObject({
  webhook_id: z.string().nullable(),
  url: z.string(),
  event_types: z.array(z.string()),
  created_at: z.string(),
  template: z.record(z.string(), z.unknown()).nullish().describe("Null: deliveries hold the event."),
});

const deliveryStatuses = ["pending", "delivered", "dead"] as const;

/** `next_attempt_at` is null once it is over. */
const delivery = z.looseObject({
  delivery_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  created_at: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.int(),
  next_attempt_at: z.string().nullable(),
  last_status: z.int().nullable().describe("HTTP status of the last attempt; 0: no answer came."),
  last_error: z.string().nullable().describe("Why the last attempt failed, for example timeout or http_500."),
});

const isPlainUrl = (text: string): boolean => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === "" && url.password === "";
};

const longestTemplate = 4000;

const memberNames = messageMembers.map((name) => `{{${name}}}`).join(", ");

/** In place of the event, for what reads no events. */
const template = z
  .record(z.string().max(200), z.unknown())
  .refine((value) => JSON.stringify(value).length <= longestTemplate, `At most ${longestTemplate} characters as JSON.`)
  .refine((value) => unknownMembers(value).length === 0, `A message has these alone: ${memberNames}.`);

export const createWebhook = defineContract({
  name: "create_webhook",
  group: "webhooks",
  summary:
    "Subscribes an address to events and shows the signing secret once. Operators are told of every event, a buyer " +
    "of those of its own records. Deliveries follow Standard Webhooks: headers webhook-id, webhook-timestamp and " +
    "webhook-signature (HMAC-SHA-256), at least once, tried again for three days. They end with the key that made " +
    "the subscription.",
  effect: "write",
  access: "key",
  input: z.object({
    url: z
      .string()
      .trim()
      .max(2048)
      .refine(isPlainUrl, "An http or https URL without user and password.")
      .meta({ pattern: "^\\s*[Hh][Tt][Tt][Pp][Ss]?://[^\\s@]+\\s*$" })
      .describe("Where deliveries are posted; a public address."),
    event_types: z
      .array(z.enum(eventTypes))
      .min(1, "Name at least one event type.")
      .max(100)
      .describe("Types of events to be told of."),
    template: template
      .nullish()
      .describe(
        "What is posted in place of the event, for a chat or a mail gateway; operators only. " +
          `Its texts may hold ${memberNames}. ` +
          'For example {"text": "{{text}} {{link}}"}.',
      ),
  }),
  output: z.looseObject({ ...webhook.shape, secret: z.string().nullable() }),
  refusals: { target_not_allowed: 400, webhook_limit: 409, operator_required: 403 },
  secretOutput: ["secret"],
  rest: { method: "POST", path: "/api/v1/webhooks", status: 201 },
  tool: { title: "Create a webhook", readOnly: false, destructive: false, idempotent: false, openWorld: true },
});

export const listWebhooks = defineContract({
  name: "list_webhooks",
  group: "webhooks",
  summary: "Lists webhooks in order of creation, newest first, without secrets. Operators see all, a buyer its own.",
  effect: "read",
  access: "key",
  input: z.object(pageInput),
  output: z.looseObject({ webhooks: z.array(webhook), ...pageOutput }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/webhooks" },
  tool: { title: "List webhooks", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const getWebhook = defineContract({
  name: "get_webhook",
  group: "webhooks",
  summary: "Returns one webhook without its secret.",
  effect: "read",
  access: "key",
  input: z.object({ webhook_id: webhookId }),
  output: webhook,
  refusals: { webhook_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/webhooks/:webhook_id" },
  tool: { title: "Get a webhook", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const deleteWebhook = defineContract({
  name: "delete_webhook",
  group: "webhooks",
  summary: "Removes a webhook. Deliveries that are still pending are dropped.",
  effect: "write",
  access: "key",
  input: z.object({ webhook_id: webhookId }),
  output: z.looseObject({ webhook_id: z.string(), status: z.literal("deleted") }),
  refusals: { webhook_not_found: 404 },
  rest: { method: "DELETE", path: "/api/v1/webhooks/:webhook_id" },
  tool: { title: "Delete a webhook", readOnly: false, destructive: true, idempotent: false, openWorld: false },
});

export const listWebhookDeliveries = defineContract({
  name: "list_webhook_deliveries",
  group: "webhooks",
  summary: "Lists a webhook's deliveries, newest first; status dead shows the dead letters. They are kept for 30 days.",
  effect: "read",
  access: "key",
  input: z.object({
    webhook_id: webhookId,
    status: z.enum(deliveryStatuses).nullish().describe("Only deliveries of this status."),
    ...pageInput,
  }),
  output: z.looseObject({ deliveries: z.array(delivery), ...pageOutput }),
  refusals: { webhook_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/webhooks/:webhook_id/deliveries" },
  tool: { title: "List webhook deliveries", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const replayWebhookDelivery = defineContract({
  name: "replay_webhook_delivery",
  group: "webhooks",
  summary: "Sends a delivery again, whatever became of it, with the same webhook-id and a fresh schedule of attempts.",
  effect: "write",
  access: "key",
  input: z.object({ webhook_id: webhookId, delivery_id: z.string().min(1).max(128) }),
  output: delivery,
  refusals: { webhook_not_found: 404, delivery_not_found: 404 },
  rest: { method: "POST", path: "/api/v1/webhooks/:webhook_id/deliveries/:delivery_id/replay" },
  tool: { title: "Replay a webhook delivery", readOnly: false, destructive: false, idempotent: false, openWorld: true },
});
