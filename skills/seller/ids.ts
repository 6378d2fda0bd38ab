import { hash, randomBytes, randomUUID } from "node:crypto";

export const sha256Hex = (text: string): string => hash("sha256", text, "hex");

/** 48 random bits. */
const twelveHex = (): string => randomUUID().slice(24);

/** 32 random bits; the store rejects a clash, and it is tried again. */
const eightHex = (): string => randomUUID().slice(0, 8);

export const newQuoteId = (): string => `qt-${twelveHex()}`;
export const newDealId = (): string => `DEMO-${twelveHex().toUpperCase()}`;
export const newProposalId = (): string => `prop-${eightHex()}`;
export const newNegotiationId = (): string => `neg-${eightHex()}`;
export const newOrderId = (): string => `ORD-${twelveHex().toUpperCase()}`;
export const newChangeRequestId = (): string => `CR-${twelveHex().toUpperCase()}`;
export const newMediaBuyId = (): string => `mb-${twelveHex()}`;
export const newPlanId = (): string => `plan-${twelveHex()}`;
export const newKeyId = (): string => `key-${eightHex()}`;
export const newAgentId = (): string => `agent-${eightHex()}`;
export const newVerificationId = (): string => `vt-${twelveHex()}`;
export const newWebhookId = (): string => `wh-${twelveHex()}`;
export const newApprovalId = (): string => randomUUID();

/** 256 random bits, shown once. */
export const newKeySecret = (): string => `ask_live_${randomBytes(32).toString("base64url")}`;

/** Standard Webhooks form, 256 random bits, shown once. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
