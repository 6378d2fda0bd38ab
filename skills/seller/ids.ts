import { hash, randomBytes, randomUUID } from "node:crypto";

export const sha256Hex = (text: string): string => hash("sha256", text, "hex");

/** The last group of a version 4 UUID: 48 random bits as 12 lower-case hex digits. */
const twelveHex = (): string => randomUUID().slice(24);

/** The first group of a version 4 UUID: 32 random bits. A clash is refused by the store and tried again. */
const eightHex = (): string => randomUUID().slice(0, 8);

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
