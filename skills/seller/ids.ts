import { randomBytes, randomFillSync, randomUUID } from "node:crypto";

/** Random bytes that no id was made of yet, from `used` on. */
const pool = Buffer.alloc(6 * 1024);
let used = pool.length;

/** Random bits, eight to a byte, as lower-case hex digits. A clash of ids is refused by the store and tried again. */
const hexOf = (bytes: number): string => {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString("hex", used - bytes, used);
};

const twelveHex = (): string => hexOf(6);
const eightHex = (): string => hexOf(4);

/** Forms of the wire contract 1.1. */
export const newQuoteId = (): string => `qt-${twelveHex()}`;
export const newDealId = (): string => `DEMO-${twelveHex().toUpperCase()}`;
export const newProposalId = (): string => `prop-${eightHex()}`;
export const newNegotiationId = (): string => `neg-${eightHex()}`;
export const newOrderId = (): string => `ORD-${twelveHex().toUpperCase()}`;
export const newChangeRequestId = (): string => `CR-${twelveHex().toUpperCase()}`;
export const newKeyId = (): string => `key-${eightHex()}`;
export const newAgentId = (): string => `agent-${eightHex()}`;
export const newVerificationId = (): string => `vt-${twelveHex()}`;
export const newWebhookId = (): string => `wh-${twelveHex()}`;
export const newApprovalId = (): string => randomUUID();

/** A key's secret: 256 random bits, shown once. */
export const newKeySecret = (): string => `ask_live_${randomBytes(32).toString("base64url")}`;

/** A webhook's signing secret in the form of Standard Webhooks: 256 random bits, shown once. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
