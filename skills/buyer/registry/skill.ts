import { z } from "zod";
import { defineContract, defineOperation } from "../../../protocol/seam/operation.ts";
import { getCaller } from "../../seller/caller/contract.ts";
import { openListing } from "../catalog.ts";
import type { BuyerContext } from "../ports.ts";
import { maskedKey, sellerKeyKind } from "../seller-keys/record.ts";
import { callFrom, sellerUrlOf } from "../seller-refusal.ts";
import { originOf } from "../seller-url.ts";
import * as contract from "./contract.ts";

export const discoverSellers = defineOperation(contract.discoverSellers, async (context: BuyerContext, input) => {
  const sellers = await context.ports.registry.discover(input.capabilities);
  return { output: { sellers: [...sellers], total: sellers.length } };
});

export const getSellerCard = defineOperation(contract.getSellerCard, async (context: BuyerContext, input) => {
  return { output: { card: await context.ports.registry.fetchCard(sellerUrlOf(input.seller_url)) } };
});

export const verifySeller = defineOperation(contract.verifySeller, async (context: BuyerContext, input) => {
  return { output: await context.ports.registry.verify(sellerUrlOf(input.seller_url)) };
});

export const registerBuyer = defineOperation(contract.registerBuyer, async (context: BuyerContext) => {
  const { registry, agentUrl } = context.ports;
  const card = {
    agent_id: agentUrl,
    name: "Ad Buyer Agent",
    url: agentUrl,
    protocols: ["opendirect-2.1", "a2a"],
    capabilities: [{ name: "media-buying", description: "Books campaigns across sellers.", tags: ["buyer"] }],
    trust_level: "unknown" as const,
  };
  const isTaken = context.dryRun ? false : await registry.register(card);
  return { output: { registered: isTaken, agent_url: agentUrl } };
});

/** Sellers of other makers have no such operation. */
const asksTier = defineContract({ ...getCaller, output: z.looseObject({ tier: z.string().max(50).nullish() }) });

const sellerView = async (context: BuyerContext, url: string) => {
  const { registry, sellers, configuredKeys } = context.ports;
  const [card, trust, answer, stored, caller] = await Promise.all([
    registry.fetchCard(url),
    registry.verify(url),
    sellers.call(url, openListing, { limit: 1, offset: 0 }, callFrom(context)),
    context.load(sellerKeyKind, originOf(url)),
    sellers.call(url, asksTier, {}, callFrom(context)),
  ]);
  const configured = configuredKeys.get(originOf(url));
  return {
    url,
    name: card?.name ?? null,
    protocols: card?.protocols ?? [],
    reachable: answer.ok,
    trust_level: trust.trust_level,
    tier: caller.ok ? (caller.value.tier ?? null) : null,
    key_hint: stored?.body.masked ?? (configured === undefined ? null : maskedKey(configured.key)),
    needs_reauth: stored?.body.needs_reauth ?? false,
    last_error: answer.ok ? null : `${answer.code}: ${answer.detail}`,
  };
};

export const listSellers = defineOperation(contract.listSellers, async (context: BuyerContext) => {
  const { configured } = context.ports.sellers;
  const sellers = await Promise.all(configured.map((url) => sellerView(context, url)));
  return { output: { sellers, total: sellers.length } };
});
