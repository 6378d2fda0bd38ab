import { z } from "zod";
import { currencyCode } from "./deals.ts";
import { isHostName } from "./rules.ts";

/** One seller of the chain (IAB Tech Lab SupplyChain object 1.0). */
const chainNode = z.strictObject({
  asi: z.string().refine((text) => isHostName(text), "must be the host name of the seller's system"),
  sid: z.string().min(1).max(64),
  hp: z.literal(1).default(1),
  rid: z.string().min(1).max(256).optional(),
  name: z.string().min(1).max(256).optional(),
  domain: z.string().min(1).max(256).optional(),
});

const schain = z.strictObject({
  complete: z.literal([0, 1]).default(1),
  ver: z.literal("1.0").default("1.0"),
  nodes: z.array(chainNode).min(1, "needs at least one node").max(32),
});

const advertiser = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine((text) => isHostName(text), "must be a host name");

/** What every provider is told, whatever its profile. */
export const auctionRules = {
  schain: schain.optional(),
  badv: z.array(advertiser).max(10_000).default([]),
  bcat: z.array(z.string().min(1).max(32)).max(1_000).default([]),
  rates: z.record(currencyCode, z.number().positive("must be above 0")).default({}),
};

const auctionRulesSchema = z.object(auctionRules);

export type AuctionRules = z.output<typeof auctionRulesSchema>;
