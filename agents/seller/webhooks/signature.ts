import { createHmac } from "node:crypto";

/** What a delivery's headers are made of; the time in milliseconds since the epoch. */
export interface SignedParts {
  readonly secret: string;
  readonly webhookId: string;
  readonly nowMs: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks (standardwebhooks.com, version 1): the signature is HMAC-SHA-256, keyed with the
 * decoded part of the secret behind `whsec_`, over id, time in seconds and body, joined by full stops. Receivers
 * refuse a time that is more than 300 seconds off theirs.
 */
export const signedHeaders = ({ secret, webhookId, nowMs, body }: SignedParts): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const digest = createHmac("sha256", key).update(`${webhookId}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": webhookId, "webhook-timestamp": timestamp, "webhook-signature": `v1,${digest}` };
};
