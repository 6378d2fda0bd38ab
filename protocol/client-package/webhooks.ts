/** An event as `list_events` shows it. */
export interface WebhookEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly flow_id: string;
  readonly flow_type: string;
  readonly deal_id: string;
  readonly session_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ReceivedWebhook {
  /** Of the request, in any letters. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Exactly as it was received: parsed and written again, it has another signature. */
  readonly body: string;
  /** That `create_webhook` gave. */
  readonly secret: string;
  /** 300: an older or younger delivery is refused, so that nobody sends a kept one again. */
  readonly toleranceSeconds?: number;
  readonly nowMs?: number;
}

/** The delivery is not the agent's, or too old. Answer it with 400 or 401. */
export class WebhookRejected extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WebhookRejected";
  }
}

const headerOf = ({ headers }: ReceivedWebhook, name: string): string => {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookRejected(`The header ${name} is missing.`);
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
};

/**
 * The event of a delivery whose signature holds (Standard Webhooks, HMAC-SHA-256). Throws `WebhookRejected`. A delivery
 * comes at least once: `webhook-id` is the same each time.
 */
export const verifyWebhook = async (received: ReceivedWebhook): Promise<WebhookEvent> => {
  const { body, secret, toleranceSeconds = 300, nowMs = Date.now() } = received;
  const [id, timestamp] = [headerOf(received, "webhook-id"), headerOf(received, "webhook-timestamp")];
  const signatures = headerOf(received, "webhook-signature");
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || ageSeconds > toleranceSeconds) {
    throw new WebhookRejected("The delivery is too old, or the clock of this machine is wrong.");
  }
  const keyBytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (keyBytes === null || keyBytes.length === 0)
    throw new WebhookRejected("The secret is not as create_webhook gave it.");
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", keyBytes, hmac, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(" ")) {
    const bytes = signature.startsWith("v1,") ? bytesOf(signature.slice(3)) : null;
    if (bytes !== null && (await crypto.subtle.verify(hmac, key, bytes, signed)))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookRejected("The signature is not of this secret and body.");
};
