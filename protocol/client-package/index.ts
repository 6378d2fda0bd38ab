import { type AgentClient, clientOf } from "./agent-client.ts";
import type { ClientOptions } from "./call.ts";
import { type BuyerOperationTypes, buyerRoutes } from "./buyer.generated.ts";
import { type SellerOperationTypes, sellerRoutes } from "./seller.generated.ts";

export type * as Seller from "./seller.generated.ts";
export type * as Buyer from "./buyer.generated.ts";
export type { AgentClient } from "./agent-client.ts";
export { type CallOptions, type ClientOptions, ParleyError } from "./call.ts";
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent, WebhookRejected } from "./webhooks.ts";

/** Every operation of a seller by its name. */
export const sellerClient = (options: ClientOptions): AgentClient<SellerOperationTypes, typeof sellerRoutes> =>
  clientOf<SellerOperationTypes, typeof sellerRoutes>(sellerRoutes, options);

/** Every operation of a buyer by its name; each wants an operator's key. */
export const buyerClient = (options: ClientOptions): AgentClient<BuyerOperationTypes, typeof buyerRoutes> =>
  clientOf<BuyerOperationTypes, typeof buyerRoutes>(buyerRoutes, options);
