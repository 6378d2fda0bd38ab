import { createHmac } from "node:crypto";

export interface SignedParts {
  readonly secret: string;
  readonly webhookId: string;
  readonly nowMs: number;
  readonly body: string;
}

/**
 * Standard Webhooks 1 (standardwebhooks.com): HMAC-SHA-256, keyed with the decoded part behind `whsec_`, over
 * `id.seconds.body`. Receivers reject a time more than 300 seconds off.
 */
export const signedHeaders = ({ secret, webhookId, nowMs, body }: SignedParts): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const digest = createHmac("sha256", key).update(`${webhookId}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": webhookId, "webhook-timestamp": timestamp, "webhook-signature": `v1,${digest}` };
};
