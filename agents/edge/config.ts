import { z } from "zod";
import { auctionSchema } from "./config/auction.ts";
import { cacheSchema } from "./config/cache.ts";
import { sellerDealsSchema } from "./config/deals.ts";
import { consentSchema, ecSchema } from "./config/identity.ts";
import { opportunitiesSchema } from "./config/opportunities.ts";
import {
  debugSchema,
  discoverySchema,
  geoSchema,
  handlersSchema,
  proxySchema,
  publisherSchema,
  requestSigningSchema,
  responseHeadersSchema,
  rewriteSchema,
  trustedClientIpSchema,
} from "./config/publisher.ts";

/**
 * The edge's configuration file, keys as in the file. Unknown keys are
 * refused in every section: a misspelt key must not look like a setting.
 */
export const edgeConfigSchema = z.strictObject({
  publisher: publisherSchema,
  tester_cookie: z.strictObject({ enabled: z.boolean().default(false) }).prefault({}),
  debug: debugSchema.prefault({}),
  ec: ecSchema,
  handlers: handlersSchema,
  trusted_client_ip: trustedClientIpSchema.optional(),
  geo: geoSchema.prefault({}),
  request_signing: requestSigningSchema.optional(),
  config_stores: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  discovery: discoverySchema.prefault({}),
  rewrite: rewriteSchema.prefault({}),
  response_headers: responseHeadersSchema,
  proxy: proxySchema.prefault({}),
  cache: cacheSchema.prefault({}),
  consent: consentSchema.prefault({}),
  auction: auctionSchema.prefault({}),
  creative_opportunities: opportunitiesSchema.optional(),
  deals: sellerDealsSchema.optional(),
});

export type EdgeConfig = z.output<typeof edgeConfigSchema>;
export type AuctionConfig = EdgeConfig["auction"];
export type ProviderConfig = AuctionConfig["providers"][string];
export type SellerDealsConfig = NonNullable<EdgeConfig["deals"]>;
export type OpportunitiesConfig = NonNullable<EdgeConfig["creative_opportunities"]>;
