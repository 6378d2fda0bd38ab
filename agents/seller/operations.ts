import type { Operation } from "../../protocol/operation.ts";
import {
  createApiKey,
  createOperatorKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
} from "../../skills/seller/api-keys/skill.ts";
import { bookDeal, getDeal, transitionDeal } from "../../skills/seller/deals/skill.ts";
import { discoverInventory } from "../../skills/seller/discovery/skill.ts";
import type { SellerPorts } from "../../skills/seller/ports.ts";
import { declineQuote, getPricing, getQuote, requestQuote } from "../../skills/seller/pricing/skill.ts";
import { getProduct, listProducts } from "../../skills/seller/products/skill.ts";

/** Everything the seller can do, in the order in which cards, tool lists and documents show it. */
export const sellerOperations: readonly Operation<SellerPorts>[] = [
  listProducts,
  getProduct,
  discoverInventory,
  getPricing,
  requestQuote,
  getQuote,
  declineQuote,
  bookDeal,
  getDeal,
  transitionDeal,
  createApiKey,
  createOperatorKey,
  listApiKeys,
  getApiKey,
  revokeApiKey,
];
